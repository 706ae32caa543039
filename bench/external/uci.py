"""AdaSSP's table: 13 regression sets at 10 budgets, by its protocol. Reads records; not private.

The protocol, applied to all rows before the folds, as its source does: the target minus its mean,
over its largest size; columns z-scored; rows scaled to norm 1; ten random folds; no intercept; mean
squared error on the fold left out. What it makes public is what is declared: rows have norm 1, so
features have the scale 1/sqrt(d); targets are within [-1, 1], for which a schema would say the
scale 0.5. Nothing else is given: `PrivateRidge()` otherwise, delta 1e-6.

Cells are means over repetitions of all ten folds, each with another split and other noise; their
intervals are two standard errors over the repetitions. The published figures are single runs, whose
own error is unknown.
"""

from __future__ import annotations

import argparse
import json
import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import southwell
from bench.rows import DATA

Array = npt.NDArray[np.float64]

FOLDS = 10
RIDGE = 1.0  # of the fit without privacy, on sums over records
SMOOTHED = 0.02  # of the gap between the trivial fit and that: below, an excess is nothing
DELTA = 1e-6
FOLDER = DATA / "external" / "uci"


@dataclass(frozen=True)
class Cell:
    """Of one set at one budget: means over repetitions, each of ten folds."""

    name: str
    epsilon: float
    solver: str
    errors: list[float]
    without_privacy: float
    trivial: float
    published: float  # AdaSSP's error, and what it is an excess over
    published_without: float
    published_trivial: float

    @property
    def error(self) -> float:
        return float(np.mean(self.errors))

    @property
    def half_interval(self) -> float:
        if len(self.errors) < 2:
            return math.nan
        return float(2.0 * np.std(self.errors, ddof=1) / math.sqrt(len(self.errors)))

    @property
    def ratio(self) -> float:
        return self.error / self.published

    @property
    def excess(self) -> float:
        """Over the error without privacy, against that of AdaSSP."""
        own_gap = SMOOTHED * (self.trivial - self.without_privacy)
        gap = SMOOTHED * (self.published_trivial - self.published_without)
        own = max(0.0, self.error - self.without_privacy) + own_gap
        return own / (max(0.0, self.published - self.published_without) + gap)

    @property
    def over_trivial(self) -> float:
        return self.error / self.trivial


def prepared(name: str) -> tuple[Array, Array]:
    table = np.loadtxt(FOLDER / f"{name}.csv.gz", delimiter=",", skiprows=1)
    design, target = table[:, :-1], table[:, -1]
    target = target - target.mean()
    design = (design - design.mean(axis=0)) / design.std(axis=0, ddof=1)
    return design / np.linalg.norm(design, axis=1, keepdims=True), target / np.abs(target).max()


def ridge(design: Array, target: Array) -> Array:
    moments = design.T @ design + RIDGE * np.eye(design.shape[1])
    return np.asarray(np.linalg.solve(moments, design.T @ target), dtype=np.float64)


def fitted(design: Array, target: Array, epsilon: float, seed: int, inputs: dict[str, Any]) -> Any:
    declared = {"feature_scale": 1.0 / math.sqrt(design.shape[1]), "target_scale": 0.5}
    model = southwell.PrivateRidge(
        epsilon=epsilon,
        delta=DELTA,
        fit_intercept=False,
        threads=1,
        seed_for_tests=seed,
        **(declared | inputs),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(design, target)


def measured(name: str, epsilons: list[float], runs: int, inputs: dict[str, Any]) -> list[Cell]:
    published = json.loads((FOLDER / "published.json").read_text())[name]
    design, target = prepared(name)
    own: dict[float, list[float]] = {epsilon: [] for epsilon in epsilons}
    solvers: dict[float, str] = {}
    plain: list[float] = []
    for run in range(runs):
        order = np.random.default_rng(run).permutation(len(target))
        squared: dict[float, list[float]] = {epsilon: [] for epsilon in epsilons}
        for fold in range(FOLDS):
            held = order[fold::FOLDS]
            rest = np.setdiff1d(order, held)
            plain.append(error_of(ridge(design[rest], target[rest]), design[held], target[held]))
            for k, epsilon in enumerate(epsilons):
                seed = (run * FOLDS + fold) * 100 + k
                model = fitted(design[rest], target[rest], epsilon, seed, inputs)
                solvers[epsilon] = model.privacy_.solver
                squared[epsilon].append(error_of(model.coef_, design[held], target[held]))
        for epsilon in epsilons:
            own[epsilon].append(float(np.mean(squared[epsilon])))
    return [
        Cell(
            name=name,
            epsilon=epsilon,
            solver=solvers[epsilon],
            errors=own[epsilon],
            without_privacy=float(np.mean(plain)),
            trivial=float(np.mean(target**2)),
            published=published["adassp"][published["epsilons"].index(epsilon)],
            published_without=published["non_private"],
            published_trivial=published["trivial"],
        )
        for epsilon in epsilons
    ]


def error_of(coef: Array, design: Array, target: Array) -> float:
    return float(np.mean((target - design @ np.ravel(coef)) ** 2))


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(float(np.mean(np.log(ratios))))


def summed_up(cells: list[Cell], title: str) -> str:
    worst = max(cells, key=lambda cell: cell.ratio)
    above = sum(cell.over_trivial > 1.03 for cell in cells)
    lost = sum(cell.ratio > 1.02 for cell in cells)
    return (
        f"{title:>10} {geometric_mean([c.ratio for c in cells]):8.3f} "
        f"{geometric_mean([c.excess for c in cells]):8.3f} {worst.ratio:8.3f} "
        f"({worst.name}, ε = {worst.epsilon:g}) {lost:4d} {above:4d}"
    )


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.external uci",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = sorted(json.loads((FOLDER / "published.json").read_text()))
    every = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0]
    parser.add_argument("--runs", type=int, default=5, help="repetitions of the ten folds")
    parser.add_argument("--epsilon", type=float, nargs="+", default=every)
    parser.add_argument("--only", nargs="+", default=names, choices=names, metavar="SET")
    parser.add_argument("--inputs", type=json.loads, default={}, help="of the fits, as JSON")
    given = parser.parse_args(arguments)
    print("not private: computed from the records, with seeded noise")
    print(f"{'set':>10} {'ε':>5} {'error':>8} {'± 2 se':>8} {'AdaSSP':>8} {'ratio':>6} "
          f"{'excess':>6} {'/trivial':>8}  solver")  # fmt: skip
    cells: list[Cell] = []
    for name in given.only:
        for cell in measured(name, given.epsilon, given.runs, given.inputs):
            cells.append(cell)
            print(
                f"{name:>10} {cell.epsilon:5g} {cell.error:8.5f} {cell.half_interval:8.5f} "
                f"{cell.published:8.5f} {cell.ratio:6.3f} {cell.excess:6.3f} "
                f"{cell.over_trivial:8.3f}  {cell.solver}",
                flush=True,
            )
    print(f"\n{'':>10} {'ratio':>8} {'excess':>8} {'worst':>8}, cells above 1.02 of AdaSSP, "
          "cells above 1.03 of trivial")  # fmt: skip
    for epsilon in given.epsilon:
        print(summed_up([c for c in cells if c.epsilon == epsilon], f"ε = {epsilon:g}"))
    print(summed_up(cells, "all"))
