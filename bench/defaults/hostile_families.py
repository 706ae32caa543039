"""Records that no rule was tuned on: what goes wrong in tables that people have.

A `Shape` says what is odd about records, a `Cell` at which size and for which loss they are fitted.
Features have the scale 1 that is declared unless a shape says otherwise; nobody standardises them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse

Array = npt.NDArray[np.float64]
Rng = np.random.Generator
EPSILONS = (0.1, 0.5, 1.0, 4.0, 8.0)


def normal(rng: Rng, n: int, p: int) -> Any:
    return rng.standard_normal((n, p))


def equicorrelated(rho: float, group: int, rng: Rng, n: int, p: int) -> Any:
    """Correlation `rho` within groups of so many; 0: among all."""
    of = np.arange(p) // (group or p)
    common = rng.standard_normal((n, of[-1] + 1))[:, of]
    return math.sqrt(1.0 - rho) * rng.standard_normal((n, p)) + math.sqrt(rho) * common


def autoregressive(rho: float, rng: Rng, n: int, p: int) -> Any:
    design = rng.standard_normal((n, p))
    for j in range(1, p):
        design[:, j] = rho * design[:, j - 1] + math.sqrt(1.0 - rho * rho) * design[:, j]
    return design


def student(rng: Rng, n: int, p: int) -> Any:
    return rng.standard_t(2.2, (n, p)) / math.sqrt(2.2 / 0.2)  # of variance 1


def lognormal(rng: Rng, n: int, p: int) -> Any:
    """Centred and of variance 1 as a law, as if somebody had declared that."""
    s = 1.5
    mean, variance = math.exp(s * s / 2.0), math.exp(s * s) * (math.exp(s * s) - 1.0)
    return (rng.lognormal(0.0, s, (n, p)) - mean) / math.sqrt(variance)


def raw_lognormal(rng: Rng, n: int, p: int) -> Any:
    return rng.lognormal(0.0, 1.5, (n, p))


def scaled(factor: float, few: int, rng: Rng, n: int, p: int) -> Any:
    """All features, or the first few, are `factor` times what was declared."""
    design = rng.standard_normal((n, p))
    design[:, : few or p] *= factor
    return design


def uncentred(rng: Rng, n: int, p: int) -> Any:
    return rng.standard_normal((n, p)) + 10.0


def percent(rng: Rng, n: int, p: int) -> Any:
    return 100.0 * rng.beta(2.0, 2.0, (n, p))


def likert(rng: Rng, n: int, p: int) -> Any:
    return np.clip(np.rint(3.2 + 1.1 * rng.standard_normal((n, p))), 1.0, 5.0)


def rare(share: float, rng: Rng, n: int, p: int) -> Any:
    """0/1 features; sparse where a dense array would have more than 2e7 cells."""
    if n * p <= 2e7:
        return (rng.random((n, p)) < share).astype(float)
    counts = rng.binomial(p, share, n)
    columns = rng.integers(0, p, int(counts.sum()))
    rows = np.repeat(np.arange(n), counts)
    design = scipy.sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(n, p))
    design.data[:] = 1.0  # a pair drawn twice is there once
    return design


def text(rng: Rng, n: int, p: int) -> Any:
    """Rows of norm 1, some fifty words each of a Zipf law."""
    chance = 1.0 / np.arange(1.0, p + 1.0)
    words = rng.choice(p, (n, 50), p=chance / chance.sum())
    rows = np.repeat(np.arange(n), 50)
    design = scipy.sparse.csr_matrix((np.ones(50 * n), (rows, words.ravel())), shape=(n, p))
    design.sum_duplicates()
    norms = np.sqrt(np.asarray(design.multiply(design).sum(axis=1)).ravel())
    return scipy.sparse.csr_matrix(scipy.sparse.diags(1.0 / norms) @ design)


def insurance(rng: Rng, n: int, p: int) -> Any:
    """Age, sex, body mass, children, smoker, three regions, then claims, income and a year."""
    region = rng.integers(0, 4, n)
    columns = [
        np.rint(rng.uniform(18, 64, n)),
        rng.integers(0, 2, n),
        rng.normal(30.7, 6.1, n),
        np.minimum(rng.poisson(1.1, n), 5),
        rng.random(n) < 0.2,
        *(region == k for k in (1, 2, 3)),
        rng.poisson(0.4, n),
        rng.lognormal(10.3, 0.7, n),
        rng.integers(1995, 2025, n),
    ]
    return np.column_stack(columns[:p]).astype(float)


def sparse_effects(rng: Rng, p: int) -> Array:
    coef = np.zeros(p)
    chosen = rng.permutation(p)[:8]
    coef[chosen] = rng.choice([-1.0, 1.0], len(chosen)) * rng.uniform(0.5, 1.5, len(chosen))
    return coef


def dense_effects(rng: Rng, p: int) -> Array:
    return rng.standard_normal(p)


def heavy_effects(rng: Rng, p: int) -> Array:
    return rng.choice([-1.0, 1.0], p) * rng.lognormal(0.0, 2.0, p)


def no_effects(rng: Rng, p: int) -> Array:
    return np.zeros(p)


def normal_noise(rng: Rng, n: int) -> Array:
    return rng.standard_normal(n)


def student_noise(rng: Rng, n: int) -> Array:
    return rng.standard_t(2.2, n)


def lognormal_noise(rng: Rng, n: int) -> Array:
    return rng.lognormal(0.0, 1.5, n) - math.exp(1.125)


@dataclass(frozen=True)
class Shape:
    """What is odd about records."""

    group: str
    name: str
    design: Callable[[Rng, int, int], Any] = normal
    effects: Callable[[Rng, int], Array] = sparse_effects
    noise: Callable[[Rng, int], Array] = normal_noise
    zeros: float = 0.0  # of the targets; of labels, the share of the first class is more than half
    cells: int = 0  # of 1e6, after the targets were drawn
    middle: float = 0.0  # of the targets
    unit: float = 1.0  # of the targets
    features: int = 0  # if there can only be so many
    has_intercept: bool = False  # features or target have a mean that counts


@dataclass(frozen=True)
class Cell:
    """A shape at one size, for one loss."""

    shape: Shape
    records: int
    features: int
    loss: str
    epsilons: tuple[float, ...] = field(default=EPSILONS)
    is_small: bool = False  # so few records that the target's scale is declared

    @property
    def name(self) -> str:
        return f"{self.shape.name}, {self.records}×{self.features}, {self.loss}"

    @property
    def scale(self) -> float:
        """Typical size of a target, for declaring it."""
        return (2.0 + self.shape.middle) * self.shape.unit

    def delta(self) -> float:
        return 1.0 / self.records**2 if self.loss == "logistic" else 1e-6

    def draw(self, seed: int) -> tuple[Any, Array]:
        """Records and targets; margins have a standard deviation of 2, noise one of 1."""
        shape, n = self.shape, self.records
        rng = np.random.default_rng([seed, n, self.features, *map(ord, shape.name)])
        design = shape.design(rng, n, self.features)
        coef = shape.effects(rng, design.shape[1]) / _sizes(design)
        margin = np.asarray(design @ coef).ravel()
        margin -= margin.mean()
        margin *= 2.0 / max(margin.std(), 1e-300)
        if self.loss == "logistic":
            target = _labels(rng, margin, shape)
        else:
            target = _targets(rng, margin, shape)
        if shape.cells:
            design[rng.integers(0, n, shape.cells), rng.integers(0, self.features, shape.cells)] = (
                1e6
            )
        return design if _is_sparse(design) else np.asfortranarray(design), target


def _is_sparse(design: Any) -> bool:
    return bool(scipy.sparse.issparse(design))


def _sizes(design: Any) -> Array:
    """So that an effect is that of a feature's standard deviation."""
    if _is_sparse(design):
        means = np.asarray(design.mean(axis=0)).ravel()
        squares = np.asarray(design.multiply(design).mean(axis=0)).ravel()
        sizes = np.sqrt(np.maximum(squares - means * means, 0.0))
    else:
        sizes = design.std(axis=0)
    return np.where(sizes > 0.0, sizes, 1.0)


