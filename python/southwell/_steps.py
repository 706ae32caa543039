"""Which single steps are known to treat each record by itself, with declared values."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)
from sklearn.utils.validation import check_is_fitted

from southwell.declared_scaler import DeclaredScaler
from southwell.preprocessing import PooledScaler, RowNormalizer
from southwell.schema import Schema, schema_of
from southwell.table_encoder import TableEncoder

# These very classes, and what they must be told: what inherits from them may do anything. All other
# parameters are declared values, which are never functions.
_RULES: dict[type, dict[str, object]] = {
    RowNormalizer: {},
    DeclaredScaler: {},
    TableEncoder: {},
    Normalizer: {},
    Binarizer: {},
    PolynomialFeatures: {},
    FeatureHasher: {},
    HashingVectorizer: {"input": "content"},  # not what the names of files lead to
    FunctionTransformer: {"kw_args": None, "inv_kw_args": None},
    # Categories, and what becomes of others, are fixed.
    OneHotEncoder: {
        "handle_unknown": "ignore",
        "min_frequency": None,
        "max_categories": None,
        "drop": None,
    },
    OrdinalEncoder: {
        "handle_unknown": "use_encoded_value",
        "min_frequency": None,
        "max_categories": None,
    },
    # Otherwise features without any value, or with a missing one, decide on the form of the table.
    SimpleImputer: {"strategy": "constant", "keep_empty_features": True, "add_indicator": False},
}
# Steps behind which features are about 1 in size, by declaration or by a look at the records.
_SCALERS = (
    DeclaredScaler,
    PooledScaler,
    RowNormalizer,
    TableEncoder,
    StandardScaler,
    RobustScaler,
    MaxAbsScaler,
    MinMaxScaler,
)
_NAMED = {object, str, int, float, bool, complex}  # types that stand for themselves


def is_ours(step: object) -> bool:
    """Whether it raises and warns by our rules, so never by a record's value."""
    return type(step) in (RowNormalizer, DeclaredScaler, TableEncoder)


def brings_to_scale(step: object) -> bool:
    """Whether a step, or one inside it, is there to bring features to scale."""
    if isinstance(step, _SCALERS):
        return True
    inner = step.get_params(deep=True).values() if isinstance(step, BaseEstimator) else ()
    return any(isinstance(part, _SCALERS) for part in inner)


def norm_behind(step: Any) -> float | None:
    """The l2 norm that records have behind a step, by what it declares; None where nothing says it.

    Of known steps alone, and never by a look at the records.
    """
    if type(step) is RowNormalizer:
        is_known = step.record_norm is not None or hasattr(step, "n_features_in_")
        return step.record_norm_ if is_known else None
    if type(step) in (Normalizer, HashingVectorizer):
        return 1.0 if step.norm == "l2" else None
    if type(step) is TableEncoder:
        return schema_of(step.schema).record_norm
    if type(step) is OneHotEncoder:  # a level of each column
        return None if isinstance(step.categories, str) else float(np.sqrt(len(step.categories)))
    if type(step) in (FeatureUnion, ColumnTransformer):
        return _norm_of_all(step)
    if isinstance(step, Pipeline):
        doing = [part for _, part in step.steps if part is not None and part != "passthrough"]
        return norm_behind(doing[-1]) if doing else None
    return None


def _norm_of_all(step: Any) -> float | None:
    """That of records which several steps have made side by side."""
    fitted = "transformer_list" if type(step) is FeatureUnion else "transformers_"
    parts = getattr(step, fitted, ())
    if step.transformer_weights or getattr(step, "remainder", "drop") != "drop":
        return None
    norms = [
        norm_behind(part) for _, part, *_ in parts if not (isinstance(part, str) and part == "drop")
    ]
    known = [norm for norm in norms if norm is not None]
    return float(np.sqrt(np.sum(np.square(known)))) if known and len(known) == len(norms) else None


