"""The doors of the Python package: containers and estimators, one record of another type.

Usage: python -m tests.doors.python_shell PACKAGE [--fits N] [--stop] [--doors WORD]

PACKAGE is a folder that holds the package `southwell` with a tapped module. Prints, as JSON, a list
of [door, estimator, cell, runs, first difference]; of doors whose name begins with WORD.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sklearn.pipeline import make_pipeline

from tests.doors import containers, raw_tables, target_containers, values
from tests.doors.containers import Container
from tests.doors.tap import Outcome, events_in
from tests.doors.values import Cell, Row

Make = Callable[[Any], Any]
ADDING = "PrivateRidge, records may be added"
_WITHOUT_FEATURES = {"RowNormalizer", "DeclaredScaler", "RowNormalizer, PrivateRidge"}
_OTHER_LENGTHS = {"row: short", "row: long", "row: empty"}
BASE = "the records as they are"  # what is wrong without any change of them
_SIZE = {"feature_scale": 1}
_QUICK = {"epsilon": 1, "delta": 0, "iterations": 2, "refine": "off", **_SIZE}
_REFINED = {"epsilon": 1, "delta": 1e-5, "iterations": 2, **_SIZE}
# What a mechanism needs to tell a scale from noise in a dozen records.
_LARGE = {"epsilon": 100, "delta": 1e-5, "iterations": 2, **_SIZE}
_SPARSE = {"features": 3}

REGRESSORS: dict[str, Make] = {
    "PrivateLasso": lambda s: s.PrivateLasso(alpha=0.01, target_scale=1, **_QUICK, **_SPARSE),
    "PrivateLasso, scale by a mechanism": lambda s: s.PrivateLasso(
        alpha=0.01, target_scale="private", **_LARGE, **_SPARSE
    ),
    "PrivateRidge": lambda s: s.PrivateRidge(
        alpha=0.1, target_scale=1, solver="sgd", **_REFINED, **_SPARSE
    ),
    "PrivateElasticNet": lambda s: s.PrivateElasticNet(target_scale=1, **_QUICK, **_SPARSE),
    "PrivateHuber": lambda s: s.PrivateHuber(target_scale=1, **_QUICK, **_SPARSE),
    "RowNormalizer, PrivateRidge": lambda s: make_pipeline(
        s.RowNormalizer(), s.PrivateRidge(target_scale=1, **_QUICK, **_SPARSE)
    ),
    "PooledScaler and DeclaredScaler in a private_pipeline": lambda s: s.private_pipeline(
        s.PooledScaler(epsilon=100, **_SPARSE),
        s.DeclaredScaler(scale=[1, 2, 3]),
        s.PrivateRidge(target_scale=1, **_QUICK, **_SPARSE),
    ),
    ADDING: lambda s: s.PrivateRidge(
        target_scale=1, relation="add_or_remove_one", records=10, **_QUICK, **_SPARSE
    ),
}


def _classifiers(classes: list[Cell]) -> dict[str, Make]:
    return {
        "PrivateLogisticRegression": lambda s: s.PrivateLogisticRegression(
            classes=classes, **_QUICK, **_SPARSE
        ),
        "PrivateLogisticRegression, refined": lambda s: s.PrivateLogisticRegression(
            classes=classes, **_REFINED, **_SPARSE
        ),
        "PrivateLogisticRegression, three classes": lambda s: s.PrivateLogisticRegression(
            classes=[*classes, "third" if isinstance(classes[0], str) else 17], **_QUICK, **_SPARSE
        ),
        "PrivateLinearSVC": lambda s: s.PrivateLinearSVC(classes=classes, **_QUICK, **_SPARSE),
    }


SCALERS: dict[str, Make] = {
    "PooledScaler": lambda s: s.PooledScaler(epsilon=100, **_SPARSE),
    "RowNormalizer": lambda s: s.RowNormalizer(),
    "DeclaredScaler": lambda s: s.DeclaredScaler(scale=[1, 2, 3]),
}


@dataclass(frozen=True)
class Case:
    """A door: containers for table and target, and who is behind it."""

    door: str
    table: Container
    target: Container
    makers: dict[str, Make]
    changes: str  # "table" or "target": which of them has the odd cell
    refused: bool = False  # from the form alone


def cases() -> Iterator[Case]:
    objects = next(c for c in target_containers.LABELS if c.name == "f8")
    table = next(c for c in containers.TABLES if c.name == "f8, C order")
    everything = {**REGRESSORS, **_classifiers([0, 1])}
    for container in containers.TABLES:
        yield Case(f"X: {container.name}", container, objects, everything, "table")
        yield Case(f"X: {container.name}", container, objects, SCALERS, "table")
    for container in containers.REFUSED:
        makers = {**everything, **SCALERS}
        yield Case(f"X: {container.name}", container, objects, makers, "table", refused=True)
    for container in target_containers.TARGETS:
        yield Case(f"y: {container.name}", table, container, REGRESSORS, "target")
    for container in target_containers.LABELS:
        yield Case(f"labels: {container.name}", table, container, _classifiers([0, 1]), "target")
    for container in target_containers.WORDS:
        makers = _classifiers(["no", "yes"])
        yield Case(f"words: {container.name}", table, container, makers, "target")


def neighbours(case: Case) -> Iterator[tuple[str, int, list[Row], list[Cell]]]:
    """(cell, place, rows, targets) with one odd cell, and for tables a record full of it."""
    odd = case.table.cells if case.changes == "table" else case.target.cells
    for (name, cell), at in itertools.product(odd.items(), values.PLACES.values()):
        rows = values.features(case.table.missing)
        targets = values.target(case.target.spell, case.target.missing)
        if case.changes == "target":
            targets[at] = cell
            yield name, at, rows, targets
            continue
        rows[at][1] = cell
        yield name, at, rows, targets
        full = values.features(case.table.missing)
        full[at] = [cell] * 3
        yield name, at, full, targets
    if case.changes == "table" and case.table.rows:
        for name, row in values.ROWS.items():
            rows = values.features(case.table.missing)
            rows[3] = row  # type: ignore[call-overload]
            targets = values.target(case.target.spell, case.target.missing)
            yield f"row: {name}", 3, rows, targets


class PythonShell:
    """The package on the tapped module; a run leaves all that can be seen of it in an Outcome."""

    def __init__(self) -> None:
        import southwell
        from southwell import _core

        self.southwell = southwell
        self.module = ctypes.CDLL(_core.__file__)
        self.module.southwell_tap_end.restype = ctypes.c_char_p

    def run(self, make: Make, table: Any, target: Any, at: int, replay: str | None) -> Outcome:
        self.module.southwell_tap_begin(None if replay is None else replay.encode())
        seen: dict[str, object] = {}
        printed = self.printed()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            filters = list(warnings.filters)
            try:
                seen["model"] = _public(make(self.southwell).fit(table, target), table, at)
            except BaseException as error:
                seen["exception"] = f"{type(error).__name__}: {error}"
            seen["filters"] = list(warnings.filters) == filters
        tap = self.module.southwell_tap_end().decode()
        seen["warnings"] = [f"{w.category.__name__}: {w.message}" for w in said]
        seen["output"] = self.printed() - printed
        return Outcome(seen, tap)

    def printed(self) -> int:
        """How much went to standard output and error so far, from Python or from C++."""
        sys.stdout.flush()
        sys.stderr.flush()
        return os.fstat(1).st_size + os.fstat(2).st_size


def _public(fitted: Any, table: Any, at: int) -> str:
    """All that the fitted object holds, as text."""
    if hasattr(fitted, "steps"):
        fitted = fitted[-1]
    if hasattr(fitted, "model_"):
        classes = list(getattr(fitted, "classes_", []))
        names = list(getattr(fitted, "feature_names_in_", []))
        return f"{classes} {names} {fitted.n_features_in_} {fitted.model_.to_json()}"
    if hasattr(fitted, "scale_"):
        return f"{fitted.scale_} {fitted.records_} {fitted.privacy_.to_json()}"
    # A free step shows each record, and of others than its own it must show the same.
    import numpy as np
    from scipy.sparse import issparse

    scaled: Any = fitted.transform(table)
    is_sparse = bool(issparse(scaled))
    rows = scaled.toarray() if is_sparse else np.asarray(scaled)
    return f"{rows.dtype} {np.delete(rows, at, axis=0).tolist()}"


def _records(case: Case, name: str, at: int) -> tuple[list[Row], list[Cell]]:
    """The records as they are: with an ordinary one in that place, or none if records are added."""
    rows = values.features(case.table.missing)
    target = values.target(case.target.spell, case.target.missing)
    if name == ADDING:
        del rows[at], target[at]
    return rows, target


def _as_plain_numbers(case: Case, rows: list[Row], target: list[Cell]) -> tuple[Any, Any]:
    """What records mean, in arrays that need no conversion."""
    import numpy as np

    means, target_means = case.table.means, case.target.means
    return (
        np.array([[means(cell) for cell in row] for row in rows]),
        np.array([target_means(cell) for cell in target]),
    )


def _base(shell: PythonShell, case: Case, name: str, at: int) -> Outcome:
    """The run on the records as they are: it fits, and on what they mean."""
    rows, targets = _records(case, name, at)
    table, target = case.table.make(rows), case.target.make(targets)
    base = shell.run(case.makers[name], table, target, at, None)
    if ("model" in base.seen) == case.refused:
        base.seen["model"] = f"{BASE}: {base.seen.get('exception', 'it was not refused')}"
    elif not case.refused:
        plain = {**REGRESSORS, **_classifiers([0, 1]), **SCALERS}[name]
        meant = shell.run(plain, *_as_plain_numbers(case, rows, targets), at, None)
        first, wanted = (events_in(run.tap)[:1] for run in (base, meant))
        if first and first[0].input != wanted[0].input:
            base.seen["model"] = f"{BASE}: fitted on other numbers than the records hold"
    return base


def difference(shell: PythonShell, case: Case, name: str, change: Any, bases: Any) -> str:
    """What tells the changed records from the others; '' where nothing does."""
    cell, at, rows, targets = change
    if cell in _OTHER_LENGTHS and name in _WITHOUT_FEATURES:
        return ""  # how long rows are is form where nobody declares it
    if (name, at) not in bases:
        bases[name, at] = _base(shell, case, name, at)
    base = bases[name, at]
    if str(base.seen.get("model")).startswith(BASE):
        return str(base.seen["model"])
    table, target = case.table.make(rows), case.target.make(targets)
    return str(base.difference(shell.run(case.makers[name], table, target, at, base.tap)))


def table_difference(shell: PythonShell, pair: raw_tables.Pair, bases: Any) -> str:
    """The same of two raw tables."""
    make = raw_tables.MAKERS[pair.behind]
    before, after = pair.tables
    key = (pair.door, pair.behind, pair.base)
    if key not in bases:
        bases[key] = shell.run(make, before(), None, pair.at, None)
    base = bases[key]
    if "model" not in base.seen:
        return f"{BASE}: {base.seen['exception']}"
    return str(base.difference(shell.run(make, after(), None, pair.at, base.tap)))


def table_rows(shell: PythonShell, stop: bool, doors: str) -> list[list[object]]:
    """Every form of raw tables with every cell."""
    results: dict[tuple[str, str, str], list[Any]] = {}
    bases: dict[Any, Outcome] = {}
    for pair in raw_tables.pairs():
        if not pair.door.startswith(doors):
            continue
        found = results.setdefault((pair.door, pair.behind, pair.cell), [0, ""])
        found[0] += 1
        found[1] = found[1] or table_difference(shell, pair, bases)
        if stop and found[1]:
            break
    return [[*key, *row] for key, row in results.items()]


def survey(shell: PythonShell, fits: int, stop: bool, doors: str) -> list[list[object]]:
    """Every door with every cell, each behind `fits` estimators in turn (0: all of them)."""
    results: dict[tuple[str, str, str], list[Any]] = {}
    turn = 0
    for case in cases():
        if not case.door.startswith(doors):
            continue
        bases: dict[Any, Outcome] = {}
        for change in neighbours(case):
            makers = list(case.makers)
            for k in range(min(fits or len(makers), len(makers))):
                name = makers[(turn + k) % len(makers)]
                found = results.setdefault((case.door, name, change[0]), [0, ""])
                found[0] += 1
                found[1] = found[1] or difference(shell, case, name, change, bases)
                if stop and found[1]:
                    return [[*key, *row] for key, row in results.items()]
            turn += fits or 1
    return [[*key, *row] for key, row in results.items()]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("package")
    parser.add_argument("--fits", type=int, default=2)
    parser.add_argument("--stop", action="store_true", help="at the first difference")
    parser.add_argument("--doors", default="")
    options = parser.parse_args()
    sys.path.insert(0, options.package)
    result, complaints = os.dup(1), os.dup(2)
    with tempfile.TemporaryFile() as printed:  # by anybody, down to the descriptors
        os.dup2(printed.fileno(), 1)
        os.dup2(printed.fileno(), 2)
        try:
            shell = PythonShell()
            rows = survey(shell, options.fits, options.stop, options.doors)
            rows += table_rows(shell, options.stop, options.doors)
        finally:
            os.dup2(complaints, 2)
    with os.fdopen(result, "w") as out:
        json.dump(rows, out)


if __name__ == "__main__":
    main()
