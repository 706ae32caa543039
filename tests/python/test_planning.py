"""What a plan promises of a selection, held against fits."""

from typing import Any

import numpy as np
import pytest

import southwell

RECORDS, FEATURES = 500, 200
RUNS = 80  # the sd of a share of .9 is .034

KINDS: dict[str, Any] = {
    "squared": southwell.PrivateLasso,
    "huber": southwell.PrivateHuber,
    "logistic": southwell.PrivateLogisticRegression,
}
GIVEN: dict[str, dict[str, Any]] = {
    "squared": {},
    "huber": {"penalty": "l1"},
    "logistic": {"penalty": "l1", "classes": [-1.0, 1.0]},
}


def found(loss: str, effect: float, **inputs: Any) -> float:
    """How often the one selection of a fit finds the one feature that has an effect."""
    rng = np.random.default_rng(11)
    hits = 0
    for seed in range(RUNS):
        design = rng.standard_normal((RECORDS, FEATURES))
        which = rng.integers(FEATURES)
        margin = effect * design[:, which]
        if loss != "logistic":
            target = margin + np.sqrt(1.0 - effect**2) * rng.standard_normal(RECORDS)
        else:
            target = np.where(rng.random(RECORDS) < 1.0 / (1.0 + np.exp(-margin)), 1.0, -1.0)
        model = KINDS[loss](seed_for_tests=seed, **GIVEN[loss], **inputs).fit(design, target)
        hits += np.ravel(model.coef_)[which] != 0.0
    return hits / RUNS


PLAIN: dict[str, Any] = {"prune": False}


@pytest.mark.parametrize(
    ("loss", "changes"),
    [
        ("squared", PLAIN),
        ("squared", PLAIN | {"epsilon": 20.0}),
        ("squared", PLAIN | {"alpha": 0.1}),
        ("squared", PLAIN | {"attenuation": False}),
        ("squared", {"refine": "off"}),
        ("huber", PLAIN | {"huber_width": 0.5}),
        ("logistic", PLAIN),
        ("logistic", PLAIN | {"epsilon": 20.0}),
        ("logistic", PLAIN | {"fit_intercept": True}),
        ("logistic", {"refine": "off"}),
    ],
)
def test_the_smallest_effect_is_found_nine_times_of_ten(loss: str, changes: dict[str, Any]) -> None:
    inputs: dict[str, Any] = {
        "epsilon": 2.0,
        "delta": 1e-6,
        "alpha": 1e-4,
        "solver": "gcd",
        "iterations": 1,
        "fit_intercept": False,
    } | changes
    if loss != "logistic":
        inputs["target_scale"] = 1.0
    plan = southwell.plan(records=RECORDS, features=FEATURES, loss=loss, penalty="l1", **inputs)
    effect = plan.plan_table[plan.chosen]["smallest_effect"]
    assert 0.79 <= found(loss, effect, **inputs) < 1.0
    assert found(loss, 0.6 * effect, **inputs) <= 0.7


def test_a_scale_that_small_budgets_do_not_find_leaves_the_others_in_the_plan() -> None:
    plan = southwell.plan(
        records=1000, features=100, loss="squared", epsilon=1.0, delta=1e-6, target_scale="private"
    )
    budgets = sorted({row["epsilon"] for row in plan.plan_table})
    assert 1.0 in budgets
    assert budgets[0] > 0.1


def test_where_there_is_one_feature_every_effect_is_found() -> None:
    plan = southwell.plan(
        records=1000, features=1, loss="logistic", solver="gcd", epsilon=1.0, delta=1e-6
    )
    assert plan.plan_table[plan.chosen]["smallest_effect"] == 0.0


def test_no_effect_is_named_where_none_is_large_enough() -> None:
    changes: list[dict[str, Any]] = [
        {"epsilon": 1e-3, "alpha": 1e-4},
        {"epsilon": 1.0, "alpha": 10.0},
    ]
    for inputs in changes:
        plan = southwell.plan(
            records=500, features=200, loss="logistic", penalty="l1", delta=1e-6, solver="gcd",
            **inputs,
        )  # fmt: skip
        assert plan.plan_table[plan.chosen]["smallest_effect"] is None


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_effects_are_numbers_for_every_clip_and_penalty(loss: str) -> None:
    changes: list[dict[str, Any]] = [
        {"refine": "off", "clip": 1e-15},
        {"penalty": "l2", "alpha": 1e11},
    ]
    for inputs in changes:
        plan = southwell.plan(
            records=100_000, features=50, loss=loss, epsilon=1.0, delta=1e-6, solver="gcd", **inputs
        )
        assert plan.plan_table[plan.chosen]["smallest_effect"] > 0.0


def test_a_plan_says_how_wide_the_intervals_of_figures_would_be() -> None:
    public: dict[str, Any] = {"records": 20_000, "features": 5, "feature_scale": 1.0}
    public |= {"delta": 1e-6, "loss": "logistic"}
    widths = []
    for epsilon in (0.5, 2.0):
        figures = southwell.plan(**public, epsilon=epsilon, test_share=0.2).figures
        assert {"accuracy", "auc", "log_loss", "brier"} <= set(figures)
        widths.append(figures["auc"]["half_width"])
    assert widths[0] > 1.5 * widths[1]
    assert not southwell.plan(**public, epsilon=1.0).figures


def test_it_says_what_a_private_choice_would_leave() -> None:
    public: dict[str, Any] = {"features": 10, "loss": "logistic", "epsilon": 1, "delta": 1e-6}
    public["feature_scale"] = 1
    for records, words in ((1000, "likely to be better"), (100_000, "likely to do as well")):
        tuning = southwell.plan(records=records, settings=20, **public).tuning
        assert tuning["way"] == "runs"
        assert 0.2 < tuning["epsilon_of_each_fit"] < 0.6
        assert words in tuning["expectation"]
    assert southwell.plan(records=1000, **public).tuning == {}
