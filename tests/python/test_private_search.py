"""PrivateSearch: settings chosen by a mechanism, within one budget."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import scipy.sparse
import scipy.stats
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


def both_ways() -> list[PrivateSearch]:
    return [search(way="all"), search({"alpha": [0.001, 0.002, 30.0]}, way="runs")]


def test_it_chooses_the_better_setting_and_says_how() -> None:
    found = search().fit(*data())
    assert found.best_params_ == {"alpha": 0.001}
    assert found.score(*data(2)) > 0.8
    statement = found.privacy_
    assert statement.guarantee == "(2, 1e-06)-DP"
    assert privacy_of(found).guarantee == "(2, 1e-06)-DP"
    assert 0.5 < found.epsilon_of_each_ < 2.0
    text = str(statement)
    for words in (
        "chosen_setting", "alpha=0.001; alpha=30.0", "other settings: ", "choose (choice)", "way",
    ):  # fmt: skip
        assert words in text
    assert set(found.predict(data(2)[0])) == {"no", "yes"}
    assert found.predict_proba(data(2)[0]).shape == (4000, 2)


def test_nothing_is_kept_of_the_others() -> None:
    found = search().fit(*data())
    assert not hasattr(found, "cv_results_")
    content = json.loads(found.best_estimator_.model_.to_json())
    assert content["choice"]["chosen"] == "alpha=0.001"
    assert set(content["choice"]) <= {"chosen", "settings", "way", "iterate"}
    assert len(content["coef"]) == 1


def test_every_container_solver_and_units() -> None:
    x, y = data(n=1000)
    settings = [{"solver": ["gcd", "sgd"]}, {"alpha": [0.01], "penalty": ["l2", "l1"]}]
    assert search(settings).fit(x, y).privacy_.private
    sparse = PrivateSearch(model(features=3), {"alpha": [0.1]}, epsilon=1, delta=1e-6)
    assert sparse.fit(scipy.sparse.csr_array(x), y).privacy_.guarantee == "(1, 1e-06)-DP"
    units = search().fit(x, y, units=[f"p{k // 2}" for k in range(1000)])
    assert "fit: 400 units, choice: 100 units" in str(units.privacy_)


def test_a_regression_finds_its_target_scale_once() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=(3000, 2))
    y = 3.0 * x[:, 0] + random.normal(size=3000)
    for scale, source in ((3.0, "user"), ("private", "mechanism")):
        ridge = PrivateRidge(epsilon=1, delta=1e-6, feature_scale=1.0, target_scale=scale)
        found = PrivateSearch(ridge, {"alpha": [0.001, 100.0]}, epsilon=4, delta=1e-6).fit(x, y)
        assert found.best_params_ == {"alpha": 0.001}
        assert found.privacy_.public_inputs["target_scale"]["source"] == source
        steps = [use["step"] for use in found.privacy_.mechanisms]
        assert steps.count("target_scale") == (2 if source == "mechanism" else 0)


def test_a_secret_number_of_runs_shows_nothing_but_the_best() -> None:
    for found in (each.fit(*data()) for each in both_ways()):
        assert found.privacy_.private
        by_runs = found.way == "runs"
        assert ("a secret number of them" in str(found.privacy_)) == by_runs
        content = json.loads(found.best_estimator_.model_.to_json())
        assert content["choice"]["way"] == found.way
        assert ("runs" in content["privacy"]) == by_runs


def test_many_settings_leave_a_fit_as_much_as_few() -> None:
    few, many = (
        search({"alpha": [10.0**-k for k in np.linspace(1, 4, count)]}).fit(*data())
        for count in (20, 100)
    )
    assert "a secret number of runs" in str(many.privacy_.public_inputs["way_choice"]["value"])
    assert many.epsilon_of_each_ > 0.8 * few.epsilon_of_each_


def test_figures_are_of_a_third_part() -> None:
    for way in ("all", "runs"):
        found = search(way=way, test_share=0.25).fit(*data())
        assert "fit: 2200, choice: 800, test: 1000" in str(found.privacy_)
        figures = found.best_estimator_.evaluation_
        assert abs(figures.accuracy.value - found.score(*data(2))) < 0.1
        assert found.privacy_.guarantee == "(2, 1e-06)-DP"


def test_settings_may_be_drawn_from_distributions() -> None:
    alphas = scipy.stats.loguniform(1e-4, 1e-1)
    found = search({"alpha": alphas}, n_settings=4, random_state=1).fit(*data())
    again = search({"alpha": alphas}, n_settings=4, random_state=1).fit(*data())
    settings = [each.privacy_.public_inputs["settings"]["value"] for each in (found, again)]
    assert settings[0] == settings[1]
    assert str(settings[0]).count("alpha=") == 4
    assert set(found.best_params_) <= {"alpha"}
    with pytest.raises(ValueError, match="n_settings: given 0"):
        search({"alpha": alphas}, n_settings=0).fit(*data())


def test_scales_of_records_are_settings_like_others() -> None:
    x, y = data()
    for grid in ({"record_norm": [0.5, 1.7, 4.0]}, {"feature_scale": [0.5, 1.0, 2.0]}):
        for solver in ("sgd", "gcd"):
            if "record_norm" in grid and solver == "gcd":
                continue
            for way in ("all", "runs"):
                found = PrivateSearch(
                    model(solver=solver), grid, epsilon=2, delta=1e-6, way=way
                ).fit(x, y)  # fmt: skip
                assert found.privacy_.guarantee == "(2, 1e-06)-DP"
                assert set(found.best_params_) <= set(grid)


def test_every_other_kind_of_setting_is_charged_too() -> None:
    """Penalty, ratio and solver: settings whose fits cost differently share one budget."""
    x, y = data(n=1000)
    grid = [
        {"penalty": ["elastic_net"], "alpha": [0.01], "l1_ratio": [0.1, 0.9]},
        {"solver": ["gcd"], "iterations": [3, 30]},
        {"solver": ["sgd"], "penalty": ["none"]},
    ]
    for way in ("all", "runs"):
        found = search(grid, way=way).fit(x, y)
        assert found.privacy_.guarantee == "(2, 1e-06)-DP"
        assert found.privacy_.epsilon_spent <= 2.0


def test_bad_searches_are_refused() -> None:
    x, y = data(n=200)
    for more, words in (
        ({"way": "none"}, "way: given none, accepted is one of auto, all, runs"),
        ({"choice_share": 1.5}, "choice_share: given 1.5"),
        ({"test_share": 0.9}, "choice_share, test_share: given 0.2 and 0.9"),
    ):
        with pytest.raises(ValueError, match=words):
            search(**more).fit(x, y)
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
