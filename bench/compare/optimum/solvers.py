"""Each library's solvers, as functions of (problem, tolerance) that return the coefficients."""

import warnings
from collections.abc import Callable

import numpy as np
from problems import Problem

Solver = Callable[[Problem, float], np.ndarray]


def scikit_learn(problem: Problem) -> dict[str, Solver]:
    from sklearn.linear_model import Lasso, LogisticRegression

    n = len(problem.target)
    strength = 1.0 / (n * problem.alpha)
    if problem.loss == "squared":

        def lasso(precompute: bool) -> Solver:
            def solve(p: Problem, tolerance: float) -> np.ndarray:
                model = Lasso(
                    alpha=p.alpha,
                    fit_intercept=False,
                    tol=tolerance,
                    max_iter=100_000,
                    precompute=precompute,
                )
                return model.fit(p.design, p.target).coef_

            return solve

        return {"Lasso": lasso(False), "Lasso, Gram": lasso(True)}

    def logistic(name: str, **options: object) -> Solver:
        def solve(p: Problem, tolerance: float) -> np.ndarray:
            model = LogisticRegression(
                C=strength,
                solver=name,
                fit_intercept=False,
                tol=tolerance,
                max_iter=2000,
                **options,
            )
            return model.fit(p.design, p.target).coef_[0]

        return solve

    if problem.penalty == "l1":
        return {"liblinear": logistic("liblinear", l1_ratio=1.0)}
    names = ["lbfgs", "newton-cg", "newton-cholesky"]
    return {name: logistic(name) for name in names}


def celer(problem: Problem) -> dict[str, Solver]:
    if problem.penalty != "l1":
        return {}
    import celer as library

    def solve(p: Problem, tolerance: float) -> np.ndarray:
        if p.loss == "squared":
            model = library.Lasso(alpha=p.alpha, fit_intercept=False, tol=tolerance)
        else:
            model = library.LogisticRegression(
                C=1.0 / (len(p.target) * p.alpha), fit_intercept=False, tol=tolerance
            )
        return np.ravel(model.fit(p.design, p.target).coef_)

    return {"celer": solve}


def skglm(problem: Problem) -> dict[str, Solver]:
    from skglm import GeneralizedLinearEstimator
    from skglm.datafits import Logistic, Quadratic
    from skglm.penalties import L1, L2
    from skglm.solvers import AndersonCD, ProxNewton

    def with_solver(make: type) -> Solver:
        def solve(p: Problem, tolerance: float) -> np.ndarray:
            model = GeneralizedLinearEstimator(
                datafit=Quadratic() if p.loss == "squared" else Logistic(),
                penalty=L1(p.alpha) if p.penalty == "l1" else L2(p.alpha),
                solver=make(tol=tolerance, fit_intercept=False, max_iter=200),
            )
            return np.ravel(model.fit(p.design, p.target).coef_)

        return solve

    found = {"AndersonCD": with_solver(AndersonCD)}
    if problem.loss == "logistic":
        found["ProxNewton"] = with_solver(ProxNewton)
    return found


def all_solvers(problem: Problem) -> dict[str, Solver]:
    warnings.filterwarnings("ignore")
    found = {}
    for library in (scikit_learn, celer, skglm):
        for name, solver in library(problem).items():
            label = name if library is celer else f"{library.__name__} {name}"
            found[label] = solver
    return found
