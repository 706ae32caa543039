"""The paper's problems, a9a, basehock, and generated families of many shapes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import southwell
from bench.compare.optimum.problems import read_dense, standardized
from bench.rows import DATA

Array = npt.NDArray[np.float64]
Truth = Literal["sparse", "quasi_sparse", "dense"]


@dataclass(frozen=True)
class Family:
    """A generated problem. `rare`: features are 1 in so many of the records, 0 in others."""

    records: int
    features: int
    loss: str
    penalty: str
    alpha: float
    truth: Truth = "sparse"
    nonzero: int = 8
    correlation: float = 0.0  # within groups of ten
    tails: float = 0.0  # degrees of freedom of Student features; 0: normal
    rare: float = 0.0
    size: float = 1.0  # of the effects
    shrunk: float = 1.0  # of features: how far below their declared scale 1 they are
    epsilon: float = 1.0

    @property
    def name(self) -> str:
        words = [f"{self.loss}, {self.penalty}, {self.records}×{self.features}"]
        if self.truth != "sparse":
            words.append(self.truth.replace("_", "-"))
        elif self.nonzero != 8:
            words.append("one feature" if self.nonzero == 1 else f"{self.nonzero} features")
        if self.correlation:
            words.append("correlated")
        if self.tails:
            words.append("heavy tails")
        if self.rare:
            words.append(f"in {self.rare:g} of the records")
        if self.shrunk != 1.0:
            words.append(f"of scale {self.shrunk:g}")
        if self.size != 1.0:
            words.append(f"effects ×{self.size:g}")
        if self.epsilon != 1.0:
            words.append(f"ε = {self.epsilon:g}")
        return ", ".join(words)

    def draw(self, seed: int) -> tuple[Array, Array]:
        rng = np.random.default_rng([seed, self.records, self.features, round(1e6 * self.alpha)])
        design = self._design(rng)
        margin = design @ self._coef(rng)
        if self.loss == "logistic":
            chance = 1.0 / (1.0 + np.exp(margin.mean() - margin))
            return design, np.where(rng.random(self.records) < chance, 1.0, -1.0)
        return design, 2.0 * (margin - margin.mean()) + rng.standard_normal(self.records)

    def _design(self, rng: np.random.Generator) -> Array:
        shape = (self.records, self.features)
        if self.rare:
            return np.asfortranarray((rng.random(shape) < self.rare).astype(float))
        if self.tails:
            return self.shrunk * standardized(rng.standard_t(self.tails, shape))
        design = rng.standard_normal(shape)
        if self.correlation:
            common = rng.standard_normal((self.records, self.features // 10 + 1))
            groups = common[:, np.arange(self.features) // 10]
            design = math.sqrt(1.0 - self.correlation) * design
            design += math.sqrt(self.correlation) * groups
        return self.shrunk * standardized(design)

    def _coef(self, rng: np.random.Generator) -> Array:
        signs = rng.choice([-1.0, 1.0], self.features)
        if self.truth == "sparse":
            coef = np.zeros(self.features)
            chosen = rng.permutation(self.features)[: self.nonzero]
            coef[chosen] = signs[chosen] * rng.uniform(0.5, 1.5, self.nonzero)
        elif self.truth == "quasi_sparse":
            coef = signs * rng.lognormal(0.0, 2.0, self.features)
            coef *= 2.0 / np.linalg.norm(coef)
        else:
            coef = 2.0 * rng.standard_normal(self.features) / math.sqrt(self.features)
        return self.size / self.shrunk * coef


@dataclass(frozen=True)
class Problem:
    """Records, objective and budget, and the objective's least value."""

    name: str
    design: Any
    target: Array
    loss: str
    penalty: str
    alpha: float
    epsilon: float
    at_zero: float
    least: float

    @property
    def delta(self) -> float:
        return 1.0 / len(self.target) ** 2

    @property
    def has_center(self) -> bool:
        """Whether an intercept may find the target's middle: it changes no other coefficient."""
        return self.loss == "squared" and bool(np.abs(self.design.mean(axis=0)).max() < 1e-6)

    def left(self, coef: Array) -> float:
        """What coefficients leave of f(0) - f*."""
        found = objective(self.design, self.target, self.loss, self.penalty, self.alpha, coef)
        return (found - self.least) / (self.at_zero - self.least)