def why_not_free(step: Any) -> str:
    """How a step differs from one that treats each record by itself; empty if it does not."""
    rules = _RULES.get(type(step))
    if rules is None:
        return type(step).__name__
    parameters = step.get_params(deep=False)
    if changed := tampered(step):
        return changed
    for name, accepted in rules.items():
        given = parameters[name]
        if type(given) is not type(accepted) or given != accepted:
            return f"{type(step).__name__} with {name} other than {accepted!r}"
    for name, given in parameters.items():
        if not is_plain(given) and not (name in ("func", "inverse_func") and _is_numpys(given)):
            return f"{type(step).__name__} with your own {name}"
    return _why_not_declared(step)


def _why_not_declared(step: Any) -> str:
    kind = type(step).__name__
    if type(step) in (OneHotEncoder, OrdinalEncoder) and isinstance(step.categories, str):
        return f"{kind} with categories that are not declared"
    if type(step) is TableEncoder and schema_of(step.schema).unit is not None:
        return f"{kind} with a unit in its schema"
    if type(step) is SimpleImputer and step.fill_value is None:
        return f"{kind} with a fill_value that is not declared"
    if type(step) is FunctionTransformer:
        if isinstance(step.func, str) or isinstance(step.inverse_func, str):
            return f"{kind} with a function that is none of NumPy's"
        if step.inverse_func is not None and step.check_inverse:
            return f"{kind} with check_inverse other than False"
    return ""


def why_altered(step: Any) -> str:
    """How what a fitted step has learned differs from what was declared; empty if it does not."""
    kind = type(step).__name__
    if type(step) in (OneHotEncoder, OrdinalEncoder):
        check_is_fitted(step)
        same = len(step.categories) == len(step.categories_) and all(
            map(_are_the_same, step.categories, step.categories_)
        )
        if not same or step._infrequent_enabled or getattr(step, "drop_idx_", None) is not None:
            return f"{kind} with categories_ other than the declared ones"
    if type(step) is SimpleImputer:
        check_is_fitted(step)
        declared = np.full(len(step.statistics_), step.fill_value, dtype=object)
        if not _are_the_same(declared, step.statistics_) or step.indicator_ is not None:
            return f"{kind} with statistics_ other than the declared fill_value"
    return ""


def tampered(step: Any) -> str:
    """What of a step is not that of its class; empty if nothing."""
    kind = type(step).__name__
    for name in vars(step):
        if callable(getattr(type(step), name, None)):
            return f"{kind} with a {name} of its own"
    if vars(step).get("_skl_callbacks"):
        return f"{kind} with callbacks"
    return ""


def _are_the_same(declared: Any, learned: Any) -> bool:
    """Equal one by one, where NaN is NaN."""
    if not isinstance(learned, np.ndarray) or learned.ndim != 1 or len(declared) != len(learned):
        return False
    try:
        cast = np.array(declared, dtype=learned.dtype)  # as an encoder casts them
    except (TypeError, ValueError):
        return False
    return all(
        is_plain(b) and (a == b or (a != a and b != b))
        for a, b in zip(cast.tolist(), learned.tolist())
    )


def _is_numpys(function: Any) -> bool:
    """Whether it is one of NumPy's own functions of one number."""
    return (
        type(function) is np.ufunc
        and any(function is known for known in vars(np).values())
        and function.signature is None
        and function.nin == function.nout == 1
    )


def is_plain(value: Any) -> bool:
    """Whether a value is declared: data all the way down, without behaviour of its own."""
    kind = type(value)
    if kind is Schema:
        return True
    if kind in (type(None), bool, int, float, complex, str, bytes, range, np.dtype):
        return True
    if isinstance(value, type):
        return value in _NAMED or (issubclass(value, np.generic) and value.__module__ == "numpy")
    if isinstance(value, np.generic):
        return kind.__module__ == "numpy" and kind is not np.object_
    if kind is slice:
        return all(map(is_plain, (value.start, value.stop, value.step)))
    if kind in (list, tuple, set, frozenset):
        return all(map(is_plain, value))
    if kind is dict:
        return all(map(is_plain, (*value, *value.values())))
    if kind is np.ndarray:
        return value.dtype != object or all(map(is_plain, value.ravel().tolist()))
    return False
