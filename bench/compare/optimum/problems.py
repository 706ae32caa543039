"""The problems of the optimum benchmark, and the gap by which every solver is judged."""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.datasets import load_svmlight_file

from bench.rows import ROOT

Array: TypeAlias = npt.NDArray[np.float64]


@dataclass
class Problem:
    name: str
    design: Any  # an array, or scipy's csc_matrix
    target: Array
    loss: str
    penalty: str
    alpha: float


def standardized(design: Array) -> Array:
    design = design - design.mean(axis=0)
    deviation = design.std(axis=0)
    return np.asfortranarray(design / np.where(deviation > 1e-12, deviation, 1.0))


def read_dense(file: Path) -> tuple[Array, Array]:
    with gzip.open(file, "rt") as lines:
        table = np.loadtxt(lines, delimiter=",", skiprows=1)
    return standardized(table[:, :-1]), np.ascontiguousarray(table[:, -1])


def read_sparse(file: Path) -> tuple[Any, Array]:
    design, target = load_svmlight_file(str(file))
    return sp.csc_matrix(design), target


def square(seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    design = standardized(rng.standard_normal((1000, 1000)))
    coef = np.zeros(1000)
    coef[rng.choice(1000, 10, replace=False)] = rng.uniform(0, 100, 10)
    return design, design @ coef + rng.standard_normal(1000)


def problems() -> list[Problem]:
    """Those whose data are at SOUTHWELL_DATA (or shared/data beside the project)."""
    data = Path(os.environ.get("SOUTHWELL_DATA", ROOT.parent / "shared" / "data"))
    found = []
    if data.is_dir():
        california = read_dense(data / "california/california.csv.gz")
        madelon = read_dense(data / "madelon/madelon.csv.gz")
        dorothea = read_sparse(data / "dorothea/dorothea_train_88119.libsvm.gz")
        basehock = read_sparse(data / "basehock/basehock.libsvm.gz")
        found = [
            Problem("california", *california, "squared", "l1", 0.1),
            Problem("madelon l1", *madelon, "logistic", "l1", 0.05),
            Problem("madelon l2", *madelon, "logistic", "l2", 1.0),
            Problem("dorothea", *dorothea, "logistic", "l1", 0.01),
            Problem("basehock l1", *basehock, "logistic", "l1", 0.01),
        ]
    return [*found, Problem("square", *square(), "squared", "l1", 30.0)]


def relative_gap(problem: Problem, coef: Array) -> float:
    """(F - lower bound) / F, from coefficients and data alone: squared or logistic, l1 or l2."""
    y = problem.target.astype(np.longdouble)
    n = len(y)
    z = (problem.design @ coef).astype(np.longdouble)
    w = coef.astype(np.longdouble)
    if problem.loss == "squared":
        value, slope = 0.5 * (z - y) ** 2, z - y
    else:
        value, slope = np.logaddexp(0, -y * z), -y / (1 + np.exp(y * z))
    gradient = (problem.design.T @ slope.astype(float)).astype(np.longdouble) / n
    if problem.penalty == "l1":
        penalty = problem.alpha * np.abs(w).sum()
        slope = slope * min(1.0, problem.alpha / np.abs(gradient).max())
        dual_penalty = np.longdouble(0)
    else:
        penalty = problem.alpha / 2 * (w**2).sum()
        dual_penalty = (gradient**2).sum() / (2 * problem.alpha)
    if problem.loss == "squared":
        conjugate = slope * (slope / 2 + y)
    else:
        t = -y * slope
        conjugate = t * np.log(np.maximum(t, 1e-4000)) + (1 - t) * np.log1p(-t)
    objective = value.mean() + penalty
    return float((objective + conjugate.mean() + dual_penalty) / objective)
