"""PrivateSearch: settings chosen by a mechanism, within one budget."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone, is_classifier

import southwell
from southwell import PrivateLogisticRegression, PrivateRidge, PrivateSearch, privacy_of


def data(seed: int = 1, n: int = 4000) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 3))
    return x, np.where(x[:, 0] + 0.5 * random.normal(size=n) > 0, "yes", "no")


def model(**more: Any) -> PrivateLogisticRegression:
    return PrivateLogisticRegression(
        epsilon=1.0, delta=1e-6, classes=["no", "yes"], feature_scale=1.0, **more
    )


def search(settings: Any = None, **more: Any) -> PrivateSearch:
    settings = {"alpha": [0.001, 30.0]} if settings is None else settings
    return PrivateSearch(model(), settings, **{"epsilon": 2.0, "delta": 1e-6, **more})


def test_it_chooses_the_better_setting_and_says_how() -> None:
    found = search().fit(*data())
    assert found.best_params_ == {"alpha": 0.001}
    assert found.score(*data(2)) > 0.8
    statement = found.privacy_
    assert statement.guarantee == "(2, 1e-06)-DP"
    assert privacy_of(found).guarantee == "(2, 1e-06)-DP"
    assert 0.5 < found.epsilon_of_each_ < 2.0
    text = str(statement)
    for words in ("chosen_setting", "alpha=0.001; alpha=30.0", "other settings: ", "choose (test)"):
        assert words in text
    assert set(found.predict(data(2)[0])) == {"no", "yes"}
    assert found.predict_proba(data(2)[0]).shape == (4000, 2)


def test_nothing_is_kept_of_the_others() -> None:
    found = search().fit(*data())
    assert not hasattr(found, "cv_results_")
    content = json.loads(found.best_estimator_.model_.to_json())
    assert content["choice"]["chosen"] == "alpha=0.001"
    assert set(content["choice"]) <= {"chosen", "settings", "iterate"}
    assert len(content["coef"]) == 1


def test_every_container_solver_and_units() -> None:
    x, y = data(n=1000)
    settings = [{"solver": ["gcd", "sgd"]}, {"alpha": [0.01], "penalty": ["l2", "l1"]}]
    assert search(settings).fit(x, y).privacy_.private
    sparse = PrivateSearch(model(features=3), {"alpha": [0.1]}, epsilon=1, delta=1e-6)
    assert sparse.fit(scipy.sparse.csr_array(x), y).privacy_.guarantee == "(1, 1e-06)-DP"
    units = search().fit(x, y, units=[f"p{k // 2}" for k in range(1000)])
    assert "fit: 400 units, test: 100 units" in str(units.privacy_)


def test_regressions_need_a_target_scale() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=(3000, 2))
    y = 3.0 * x[:, 0] + random.normal(size=3000)
    ridge = PrivateRidge(epsilon=1, delta=1e-6, feature_scale=1.0, target_scale=3.0)
    found = PrivateSearch(ridge, {"alpha": [0.001, 100.0]}, epsilon=4, delta=1e-6).fit(x, y)
    assert found.best_params_ == {"alpha": 0.001}
    with pytest.raises(ValueError, match="target_scale: given nothing"):
        PrivateSearch(
            PrivateRidge(epsilon=1, delta=1e-6, feature_scale=1.0), {"alpha": [1.0]},
            epsilon=1, delta=1e-6,
        ).fit(x, y)  # fmt: skip


def test_bad_searches_are_refused() -> None:
    x, y = data(n=200)
    for settings, words in (
        ({"epsilon": [1.0]}, "epsilon: given as a setting"),
        ({"relation": ["replace_one", "add_or_remove_one"]}, "settings: given settings that"),
        ([], "settings: given none"),
    ):
        with pytest.raises(ValueError, match=words):
            search(settings).fit(x, y)
    with pytest.raises(TypeError, match="settings: given 3"):
        search(3).fit(x, y)
    with pytest.raises(TypeError, match="estimator: given"):
        PrivateSearch(southwell.RowNormalizer(), {}, epsilon=1, delta=1e-6).fit(x, y)


def test_it_is_an_estimator() -> None:
    assert is_classifier(search())
    again = clone(search())
    assert again.get_params()["estimator__alpha"] == "auto"
    with pytest.raises(Exception, match="not fitted"):
        again.predict(data()[0])