def _labels(rng: Rng, margin: Array, shape: Shape) -> Array:
    n = len(margin)
    noisy = margin + rng.logistic(size=n)
    threshold = np.quantile(noisy, 0.5 + 0.5 * shape.zeros) if shape.zeros else 0.0
    return np.where(noisy > threshold, 1.0, -1.0)


def _targets(rng: Rng, margin: Array, shape: Shape) -> Array:
    n = len(margin)
    target = margin + shape.noise(rng, n)
    if shape.zeros:
        target = np.exp(0.5 * target)  # amounts; whether there is one depends on features too
        chance = margin + 2.0 * rng.standard_normal(n)
        target[chance <= np.quantile(chance, shape.zeros)] = 0.0
    return shape.unit * (target + shape.middle)


def _odd_shapes() -> list[Shape]:
    shapes = []
    for rho in (0.5, 0.9, 0.99):
        shapes += [
            Shape("correlation", f"equicorrelated {rho:g}", partial(equicorrelated, rho, 0)),
            Shape("correlation", f"in groups {rho:g}", partial(equicorrelated, rho, 5)),
            Shape("correlation", f"autoregressive {rho:g}", partial(autoregressive, rho)),
        ]
    shapes += [
        Shape("correlation", "equicorrelated 0.9, dense effects",
              partial(equicorrelated, 0.9, 0), dense_effects),
        Shape("heavy features", "t(2.2) features", student),
        Shape("heavy features", "lognormal features", lognormal),
        Shape("heavy features", "lognormal features, not centred", raw_lognormal,
              has_intercept=True),
        Shape("heavy noise", "t(2.2) noise", noise=student_noise),
        Shape("heavy noise", "lognormal noise", noise=lognormal_noise),
        Shape("heavy effects", "lognormal effects", effects=heavy_effects),
        Shape("heavy effects", "t(2.2) features, lognormal effects", student, heavy_effects),
    ]  # fmt: skip
    for factor in (0.01, 0.1, 10.0, 100.0):
        shapes += [
            Shape("wrong scales", f"all features ×{factor:g}", partial(scaled, factor, 0)),
            Shape("wrong scales", f"three features ×{factor:g}", partial(scaled, factor, 3),
                  dense_effects),
        ]  # fmt: skip
    shapes += [
        Shape("zeros", f"{share:.0%} zeros", zeros=share, has_intercept=True)
        for share in (0.0, 0.3, 0.6, 0.8, 0.9)
    ]
    shapes += [
        Shape("zeros", "60% zeros, lognormal features", raw_lognormal, zeros=0.6,
              has_intercept=True),
        Shape("single cells", "five cells of 1e6", cells=5),
        Shape("natural units", "mean 10 sd", uncentred, has_intercept=True),
        Shape("natural units", "percent 0..100", percent, middle=5.0, has_intercept=True),
        Shape("natural units", "Likert 1..5", likert, middle=1.5, has_intercept=True),
        Shape("natural units", "insurance table", insurance, dense_effects, middle=2.5,
              unit=5000.0, features=11, has_intercept=True),
        Shape("rare 0/1", "0/1 in 1 %", partial(rare, 0.01), dense_effects, has_intercept=True),
        Shape("nothing to find", "no effects", effects=no_effects),
        Shape("nothing to find", "no effects, equicorrelated 0.9",
              partial(equicorrelated, 0.9, 0), no_effects),
        Shape("nothing to find", "no effects, t(2.2) features", student, no_effects),
    ]  # fmt: skip
    return shapes


