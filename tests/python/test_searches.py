"""Searches of scikit-learn on private estimators promise nothing, and are told so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFE, RFECV, SequentialFeatureSelector
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    HalvingGridSearchCV,
    HalvingRandomSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
    cross_validate,
)
from sklearn.pipeline import make_pipeline

import southwell
from southwell import (
    PrivateLogisticRegression,
    PrivateSearch,
    RowNormalizer,
    privacy_of,
    private_pipeline,
)

CHOSEN = "none (chosen by cross-validation on the same records)"
GRID = {"alpha": [0.01, 0.1]}
pytestmark = pytest.mark.filterwarnings("ignore::southwell.TuningWarning", "ignore::UserWarning")


def data() -> tuple[Any, Any]:
    random = np.random.default_rng(1)
    x = random.normal(size=(600, 3))
    return x, (x[:, 0] + random.normal(size=600) > 0).astype(int)


def model(**more: Any) -> PrivateLogisticRegression:
    return PrivateLogisticRegression(
        epsilon=1.0, delta=1e-6, classes=[0, 1], feature_scale=1.0, **more
    )


SEARCHES: dict[str, Any] = {
    "grid": lambda est, grid: GridSearchCV(est, grid, cv=2),
    "random": lambda est, grid: RandomizedSearchCV(est, grid, n_iter=2, cv=2, random_state=1),
    "halving grid": lambda est, grid: HalvingGridSearchCV(est, grid, cv=2, random_state=1),
    "halving random": lambda est, grid: HalvingRandomSearchCV(est, grid, cv=2, random_state=1),
    "processes": lambda est, grid: GridSearchCV(est, grid, cv=2, n_jobs=2),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_what_a_search_refits_promises_nothing(name: str) -> None:
    search = SEARCHES[name](model(), GRID).fit(*data())
    assert search.best_estimator_.privacy_.guarantee == CHOSEN
    with pytest.raises(southwell.PrivacyLeakError, match="PrivateSearch"):
        privacy_of(search)


def test_nor_does_it_in_a_pipeline() -> None:
    for pipeline in (
        make_pipeline(RowNormalizer(), model()),
        private_pipeline(RowNormalizer(), model()),
    ):
        grid = {"privatelogisticregression__alpha": [0.01, 0.1]}
        search = GridSearchCV(pipeline, grid, cv=2).fit(*data())
        assert "none (" in search.best_estimator_[-1].privacy_.guarantee
        assert "chosen by cross-validation" in search.best_estimator_[-1].privacy_.guarantee


def test_a_threshold_that_is_tuned_is_refused() -> None:
    tuned = TunedThresholdClassifierCV(model(), cv=2).fit(*data())
    with pytest.raises(southwell.PrivacyLeakError, match="PrivateSearch"):
        privacy_of(tuned)


@pytest.mark.parametrize(
    "selector", [RFE(model(), n_features_to_select=1), RFECV(model(), cv=2)], ids=["rfe", "rfecv"]
)
def test_what_an_elimination_of_features_leaves_promises_nothing(selector: Any) -> None:
    selector.fit(*data())
    guarantee = selector.estimator_.privacy_.guarantee
    assert guarantee == "none (features chosen by other fits on the same records)"
    with pytest.raises(southwell.PrivacyLeakError):
        privacy_of(selector)


def test_a_selection_of_features_by_scores_is_refused() -> None:
    selector = SequentialFeatureSelector(model(), n_features_to_select=1, cv=2)
    with pytest.warns(southwell.TuningWarning):
        selector.fit(*data())
    with pytest.raises(southwell.PrivacyLeakError):
        privacy_of(selector)
    pipeline = make_pipeline(selector, model()).fit(*data())
    with pytest.raises(southwell.PrivacyLeakError):
        privacy_of(pipeline)


def test_a_search_around_a_private_search_promises_nothing() -> None:
    inner = PrivateSearch(model(), {"alpha": [0.01, 0.1]}, epsilon=1.0, delta=1e-6)
    search = GridSearchCV(inner, {"choice_share": [0.2, 0.3]}, cv=2).fit(*data())
    assert search.best_estimator_.privacy_.guarantee == CHOSEN
    with pytest.raises(southwell.PrivacyLeakError, match="PrivateSearch"):
        privacy_of(search)


def test_a_threshold_that_was_fixed_beforehand_changes_no_promise() -> None:
    fixed = FixedThresholdClassifier(model(), threshold=0.3).fit(*data())
    assert fixed.estimator_.privacy_.guarantee.startswith("(1, 1e-06)-DP")


def test_fits_that_nothing_was_chosen_for_keep_their_promise() -> None:
    assert model().fit(*data()).privacy_.guarantee == "(1, 1e-06)-DP"
    folds = cross_validate(model(), *data(), cv=2, return_estimator=True)["estimator"]
    assert all(each.privacy_.private for each in folds)
    # Somebody who was fitted by a search and is fitted again is one fit again.
    best: Any = GridSearchCV(model(), GRID, cv=2).fit(*data()).best_estimator_
    assert isinstance(best, BaseEstimator)
    assert best.fit(*data()).privacy_.guarantee == "(1, 1e-06)-DP"


def test_a_seed_is_named_first() -> None:
    search = GridSearchCV(model(seed_for_tests=1), GRID, cv=2).fit(*data())
    assert search.best_estimator_.privacy_.guarantee == "none (seeded)"
