"""Wide data: `auto`, gcd and sgd against full-batch gradient descent in numpy, on held-out records.

    python -m bench.compare.wide [--fits 20] [--epsilon .5 1 4] [--problems basehock adult] [--own]
        [--solvers auto sgd gcd undeclared]

Prints one row per problem and epsilon: log-loss over that of the class shares, accuracy and AUC of
each, means over fits. `fixed` is one setting of bench/compare/numpy_descent.py for all, `best` the
best of its grid by the held-out log-loss, which nobody could choose; --own leaves both out.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.metrics import roc_auc_score

import southwell
from bench.compare.numpy_descent import FIXED, GRID, NumpyDescent, gaussian_mu
from bench.compare.tables import ADULT, ADULT_SCHEMA
from bench.rows import DATA


@dataclass(frozen=True)
class Problem:
    """Records to fit and to look at; labels count from 0."""

    x: Any
    y: Any
    x_test: Any
    y_test: Any
    record_norm: float

    @property
    def classes(self) -> int:
        return int(self.y.max()) + 1


def _split(x: Any, y: Any, record_norm: float, part: float = 0.7) -> Problem:
    order = np.random.default_rng(0).permutation(len(y))
    cut = int(part * len(y))
    train, test = order[:cut], order[cut:]
    return Problem(x[train], y[train], x[test], y[test], record_norm)


def _unit_rows(x: Any) -> Any:
    norms = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
    return diags(1 / np.maximum(norms, 1e-300)).dot(x).tocsr()


def text(classes: int, signal: str, seed: int = 1, records: int = 12_000) -> Problem:
    """Words by a power law; a class changes many of them a little, few a lot, or none."""
    random = np.random.default_rng(seed)
    features, words = 50_000, 60
    common = 1 / np.arange(1, features + 1) ** 0.9
    y = random.integers(0, classes, records)
    rows, columns = [], []
    for c in range(classes):
        weights = common.copy()
        if signal == "many":
            weights *= np.exp(0.8 * random.standard_normal(features))
        elif signal == "few":
            weights[random.choice(2000, 20, replace=False)] *= 8
        own = np.flatnonzero(y == c)
        length = random.poisson(words, len(own)) + 5
        rows.append(np.repeat(own, length))
        columns.append(random.choice(features, length.sum(), p=weights / weights.sum()))
    where = np.concatenate(rows), np.concatenate(columns)
    x = csr_matrix((np.ones(len(where[0])), where), shape=(records, features))
    x.data = np.log1p(x.data)
    return _split(_unit_rows(x), y, 1.0, 10 / 12)


def one_hot(records: int = 12_000, columns: int = 12, levels: int = 25) -> Problem:
    """A table of columns with levels that differ in frequency and effect."""
    random = np.random.default_rng(2)
    effects = 0.7 * random.standard_normal((columns, levels))
    shares = random.dirichlet(np.full(levels, 0.7), size=columns)
    codes = np.stack([random.choice(levels, records, p=share) for share in shares], axis=1)
    margin = effects[np.arange(columns), codes].sum(axis=1)
    y = (random.random(records) < 1 / (1 + np.exp(-margin))).astype(int)
    where = np.repeat(np.arange(records), columns), (codes + levels * np.arange(columns)).ravel()
    x = csr_matrix((np.ones(records * columns), where), shape=(records, columns * levels))
    return _split(x, y, float(np.sqrt(columns)))


def dense(records: int, features: int, true: int) -> Problem:
    """Normal features, of which some have effects."""
    random = np.random.default_rng(3)
    x = random.standard_normal((records, features))
    effects = np.zeros(features)
    effects[:true] = random.standard_normal(true) * 2 / np.sqrt(true)
    y = (random.random(records) < 1 / (1 + np.exp(-(x @ effects)))).astype(int)
    return _split(x, y, float(np.sqrt(features)))


def _libsvm(*names: str, norm: float | None) -> Problem:
    from sklearn.datasets import load_svmlight_file

    x, y = load_svmlight_file(str(DATA / names[0]))
    y = (y > 0).astype(int)
    if len(names) == 1:
        return _split(_unit_rows(x) if norm is None else x, y, norm or 1.0)
    x_test, y_test = load_svmlight_file(str(DATA / names[1]), n_features=x.shape[1])
    return Problem(x, y, x_test, (y_test > 0).astype(int), norm or 1.0)


def adult() -> Problem:
    """The survey's own halves, encoded as its schema says, which also says the norm of a record."""
    schema = southwell.Schema.from_file(ADULT_SCHEMA)
    fields = [field for field in schema.to_dict()["fields"] if field["name"] == schema.target]
    fields[0]["southwell"].pop("role")
    income = southwell.Schema.from_dict({"fields": fields})
    rich = income.feature_names.index("income=>50K")
    halves = [str(ADULT), str(ADULT.with_name("adult_test.csv.gz"))]
    x, x_test = (np.asarray(schema.encode(half)) for half in halves)
    y, y_test = ((income.encode(half)[:, rich] > 0).astype(int) for half in halves)
    return Problem(x, y, x_test, y_test, schema.record_norm)


