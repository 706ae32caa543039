"""The commands that make and check schemas, and plans from them."""

import json
from pathlib import Path

import pytest

from tests.cli.raw_table import BUDGET, COST, FIELDS, fitted, good, rows, text, write_tables
from tests.conftest import Run


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    write_tables(tmp_path)
    return tmp_path


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


def test_columns_of_numbers_stay_in_line_beside_long_names(run: Run, tmp_path: Path) -> None:
    levels = ["short", "Outlying-US(Guam-USVI-etc)"]
    country = {"name": "native-country", "type": "string", "constraints": {"enum": levels}}
    target = {"name": "y", "type": "number", "constraints": {"minimum": 0, "maximum": 1}}
    target["southwell"] = {"role": "target"}
    (tmp_path / "schema.json").write_text(json.dumps({"fields": [country, target]}))
    budget = ["--loss", "squared", "--epsilon", 1, "--delta", 1e-6]
    done = run("plan", "--schema", "schema.json", "--records", 1000, *budget)
    assert done.returncode == 0, done.stderr
    _, *lines = done.stdout[done.stdout.index("  noise sd") :].splitlines()
    assert [line.split()[0] for line in lines] == [
        "native-country=short",
        "native-country=Outlying-US(Guam-USVI-etc)",
        "native-country?",
        "(intercept)",
    ]
    assert len({len(line) for line in lines}) == 1
