"""southwell fit --unit and --class-weight: several records of one person, weights of classes."""

import json
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
BASE = ["--loss", "logistic", "--epsilon", "1", "--delta", "1e-6", "--classes", "0,1"]


def write_table(file: Path, rows: int, persons: int) -> None:
    made = random.Random(3)
    lines = ["patient,a,b,target"]
    for k in range(rows):
        a, b = made.gauss(0, 1), made.gauss(0, 1)
        who = "" if k % 50 == 7 else f"p{k % persons}"
        lines.append(f"{who},{a:.6f},{b:.6f},{int(a > 0.5)}")
    file.write_text("\n".join(lines) + "\n")


def tells(words: str, number: int) -> bool:
    """Whether a number stands there by itself, not among the digits of another."""
    return re.search(rf"(?<![\d.]){number}(?!\d|\.[1-9])", words) is not None


def privacy_of(file: Path) -> dict[str, Any]:
    statement: dict[str, Any] = json.loads(file.read_text())["privacy"]
    return statement


@pytest.mark.parametrize("solver", ["gcd", "cd", "sgd"])
def test_a_column_says_whose_each_record_is(run: Run, tmp_path: Path, solver: str) -> None:
    write_table(tmp_path / "a.csv", 1234, 301)
    for column in ("patient", "0"):
        flags = [*BASE, "--unit", column, "--solver", solver, "--class-weight", "1,3"]
        done = run("fit", "a.csv", *flags, "--out", f"{column}.json")
        assert done.returncode == 0, done.stderr
        assert not tells(done.stdout + done.stderr, 1234)
        privacy = privacy_of(tmp_path / f"{column}.json")
        assert privacy["unit"] == "all records with one patient"
        assert privacy["records"] == 301
        assert privacy["public_inputs"]["class_weight"] == {"value": [1, 3], "source": "user"}
        assert not tells((tmp_path / f"{column}.json").read_text(), 1234)
    for command in (["inspect", "patient.json"], ["predict", "patient.json", "a.csv"]):
        done = run(*command)
        assert done.returncode == 0, done.stderr


def test_more_rows_of_the_same_people_change_nothing_that_is_told(run: Run, tmp_path: Path) -> None:
    said = []
    for rows in (900, 2700):
        write_table(tmp_path / "a.csv", rows, 300)
        done = run("fit", "a.csv", *BASE, "--unit", "patient", "--dry-run")
        assert done.returncode == 0, done.stderr
        said.append(done.stdout + done.stderr)
    assert said[0] == said[1]


def test_missing_words_are_no_id(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("who,a,target\nx,1,1\nNA,2,0\n  ,3,1\n x ,4,0\ny,5,1\n")
    done = run("fit", "a.csv", *BASE, "--unit", "who", "--missing", "NA", "--out", "m.json")
    assert done.returncode == 0, done.stderr
    assert privacy_of(tmp_path / "m.json")["records"] == 2


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--class-weight", "balanced"], "balanced would count the labels of the records"),
        (["--class-weight", "1,2,3"], "class_weight: given 3 numbers"),
        (["--unit", "nobody"], "unit: given 'nobody'"),
        (["--unit", "patient", "--solver", "sgd", "--batch-size", "5"], "data that have units"),
        (["--unit", "patient", "--mode", "paper"], "only valid with mode certified"),
    ],
)
def test_what_cannot_be_is_refused(run: Run, tmp_path: Path, flags: list[str], words: str) -> None:
    write_table(tmp_path / "a.csv", 200, 50)
    done = run("fit", "a.csv", *BASE, *flags, "--out", "m.json")
    assert done.returncode == 2
    assert words in done.stderr
    assert not (tmp_path / "m.json").exists()


def test_only_a_csv_file_has_a_column_of_units(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.libsvm").write_text("1 1:1\n0 2:1\n")
    flags = [*BASE, "--features", "2", "--unit", "patient", "--out", "m.json"]
    done = run("fit", "a.libsvm", *flags)
    assert done.returncode == 2
    assert "--unit: given 'patient', accepted is a column of a .csv file" in done.stderr