PROBLEMS: dict[str, Callable[[], Problem]] = {
    "basehock": lambda: _libsvm("basehock/basehock.libsvm.gz", norm=None),
    "dorothea": lambda: _libsvm("dorothea/dorothea_train.libsvm.gz", norm=None),
    "a9a": lambda: _libsvm("a9a/a9a.libsvm.gz", "a9a/a9a.t.libsvm.gz", norm=float(np.sqrt(14))),
    "adult": adult,
    "text2-many": lambda: text(2, "many"),
    "text2-few": lambda: text(2, "few"),
    "text2-none": lambda: text(2, "none"),
    "text20-many": lambda: text(20, "many"),
    "one-hot": one_hot,
    "dense 2000x100": lambda: dense(2857, 100, 100),
    "dense 6000x100, 5 true": lambda: dense(8571, 100, 5),
}


def figures(p: Any, y: Any) -> tuple[float, float, float]:
    """Log-loss over that of the class shares, accuracy, AUC (two classes)."""
    shares = np.bincount(y) / len(y)
    trivial = -float(np.log(shares[y]).mean())
    loss = -float(np.log(np.maximum(p[np.arange(len(y)), y], 1e-300)).mean())
    auc = roc_auc_score(y, p[:, 1]) if p.shape[1] == 2 else np.nan
    return loss / trivial, float((p.argmax(axis=1) == y).mean()), float(auc)


def product(problem: Problem, epsilon: float, delta: float, solver: str) -> Any:
    """The product's fit, untuned, told the norm of records where it may be; `undeclared` is auto
    without it."""
    model = southwell.PrivateLogisticRegression(
        epsilon=epsilon,
        delta=delta,
        solver="auto" if solver == "undeclared" else solver,
        classes=list(range(problem.classes)),
        features=problem.x.shape[1],
        record_norm=None if solver in ("gcd", "undeclared") else problem.record_norm,
    )
    return model.fit(problem.x, problem.y).predict_proba(problem.x_test)


def compared(
    problem: Problem, epsilon: float, fits: int, solvers: list[str], with_grid: bool
) -> dict[str, Any]:
    """Figures of every method, means over fits."""
    delta = 1 / len(problem.y) ** 2
    mu = gaussian_mu(epsilon, delta)
    out: dict[str, Any] = {}
    for solver in solvers:
        runs = [
            figures(product(problem, epsilon, delta, solver), problem.y_test) for _ in range(fits)
        ]
        out[solver] = np.mean(runs, axis=0)
    if not with_grid:
        return out

    def of(setting: Any) -> Any:
        runs = [
            NumpyDescent(setting, mu, problem.record_norm, seed)
            .fit(problem.x, problem.y, problem.classes)
            .predict_proba(problem.x_test)
            for seed in range(fits)
        ]
        return np.mean([figures(p, problem.y_test) for p in runs], axis=0)

    out["fixed"] = of(FIXED)
    out["best"] = min((of(setting) for setting in GRID), key=lambda each: each[0])
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=int, default=20)
    parser.add_argument("--epsilon", type=float, nargs="+", default=[0.1, 0.5, 1, 4, 8])
    parser.add_argument("--problems", nargs="+", default=list(PROBLEMS))
    parser.add_argument("--solvers", nargs="+", default=["auto", "sgd", "gcd"])
    parser.add_argument("--own", action="store_true", help="the product's fits alone")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in given.problems:
        problem = PROBLEMS[name]()
        for epsilon in given.epsilon:
            found = compared(problem, epsilon, given.fits, given.solvers, not given.own)
            cells = "  ".join(
                f"{method} {each[0]:.3f} {each[1]:.3f} {each[2]:.3f}"
                for method, each in found.items()
            )
            print(f"{name:24} {epsilon:4g}  {cells}", flush=True)


if __name__ == "__main__":
    main()