def objective(
    design: Any, target: Array, loss: str, penalty: str, alpha: float, coef: Array
) -> float:
    margin = design @ coef
    each = (
        np.logaddexp(0.0, -target * margin) if loss == "logistic" else 0.5 * (margin - target) ** 2
    )
    size = np.abs(coef).sum() if penalty == "l1" else 0.5 * coef @ coef
    return float(each.mean() + alpha * size)


def problem(
    name: str,
    design: Any,
    target: Array,
    loss: str,
    penalty: str,
    alpha: float,
    epsilon: float = 1.0,
) -> Problem:
    best = southwell.reference_optimum(
        design, target, loss=loss, penalty=penalty, alpha=alpha, fit_intercept=False, gap=1e-8
    )
    given = (design, target, loss, penalty, alpha)
    nothing = objective(*given, np.zeros(design.shape[1]))
    return Problem(name, *given, epsilon, nothing, objective(*given, best.coef))


def _sparse(file: Path, features: int) -> tuple[Any, Array]:
    data = southwell.read(file, features=features)
    assert data.target is not None
    return data.design, data.target


def _paper(name: Any, seed: int) -> tuple[Any, Array]:
    data, _ = southwell.generate(name, seed=seed)
    assert data.target is not None
    return data.design, data.target


def _melting_points() -> tuple[Array, Array]:
    design, target = read_dense(DATA / "mtp_meltingpoint/meltingpoint_4401.csv.gz")
    return design, (target - 14.0) / 378.5


def given_problems() -> dict[str, Callable[[], Problem]]:
    """Those that nobody generated for this: the paper's, a9a and basehock."""
    draws: dict[str, tuple[Callable[[], tuple[Any, Array]], str, str, float]] = {}
    for name, loss, penalty, alpha, instances in (
        ("square", "squared", "l1", 30.0, 2),
        ("log1", "logistic", "l2", 1e-3, 3),
        ("log2", "logistic", "l2", 1e-3, 3),
    ):
        for seed in range(1, instances + 1):
            draws[f"{name} {seed}"] = (partial(_paper, name, seed), loss, penalty, alpha)
    if DATA.is_dir():
        california = partial(read_dense, DATA / "california/california.csv.gz")
        madelon = partial(read_dense, DATA / "madelon/madelon.csv.gz")
        dorothea = partial(_sparse, DATA / "dorothea/dorothea_train_88119.libsvm.gz", 88119)
        basehock = partial(_sparse, DATA / "basehock/basehock.libsvm.gz", 4862)
        draws |= {
            "california": (california, "squared", "l1", 0.1),
            "madelon l1": (madelon, "logistic", "l1", 0.05),
            "madelon l2": (madelon, "logistic", "l2", 1.0),
            "dorothea": (dorothea, "logistic", "l1", 0.01),
            "mtp": (_melting_points, "squared", "l2", 5e-8),
            "a9a": (partial(_sparse, DATA / "a9a/a9a.libsvm.gz", 123), "logistic", "l2", 1e-3),
            "basehock": (basehock, "logistic", "l1", 1e-3),
        }
    return {name: partial(_drawn, name, *of) for name, of in draws.items()}


def _drawn(
    name: str, draw: Callable[[], tuple[Any, Array]], loss: str, penalty: str, alpha: float
) -> Problem:
    return problem(name, *draw(), loss, penalty, alpha)


@dataclass(frozen=True)
class HeldOut:
    """Records to fit a classifier on, and others to try it on."""

    name: str
    penalty: str
    alpha: float
    design: Any
    target: Array
    test_design: Any
    test_target: Array


