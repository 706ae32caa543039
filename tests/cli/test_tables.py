"""Raw tables from the command line: from a file with words to a model and back."""

import csv
import gzip
import io
import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.raw_table import BUDGET, COST, FIELDS, SEEDED, fitted, good, rows, text, write_tables
from tests.conftest import Run


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    write_tables(tmp_path)
    return tmp_path


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
    assert "--delimiter" not in done.stderr
    (tables / "other.csv").write_text(text(rows(), ";"))
    assert (
        "are read with --delimiter, in Python CsvFile"
        in run("predict", "m.json", "other.csv").stderr
    )


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
