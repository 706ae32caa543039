"""Whether private tuning pays: 20 settings against the untuned default at the same total budget.

Usage: python -m bench.tuning [--runs 5] [--only WORD]

At (1, 1e-6), on the 13 regression sets of bench.external and on five families of made-up texts
(rows of norm 1, some fifty words of a Zipf law). The settings are ten strengths of the penalty and
two solvers. Each run draws a fifth of the records to measure on; a cell is the mean over runs of
the loss on them over that of a constant, with two standard errors: below 1 something was learned.
Both ways of tuning are there, and which one `way=auto` takes. Reads records; not private.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

import southwell
from bench.defaults.hostile_families import text
from bench.external.uci import FOLDER, prepared

Array = npt.NDArray[np.float64]
Data = tuple[Any, Array]

BUDGET: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6}
STRENGTHS = 10
MEASURED = 5  # one of so many records is to measure on
WAYS = ("all", "runs")


@dataclass(frozen=True)
class Problem:
    name: str
    data: Callable[[], Data]
    estimator: Callable[[Any], Any]  # for a design, without a strength
    excess: Callable[[Any, Any, Array], float]  # of a model on records, over a constant


@dataclass
class Row:
    name: str
    losses: dict[str, list[float]] = field(default_factory=dict)
    taken: str = ""
    seconds: float = 0.0

    def add(self, what: str, loss: float) -> None:
        self.losses.setdefault(what, []).append(loss)

    def cell(self, what: str) -> str:
        losses = self.losses[what]
        error = 2.0 * float(np.std(losses, ddof=1)) / math.sqrt(len(losses))
        return f"{np.mean(losses):.3f} ± {error:.3f}" if len(losses) > 1 else f"{losses[0]:.3f}"


def _ridge(design: Any) -> Any:
    scales: dict[str, Any] = {
        "feature_scale": 1.0 / math.sqrt(design.shape[1]),
        "target_scale": 0.5,
    }
    return southwell.PrivateRidge(**BUDGET, **scales, fit_intercept=False, threads=1)


def _squared(model: Any, design: Any, target: Array) -> float:
    return float(np.mean((target - model.predict(design)) ** 2) / np.mean(target**2))


def _words(design: Any) -> Any:
    return southwell.PrivateLogisticRegression(
        **BUDGET, classes=[0.0, 1.0], features=design.shape[1], threads=1
    )


def _log_loss(model: Any, design: Any, target: Array) -> float:
    margin = np.ravel(model.decision_function(design)) * (2.0 * target - 1.0)
    share = float(np.clip(target.mean(), 1e-6, 1 - 1e-6))
    constant = -share * math.log(share) - (1.0 - share) * math.log(1.0 - share)
    return float(np.mean(np.logaddexp(0.0, -margin)) / constant)


def _texts(records: int, words: int, telling: int, size: float) -> Callable[[], Data]:
    """`telling` of the words speak for one of two classes, by effects of this size."""

    def draw() -> Data:
        random = np.random.default_rng(1)
        design = text(random, records, words)
        effects = np.zeros(words)
        effects[random.permutation(min(words, 20 * telling))[:telling]] = size * random.choice(
            [-1.0, 1.0], telling
        )
        margin = design @ effects
        margin -= np.median(margin)
        return design, (random.random(records) < 1.0 / (1.0 + np.exp(-margin))).astype(float)

    return draw


def problems() -> Iterator[Problem]:
    for file in sorted(FOLDER.glob("*.csv.gz")):
        name = file.name.removesuffix(".csv.gz")
        yield Problem(name, lambda name=name: prepared(name), _ridge, _squared)  # type: ignore[misc]
    for records, words, telling, size in (
        (5000, 1000, 10, 10.0),
        (20000, 5000, 20, 10.0),
        (20000, 500, 100, 5.0),
        (50000, 10000, 30, 15.0),
        (3000, 300, 5, 20.0),
    ):
        name = f"texts, {records} of {words} words, {telling} that tell"
        yield Problem(name, _texts(records, words, telling, size), _words, _log_loss)


def settings() -> dict[str, list[Any]]:
    strengths = [float(f"{alpha:.2g}") for alpha in np.logspace(-5, 0, STRENGTHS)]
    return {"alpha": strengths, "solver": ["gcd", "sgd"]}


def measured(problem: Problem, runs: int) -> Row:
    row = Row(problem.name)
    begun = time.perf_counter()
    design, target = problem.data()
    for run in range(runs):
        order = np.random.default_rng(run).permutation(len(target))
        held, rest = order[::MEASURED], np.delete(order, np.s_[::MEASURED])
        estimator = problem.estimator(design)
        untuned = estimator.fit(design[rest], target[rest])
        row.add("untuned", problem.excess(untuned, design[held], target[held]))
        share_of: dict[str, float] = {}
        for way in WAYS:
            search = southwell.PrivateSearch(estimator, settings(), **BUDGET, way=way)
            search.fit(design[rest], target[rest])
            row.add(way, problem.excess(search, design[held], target[held]))
            share_of[way] = search.epsilon_of_each_
        row.taken = max(share_of, key=lambda way: share_of[way])
    row.seconds = time.perf_counter() - begun
    return row


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.tuning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print("| data | untuned | tuned, all 20 | tuned, runs | auto takes |")
    print("|---|---|---|---|---|")
    for problem in problems():
        if options.only not in problem.name:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            row = measured(problem, options.runs)
        cells = " | ".join(row.cell(what) for what in ("untuned", *WAYS))
        print(f"| {row.name} | {cells} | {row.taken} |", flush=True)
        print(f"<!-- {row.seconds:.0f} s -->", flush=True)


if __name__ == "__main__":
    main()
