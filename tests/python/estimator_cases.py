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


def declared(estimator: Any) -> dict[str, Any]:
    """What is told of small tables: of few records no size is found, and nothing is warned of."""
    of_target = {"classes": [-1, 1]} if estimator in CLASSIFIERS else {"target_scale": 1}
    return {"feature_scale": 1, **of_target}


def made(estimator: Any, **inputs: Any) -> Any:
    return estimator(**{**BUDGET, **declared(estimator), **inputs})
