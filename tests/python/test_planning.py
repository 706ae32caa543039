"""What a plan promises of a selection, held against fits."""

from typing import Any

import numpy as np
import pytest

import southwell

RECORDS, FEATURES = 500, 200


def found(loss: str, effect: float, runs: int, **inputs: Any) -> float:
    """How often the one selection of a fit finds the one feature that has an effect."""
    rng = np.random.default_rng(11)
    hits = 0
    for seed in range(runs):
        design = rng.standard_normal((RECORDS, FEATURES))
        which = rng.integers(FEATURES)
        margin = effect * design[:, which]
        if loss == "squared":
            target = margin + np.sqrt(1.0 - effect**2) * rng.standard_normal(RECORDS)
        else:
            target = np.where(rng.random(RECORDS) < 1.0 / (1.0 + np.exp(-margin)), 1.0, -1.0)
        kind: Any = (
            southwell.PrivateLasso if loss == "squared" else southwell.PrivateLogisticRegression
        )
        given: dict[str, Any] = (
            {} if loss == "squared" else {"classes": [-1.0, 1.0], "penalty": "l1"}
        )
        model = kind(fit_intercept=False, prune=False, seed_for_tests=seed, **given, **inputs)
        hits += np.ravel(model.fit(design, target).coef_)[which] != 0.0
    return hits / runs


@pytest.mark.parametrize(
    ("loss", "epsilon"),
    [("squared", 2.0), ("squared", 20.0), ("logistic", 2.0), ("logistic", 20.0)],
)
def test_the_smallest_effect_is_found_nine_times_of_ten(loss: str, epsilon: float) -> None:
    inputs: dict[str, Any] = {
        "epsilon": epsilon,
        "delta": 1e-6,
        "alpha": 1e-4,
        "solver": "gcd",
        "iterations": 1,
    }
    if loss == "squared":
        inputs["target_scale"] = 1.0
    plan = southwell.plan(
        records=RECORDS, features=FEATURES, loss=loss, penalty="l1", fit_intercept=False, **inputs
    )
    effect = plan.prospects[plan.chosen]["smallest_effect"]
    # 100 runs: the sd of a share of .9 is .03.
    assert found(loss, effect, 100, **inputs) >= 0.82
    assert found(loss, 0.6 * effect, 100, **inputs) <= 0.75
