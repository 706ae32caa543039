"""What several steps on the same records promise together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
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

from southwell import _core
from southwell.estimators import PrivateLinearModel
from southwell.preprocessing import PooledScaler, RowNormalizer

_SPENDS = (PrivateLinearModel, PooledScaler)
_RECORD_BY_RECORD = (
    RowNormalizer,
    Normalizer,
    Binarizer,
    PolynomialFeatures,
    HashingVectorizer,
    FeatureHasher,
)


def privacy_of(pipeline: Any) -> _core.Statement:
    """What a fitted pipeline promises about the records: the costs of all its steps.

    A step is a private model or `PooledScaler`, which are charged, or treats each record by
    itself, which is free: `RowNormalizer`, and of scikit-learn `Normalizer`, `Binarizer`,
    `PolynomialFeatures`, `HashingVectorizer`, `FeatureHasher`, `OneHotEncoder` and
    `OrdinalEncoder` with declared categories that ignore unknown ones, and `FunctionTransformer`
    of a NumPy ufunc. All steps must have the same `relation`.

    Parameters
    ----------
    pipeline : Pipeline, ColumnTransformer, FeatureUnion or a step
        Fitted; nested as you like.

    Returns
    -------
    Statement
        Public inputs carry the name of their step. Epsilon is that of all mechanisms together,
        computed once at the delta of the model: less than the sum of what they were asked.

    Raises
    ------
    PrivacyLeakError
        Where a step learns from the records without a mechanism.

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
    if isinstance(pipeline, _SPENDS):
        return pipeline.privacy_
    spent = list(_statements("", pipeline))
    if not spent:
        raise ValueError(
            f"pipeline: given {type(pipeline).__name__} without a step that spends a budget, "
            "accepted is a fitted one with a private model or PooledScaler"
        )
    return _core.composed(spent)


def _statements(name: str, step: Any) -> Iterator[tuple[str, _core.Statement]]:
    if isinstance(step, _SPENDS):
        yield name, step.privacy_
        return
    for inner, part in _parts(name, step):
        yield from _statements(f"{name}.{inner}" if name else inner, part)


def _parts(name: str, step: Any) -> list[tuple[str, Any]]:
    """The steps inside a step; none of one that is free."""
    if isinstance(step, Pipeline):
        return list(step.steps)
    if isinstance(step, ColumnTransformer):
        return [(inner, part) for inner, part, _ in step.transformers_]
    if isinstance(step, FeatureUnion):
        return list(step.transformer_list)
    if step is None or isinstance(step, (str, *_RECORD_BY_RECORD)):
        return []
    if _is_declared_encoder(step) or _is_elementwise(step):
        return []
    raise _core.PrivacyLeakError(
        f"{name or 'pipeline'}: given {type(step).__name__}, which may learn from the records; "
        "accepted are private models, PooledScaler and steps that treat each record by itself "
        "(see southwell.privacy_of)"
    )


def _is_declared_encoder(step: Any) -> bool:
    """Categories, and what becomes of others, are fixed: nothing is learned and nothing raises."""
    return (
        isinstance(step, OneHotEncoder | OrdinalEncoder)
        and not isinstance(step.categories, str)
        and step.handle_unknown in ("ignore", "use_encoded_value")
        and step.min_frequency is None
        and step.max_categories is None
    )


def _is_elementwise(step: Any) -> bool:
    return (
        isinstance(step, FunctionTransformer)
        and (step.func is None or isinstance(step.func, np.ufunc))
        and not step.validate
    )
