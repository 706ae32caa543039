"""The files of `southwell lab paper` and `southwell lab theory`, as far as a directory has them.

A file, a column or a row that is not there is never an error: a part of a study is a study. What is
absent is written down in `Study.missing`, and the report says it.
"""

from __future__ import annotations

import csv
import dataclasses
import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar


class ReadError(Exception):
    """A file that is there but is not what it should be; says which line."""


class Cell(NamedTuple):
    """One search: a problem, an algorithm, the mode of its accounting, and gcd's rule."""

    problem: str
    algorithm: str
    mode: str
    rule: str


@dataclass(frozen=True)
class InCell:
    problem: str
    algorithm: str
    mode: str
    rule: str

    @property
    def cell(self) -> Cell:
        return Cell(self.problem, self.algorithm, self.mode, self.rule)


# The fields of each class are the columns of its file; those with a default may be absent.
@dataclass(frozen=True)
class Winner(InCell):
    records: int
    features: int
    error_at_zero: float
    optimum_support: int
    settings: int
    settings_run: int
    runs: int
    passes: float
    iterations: int
    clip: float
    step: float
    search_mean: float
    search_min: float
    search_max: float
    fresh_runs: int
    fresh_mean: float
    fresh_min: float
    fresh_max: float
    support_right: float
    support_wrong: float
    search_seconds: float
    fit_seconds: float
    share: float | None = None
    good_steps: float | None = None
    bad_steps: float | None = None

    @property
    def left(self) -> float:
        """Share of f(0) - f* that the fit leaves, on fresh seeds."""
        return self.fresh_mean / self.error_at_zero


@dataclass(frozen=True)
class Point(InCell):
    passes: float
    iterations: int
    error_mean: float
    error_min: float
    error_max: float
    seconds: float | None = None


@dataclass(frozen=True)
class Support(InCell):
    seed: int
    error: float
    support_right: int
    support_wrong: int


@dataclass(frozen=True)
class Problem:
    problem: str
    records: int
    features: int
    loss: str
    penalty: str
    alpha: float
    error_at_zero: float
    optimum_support: int
    quasi_sparsity: float


@dataclass(frozen=True)
class Coefficient:
    problem: str
    index: int
    value: float


@dataclass(frozen=True)
class TheoryRun:
    truth: str
    features: int
    records: int
    algorithm: str
    mode: str
    seed: int
    error: float
    share: float | None = None


@dataclass(frozen=True)
class TheoryFit:
    truth: str
    algorithm: str
    mode: str
    slope: float
    slope_low: float
    slope_high: float


@dataclass(frozen=True)
class TheoryBound:
    truth: str
    features: int
    theorem: str
    bound: float | None = None  # empty where the theorem does not apply


Row = TypeVar("Row")


@dataclass
class Study:
    """Everything that a directory holds."""

    directory: Path
    winners: list[Winner] = field(default_factory=list)
    trajectories: dict[Cell, list[Point]] = field(default_factory=dict)
    supports: list[Support] = field(default_factory=list)
    problems: dict[str, Problem] = field(default_factory=dict)
    optima: dict[str, list[float]] = field(default_factory=dict)  # non-zero coefficients
    settings: Counter[Cell] = field(default_factory=Counter)  # rows of results.csv
    theory: list[TheoryRun] = field(default_factory=list)
    fits: list[TheoryFit] = field(default_factory=list)
    bounds: list[TheoryBound] = field(default_factory=list)
    manifest: dict[str, Any] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    def modes(self) -> list[str]:
        found = {winner.mode for winner in self.winners} | {c.mode for c in self.trajectories}
        return [mode for mode in ("paper", "certified") if mode in found]

    def winner(self, problem: str, algorithm: str, mode: str, rule: str = "") -> Winner | None:
        """The winner of a cell; of gcd with the first rule searched unless one is named."""
        here = {
            winner.rule: winner
            for winner in self.winners
            if (winner.problem, winner.algorithm, winner.mode) == (problem, algorithm, mode)
        }
        return here.get(first_rule(here)) if rule == "" else here.get(rule)

    def trajectory(
        self, problem: str, algorithm: str, mode: str, rule: str = ""
    ) -> list[Point] | None:
        here = {
            cell.rule: points
            for cell, points in self.trajectories.items()
            if cell[:3] == (problem, algorithm, mode)
        }
        return here.get(first_rule(here)) if rule == "" else here.get(rule)


