"""How far coefficients spread over fits, against the privacy noise that is stated for them. Reads
records; not private.

Each table is drawn once; fits differ in their noise alone. A coefficient is compared with what the
same features give without privacy, so that what gcd chooses does not count as noise: its distance
from the fit without privacy on the chosen features has a mean, which is bias (of clips, of time
that ended), and a spread over fits, which is noise. `spread / stated` is that spread over the root
mean square of what was stated, for coefficients stated in at least half of the fits that have them,
and in at least 20. `covered` is how often a stated coefficient is within two stated standard
deviations of that mean: the mean over fits stands for the noise-free result of the same algorithm.
`stated` is the share of coefficients that are not 0 for which noise is stated.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import southwell
from bench.compare.optimum.problems import read_dense, standardized
from bench.rows import DATA, ROOT

Array = npt.NDArray[np.float64]
EPSILONS = (1.0, 4.0)


@dataclass(frozen=True)
class Table:
    design: Array
    target: Array  # of a regression; above its middle is the second class
    feature_scale: Any = 1.0

    def targets(self, loss: str) -> Array:
        if loss == "squared":
            return self.target
        return np.where(self.target > np.median(self.target), 1.0, -1.0)


def with_target(design: Array, seed: int) -> Table:
    """Every feature has an effect; so much noise that a third of the variance stays."""
    rng = np.random.default_rng([seed, 7])
    margin = design @ rng.standard_normal(design.shape[1])
    margin *= np.sqrt(2.0) / margin.std()
    return Table(design, margin + rng.standard_normal(len(design)))


def ideal(seed: int) -> Table:
    return with_target(np.random.default_rng(seed).standard_normal((2000, 20)), seed)


def correlated(seed: int) -> Table:
    rng = np.random.default_rng(seed)
    common = rng.standard_normal((5000, 1))
    own = rng.standard_normal((5000, 30))
    return with_target(np.sqrt(0.9) * common + np.sqrt(0.1) * own, seed)


def collinear(seed: int) -> Table:
    """Like a hospital's: 6000 stays, eleven numbers, three groups of near copies."""
    rng = np.random.default_rng(seed)
    severity, size, age = rng.standard_normal((3, 6000))
    near = [0.05, 0.1, 0.2, 0.3]
    columns = [severity + sd * rng.standard_normal(6000) for sd in near]
    columns += [size + sd * rng.standard_normal(6000) for sd in near[:3]]
    columns += [0.7 * age + 0.7 * severity, age + 0.1 * rng.standard_normal(6000)]
    columns += [rng.standard_normal(6000), rng.standard_normal(6000)]
    return with_target(standardized(np.column_stack(columns)), seed)


def california(_: int) -> Table:
    design, target = read_dense(DATA / "california/california.csv.gz")
    return Table(standardized(design), (target - target.mean()) / target.std())


def adult(_: int) -> Table:
    schema = southwell.Schema.from_file(ROOT / "examples/schemas/adult.json")
    raw = DATA / "external/tables/adult.csv.gz"
    encoder = southwell.TableEncoder(schema)
    design = encoder.fit_transform(raw)
    design = np.asarray(design.todense() if hasattr(design, "todense") else design)
    import gzip

    with gzip.open(raw, "rt") as file:
        rich = [line.rstrip().rstrip(".").endswith(">50K") for line in file][1:]
    return Table(design, np.where(rich, 1.0, -1.0), np.asarray(schema.feature_scales))


def square(_: int) -> Table:
    data, _truth = southwell.generate("square", seed=1)
    assert data.target is not None
    return Table(np.asarray(data.design), data.target / data.target.std())


TABLES: dict[str, Callable[[int], Table]] = {
    "ideal": ideal,
    "correlated": correlated,
    "collinear": collinear,
    "california": california,
    "adult": adult,
    "square": square,
}


def fitted(table: Table, loss: str, solver: str, epsilon: float, seed: int, inputs: Any) -> Any:
    shared = {
        "epsilon": epsilon,
        "delta": 1.0 / len(table.target) ** 2,
        "feature_scale": table.feature_scale,
        "solver": solver,
        "threads": 1,
        "seed_for_tests": seed,
    } | inputs
    model: Any
    if loss == "logistic":
        model = southwell.PrivateLogisticRegression(classes=[-1.0, 1.0], **shared)
    else:
        model = southwell.PrivateRidge(**shared)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(table.design, table.targets(loss))


