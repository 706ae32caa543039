"""Each library's solvers, as functions of (problem, tolerance) that return the coefficients."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from bench.compare.optimum.problems import Array, Problem

Solver: TypeAlias = Callable[[Problem, float], Array]


def scikit_learn(problem: Problem) -> dict[str, Solver]:
    from sklearn.linear_model import Lasso, LogisticRegression

    n = len(problem.target)
    strength = 1.0 / (n * problem.alpha)
    if problem.loss == "squared":

        def lasso(precompute: bool) -> Solver:
            def solve(p: Problem, tolerance: float) -> Array:
                model = Lasso(
                    alpha=p.alpha,
                    fit_intercept=False,
                    tol=tolerance,
                    max_iter=100_000,
                    precompute=precompute,
                )
                return np.ravel(model.fit(p.design, p.target).coef_)

            return solve

        return {"Lasso": lasso(False), "Lasso, Gram": lasso(True)}

    def logistic(name: str, **options: Any) -> Solver:
        def solve(p: Problem, tolerance: float) -> Array:
            model = LogisticRegression(
                C=strength,
                solver=name,
                fit_intercept=False,
                tol=tolerance,
                max_iter=2000,
                **options,
            )
            return np.ravel(model.fit(p.design, p.target).coef_)

        return solve

    if problem.penalty == "l1":
        return {"liblinear": logistic("liblinear", l1_ratio=1.0)}
    names = ["lbfgs", "newton-cg", "newton-cholesky"]
    return {name: logistic(name) for name in names}


def celer(problem: Problem) -> dict[str, Solver]:
    if problem.penalty != "l1":
        return {}
    import celer as library

    def solve(p: Problem, tolerance: float) -> Array:
        if p.loss == "squared":
            model = library.Lasso(alpha=p.alpha, fit_intercept=False, tol=tolerance)
        else:
            model = library.LogisticRegression(
                C=1.0 / (len(p.target) * p.alpha), fit_intercept=False, tol=tolerance
            )
        return np.ravel(model.fit(p.design, p.target).coef_)

    return {"celer": solve}


def skglm(problem: Problem) -> dict[str, Solver]:
    if problem.penalty != "l1":
        return {}  # its L2 has no prox: what is left is scipy's L-BFGS, as in scikit-learn
    from skglm import GeneralizedLinearEstimator
    from skglm.datafits import Logistic, Quadratic
    from skglm.penalties import L1
    from skglm.solvers import AndersonCD, ProxNewton

    def with_solver(make: Callable[[float], Any]) -> Solver:
        def solve(p: Problem, tolerance: float) -> Array:
            model = GeneralizedLinearEstimator(
                datafit=Quadratic() if p.loss == "squared" else Logistic(),
                penalty=L1(p.alpha),
                solver=make(tolerance),
            )
            return np.ravel(model.fit(p.design, p.target).coef_)

        return solve

    common = {"max_iter": 200, "fit_intercept": False}
    found = {"AndersonCD": with_solver(lambda tol: AndersonCD(tol=tol, **common))}
    if problem.loss == "logistic":
        found["ProxNewton"] = with_solver(lambda tol: ProxNewton(tol=tol, **common))
    return found


def all_solvers(problem: Problem) -> dict[str, Solver]:
    warnings.filterwarnings("ignore")
    found: dict[str, Solver] = {}
    for library in (celer, skglm, scikit_learn):  # the fastest first, most often
        for name, solver in library(problem).items():
            label = name if library is celer else f"{library.__name__} {name}"
            found[label] = solver
    return found
