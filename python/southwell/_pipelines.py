"""What holds the steps of a pipeline: which of it is known, and what it holds."""

from __future__ import annotations

import hashlib
from typing import Any, NoReturn

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.pipeline import FeatureUnion
from sklearn.utils.validation import check_is_fitted

from southwell import _core, _steps
from southwell.schema import Schema


def check_container(name: str, step: Any) -> None:
    """Refuses what holds steps and does more, or by a look at the records, than pass them on."""
    kind = type(step).__name__
    if changed := _steps.tampered(step):
        refuse(name, changed, "which may learn from the records")
    inside = {"steps", "transformer_list", "transformers", "remainder"}
    for parameter, given in step.get_params(deep=False).items():
        if parameter in ("memory", "transform_input") and given is not None:
            refuse(name, f"{kind} with {parameter}", "whose results may be those of other fits")
        if parameter not in inside and not _steps.is_plain(given):
            refuse(name, f"{kind} with your own {parameter}", "which may learn")
    if type(step) is not ColumnTransformer:
        return
    if step.sparse_threshold != 0:
        refuse(
            name,
            f"ColumnTransformer with sparse_threshold {step.sparse_threshold}",
            "whose form depends on how many zeros there are; 0 fixes it",
        )
    for inner, _, columns in step.transformers:
        selects = type(columns) is make_column_selector and _steps.is_plain(vars(columns))
        if callable(columns) and not selects:
            refuse(
                f"{name}.{inner}" if name else inner,
                "columns that a function chooses",
                "which may look at the records",
            )


def parts(step: Any, fitted: bool) -> list[tuple[str, Any]]:
    """The steps inside, as they will be fitted, or as they were."""
    if type(step) is FeatureUnion:
        return list(step.transformer_list)
    if type(step) is not ColumnTransformer:
        return list(step.steps)
    if not fitted:
        named = [
            (inner, part) for inner, part, columns in step.transformers if not _is_none(columns)
        ]
        return [*named, ("remainder", step.remainder)]
    check_is_fitted(step)
    return [(inner, part) for inner, part, columns in step.transformers_ if not _is_none(columns)]


def _is_none(columns: Any) -> bool:
    """A part without columns is never fitted."""
    return not isinstance(columns, str | slice) and np.size(columns) == 0


def signature(pipeline: Any) -> str:
    """Tells whether steps and parameters are still the same."""
    return hashlib.sha256(repr(_described(pipeline)).encode()).hexdigest()


def _described(value: Any) -> Any:
    if isinstance(value, BaseEstimator):
        return [type(value).__name__, _described(value.get_params(deep=False))]
    if isinstance(value, Schema):
        return value.to_dict()
    if isinstance(value, make_column_selector):
        return _described(vars(value))
    if isinstance(value, dict):
        return [[str(key), _described(value[key])] for key in sorted(value, key=str)]
    if isinstance(value, list | tuple):
        return [_described(part) for part in value]
    if isinstance(value, np.ndarray) and value.dtype != object:
        return [value.dtype.str, value.shape, hashlib.sha256(value.tobytes()).hexdigest()]
    return repr(value.tolist() if isinstance(value, np.ndarray) else value)


def check_given_to_all(what: str, is_given: dict[str, bool]) -> None:
    """Refuses what some of the steps that are charged are given, and some are not."""
    without = [name for name, given in is_given.items() if not given]
    if without and len(without) < len(is_given):
        raise ValueError(
            f"{what}: given to some steps and not to '{without[0]}', accepted is to all that are "
            f"charged: {', '.join(is_given)}"
        )


def refuse(name: str, given: str, why: str) -> NoReturn:
    """The one refusal of a step, by its name."""
    raise _core.PrivacyLeakError(
        f"{name or 'pipeline'}: given {given}, {why}; accepted are private models, PooledScaler "
        "and steps that treat each record by itself (see southwell.privacy_of)"
    )