def without_privacy(design: Array, target: Array, loss: str) -> Array:
    """Coefficients, then the intercept, by Newton's method with next to no ridge."""
    ones = np.column_stack([design, np.ones(len(design))])
    ridge = 1e-6 * np.eye(ones.shape[1])
    coef = np.zeros(ones.shape[1])
    for _ in range(1 if loss == "squared" else 12):
        margin = ones @ coef
        if loss == "squared":
            slope, weight = margin - target, np.ones(len(target))
        else:
            chance = 1.0 / (1.0 + np.exp(target * margin))
            slope, weight = -target * chance, np.maximum(chance * (1.0 - chance), 1e-6)
        curved = (ones * weight[:, None]).T @ ones / len(target) + ridge
        coef -= np.linalg.solve(curved, ones.T @ slope / len(target) + ridge @ coef)
    return coef


@dataclass(frozen=True)
class Spread:
    ratios: Array  # spread over stated, of each coefficient
    covered: float
    stated: float  # of coefficients that are not 0
    unstated_ratios: int

    def __str__(self) -> str:
        if not len(self.ratios):
            return f"stated {self.stated:5.0%}"
        low, middle, high = np.quantile(self.ratios, [0.1, 0.5, 0.9])
        within = np.mean((self.ratios >= 0.6) & (self.ratios <= 1.5))
        return (
            f"spread / stated {middle:5.2f} ({low:.2f} to {high:.2f}), {within:4.0%} in .6 to 1.5, "
            f"covered {self.covered:5.1%}, stated {self.stated:4.0%} "
            f"({len(self.ratios)} coefficients)"
        )


def spread(table: Table, loss: str, models: list[Any]) -> Spread:
    p = table.design.shape[1]
    distance = np.full((len(models), p + 1), np.nan)
    sd = np.full((len(models), p + 1), np.nan)
    known: dict[bytes, Array] = {}
    for k, model in enumerate(models):
        coef = np.ravel(model.coef_)
        chosen = np.flatnonzero(coef)
        if chosen.tobytes() not in known:
            found = without_privacy(table.design[:, chosen], table.targets(loss), loss)
            known[chosen.tobytes()] = found
        found = known[chosen.tobytes()]
        distance[k, chosen] = coef[chosen] - found[:-1]
        distance[k, p] = np.ravel(model.intercept_)[0] - found[-1]
        sd[k, chosen] = np.ravel(model.coef_noise_)[chosen]
        sd[k, p] = np.ravel(model.intercept_noise_)[0]
    there = np.isfinite(distance)
    stated = there & np.isfinite(sd)
    ratios, inside, counted = [], 0, 0
    for j in range(p + 1):
        own = stated[:, j]
        if own.sum() < min(20, len(models)) or own.sum() < 0.5 * there[:, j].sum():
            continue
        away = distance[own, j] - distance[own, j].mean()
        ratios.append(np.sqrt(np.mean(away**2) / np.mean(sd[own, j] ** 2)))
        inside += int(np.sum(np.abs(away) <= 2.0 * sd[own, j]))
        counted += int(own.sum())
    return Spread(
        np.array(ratios), inside / max(counted, 1), float(stated.sum() / there.sum()), p + 1
    )


def _once(table: Table, loss: str, solver: str, epsilon: float, seed: int) -> Any:
    return fitted(table, loss, solver, epsilon, seed, {})


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.defaults uncertainty",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1, help="threads")
    parser.add_argument("--only", nargs="+", default=list(TABLES), choices=TABLES, metavar="TABLE")
    parser.add_argument("--loss", nargs="+", default=["squared", "logistic"])
    parser.add_argument("--solver", nargs="+", default=["gcd", "sgd"])
    parser.add_argument("--epsilon", type=float, nargs="+", default=list(EPSILONS))
    parser.add_argument("--seed", type=int, default=1, help="of the generated tables")
    given = parser.parse_args(arguments)
    print("not private: computed from the records, with seeded noise")
    for name in given.only:
        table = TABLES[name](given.seed)
        for loss in given.loss:
            for solver in given.solver:
                for epsilon in given.epsilon:
                    once = partial(_once, table, loss, solver, epsilon)
                    with ThreadPoolExecutor(given.jobs) as pool:
                        models = list(pool.map(once, range(given.runs)))
                    words = f"{name}, {loss}, {solver}, ε = {epsilon:g}"
                    print(f"{words:36} {spread(table, loss, models)}", flush=True)
