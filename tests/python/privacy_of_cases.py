"""Steps before a model: those that a promise may stand on, and those that it may not."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.decomposition import PCA
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    SplineTransformer,
    StandardScaler,
)

import southwell

RECORDS = 400
BUDGET: dict[str, Any] = {"epsilon": 1, "delta": 1e-6}
LEVELS = [[0.0, 1.0]] * 3
NUMBERS = np.random.default_rng(1).integers(0, 2, size=(RECORDS, 3)).astype(float)
TEXTS = ["red apple", "green pear"] * (RECORDS // 2)
TARGET = NUMBERS[:, 0] - 0.5


class Listener:
    """Any object with behaviour of its own."""

    def __call__(self, *given: Any) -> Any:
        return given[0]


class Word(str):
    """Text that may say anything of itself."""


def plain_model(**more: Any) -> southwell.PrivateLasso:
    return southwell.PrivateLasso(**BUDGET, **more)


def in_columns(*parts: Any, **options: Any) -> ColumnTransformer:
    return ColumnTransformer(list(parts), **({"sparse_threshold": 0} | options))


def one_hot(**options: Any) -> OneHotEncoder:
    declared = {"categories": LEVELS, "handle_unknown": "ignore", "sparse_output": False}
    return OneHotEncoder(**(declared | options))


def ordinal(**options: Any) -> OrdinalEncoder:
    declared = {"handle_unknown": "use_encoded_value", "unknown_value": -1, "categories": LEVELS}
    return OrdinalEncoder(**(declared | options))


def imputer(**options: Any) -> SimpleImputer:
    declared = {"strategy": "constant", "fill_value": 0.0, "keep_empty_features": True}
    return SimpleImputer(**(declared | options))


def hashing(**options: Any) -> HashingVectorizer:
    return HashingVectorizer(**({"n_features": 16} | options))


def having(step: Any, **attributes: Any) -> Any:
    for name, value in attributes.items():
        step.__dict__[name] = value
    return step


ACCEPTED: list[Any] = [
    southwell.RowNormalizer(),
    southwell.DeclaredScaler(center=[1, 2, 3], scale=4),
    southwell.PooledScaler(epsilon=0.5),
    Normalizer(),
    Normalizer(norm="max"),
    Binarizer(threshold=0.5),
    PolynomialFeatures(degree=2, include_bias=False),
    one_hot(),
    one_hot(categories=[np.array([0.0, 1.0])] * 3, dtype=np.float32),
    ordinal(),
    imputer(),
    imputer(fill_value=-1, missing_values=-999.0),
    FunctionTransformer(),
    FunctionTransformer(np.tanh),
    FunctionTransformer(np.expm1, inverse_func=np.log1p, check_inverse=False),
    "passthrough",
    make_pipeline(Normalizer(), southwell.DeclaredScaler()),
    FeatureUnion([("a", Normalizer()), ("b", "passthrough")], transformer_weights={"a": 2.0}),
    in_columns(("a", one_hot(categories=[[0.0, 1.0]]), [0]), remainder="passthrough"),
    in_columns(("a", Binarizer(), slice(0, 2)), ("b", "drop", [2])),
    in_columns(("a", southwell.DeclaredScaler(), [True, False, True]), remainder=Normalizer()),
]
ACCEPTED_TEXT: list[Any] = [
    hashing(),
    hashing(analyzer="char_wb", ngram_range=(2, 3), stop_words=None, norm=None),
    hashing(stop_words=["the"], strip_accents="unicode", dtype=np.float32),
    make_pipeline(hashing(alternate_sign=False), Normalizer(norm="l1")),
]
REFUSED: list[Any] = [
    StandardScaler(),
    StandardScaler(with_mean=False),
    MinMaxScaler(),
    MaxAbsScaler(),
    RobustScaler(),
    QuantileTransformer(n_quantiles=10),
    PowerTransformer(),
    KBinsDiscretizer(n_bins=2, quantile_method="averaged_inverted_cdf"),
    SplineTransformer(),
    PCA(n_components=2),
    VarianceThreshold(),
    KNNImputer(),
    SimpleImputer(),
    SimpleImputer(strategy="median"),
    SimpleImputer(strategy="most_frequent"),
    SimpleImputer(strategy=np.nanmax),
    imputer(keep_empty_features=False),
    imputer(fill_value=None),
    imputer(add_indicator=True),
    imputer(missing_values=pd.NA),
    OneHotEncoder(sparse_output=False),
    OneHotEncoder(handle_unknown="ignore"),
    one_hot(handle_unknown="error"),
    one_hot(handle_unknown="infrequent_if_exist"),
    one_hot(drop="first"),
    one_hot(min_frequency=2),
    one_hot(max_categories=2),
    one_hot(feature_name_combiner=lambda a, b: f"{a}{b}"),
    one_hot(handle_unknown=Word("ignore")),
    ordinal(handle_unknown="error"),
    ordinal(categories="auto"),
    ordinal(max_categories=1),
    FunctionTransformer(lambda table: table - table.mean()),
    FunctionTransformer(np.frompyfunc(abs, 1, 1)),
    FunctionTransformer(np.cumsum),
    FunctionTransformer(np.add),
    FunctionTransformer(np.exp, inverse_func=np.log),
    FunctionTransformer(np.exp, inverse_func=Listener(), check_inverse=False),
    FunctionTransformer(np.exp, kw_args={"where": True}),
    FunctionTransformer(np.tanh, feature_names_out=Listener()),
    having(Normalizer(), transform=Listener()),
    having(one_hot(), fit=Listener()),
    having(Normalizer(), _skl_callbacks=[Listener()]),
    having(southwell.RowNormalizer(), fit_transform=Listener()),
    type("Learns", (Normalizer,), {})(),
    type("Scales", (southwell.DeclaredScaler,), {})(),
    type("Mixes", (Pipeline,), {})([("none", "passthrough")]),
    make_pipeline(Normalizer(), StandardScaler()),
    in_columns(("a", StandardScaler(), [0, 1])),
    in_columns(("a", Normalizer(), [0, 1]), remainder=StandardScaler()),
    FeatureUnion([("a", Normalizer()), ("b", PCA())]),
    FeatureUnion([("a", Normalizer())], transformer_weights=Listener()),
    TransformedTargetRegressor(),
]
REFUSED_TEXT: list[Any] = [
    CountVectorizer(),
    TfidfVectorizer(),
    hashing(analyzer=Listener()),
    hashing(tokenizer=str.split, token_pattern=None),
    hashing(preprocessor=str.lower),
    hashing(strip_accents=Listener()),
    hashing(input="filename"),
    hashing(dtype=Listener()),
    hashing(analyzer=Word("word")),
    having(hashing(), build_analyzer=Listener()),
    type("Reads", (HashingVectorizer,), {})(),
    FeatureHasher(dtype=Listener()),
    type("Hashes", (FeatureHasher,), {})(),
]
