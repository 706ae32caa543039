"""Raw tables from the command line: from a file with words to a model and back."""

import csv
import gzip
import io
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

FIELDS: list[dict[str, Any]] = [
    {"name": "age", "type": "integer", "constraints": {"minimum": 18, "maximum": 65}},
    {"name": "smoker", "type": "boolean", "trueValues": ["ja"], "falseValues": ["nein"]},
    {"name": "region", "type": "string", "constraints": {"enum": ["Nord", "Süd"]}},
    {"name": "visit", "type": "string", "southwell": {"role": "ignore"}},
]
COST: dict[str, Any] = {
    "name": "cost",
    "type": "number",
    "constraints": {"minimum": 0, "maximum": 60000},
    "southwell": {"role": "target"},
}
RISK: dict[str, Any] = {
    "name": "risk",
    "type": "string",
    "constraints": {"enum": ["low", "high"]},
    "southwell": {"role": "target", "aliases": {"HIGH": "high"}},
}
BUDGET = ("--epsilon", 4, "--delta", 1e-6)
SEEDED = (*BUDGET, "--seed-for-tests", 7)


def rows(count: int = 2000, seed: int = 1) -> list[dict[str, str]]:
    rng = random.Random(seed)
    made = []
    for k in range(count):
        age, smoker, south = rng.randint(18, 65), rng.random() < 0.3, rng.random() < 0.5
        cost = 200 * age + 20000 * smoker + 1000 * south + rng.gauss(0, 1500)
        made.append(
            {
                "age": str(age) if k % 50 else "?",
                "smoker": "ja" if smoker else "nein",
                "region": "Süd" if south else "Nord",
                "visit": f"v{k}",
                "cost": f"{cost:.2f}",
                "risk": "high" if cost > 18000 else "low",
            }
        )
    return made