IDEAL = Shape("ideal", "independent")
IDEAL_DENSE = Shape("ideal", "independent, dense effects", effects=dense_effects)
TEXT = Shape("text", "text", text, dense_effects, has_intercept=True)
LOSSES = ("squared", "logistic")
AT_THE_ENDS = (
    "independent", "independent, dense effects", "equicorrelated 0.9", "lognormal features",
    "t(2.2) noise", "all features ×100", "three features ×10", "60% zeros", "five cells of 1e6",
    "insurance table", "no effects",
)  # fmt: skip
AT_MOST_RECORDS = (
    "independent, dense effects", "equicorrelated 0.9", "lognormal features", "all features ×100",
    "60% zeros", "insurance table",
)  # fmt: skip


def cells() -> list[Cell]:
    """Every shape at three sizes, single ones at the ends of n and p, and few records apart."""
    odd = _odd_shapes()
    of = {shape.name: shape for shape in (*odd, IDEAL, IDEAL_DENSE, TEXT)}
    found = [
        *_all([shape.name for shape in (*odd, IDEAL, IDEAL_DENSE)], of, (500, 20)),
        *_all([shape.name for shape in (*odd, IDEAL, IDEAL_DENSE)], of, (2_000, 50)),
        *_all([shape.name for shape in (*odd, IDEAL, IDEAL_DENSE)], of, (5_000, 200)),
        *_all(AT_MOST_RECORDS, of, (50_000, 20), (0.1, 1.0, 8.0)),
        *_all(AT_THE_ENDS, of, (5_000, 5)),
        *_all(AT_THE_ENDS, of, (2_000, 2_000), (0.5, 1.0, 8.0)),
        *_all(["text"], of, (2_000, 5_000)),
        *_all(["text"], of, (20_000, 50_000), (0.5, 4.0)),
        Cell(of["independent"], 2_000, 20_000, "squared", (0.5, 4.0)),
        Cell(of["equicorrelated 0.9"], 2_000, 20_000, "logistic", (0.5, 4.0)),
        Cell(of["0/1 in 1 %"], 5_000, 50_000, "squared", (0.5, 4.0)),
    ]
    for size in ((50, 5), (200, 10), (400, 100)):
        found += _all(AT_THE_ENDS, of, size, is_small=True)
    return list({cell.name: cell for cell in found}.values())  # tables of fixed width come twice


def _all(
    names: Iterable[str],
    of: dict[str, Shape],
    size: tuple[int, int],
    epsilons: tuple[float, ...] = EPSILONS,
    is_small: bool = False,
) -> Iterator[Cell]:
    for shape in map(of.__getitem__, names):
        for loss in LOSSES:
            if loss == "squared" or shape.group != "heavy noise":  # labels have no noise of a law
                features = shape.features or size[1]
                yield Cell(shape, size[0], features, loss, epsilons, is_small)
