"""scikit-learn's own checks, leaks allowed and certified."""

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

import southwell
from southwell.testing import expected_failed_checks

ESTIMATORS = [
    southwell.PrivateLasso,
    southwell.PrivateRidge,
    southwell.PrivateElasticNet,
    southwell.PrivateHuber,
    southwell.PrivateLogisticRegression,
    southwell.PrivateLinearSVC,
]
REGRESSORS, CLASSIFIERS = ESTIMATORS[:4], ESTIMATORS[4:]
BUDGET: dict[str, Any] = {"epsilon": 1, "delta": 1e-6}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", [{"seed_for_tests": 1}, {}], ids=["seeded", "fresh noise"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_scikit_learns_checks_pass(estimator: Any, seed: dict[str, int]) -> None:
    # The checks have too few records for a mechanism to find the target's size.
    size = {} if estimator in CLASSIFIERS else {"target_scale": 1}
    made = estimator(**BUDGET, **size, allow_leaks=True, **seed)
    expected = expected_failed_checks(made)
    assert list(expected)[:1] == ["check_supervised_y_no_nan"]
    noise = set(expected_failed_checks(estimator(**BUDGET, allow_leaks=True))) - set(expected)
    if seed:
        assert len(expected) == 1
        assert len(noise) == (3 if estimator in CLASSIFIERS else 4)
    results = check_estimator(made, expected_failed_checks=expected, on_fail=None, on_skip=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert not failed
    passed = {r["check_name"] for r in results if r["status"] == "passed"}
    assert noise <= passed, "it is not noise alone that makes them fail"
    assert sum(r["status"] == "passed" for r in results) > 40
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    unseeded = set() if seed else {"check_pipeline_consistency"}
    assert skipped == {"check_array_api_input"} | unseeded


def certified(estimator: Any, **inputs: Any) -> Any:
    of_target = {"classes": [0, 1]} if estimator in CLASSIFIERS else {"target_scale": 1}
    return estimator(**BUDGET, feature_scale=1, **of_target, **inputs)


def table(records: int = 60, features: int = 4) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    X = random.normal(size=(records, features))  # noqa: N806
    return X, (X[:, 0] > 0).astype(float)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324])
def test_no_value_in_a_record_raises_or_warns(estimator: Any, value: float) -> None:
    X, y = table()  # noqa: N806
    X[3, 1] = value
    y[5] = value
    fitted = certified(estimator).fit(X, y)
    assert fitted.privacy_.private
    assert fitted.privacy_.guarantee == "(1, 1e-06)-DP"
    X[:, 1], y[:] = value, value
    assert np.isfinite(certified(estimator).fit(X, y).coef_).all()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_second_fit_draws_fresh_noise(estimator: Any) -> None:
    X, y = table()  # noqa: N806
    one, other = (certified(estimator, solver="gcd").fit(X, y) for _ in range(2))
    assert (one.path_["gradient"] != other.path_["gradient"]).any()


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_labels_that_were_not_declared_count_as_the_first(estimator: Any) -> None:
    X, y = table()  # noqa: N806
    strange = np.where(y == 0, 17.0, y)
    fits = [estimator(**BUDGET, classes=[0, 1], seed_for_tests=1).fit(X, t) for t in (y, strange)]
    assert fits[0].model_.to_json() == fits[1].model_.to_json()
    only = np.zeros(60)
    assert list(certified(estimator).fit(X, only).classes_) == [0, 1]


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_classes_are_never_read_from_the_target(estimator: Any) -> None:
    X, y = table()  # noqa: N806
    with pytest.raises(southwell.PrivacyLeakError, match="classes: given nothing"):
        estimator(**BUDGET).fit(X, y)
    with pytest.warns(southwell.PrivacyLeakWarning, match="classes: given nothing"):
        leaky = estimator(**BUDGET, allow_leaks=True).fit(X, y)
    assert leaky.privacy_.guarantee == "none (allow_leaks)"
    assert not leaky.privacy_.private


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_features_of_sparse_data_are_declared(estimator: Any) -> None:
    from scipy.sparse import csr_array

    X, y = table()  # noqa: N806
    with pytest.raises(southwell.PrivacyLeakError, match="features: given nothing"):
        certified(estimator).fit(csr_array(X), y)
    with pytest.warns(southwell.PrivacyLeakWarning, match="features: given nothing"):
        leaky = certified(estimator, allow_leaks=True).fit(csr_array(X), y)
    assert leaky.privacy_.guarantee == "none (allow_leaks)"
    assert certified(estimator, features=4).fit(csr_array(X), y).privacy_.private


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_any_number_of_rows_runs_under_add_or_remove_one(estimator: Any) -> None:
    X, y = table()  # noqa: N806
    for rows in (0, 1, 60):
        fitted = certified(estimator, relation="add_or_remove_one", records=50).fit(
            X[:rows], y[:rows]
        )
        assert fitted.privacy_.records == 50
    with pytest.raises(southwell.DataError, match="no records"):
        certified(estimator).fit(X[:0], y[:0])
