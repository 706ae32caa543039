"""The tools of scikit-learn around the estimators: fit, predict, pickle, predict."""

import pickle
import struct
import warnings
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, OneHotEncoder

import southwell
from tests.python.estimator_cases import BUDGET, made


@pytest.fixture
def frame() -> pandas.DataFrame:
    random = np.random.default_rng(1)
    table = pandas.DataFrame(random.normal(size=(200, 3)), columns=["a", "b", "c"])
    table["colour"] = random.choice(["red", "blue"], 200)
    return table


@pytest.fixture
def target(frame: pandas.DataFrame) -> NDArray[np.float64]:
    return np.asarray(frame["a"] - frame["c"])


NUMBERS = ["a", "b", "c"]


def same_after_a_pickle(fitted: Any, table: Any) -> None:
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(table), fitted.predict(table))


def test_pickle(frame: pandas.DataFrame, target: NDArray[np.float64]) -> None:
    for estimator in (
        southwell.PrivateLasso(**BUDGET),
        southwell.PrivateLogisticRegression(**BUDGET, classes=["no", "yes"]),
    ):
        same_after_a_pickle(
            estimator.fit(frame[NUMBERS], np.where(target > 0, "yes", "no"))
            if hasattr(estimator, "classes")
            else estimator.fit(frame[NUMBERS], target),
            frame[NUMBERS],
        )
    unfitted = pickle.loads(pickle.dumps(southwell.PrivateRidge(**BUDGET, alpha=3)))
    assert unfitted.alpha == 3


def test_joblib(frame: pandas.DataFrame, target: NDArray[np.float64], tmp_path: Path) -> None:
    fitted = southwell.PrivateRidge(**BUDGET).fit(frame[NUMBERS], target)
    joblib.dump(fitted, tmp_path / "model.joblib")
    again = joblib.load(tmp_path / "model.joblib")
    np.testing.assert_array_equal(again.predict(frame[NUMBERS]), fitted.predict(frame[NUMBERS]))
    assert again.privacy_.to_json() == fitted.privacy_.to_json()
    same_after_a_pickle(again, frame[NUMBERS])


def test_clone(frame: pandas.DataFrame, target: NDArray[np.float64]) -> None:
    first = southwell.PrivateLasso(**BUDGET, alpha=0.1, seed_for_tests=1)
    first.fit(frame[NUMBERS], target)
    second = clone(first)
    assert not hasattr(second, "model_")
    assert not hasattr(second, "coef_")
    assert second.get_params() == first.get_params()
    second.fit(frame[NUMBERS], target)
    np.testing.assert_array_equal(second.coef_, first.coef_)
    same_after_a_pickle(second, frame[NUMBERS])


def test_pipeline(frame: pandas.DataFrame, target: NDArray[np.float64]) -> None:
    clipped = FunctionTransformer(np.clip, kw_args={"a_min": -2, "a_max": 2})
    pipeline = make_pipeline(clipped, southwell.PrivateHuber(**BUDGET))
    pipeline.fit(frame[NUMBERS], target)
    assert pipeline[-1].privacy_.private
    same_after_a_pickle(pipeline, frame[NUMBERS])


def test_column_transformer_with_declared_categories(
    frame: pandas.DataFrame, target: NDArray[np.float64]
) -> None:
    columns = ColumnTransformer(
        [
            (
                "colour",
                OneHotEncoder(categories=[["blue", "red"]], sparse_output=False),
                ["colour"],
            ),
            ("numbers", "passthrough", NUMBERS),
        ]
    )
    pipeline = make_pipeline(columns, southwell.PrivateLasso(**BUDGET))
    pipeline.fit(frame, target)
    assert pipeline[-1].n_features_in_ == 5
    same_after_a_pickle(pipeline, frame)


def test_set_output_keeps_names(frame: pandas.DataFrame, target: NDArray[np.float64]) -> None:
    pipeline = make_pipeline(MaxAbsScaler(), southwell.PrivateElasticNet(**BUDGET))
    pipeline.set_output(transform="pandas").fit(frame[NUMBERS], target)
    assert list(pipeline[-1].feature_names_in_) == NUMBERS
    assert pipeline[-1].model_.feature_names == NUMBERS
    same_after_a_pickle(pipeline, frame[NUMBERS])


def test_grid_search_warns_once_and_clearly(
    frame: pandas.DataFrame, target: NDArray[np.float64]
) -> None:
    for _ in range(2):  # each search of its own
        search = GridSearchCV(made(southwell.PrivateLasso), {"alpha": [0.01, 0.1]}, cv=3)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            search.fit(frame[NUMBERS], target)
        told = [w for w in caught if issubclass(w.category, southwell.TuningWarning)]
        assert len(told) == 1
        assert "epsilon speaks of one fit" in str(told[0].message)
        assert "not covered" in str(told[0].message)
        same_after_a_pickle(search, frame[NUMBERS])
    with pytest.warns(southwell.TuningWarning):
        cross_val_score(made(southwell.PrivateLasso), frame[NUMBERS], target)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made(southwell.PrivateLasso).fit(frame[NUMBERS], target)


def forms(number: float) -> list[bytes]:
    """How a number may stand in a file."""
    texts = [repr(number), f"{number:.6f}", f"{number:.4g}", str(int(number))]
    return [struct.pack("<d", number), struct.pack("<f", number), *map(str.encode, texts)]


def test_a_pickle_holds_no_data(tmp_path: Path) -> None:
    record, label = 918273.645546, 564738.291192
    table = np.random.default_rng(1).normal(size=(100, 4))
    y = np.random.default_rng(2).normal(size=100)
    table[17] = record
    y[17] = label
    canaries = forms(record) + forms(label)
    frame = pandas.DataFrame(table, columns=list("abcd"))
    for given in (np.asfortranarray(table), np.ascontiguousarray(table), frame):
        assert canaries[0] in pickle.dumps(given)  # the scan finds what is there
        fitted = made(southwell.PrivateLasso).fit(given, y)
        fitted.save(tmp_path / "model.json")
        for kept in (pickle.dumps(fitted), (tmp_path / "model.json").read_bytes()):
            assert not [canary for canary in canaries if canary in kept]


def test_a_pickle_holds_parameters_the_model_file_and_nothing_else() -> None:
    table = np.random.default_rng(1).normal(size=(100, 4))
    fitted = southwell.PrivateLogisticRegression(**BUDGET, classes=[0, 1]).fit(table, table[:, 0])
    kept: Any = fitted.__getstate__()
    assert set(kept) - set(fitted.get_params()) == {"classes_", "model_", "n_features_in_"}
    assert kept["model_"].__getstate__() == fitted.model_.to_json()