def first_rule(rules: dict[str, Any]) -> str:
    """The product's own rule where several were searched."""
    return next((rule for rule in ("", "gs_s", "gs_r", "gs_q") if rule in rules), "")


# A run may diverge; everything else is a number, and these are above 0.
MAY_DIVERGE = re.compile(r"error(_\w+)?|(search|fresh)_(mean|min|max)|share|slope\w*|bound")
ABOVE_ZERO = {"records", "features", "error_at_zero", "clip", "step"}


def _convert(name: str, text: str, kind: str) -> Any:
    if kind == "str":
        return text
    if text == "":
        if "None" in kind:
            return None
        raise ValueError(f"{name}: an empty field")
    value = float(text)
    if kind == "int" and not value.is_integer():
        raise ValueError(f"{name}: {text!r} in the place of a whole number")
    if not math.isfinite(value) and (name in ABOVE_ZERO or not MAY_DIVERGE.fullmatch(name)):
        raise ValueError(f"{name}: {text!r} in the place of a number")
    if name in ABOVE_ZERO and value <= 0:
        raise ValueError(f"{name}: {text!r} where only a number above 0 can be")
    return int(value) if kind == "int" else value


def read_rows(path: Path, kind: type[Row], missing: list[str]) -> list[Row]:
    """The rows of a CSV file as `kind`; none, with a word in `missing`, where it is not there."""
    if not path.exists():
        missing.append(f"{path.name} is not there")
        return []
    columns = dataclasses.fields(kind)  # type: ignore[arg-type]
    optional = {c.name for c in columns if c.default is not dataclasses.MISSING}
    rows: list[Row] = []
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        present = set(reader.fieldnames or [])
        absent = [c.name for c in columns if c.name not in present]
        if absent:
            noun = "column" if len(absent) == 1 else "columns"
            missing.append(f"{path.name} has no {noun} {', '.join(absent)}")
        if not set(absent) <= optional:
            return []
        read = [c for c in columns if c.name in present]
        for row in reader:
            try:
                values = {c.name: _convert(c.name, row[c.name] or "", str(c.type)) for c in read}
            except ValueError as error:
                raise ReadError(f"{path}:{reader.line_num}: {error}") from None
            rows.append(kind(**values))
    if not rows:
        missing.append(f"{path.name} has no rows")
    return rows


def _cells_of(path: Path, missing: list[str]) -> Iterator[Cell]:
    """The cell of each row: results.csv is too long to keep more of it than is shown."""
    if not path.exists():
        missing.append(f"{path.name} is not there")
        return
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        if next(reader, [])[:4] != ["problem", "algorithm", "mode", "rule"]:
            missing.append(f"{path.name} does not begin with problem, algorithm, mode and rule")
            return
        for row in reader:
            if len(row) < 4:
                raise ReadError(f"{path}:{reader.line_num}: a row of {len(row)} fields")
            yield Cell(*row[:4])


def _manifest(path: Path, missing: list[str]) -> dict[str, Any]:
    if not path.exists():
        missing.append(f"{path.name} is not there")
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ReadError(f"{path}: {error}") from None
    if not isinstance(content, dict):
        raise ReadError(f"{path}: not a JSON object")
    return content


def read_study(directory: Path) -> Study:
    study = Study(directory)
    missing = study.missing
    study.winners = read_rows(directory / "winners.csv", Winner, missing)
    for point in read_rows(directory / "trajectories.csv", Point, missing):
        study.trajectories.setdefault(point.cell, []).append(point)
    study.supports = read_rows(directory / "supports.csv", Support, missing)
    for problem in read_rows(directory / "problems.csv", Problem, missing):
        study.problems[problem.problem] = problem
    for entry in read_rows(directory / "optimum.csv", Coefficient, missing):
        study.optima.setdefault(entry.problem, []).append(entry.value)
    study.settings = Counter(_cells_of(directory / "results.csv", missing))
    study.theory = read_rows(directory / "theory.csv", TheoryRun, missing)
    study.fits = read_rows(directory / "theory_fits.csv", TheoryFit, missing)
    study.bounds = read_rows(directory / "theory_bounds.csv", TheoryBound, missing)
    study.manifest = _manifest(directory / "manifest.json", missing)
    return study
