"""Which steps a promise may stand on: each by itself, and what was tried to slip one through."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction import FeatureHasher
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    MaxAbsScaler,
    Normalizer,
    OneHotEncoder,
    StandardScaler,
)

import southwell
from tests.python.privacy_of_cases import (
    ACCEPTED,
    ACCEPTED_TEXT,
    NUMBERS,
    RECORDS,
    REFUSED,
    REFUSED_TEXT,
    TARGET,
    TEXTS,
    Listener,
    Word,
    hashing,
    having,
    imputer,
    in_columns,
    one_hot,
    ordinal,
    plain_model,
)


def _name(step: Any) -> str:
    return type(step).__name__


def _promised(step: Any, table: Any, **more: Any) -> str:
    return southwell.privacy_of(
        make_pipeline(step, plain_model(**more)).fit(table, TARGET)
    ).guarantee


@pytest.mark.parametrize("step", ACCEPTED, ids=_name)
def test_accepts_what_treats_each_record_by_itself_or_is_charged(step: Any) -> None:
    charged = type(step) is southwell.PooledScaler
    accepted = "(1." if charged else "(1, 1e-06)-DP"
    guarantee = _promised(clone(step) if step != "passthrough" else step, NUMBERS)
    assert guarantee.startswith(accepted)
    assert guarantee.endswith(")-DP")
    both = southwell.private_pipeline(step, plain_model()).fit(NUMBERS, TARGET)
    assert both.privacy_.guarantee.endswith(")-DP")


def _of_the_others(step: Any, last: float) -> Any:
    table = NUMBERS.copy()
    table[-1] = last
    made = np.asarray(clone(step).fit(table).transform(table))
    assert len(made) == RECORDS
    return made[:-1]


@pytest.mark.parametrize("last", [7.0, -1e9, 1e300])
def test_what_is_free_does_to_a_record_what_it_does_whatever_others_are(last: float) -> None:
    free = [s for s in ACCEPTED if s != "passthrough" and type(s) is not southwell.PooledScaler]
    for step in free:
        np.testing.assert_array_equal(_of_the_others(step, 0.0), _of_the_others(step, last))
    for step in (StandardScaler(), MaxAbsScaler(), imputer(strategy="mean", missing_values=0.0)):
        assert (_of_the_others(step, 0.0) != _of_the_others(step, last)).any()


@pytest.mark.parametrize("step", ACCEPTED_TEXT, ids=_name)
def test_accepts_hashing_with_declared_values(step: Any) -> None:
    assert _promised(step, TEXTS, features=16) == "(1, 1e-06)-DP"


def test_accepts_a_feature_hasher() -> None:
    words = [{"a": 1.0}, {"b": 2.0}] * (RECORDS // 2)
    assert _promised(FeatureHasher(n_features=8), words, features=8) == "(1, 1e-06)-DP"


@pytest.mark.parametrize("step", REFUSED + REFUSED_TEXT, ids=_name)
def test_refuses_what_may_learn_before_and_after_a_fit(step: Any) -> None:
    assert len(REFUSED + REFUSED_TEXT) >= 40
    # Which columns a part has is known once they are chosen.
    first = "not fitted" if type(step) is ColumnTransformer else r"given .*, which may learn"
    with pytest.raises((southwell.PrivacyLeakError, NotFittedError), match=first):
        southwell.privacy_of(make_pipeline(step, plain_model()))
    model = plain_model()
    with pytest.raises(southwell.PrivacyLeakError, match=r"given .*, which may learn.*; accepted"):
        southwell.private_pipeline(step, model).fit(NUMBERS, TARGET)
    assert not hasattr(model, "model_")  # no record was used


def _replace(pipeline: Any, **attributes: Any) -> Any:
    having(pipeline[0], **attributes)
    return pipeline


def _other_first(pipeline: Any, step: Any) -> Any:
    pipeline.steps[0] = (pipeline.steps[0][0], step)
    return pipeline


ALTERED: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "one-hot categories": (
        one_hot(),
        lambda p: _replace(p, categories_=[np.array([0.0, 7.0])] * 3),
    ),
    "one-hot fewer": (one_hot(), lambda p: _replace(p, categories_=p[0].categories_[:2])),
    "one-hot in place": (one_hot(), lambda p: p[0].categories_[0].__setitem__(1, 7.0)),
    "one-hot object": (
        one_hot(),
        lambda p: _replace(p, categories_=[np.array([Word("0"), Listener()], dtype=object)] * 3),
    ),
    "ordinal categories": (
        ordinal(),
        lambda p: _replace(p, categories_=[np.arange(2.0)[::-1]] * 3),
    ),
    "learned, then declared": (
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
        lambda p: p.set_params(onehotencoder__categories=p[0].categories_),
    ),
    "declared after a fit": (
        SimpleImputer(keep_empty_features=True),
        lambda p: _replace(
            p.set_params(simpleimputer__strategy="constant", simpleimputer__fill_value=0.5),
            statistics_=np.full(3, 0.5),
        ),
    ),
    "statistics": (imputer(), lambda p: _replace(p, statistics_=np.array([0.0, 0.1, 0.0]))),
    "indicator": (imputer(), lambda p: _replace(p, indicator_=Listener())),
    "set_params": (one_hot(), lambda p: p.set_params(onehotencoder__categories=[[0.0, 2.0]] * 3)),
    "transform": (Normalizer(), lambda p: _replace(p, transform=Listener())),
    "predict": (Normalizer(), lambda p: having(p[1], predict=Listener())),
    "another step": (StandardScaler(), lambda p: _other_first(p, Normalizer())),
    "a charged step less": (southwell.PooledScaler(epsilon=1), lambda p: p.steps.pop(0)),
    "a cheaper scaler": (
        southwell.PooledScaler(epsilon=2),
        lambda p: _other_first(
            p,
            make_pipeline(southwell.PooledScaler(epsilon=0.5), plain_model()).fit(NUMBERS, TARGET)[
                0
            ],
        ),
    ),
    "inputs of a scaler": (
        southwell.PooledScaler(epsilon=2),
        lambda p: p[0].inputs_.update(epsilon=0.5),
    ),
    "inputs and parameters": (
        southwell.PooledScaler(epsilon=2),
        lambda p: (p[0].inputs_.update(epsilon=0.5), p[0].set_params(epsilon=0.5)),
    ),
    "the model elsewhere": (
        Normalizer(),
        lambda p: p[1].fit(StandardScaler().fit_transform(NUMBERS), TARGET),
    ),
    "a model from elsewhere": (
        Normalizer(),
        lambda p: p.steps.__setitem__(
            1,
            (
                "privatelasso",
                make_pipeline(StandardScaler(), plain_model()).fit(NUMBERS, TARGET)[1],
            ),
        ),
    ),
    "a model fitted directly": (
        Normalizer(),
        lambda p: p.steps.__setitem__(1, ("privatelasso", plain_model().fit(NUMBERS, TARGET))),
    ),
    "an order": (
        make_pipeline(Normalizer(), Binarizer()),
        lambda p: p[0].steps.reverse(),
    ),
}


@pytest.mark.parametrize("case", ALTERED)
@pytest.mark.parametrize("make", [make_pipeline, southwell.private_pipeline])
def test_refuses_what_was_altered_after_the_fit(case: str, make: Any) -> None:
    step, alter = ALTERED[case]
    pipeline = make(copy.deepcopy(step), plain_model())
    try:
        pipeline.fit(NUMBERS, TARGET)
    except southwell.PrivacyLeakError:
        assert make is southwell.private_pipeline  # refused before it was fitted
        return
    alter(pipeline)
    with pytest.raises(southwell.PrivacyLeakError, match=r"given .*; accepted are"):
        southwell.privacy_of(pipeline)


def test_regression_hashing_vectorizer_with_an_analyzer_of_the_users() -> None:
    seen: list[str] = []

    def analyzer(text: str) -> list[str]:
        seen.append(text)  # what comes first decides on all
        return [seen[0]]

    pipeline = make_pipeline(hashing(analyzer=analyzer), plain_model(features=16)).fit(
        TEXTS, TARGET
    )
    with pytest.raises(
        southwell.PrivacyLeakError, match="HashingVectorizer with your own analyzer"
    ):
        southwell.privacy_of(pipeline)


def test_regression_encoder_altered_after_the_fit() -> None:
    pipeline = make_pipeline(one_hot(), plain_model()).fit(NUMBERS, TARGET)
    assert southwell.privacy_of(pipeline).guarantee == "(1, 1e-06)-DP"
    pipeline[0].categories_ = [np.unique(column) + 1 for column in NUMBERS.T]
    with pytest.raises(southwell.PrivacyLeakError, match="categories_ other than the declared"):
        southwell.privacy_of(pipeline)


def test_a_pipeline_that_was_pickled_copied_or_cloned_keeps_to_the_truth() -> None:
    pipeline = make_pipeline(southwell.PooledScaler(epsilon=0.5), plain_model()).fit(
        NUMBERS, TARGET
    )
    promised = southwell.privacy_of(pipeline).to_json()
    for again in (pickle.loads(pickle.dumps(pipeline)), copy.deepcopy(pipeline)):
        assert southwell.privacy_of(again).to_json() == promised
    learns = make_pipeline(StandardScaler(), plain_model()).fit(NUMBERS, TARGET)
    moved = Pipeline([("standardscaler", Normalizer()), ("privatelasso", learns[1])])
    for again in (moved, pickle.loads(pickle.dumps(moved)), copy.deepcopy(moved)):
        with pytest.raises(southwell.PrivacyLeakError, match="not fitted by this pipeline"):
            southwell.privacy_of(again)


def test_what_is_inside_something_larger_is_refused() -> None:
    inner = make_pipeline(southwell.RowNormalizer(), plain_model())
    make_pipeline(StandardScaler(), inner).fit(NUMBERS, TARGET)
    with pytest.raises(southwell.PrivacyLeakError, match="not fitted by this pipeline"):
        southwell.privacy_of(inner)

    class Shifts(TransformerMixin, BaseEstimator):  # type: ignore[misc]
        def fit(self, table: Any, y: Any) -> Any:
            self.inner_ = make_pipeline(Normalizer(), plain_model()).fit(table - table.mean(0), y)
            return self

    shifts = Shifts().fit(NUMBERS, TARGET)
    with pytest.raises(southwell.PrivacyLeakError, match="not fitted by this pipeline"):
        southwell.privacy_of(shifts.inner_)


def test_what_was_fitted_in_another_process_is_refused() -> None:
    parts = [("a", southwell.PooledScaler(epsilon=0.5)), ("b", Normalizer())]
    for n_jobs in (None, 2):
        pipeline = make_pipeline(FeatureUnion(parts, n_jobs=n_jobs), plain_model()).fit(
            NUMBERS, TARGET
        )
        if n_jobs is None:
            assert southwell.privacy_of(pipeline).epsilon > 1
            continue
        with pytest.raises(southwell.PrivacyLeakError, match="fit it as a whole, in one process"):
            southwell.privacy_of(pipeline)


def test_columns_are_chosen_by_name_or_by_declared_types() -> None:
    table = pd.DataFrame(NUMBERS, columns=list("abc"))
    chosen = make_column_selector(dtype_include=np.number)
    assert _promised(in_columns(("a", Normalizer(), chosen)), table) == "(1, 1e-06)-DP"
    for columns in (lambda frame: ["a"], make_column_selector(pattern=Word("a"))):
        with pytest.raises(southwell.PrivacyLeakError, match="columns that a function chooses"):
            _promised(in_columns(("a", Normalizer(), columns)), table)


def test_declared_categories_and_scales_are_certified() -> None:
    table = pd.DataFrame({"age": [30, 60] * 500, "work": ["private", "public"] * 500})
    encoder = OneHotEncoder(
        categories=[["private", "public"]], handle_unknown="ignore", sparse_output=False
    )
    scaler = southwell.DeclaredScaler(center=45, scale=20)
    columns = ColumnTransformer(
        [("numbers", scaler, ["age"]), ("words", encoder, ["work"])], sparse_threshold=0
    )
    model = southwell.PrivateLogisticRegression(epsilon=1, delta=1e-6, classes=["no", "yes"])
    fitted = southwell.private_pipeline(columns, model).fit(table, ["no", "yes"] * 500)
    assert fitted.privacy_.guarantee == "(1, 1e-06)-DP"
