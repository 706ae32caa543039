"""What several steps on the same records promise together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
)
from sklearn.utils.validation import check_is_fitted

from southwell import _core, estimators
from southwell.preprocessing import PooledScaler, RowNormalizer

# These very classes: what inherits from them may do anything.
_SPENDS = {
    PooledScaler,
    estimators.PrivateElasticNet,
    estimators.PrivateHuber,
    estimators.PrivateLasso,
    estimators.PrivateLinearSVC,
    estimators.PrivateLogisticRegression,
    estimators.PrivateRidge,
}
_RECORD_BY_RECORD = {Normalizer, Binarizer, PolynomialFeatures, HashingVectorizer, FeatureHasher}
_FOREIGN = (
    "errors and warnings of steps that are not of this library: some depend on values of records"
)


def privacy_of(pipeline: Any) -> _core.Statement:
    """What a fitted pipeline promises about the records: the costs of all its steps.

    A step is a private model or `PooledScaler`, which are charged, or treats each record by
    itself, which is free: `RowNormalizer`, and of scikit-learn `Normalizer`, `Binarizer`,
    `PolynomialFeatures`, `HashingVectorizer`, `FeatureHasher`, `OneHotEncoder` and
    `OrdinalEncoder` with declared categories that ignore unknown ones (and drop none), and
    `FunctionTransformer` of a NumPy ufunc of one argument. Steps may be nested in `Pipeline`,
    `FeatureUnion` and `ColumnTransformer`, the last with `sparse_threshold=0` and columns that are
    named, not computed. All charged steps must have the same `relation`, and none may `start` from
    another model, whose own steps are not known here.

    Parameters
    ----------
    pipeline : Pipeline, ColumnTransformer, FeatureUnion or a step
        Fitted, all of it on the same records.

    Returns
    -------
    Statement
        Public inputs carry the name of their step. Epsilon is that of all mechanisms together,
        computed once at the delta of the model: less than the sum of what they were asked.

    Raises
    ------
    PrivacyLeakError
        Where a step may learn from the records without a mechanism.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from southwell import PooledScaler, PrivateRidge
    >>> X = np.random.default_rng(1).normal(size=(1000, 5)) * 300
    >>> pipeline = make_pipeline(PooledScaler(epsilon=0.1), PrivateRidge(epsilon=1, delta=1e-6))
    >>> statement = privacy_of(pipeline.fit(X, X[:, 0] / 300))
    >>> [use["step"] for use in statement.mechanisms][0]
    'feature_scale'
    >>> bool(1 < statement.epsilon < 1.1)
    True
    """
    if type(pipeline) in _SPENDS:
        check_is_fitted(pipeline)
        return cast("_core.Statement", pipeline.privacy_)
    steps = list(_leaves("", pipeline))
    spent = [(name, step.privacy_) for name, step in steps if type(step) in _SPENDS]
    if not spent:
        raise ValueError(
            f"pipeline: given {type(pipeline).__name__} without a step that spends a budget, "
            "accepted is a fitted one with a private model or PooledScaler"
        )
    foreign = any(type(step) not in _SPENDS | {RowNormalizer} for _, step in steps)
    return _core.composed(spent, [_FOREIGN] if foreign else [])


def _leaves(name: str, step: Any) -> Iterator[tuple[str, Any]]:
    """The steps that do something to records, all of them known to be charged or free."""
    if type(step) in _SPENDS:
        check_is_fitted(step)
        yield name, step
    elif type(step) in (Pipeline, FeatureUnion, ColumnTransformer):
        for inner, part in _parts(name, step):
            yield from _leaves(f"{name}.{inner}" if name else inner, part)
    elif step is None or isinstance(step, str):  # passthrough, drop
        return
    elif type(step) is RowNormalizer or _is_free(step):
        yield name, step
    else:
        _refuse(name, type(step).__name__, "which may learn from the records")


def _parts(name: str, step: Any) -> list[tuple[str, Any]]:
    if type(step) is Pipeline:
        return list(step.steps)
    if type(step) is FeatureUnion:
        return list(step.transformer_list)
    if step.sparse_threshold != 0:
        _refuse(
            name,
            f"ColumnTransformer with sparse_threshold {step.sparse_threshold}",
            "whose form depends on how many zeros there are; 0 fixes it",
        )
    for inner, _, columns in step.transformers:
        if callable(columns) and type(columns) is not make_column_selector:
            _refuse(
                f"{name}.{inner}" if name else inner,
                "columns that a function chooses",
                "which may look at the records",
            )
    check_is_fitted(step)
    return [(inner, part) for inner, part, columns in step.transformers_ if not _is_none(columns)]


def _is_none(columns: Any) -> bool:
    """A part without columns is never fitted."""
    return not isinstance(columns, str | slice) and np.size(columns) == 0


def _is_free(step: Any) -> bool:
    if type(step) in _RECORD_BY_RECORD:
        return True
    if type(step) in (OneHotEncoder, OrdinalEncoder):
        # Categories, and what becomes of others, are fixed.
        return (
            not isinstance(step.categories, str)
            and step.handle_unknown in ("ignore", "use_encoded_value")
            and step.min_frequency is None
            and step.max_categories is None
            and getattr(step, "drop", None) is None
        )
    if type(step) is FunctionTransformer:
        of = step.func
        is_numpys = isinstance(of, np.ufunc) and getattr(np, of.__name__, None) is of
        elementwise = is_numpys and of.signature is None and of.nin == 1
        checks = step.inverse_func is not None and step.check_inverse
        return (of is None or elementwise) and not step.kw_args and not checks
    return False


def _refuse(name: str, given: str, why: str) -> None:
    raise _core.PrivacyLeakError(
        f"{name or 'pipeline'}: given {given}, {why}; accepted are private models, PooledScaler "
        "and steps that treat each record by itself (see southwell.privacy_of)"
    )
