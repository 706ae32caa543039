"""Exact figures of predictions, over the records that have one. They are not private."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_consistent_length

from southwell._cells import Numbers


def r_squared(target: Numbers, predicted: Numbers, sample_weight: Any) -> float:
    """R^2 over the records that have a target and a prediction."""
    target, predicted, weight = _kept(target, predicted, sample_weight)
    if not len(target):
        return np.nan
    if np.isfinite(target).all() and np.isfinite(predicted).all():
        return float(r2_score(target, predicted, sample_weight=weight))
    return -np.inf if np.isfinite(target).all() else np.nan


def accuracy(target: Numbers, predicted: Numbers, sample_weight: Any) -> float:
    """The share of right classes among the records that have a label and a prediction."""
    target, predicted, weight = _kept(target, predicted, sample_weight)
    if not len(target):
        return np.nan
    return float(np.average(target == predicted, weights=weight))


def _kept(
    target: Numbers, predicted: Numbers, sample_weight: Any
) -> tuple[Numbers, Numbers, NDArray[Any] | None]:
    check_consistent_length(target, predicted, sample_weight)
    kept = ~(np.isnan(target) | np.isnan(predicted))
    left_out = len(kept) - int(kept.sum())
    if left_out or not len(kept):
        warnings.warn(
            f"score: {left_out} of {len(kept)} records miss a value that the model uses, or a "
            "target, and are left out",
            UserWarning,
            stacklevel=4,
        )
    weight = None if sample_weight is None else np.asarray(sample_weight)[kept]
    return target[kept], predicted[kept], weight
