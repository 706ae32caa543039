"""The estimators that tests go through."""

from typing import Any

import southwell

BUDGET: dict[str, Any] = {"epsilon": 1, "delta": 1e-6}
REGRESSORS: list[Any] = [
    southwell.PrivateLasso,
    southwell.PrivateRidge,
    southwell.PrivateElasticNet,
    southwell.PrivateHuber,
]
CLASSIFIERS: list[Any] = [southwell.PrivateLogisticRegression, southwell.PrivateLinearSVC]


def made(estimator: Any, **inputs: Any) -> Any:
    classes = {"classes": [-1, 1]} if estimator in CLASSIFIERS else {}
    return estimator(**{**BUDGET, **classes, **inputs})