def text(table: list[dict[str, str]], delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(table[0]), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return out.getvalue()


def write_schema(path: Path, target: dict[str, Any], **beside: Any) -> None:
    path.write_text(json.dumps({"fields": [*FIELDS, target], "missingValues": ["", "?"], **beside}))


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    (tmp_path / "table.csv").write_text(text(rows()))
    write_schema(tmp_path / "cost.json", COST)
    write_schema(tmp_path / "risk.json", RISK)
    return tmp_path


def good(done: "subprocess.CompletedProcess[str]") -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout


def fitted(run: Run, out: str, schema: str, *more: object, data: str = "table.csv") -> str:
    loss = "logistic" if schema == "risk.json" else "squared"
    return good(
        run(
            "fit", data, "--schema", schema, "--loss", loss, "--solver", "auto", *more, "--out", out
        )
    )


def test_a_table_with_words_becomes_a_model_in_its_own_units(run: Run, tables: Path) -> None:
    printed = fitted(run, "m.json", "cost.json", *BUDGET)
    assert "region=Süd" in printed
    assert "per unit" in printed
    assert "against the mean" in printed
    figures = json.loads(good(run("evaluate", "m.json", "table.csv", "--json")))
    assert figures["r2"] > 0.95
    assert figures["left_out"] == 0  # a missing age is the middle of its bounds
    shown = json.loads(good(run("inspect", "m.json", "--json")))
    coef = {each["feature"]: each for each in shown["coef"][0]}
    assert coef["age"]["table_units"]["value"] == pytest.approx(200, rel=0.25)
    assert coef["age"]["table_units"]["per"] == "per unit"
    assert coef["smoker=true"]["table_units"]["value"] == pytest.approx(10000, rel=0.1)
    assert coef["age"]["table_units"]["value"] == pytest.approx(coef["age"]["value"] / 23.5)
    assert "per unit" in good(run("inspect", "m.json"))
    assert "age?" in good(run("inspect", "m.json"))
    good(run("inspect", "m.json", "--html", "page.html"))
    assert "in table units" in (tables / "page.html").read_text()


def test_a_prediction_is_the_sum_of_what_inspect_says(run: Run, tables: Path) -> None:
    fitted(run, "m.json", "cost.json", *BUDGET)
    shown = json.loads(good(run("inspect", "m.json", "--json")))
    unit = {
        each["feature"]: each["table_units"]["value"]
        for each in shown["coef"][0]
        if "table_units" in each
    }
    (tables / "new.csv").write_text("region,age,smoker\nNord,40,ja\n")
    (_, line) = good(run("predict", "m.json", "new.csv")).splitlines()
    said = 40 * unit["age"] + unit.get("smoker=true", 0) + unit.get("region=Nord", 0)
    assert float(line) == pytest.approx(shown["table_units_intercept"][0] + said, rel=1e-9)


def test_labels_are_words_from_the_table_to_the_prediction(run: Run, tables: Path) -> None:
    fitted(run, "m.json", "risk.json", *BUDGET)
    out = list(
        csv.DictReader(io.StringIO(good(run("predict", "m.json", "table.csv", "--id", "visit"))))
    )
    right = [each["prediction"] == row["risk"] for each, row in zip(out, rows(), strict=True)]
    assert [each["visit"] for each in out] == [row["visit"] for row in rows()]
    assert sum(right) / len(right) > 0.9
    figures = json.loads(good(run("evaluate", "m.json", "table.csv", "--json")))
    assert figures["accuracy"] == pytest.approx(sum(right) / len(right))
    header = good(run("predict", "m.json", "table.csv", "--kind", "probability")).splitlines()[0]
    assert header == "probability_low,probability_high"
    assert json.loads(good(run("inspect", "m.json", "--json")))["class_names"] == ["low", "high"]


def test_columns_are_matched_by_name_and_only_those_are_needed(run: Run, tables: Path) -> None:
    fitted(run, "m.json", "cost.json", *SEEDED)
    whole = good(run("predict", "m.json", "table.csv"))
    (tables / "turned.csv").write_text(
        text([{"other": 'any, "thing"', **dict(reversed(row.items()))} for row in rows()])
    )
    assert good(run("predict", "m.json", "turned.csv")) == whole
    (tables / "few.csv").write_text(
        text([{k: row[k] for k in ("region", "age")} for row in rows()])
    )
    done = run("predict", "m.json", "few.csv")
    assert done.returncode == 3
    assert "columns of the schema are absent: 'smoker'" in done.stderr
    done = run("evaluate", "m.json", "few.csv")
    assert "'smoker', 'cost'" in done.stderr


def test_one_table_is_the_same_model_by_every_way_in(run: Run, tables: Path) -> None:
    fitted(run, "m.json", "cost.json", *SEEDED)
    expected = (tables / "m.json").read_text()
    (tables / "z.csv.gz").write_bytes(gzip.compress(text(rows()).encode()))
    (tables / "l.csv").write_bytes(text(rows()).encode("latin-1"))
    ways = {"z.csv.gz": [], "l.csv": ["--encoding", "latin-1"]}
    for name, delimiter in {";": ";", "tab": "\t", "\\t": "\t", "|": "|"}.items():
        (tables / f"{ord(name[0])}.csv").write_text(text(rows(), delimiter))
        ways[f"{ord(name[0])}.csv"] = ["--delimiter", name]
    for file, options in ways.items():
        fitted(run, "same.json", "cost.json", *SEEDED, *options, data=file)
        assert (tables / "same.json").read_text() == expected, file
        assert good(run("predict", "m.json", file, *options)) == good(
            run("predict", "m.json", "table.csv")
        )


@pytest.mark.parametrize("packed", [False, True])
def test_a_dash_is_standard_input(southwell_binary: Path, tables: Path, packed: bool) -> None:
    data = text(rows()).encode()
    options = ["--schema", "cost.json", "--loss", "squared", *map(str, SEEDED)]

    def piped(*arguments: str) -> bytes:
        done = subprocess.run(
            [southwell_binary, *arguments], cwd=tables, capture_output=True, check=False,
            input=gzip.compress(data) if packed else data,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    piped("fit", "-", *options, "--out", "piped.json")
    piped("fit", "table.csv", *options, "--out", "m.json")
    assert (tables / "piped.json").read_text() == (tables / "m.json").read_text()
    assert piped("predict", "m.json", "-") == piped("predict", "m.json", "table.csv")
    assert piped("evaluate", "m.json", "-") == piped("evaluate", "m.json", "table.csv")
    assert piped("schema", "init", "-") == piped("schema", "init", "table.csv")
    with (tables / "table.csv").open("rb") as file:  # a file that is redirected
        done = subprocess.run(
            [southwell_binary, "predict", "m.json", "-"], cwd=tables, stdin=file,
            capture_output=True, check=True,
        )  # fmt: skip
    assert done.stdout == piped("predict", "m.json", "-")


def test_bytes_that_are_no_utf_8_spoil_their_cell_alone(run: Run, tables: Path) -> None:
    (tables / "l.csv").write_bytes(text(rows()).encode("latin-1"))
    fitted(run, "m.json", "cost.json", *SEEDED, data="l.csv")
    counts = json.loads(good(run("schema", "check", "cost.json", "l.csv", "--json")))["data"]
    assert counts["columns"]["region"]["undeclared"] == sum(r["region"] == "Süd" for r in rows())
    assert counts["columns"]["age"]["missing"] == 40


def test_a_skeleton_runs_only_when_it_is_filled_in(run: Run, tables: Path) -> None:
    good(run("schema", "init", "table.csv", "--out", "new.json"))
    made = json.loads((tables / "new.json").read_text())
    assert [field["name"] for field in made["fields"]] == list(rows()[0])
    assert all("v1" not in json.dumps(field) for field in made["fields"])  # nothing of a record
    by_name = {field["name"]: field for field in [*FIELDS, COST]}
    by_name["risk"] = {"name": "risk", "type": "string", "southwell": {"role": "ignore"}}
    for k, field in enumerate(made["fields"]):
        done = run("fit", "table.csv", "--schema", "new.json", "--loss", "squared", *BUDGET,
                   "--out", "m.json")  # fmt: skip
        assert done.returncode == 3
        assert f"field '{field['name']}': type: given 'FILL IN" in done.stderr
        assert run("schema", "check", "new.json").stderr == done.stderr
        made["fields"][k] = by_name[field["name"]]
        (tables / "new.json").write_text(json.dumps(made))
    assert good(run("schema", "check", "new.json")).startswith(
        "complete: 6 fields become 8 features"
    )
    fitted(run, "m.json", "new.json", *BUDGET)


def test_a_dummy_obeys_its_schema_and_can_be_fitted(run: Run, tables: Path) -> None:
    good(run("schema", "dummy", "risk.json", "--records", 400, "--seed", 2, "--out", "d.csv"))
    assert (
        good(run("schema", "dummy", "risk.json", "--records", 400, "--seed", 2))
        == (tables / "d.csv").read_text()
    )
    found = json.loads(good(run("schema", "check", "risk.json", "d.csv", "--json")))
    assert found["private"] is False
    assert found["data"]["records"] == 400
    for column in found["data"]["columns"].values():
        assert column["out_of_bounds"] == column["undeclared"] == column["not_of_type"] == 0
    assert 0 < found["data"]["columns"]["age"]["missing"] < 60
    fitted(run, "m.json", "risk.json", *BUDGET, data="d.csv")
    assert len(good(run("predict", "m.json", "d.csv")).splitlines()) == 401


def test_a_check_says_what_a_schema_makes_and_what_does_not_fit(run: Run, tables: Path) -> None:
    public = json.loads(good(run("schema", "check", "cost.json", "--json")))
    assert public["private"] is True
    assert public["feature_names"] == [
        "age", "age?", "smoker=false", "smoker=true", "smoker?", "region=Nord", "region=Süd",
        "region?",
    ]  # fmt: skip
    assert public["features"] == len(public["feature_scales"]) == 8
    assert public["record_norm"] > 1
    assert public["sparse"] is False
    table = rows()
    table[3].update(age="17", region="West", smoker="vielleicht", cost="teuer")
    table[4].update(age="jung", region="", cost="99999")
    (tables / "odd.csv").write_text(text(table) + "20\n")
    printed = good(run("schema", "check", "cost.json", "odd.csv"))
    lines = {line.split()[0]: line.split()[1:] for line in printed.splitlines() if line.strip()}
    assert lines["age"] == ["40", "1", "0", "1"]
    assert lines["smoker"] == ["1", "0", "1", "0"]
    assert lines["region"] == ["2", "0", "1", "0"]
    assert lines["cost"] == ["1", "1", "0", "1"]
    assert "2001 records, 1 of them short, 0 too long" in printed
    assert "not private" in printed
    assert "not private" not in good(run("schema", "check", "cost.json"))


def test_a_plan_takes_features_and_names_from_the_schema(run: Run, tables: Path) -> None:
    budget = (*BUDGET, "--records", 2000, "--loss", "squared")
    planned = good(run("plan", "--schema", "cost.json", *budget))
    assert "region=Süd" in planned
    assert "per unit" in planned
    assert good(run("plan", "--schema", "cost.json", "--features", 8, *budget)) == planned
    dry = good(run("fit", "table.csv", "--schema", "cost.json", "--loss", "squared", "--solver",
                   "auto", *BUDGET, "--dry-run"))  # fmt: skip
    noise = [line for line in planned.splitlines() if line.startswith("  age ")]
    assert noise[0] in dry.splitlines()
    rows_of = json.loads(good(run("plan", "--schema", "cost.json", *budget, "--json")))["rows"]
    assert len(rows_of) > 3


def test_a_schema_and_a_flag_may_say_the_same(run: Run, tables: Path) -> None:
    same = ("--target", "cost", "--features", 8)
    fitted(run, "one.json", "cost.json", *SEEDED)
    fitted(run, "two.json", "cost.json", *SEEDED, *same)
    one, two = (json.loads((tables / name).read_text()) for name in ("one.json", "two.json"))
    assert one["coef"] == two["coef"]


def test_units_of_a_schema_are_in_the_statement(run: Run, tables: Path) -> None:
    fields = [*FIELDS[:3], {"name": "visit", "type": "string", "southwell": {"role": "unit"}}]
    (tables / "unit.json").write_text(json.dumps({"fields": [*fields, COST]}))
    table = [{**row, "visit": f"p{k // 4}"} for k, row in enumerate(rows())]
    (tables / "panel.csv").write_text(text(table))
    fitted(run, "m.json", "unit.json", *BUDGET, data="panel.csv")
    shown = json.loads(good(run("inspect", "m.json", "--json")))
    assert shown["records"] == 500
    assert "visit" in shown["unit"]


METADATA = """
db:
  main:
    people:
      rows: 2000
      age:
        type: int
        lower: 18
        upper: 65
      cost:
        type: float
        lower: 0
        upper: 60000
"""


def test_metadata_of_others_become_a_schema(run: Run, tables: Path) -> None:
    (tables / "m.yaml").write_text(METADATA)
    schema = json.loads(good(run("schema", "import", "--smartnoise", "m.yaml")))
    schema["fields"][1]["southwell"] = {"role": "target"}
    (tables / "imported.json").write_text(json.dumps(schema))
    fitted(run, "m.json", "imported.json", *BUDGET)
    columns = [
        {"name": "age", "datatype": {"base": "integer", "minimum": 18, "maximum": 65}},
        {"name": "cost", "datatype": {"base": "decimal", "minimum": 0, "maximum": 60000}},
    ]
    (tables / "w.json").write_text(json.dumps({"tableSchema": {"columns": columns}}))
    same = json.loads(good(run("schema", "import", "--csvw", "w.json")))
    assert [f["constraints"] for f in same["fields"]] == [
        f["constraints"] for f in schema["fields"]
    ]
    (tables / "bad.yaml").write_text(METADATA.replace("rows: 2000", "rows: [2000]"))
    done = run("schema", "import", "--smartnoise", "bad.yaml", "--out", "no.json")
    assert done.returncode == 3
    assert done.stderr.startswith("southwell: bad.yaml:5: ")
    assert not (tables / "no.json").exists()


def test_a_fit_says_nothing_of_what_records_hold(run: Run, tables: Path) -> None:
    fit = ("--schema", "cost.json", "--loss", "squared", *BUDGET, "--dry-run")
    said = run("fit", "table.csv", *fit)
    table = rows()
    table[3] = dict.fromkeys(table[3], "\x1b[31m1e400")
    (tables / "odd.csv").write_text(text(table))
    odd = run("fit", "odd.csv", *fit)
    assert (odd.stdout, odd.stderr, odd.returncode) == (said.stdout, said.stderr, 0)
    (tables / "broken.csv").write_text(text(rows()) + '"20,ja\n')
    done = run("fit", "broken.csv", *fit)
    assert done.returncode == 3
    assert "broken.csv:2002: broken quotes" in done.stderr
