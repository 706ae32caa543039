"""Fits of hostile families by every solver, against f(0). Reads records; not private.

f is the objective, the mean loss and the penalty, on the records of the fit, with margins as the
model itself predicts them, so that limits of the model count. f(0) has all coefficients and the
intercept 0. Where there is an intercept the best constant is the better model of nothing, and what
f is of its objective is told beside. Records are drawn anew in each run, but for large cells, which
have one draw in five. The target's scale is found privately but in small cells and where so few
records and so small an epsilon are refused: there it is declared.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

import southwell
from bench.defaults.hostile_families import Array, Cell, cells
from bench.defaults.hostile_verdict import Outcome, as_rows, comparison, report

SOLVERS = ("gcd", "sgd", "auto")
LARGE = 2e6  # cells of an array, from which on draws are shared
LARGEST = 1e300  # of an objective that overflows


@dataclass(frozen=True)
class Objective:
    """Of ridge and logistic regression with the penalty alpha/2 |w|², alpha 1/n."""

    loss: str
    target: Array

    def at(self, margin: Array, coef: Array) -> float:
        with np.errstate(all="ignore"):
            if self.loss == "logistic":
                each = np.logaddexp(0.0, -self.target * margin)
            else:
                each = 0.5 * (margin - self.target) ** 2
            found = float(each.mean() + 0.5 * float(coef @ coef) / len(self.target))
        return min(found, LARGEST) if not math.isnan(found) else LARGEST

    def of_constant(self, constant: float) -> float:
        return self.at(np.full(len(self.target), constant), np.zeros(1))

    def of_best_constant(self) -> float:
        mean = float(self.target.mean())
        if self.loss == "squared":
            return self.of_constant(mean)
        share = min(max(0.5 + 0.5 * mean, 1e-9), 1.0 - 1e-9)
        return self.of_constant(math.log(share / (1.0 - share)))


@dataclass(frozen=True)
class Fit:
    """What differs between the fits of a cell. `inputs` turn parts off, for an ablation."""

    solver: str
    epsilon: float
    seed: int
    inputs: tuple[tuple[str, Any], ...] = ()


def _model(cell: Cell, fit: Fit, scale: float | str) -> Any:
    shared: dict[str, Any] = {
        "epsilon": fit.epsilon,
        "delta": cell.delta(),
        "alpha": 1.0 / cell.records,
        "fit_intercept": cell.shape.has_intercept,
        "solver": fit.solver,
        "threads": 1,
        "seed_for_tests": fit.seed,
        "features": cell.features,
        **dict(fit.inputs),
    }
    if cell.loss == "logistic":
        return southwell.PrivateLogisticRegression(penalty="l2", classes=[-1.0, 1.0], **shared)
    return southwell.PrivateRidge(target_scale=scale, **shared)


def fitted(cell: Cell, design: Any, target: Array, fit: Fit) -> Any:
    if cell.is_small:
        return _model(cell, fit, cell.scale).fit(design, target)
    try:
        return _model(cell, fit, "private").fit(design, target)
    except ValueError as refused:
        if "target_scale" not in str(refused):
            raise
        return _model(cell, fit, cell.scale).fit(design, target)


def margins(model: Any, design: Any, loss: str) -> Array:
    found = model.decision_function(design) if loss == "logistic" else model.predict(design)
    return np.ravel(np.asarray(found, dtype=float))


def run_of(
    cell: Cell, seeds: list[int], solvers: tuple[str, ...], inputs: tuple[tuple[str, Any], ...] = ()
) -> list[dict[str, Any]]:
    """Fits of one draw: f over f(0) and over that of the best constant, and seconds."""
    rows = []
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        design, target = cell.draw(seeds[0])
        objective = Objective(cell.loss, target)
        nothing, null = objective.of_constant(0.0), objective.of_best_constant()
        for seed, epsilon in itertools.product(seeds, cell.epsilons):
            known: dict[str, Any] = {}
            for solver in sorted(solvers):  # auto first: what it takes is not fitted again
                if solver not in known:
                    began = time.perf_counter()
                    model = fitted(cell, design, target, Fit(solver, epsilon, seed, inputs))
                    seconds = time.perf_counter() - began
                    margin = margins(model, design, cell.loss)
                    f = objective.at(margin, np.ravel(model.coef_))
                    made = {"f": f / nothing, "null": f / null, "s": seconds}
                    known |= {solver: made, model.privacy_.solver: made}
                rows.append({"key": (solver, epsilon), **known[solver]})
    return rows


def _outcomes(cell: Cell, rows: list[dict[str, Any]]) -> Iterator[Outcome]:
    for key in dict.fromkeys(row["key"] for row in rows):
        of_it = [row for row in rows if row["key"] == key]
        ratios = [row["f"] for row in of_it]
        yield Outcome(
            group="small" if cell.is_small else cell.shape.group,
            cell=cell.name,
            loss=cell.loss,
            solver=key[0],
            epsilon=key[1],
            is_small=cell.is_small,
            runs=len(of_it),
            mean=float(np.mean(ratios)),
            worst=max(ratios),
            of_null=float(np.mean([row["null"] for row in of_it])),
            seconds=sum(row["s"] for row in of_it),
        )


def _draws(cell: Cell, runs: int) -> Iterator[list[int]]:
    each = 5 if cell.records * cell.features > LARGE else 1
    for first in range(0, runs, each):
        yield list(range(first, min(first + each, runs)))


def study(
    chosen: list[Cell],
    runs: int,
    solvers: tuple[str, ...],
    jobs: int,
    inputs: tuple[tuple[str, Any], ...] = (),
) -> list[Outcome]:
    found: dict[str, list[dict[str, Any]]] = {cell.name: [] for cell in chosen}
    largest_first = sorted(chosen, key=lambda cell: -cell.records * cell.features)
    with ProcessPoolExecutor(jobs) as pool:
        tasks = {
            pool.submit(run_of, cell, seeds, solvers, inputs): cell.name
            for cell in largest_first
            for seeds in _draws(cell, runs)
        }
        for done in as_completed(tasks):
            found[tasks[done]] += done.result()
    return [outcome for cell in chosen for outcome in _outcomes(cell, found[cell.name])]


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.defaults hostile",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--runs", type=int, default=50, help="fits of each cell and epsilon")
    parser.add_argument("--only", default="", help="cells whose group or name has this in it")
    parser.add_argument("--solver", default=",".join(SOLVERS), help="one or more, with commas")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--rows", type=int, default=60, help="of the table")
    parser.add_argument("--json", type=Path, help="writes all means and maxima there")
    parser.add_argument("--against", type=Path, help="such a file, to compare with")
    parser.add_argument(
        "--off", default="", help="inputs that are turned off, with commas: an ablation"
    )
    given = parser.parse_args(arguments)
    chosen = [c for c in cells() if given.only in f"{c.shape.group}: {c.name}"]
    began = time.perf_counter()
    off = tuple((name, False) for name in given.off.split(",") if name)
    outcomes = study(chosen, given.runs, tuple(given.solver.split(",")), given.jobs, off)
    print(report(outcomes, given.rows))
    print(f"{len(chosen)} cells, {given.runs} runs, {time.perf_counter() - began:.0f} s")
    if given.json:
        given.json.write_text(json.dumps(as_rows(outcomes), indent=0))
    if given.against:
        before = [Outcome(**row) for row in json.loads(given.against.read_text())]
        print(f"\nagainst {given.against.name}\n{comparison(outcomes, before, given.rows)}")