def held_out_data() -> list[HeldOut]:
    if not DATA.is_dir():
        return []
    known = _sparse(DATA / "a9a/a9a.libsvm.gz", 123)
    unknown = _sparse(DATA / "a9a/a9a.t.libsvm.gz", 123)
    design, target = _sparse(DATA / "basehock/basehock.libsvm.gz", 4862)
    order = np.random.default_rng(1).permutation(len(target))
    first, rest = order[:1400], order[1400:]
    return [
        HeldOut("a9a", "l2", 1e-3, *known, *unknown),
        HeldOut("basehock", "l1", 1e-3, design[first], target[first], design[rest], target[rest]),
    ]


def _families() -> list[Family]:
    def squared(*size: Any, **more: Any) -> Family:
        return Family(size[0], size[1], "squared", more.pop("penalty", "l1"), size[2], **more)

    def logistic(*size: Any, **more: Any) -> Family:
        return Family(size[0], size[1], "logistic", more.pop("penalty", "l1"), size[2], **more)

    return [
        squared(1000, 200, 0.3),
        squared(5000, 500, 0.2),
        squared(5000, 500, 0.25, correlation=0.7),
        squared(2000, 300, 0.2, tails=4.0),
        squared(2000, 1000, 0.3, size=0.5),
        squared(3000, 400, 0.1, epsilon=4.0),
        squared(1500, 1500, 0.3, nonzero=1),
        squared(10000, 100, 0.1, epsilon=0.3),
        squared(8000, 300, 0.1, truth="quasi_sparse"),
        squared(300, 2000, 0.3, nonzero=3, epsilon=4.0),
        squared(500, 20000, 0.3, nonzero=3, epsilon=8.0),
        squared(3000, 300, 0.03, rare=0.1),
        squared(3000, 300, 0.03, rare=0.3),
        squared(2000, 400, 0.06, shrunk=0.3),
        squared(1000, 50, 0.05, truth="dense"),
        squared(4000, 200, 0.01, penalty="l2", truth="quasi_sparse"),
        squared(2000, 100, 0.01, penalty="l2", truth="dense"),
        squared(20000, 20, 0.01, penalty="l2", truth="dense"),
        logistic(1000, 500, 0.02),
        logistic(5000, 300, 0.01, correlation=0.7),
        logistic(4000, 400, 0.02, correlation=0.7, nonzero=3),
        logistic(3000, 400, 0.01, tails=4.0),
        logistic(5000, 1000, 0.01),
        logistic(10000, 300, 0.01, epsilon=0.3),
        logistic(2000, 300, 0.02, nonzero=1),
        logistic(2600, 500, 0.05, nonzero=1, size=0.5),
        logistic(2000, 100, 0.01, truth="quasi_sparse"),
        logistic(3000, 2000, 0.01, epsilon=4.0),
        logistic(800, 2000, 0.03, nonzero=4, size=1.5, epsilon=2.0),
        logistic(20000, 50, 0.005, truth="quasi_sparse", tails=4.0),
        logistic(3000, 300, 0.003, rare=0.1, size=1.5),
        logistic(5000, 500, 0.002, rare=0.05, size=2.0),
        logistic(2000, 200, 0.01, penalty="l2", truth="quasi_sparse"),
        logistic(1500, 300, 0.01, penalty="l2", truth="quasi_sparse", correlation=0.7),
        logistic(2000, 100, 0.01, penalty="l2", truth="dense"),
        logistic(500, 30, 0.01, penalty="l2", truth="dense"),
        logistic(3000, 100, 0.01, penalty="l2"),
        logistic(5000, 200, 0.001, penalty="l2", truth="quasi_sparse"),
        logistic(200, 10, 0.01, penalty="l2", truth="dense", epsilon=8.0),
        logistic(6000, 300, 0.01, penalty="l2", truth="dense"),
        logistic(3000, 300, 0.001, penalty="l2", rare=0.1, size=1.5),
        logistic(2000, 500, 0.001, penalty="l2", rare=0.05, truth="dense", size=4.0),
    ]  # fmt: skip


def generated_problems(seed: int = 1) -> dict[str, Callable[[], Problem]]:
    return {family.name: partial(_generated, family, seed) for family in _families()}


def _generated(family: Family, seed: int) -> Problem:
    design, target = family.draw(seed)
    return problem(
        family.name, design, target, family.loss, family.penalty, family.alpha, family.epsilon
    )
