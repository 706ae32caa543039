"""One record of another value or type changes nothing that anybody can see but the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doors.python_mutants import MUTANTS, Mutant
from tests.doors.python_shell import BASE
from tests.doors.survey import (
    BUILT,
    Row,
    as_table,
    command_line_rows,
    evaluation_rows,
    package,
    python_rows,
    table_rows,
)

# Leaks of tests/doors/leaky_read.cpp.
LEAKS = [
    "drops_incomplete_records",
    "fills_with_means",
    "centers_columns",
    "scales_targets",
    "forgets_labels",
    "says_the_largest_target",
    "warns_of_missing_targets",
    "refuses_infinite_targets",
    "crashes_on_huge_targets",
    "names_columns_by_content",
]
# Leaks of tests/doors/leaky_table.cpp.
TABLE_LEAKS = [
    "infers_types",
    "guesses_dates",
    "learns_levels",
    "centers_tables_by_content",
    "counts_undeclared_cells",
    "says_how_many_are_missing",
    "refuses_short_records",
    "refuses_long_records",
    "names_features_by_content",
    "counts_records_for_units",
]


def told_apart(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.difference]


def test_python_tells_no_records_apart(tmp_path: Path) -> None:
    rows = python_rows(package(tmp_path))
    print(as_table(rows))
    assert sum(row.runs for row in rows) > 20_000
    assert told_apart(rows) == []


def test_the_command_line_tells_no_records_apart() -> None:
    rows = command_line_rows()
    print(as_table(rows))
    assert len(rows) > 2_000
    assert told_apart(rows) == []


def test_private_evaluations_tell_no_records_apart() -> None:
    rows = evaluation_rows()
    print(as_table(rows))
    assert len(rows) > 1_000
    assert told_apart(rows) == []


def test_raw_tables_tell_no_records_apart() -> None:
    rows = table_rows()
    print(as_table(rows))
    assert len(rows) > 5_000
    assert told_apart(rows) == []


@pytest.mark.parametrize("leak", TABLE_LEAKS)
def test_a_raw_table_that_leaks_is_found(leak: str) -> None:
    found = told_apart(table_rows(leak=leak, stop=True))
    assert found != []
    assert not found[0].difference.startswith("nothing was fitted")


@pytest.mark.parametrize("leak", LEAKS)
def test_a_command_line_that_leaks_is_found(leak: str) -> None:
    assert told_apart(command_line_rows(leak=leak, stop=True)) != []


@pytest.mark.parametrize(("source", "leaks"), [("read", LEAKS), ("table", TABLE_LEAKS)])
def test_every_leak_of_the_command_line_is_tried(root: Path, source: str, leaks: list[str]) -> None:
    text = (root / "tests" / "doors" / f"leaky_{source}.cpp").read_text(encoding="utf-8")
    assert all(f'{{"{leak}"' in text for leak in leaks)
    assert text.count('{"') == len(leaks)
    assert BUILT.is_dir()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_python_shell_that_leaks_is_found(mutant: Mutant, tmp_path: Path) -> None:
    folder = package(tmp_path)
    mutant.apply(folder)
    found = told_apart(python_rows(folder, fits=0, stop=True, doors=mutant.doors))
    assert found != []
    assert found[0].difference.startswith(BASE) == mutant.without_a_change
