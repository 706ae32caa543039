"""Whether the intervals of private evaluations hold what they should, and how wide they are.

Usage: python -m bench.evaluation [--evaluations N] [--records N,...] [--only WORD]
       python -m bench.evaluation --adult FITS

Populations are simulated, so that the figure of the whole population is known: three of two
classes, two regressions. Each evaluation has records and noise of its own. For every figure,
number of records and epsilon (delta 1e-6) it prints the share of 95 % intervals that hold the
population's figure, the median width over that of the interval without noise, and the share of
evaluations that determine the figure at all.

With --adult: fits of Adult (a9a) with a test share of .2 at (1, 1e-6), and how far their private
AUC is from the exact one of the same model on the test file.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_svmlight_file

import southwell
from bench.rows import DATA
from southwell import PrivateLogisticRegression, PrivateRidge
from southwell.estimators._base import PrivateLinearModel

Numbers = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], tuple[Numbers, Numbers]]

EPSILONS = (0.5, 1.0, 4.0)
DELTA = 1e-6
LEAST_DETERMINED = 0.5
TRUTH = 8_000_000  # records that stand for the population
FIGURES = {
    "classes": ("accuracy", "auc", "lift_10", "log_loss", "brier"),
    "regression": ("mse", "r2", "mean_error", "mae", "median_error", "error_quantile_90"),
}


@dataclass(frozen=True)
class Population:
    """A law of records, and what is fitted to it once."""

    name: str
    kind: str
    draw: Draw


def _classes(intercept: float, slope: float) -> Draw:
    def draw(random: np.random.Generator, n: int) -> tuple[Numbers, Numbers]:
        x = random.normal(size=(n, 1))
        chance = 1.0 / (1.0 + np.exp(-intercept - slope * x[:, 0]))
        return x, (random.random(n) < chance).astype(float)

    return draw


def _regression(errors: Callable[[np.random.Generator, int], Numbers]) -> Draw:
    def draw(random: np.random.Generator, n: int) -> tuple[Numbers, Numbers]:
        x = random.normal(size=(n, 1))
        return x, 50.0 + 10.0 * x[:, 0] + errors(random, n)

    return draw


POPULATIONS = [
    Population("two classes, half each", "classes", _classes(0.0, 2.0)),
    Population("two classes, one in seven", "classes", _classes(-2.2, 1.2)),
    Population("two classes, weakly told apart", "classes", _classes(-1.0, 0.3)),
    Population("normal errors", "regression", _regression(lambda r, n: r.normal(size=n) * 10)),
    Population("Laplace errors", "regression", _regression(lambda r, n: r.laplace(size=n) * 5)),
]


def model_of(population: Population) -> PrivateLinearModel:
    """A model with next to no noise: what it predicts is not the matter here."""
    x, y = population.draw(np.random.default_rng(1), 100_000)
    shared: dict[str, Any] = {"epsilon": 100.0, "delta": DELTA, "feature_scale": 1.0}
    if population.kind == "classes":
        shared |= {"record_norm": 8.0, "select_iterate": "off"}
        return PrivateLogisticRegression(classes=[0, 1], seed_for_tests=1, **shared).fit(x, y)
    return PrivateRidge(target_scale=16.0, seed_for_tests=1, **shared).fit(x, y)


def truth_of(population: Population, model: PrivateLinearModel) -> dict[str, float]:
    """The figures of the population, from very many records."""
    x, y = population.draw(np.random.default_rng(2), TRUTH)
    if population.kind == "classes":
        exact = southwell.evaluate(model, x, y)
        margins = np.ravel(model.decision_function(x))
        top = np.argpartition(-margins, TRUTH // 10)[: TRUTH // 10]
        return {name: exact[name] for name in ("accuracy", "auc", "log_loss")} | {
            "brier": float(np.mean((model.predict_proba(x)[:, 1] - y) ** 2)),
            "lift_10": float(y[top].mean() / y.mean()),
        }
    error = y - model.predict(x)
    size = np.abs(error)
    return {
        "mse": float(np.mean(error**2)),
        "r2": float(1 - np.mean(error**2) / np.var(y)),
        "mean_error": float(error.mean()),
        "mae": float(size.mean()),
        "median_error": float(np.median(size)),
        "error_quantile_90": float(np.quantile(size, 0.9)),
    }


@dataclass
class Tally:
    """What became of one figure."""

    tried: int = 0
    held: int = 0
    widths: list[float] | None = None

    def add(self, figure: southwell.Figure, truth: float) -> None:
        self.tried += 1
        if figure.value is None:
            return
        self.widths = self.widths or []
        low = -np.inf if figure.low is None else figure.low
        high = np.inf if figure.high is None else figure.high
        self.held += low <= truth <= high
        sampling = figure.sampling_sd or np.nan
        self.widths.append((high - low) / (2 * 1.96 * sampling))

    def row(self) -> tuple[float, float, float]:
        determined = len(self.widths or [])
        if not determined:
            return np.nan, np.nan, 0.0
        width = float(np.nanmedian(self.widths or [np.nan]))
        return self.held / determined, width, determined / self.tried


def measured(
    population: Population, sizes: list[int], evaluations: int
) -> dict[tuple[int, float, str], Tally]:
    """A tally for every number of records, epsilon and figure."""
    model = model_of(population)
    truth = truth_of(population, model)
    tallies: dict[tuple[int, float, str], Tally] = {}
    for n in sizes:
        for k in range(evaluations):
            x, y = population.draw(np.random.default_rng((n, k)), n)
            for epsilon in EPSILONS:
                seed = hash((n, epsilon, k)) % 2**63  # of numbers: the same in every run
                figures = southwell.evaluate(
                    model, x, y, epsilon=epsilon, delta=DELTA, seed_for_tests=seed
                )
                for name in FIGURES[population.kind]:
                    tally = tallies.setdefault((n, epsilon, name), Tally())
                    tally.add(figures[name], truth[name])
    return tallies


def adult(fits: int) -> None:
    """Print how far the private AUC of each fit is from the exact one."""
    folder = DATA / "a9a"
    x, y = load_svmlight_file(str(folder / "a9a.libsvm.gz"), n_features=123)
    x_test, y_test = load_svmlight_file(str(folder / "a9a.t.libsvm.gz"), n_features=123)
    off, held = [], 0
    for _ in range(fits):
        model = PrivateLogisticRegression(
            epsilon=1.0, delta=DELTA, classes=[-1, 1], features=123, test_share=0.2
        ).fit(x, y)
        exact = southwell.evaluate(model, x_test, y_test).auc
        auc = model.evaluation_.auc
        off.append(auc.value - exact)
        held += auc.low <= exact <= auc.high
    within = sum(abs(each) <= 0.02 for each in off)
    print(f"within .02: {within} of {fits}; in the interval: {held}")
    print(f"difference: mean {np.mean(off):.4f}, standard deviation {np.std(off):.4f}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.evaluation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--evaluations", type=int, default=2000)
    parser.add_argument("--records", default="500,5000,50000")
    parser.add_argument("--only", default="")
    parser.add_argument("--adult", type=int, default=0, metavar="FITS")
    options = parser.parse_args()
    if options.adult:
        adult(options.adult)
        return
    sizes = [int(word) for word in options.records.split(",")]
    print("| population | figure | records | ε | coverage | width | determined |")
    print("|---|---|---|---|---|---|---|")
    for population in POPULATIONS:
        if options.only not in population.name:
            continue
        begun = time.perf_counter()
        tallies = measured(population, sizes, options.evaluations)
        for (n, epsilon, name), tally in tallies.items():
            coverage, width, determined = tally.row()
            if determined < LEAST_DETERMINED:
                coverage = width = np.nan  # of chance finds
            print(
                f"| {population.name} | {name} | {n} | {epsilon:g} | {coverage:.3f} "
                f"| {width:.2f} | {determined:.2f} |",
                flush=True,
            )
        print(f"<!-- {time.perf_counter() - begun:.0f} s -->", flush=True)


if __name__ == "__main__":
    main()
