"""Bounds of coefficients, and parameters that are NumPy's."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import southwell
from tests.python.estimator_cases import BUDGET, CLASSIFIERS, REGRESSORS, made


@pytest.mark.parametrize(
    ("estimator", "solver"), list(itertools.product(REGRESSORS + CLASSIFIERS, ["gcd", "cd", "sgd"]))
)
def test_no_coefficient_leaves_the_bounds(
    estimator: Any, solver: str, table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    y = np.sign(target) if estimator in CLASSIFIERS else target
    inputs = {"alpha": 0.01, "solver": solver, "epsilon": 50, "seed_for_tests": 1}
    free = made(estimator, **inputs).fit(table, y).coef_
    assert (free < 0).any()
    assert (free > 0.2).any()
    positive = made(estimator, **inputs, positive=True).fit(table, y)
    assert (positive.coef_ >= 0).all()
    assert (positive.coef_ > 0).any()
    assert positive.privacy_.public_inputs["lower"] == {"value": 0.0, "source": "user"}
    bounded = made(estimator, **inputs, lower=-0.1, upper=0.2).fit(table, y)
    assert bounded.coef_.min() == -0.1
    assert bounded.coef_.max() == 0.2
    assert made(estimator, positive=True, solver=solver).fit(table, y).privacy_.private


@pytest.mark.parametrize("rule", ["gs_s", "gs_r", "gs_q"])
@pytest.mark.parametrize("estimator", REGRESSORS[:3])
def test_with_little_noise_the_positive_optimum_is_found(
    estimator: Any, rule: str, table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    penalty = dict(
        zip(REGRESSORS[:3], [{"penalty": "l1"}, {"penalty": "l2"},
                             {"penalty": "elastic_net", "l1_ratio": 0.5}])
    )[estimator]  # fmt: skip
    best = southwell.reference_optimum(
        table, target, loss="squared", alpha=0.1, lower=0, fit_intercept=False, **penalty
    )
    inputs = {"epsilon": 1e5, "target_scale": 5, "clip": 50, "iterations": 60, "rule": rule}
    fitted = made(
        estimator, **inputs, alpha=0.1, positive=True, fit_intercept=False, refine="off"
    ).fit(table, target)
    np.testing.assert_allclose(fitted.coef_, best.coef, atol=0.02)
    # All that stands against a guarantee is the budget.
    assert fitted.privacy_.guarantee == "none (epsilon 1e+05 promises nothing)"


def test_bounds_that_do_not_go_together_are_refused(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    def fit(estimator: Any = southwell.PrivateHuber, **inputs: Any) -> Any:
        return made(estimator, **inputs).fit(table, target)

    with pytest.raises(ValueError, match=r"lower: given 0\.5 and positive, accepted is one"):
        fit(positive=True, lower=0.5)
    with pytest.raises(TypeError, match="positive: given 1, accepted is True or False"):
        fit(positive=1)
    with pytest.raises(ValueError, match="lower, upper: given 1, 0, accepted are numbers with"):
        fit(southwell.PrivateLasso, lower=1, upper=0)
    with pytest.raises(ValueError, match=r"lower: given .* only valid with the penalties box, l1"):
        fit(penalty="none", lower=0)
    with pytest.raises(ValueError, match="lower, upper: given the same number twice"):
        fit(southwell.PrivateRidge, lower=1, upper=1)
    # No penalty and not negative is the box from 0.
    alone = fit(penalty="none", positive=True)
    assert alone.model_.penalty == "box"
    assert (alone.coef_ >= 0).all()


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS)
def test_a_bounded_model_is_loaded_with_its_bounds(
    estimator: Any, table: NDArray[np.float64], target: NDArray[np.float64], tmp_path: Path
) -> None:
    y = np.sign(target) if estimator in CLASSIFIERS else target
    first = made(estimator, alpha=0.01, positive=True, upper=3, seed_for_tests=1).fit(table, y)
    first.save(tmp_path / "model.json")
    back = estimator.load(tmp_path / "model.json")
    assert (back.lower, back.upper) == (0, 3)
    assert back.fit(table, y).model_.to_json() == first.model_.to_json()


@pytest.mark.parametrize("yes", [True, np.True_])
@pytest.mark.parametrize("no", [False, np.False_])
def test_numpys_truth_values_are_as_good_as_pythons(
    yes: Any, no: Any, table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    def fit(**inputs: Any) -> str:
        seeded = southwell.PrivateLasso(**BUDGET, seed_for_tests=1, **inputs)
        return str(seeded.fit(table, target).model_.to_json())

    plain = fit(fit_intercept=True, positive=False, attenuation=False, exclude_visited=True)
    assert fit(fit_intercept=yes, positive=no, attenuation=no, exclude_visited=yes) == plain
    other = fit(fit_intercept=False, positive=True, clip_tracking=True, polish=False)
    assert fit(fit_intercept=no, positive=yes, clip_tracking=yes, polish=no) == other
    assert plain != other
    with pytest.warns(southwell.PrivacyLeakWarning):
        leaky = southwell.PrivateLinearSVC(**BUDGET, allow_leaks=yes).fit(table, target > 0)
    assert leaky.privacy_.guarantee == "none (allow_leaks)"
    with pytest.raises(southwell.PrivacyLeakError):
        southwell.PrivateLinearSVC(**BUDGET, allow_leaks=no).fit(table, target > 0)
    inputs = {"records": 1000, "features": 5, "loss": "squared", **BUDGET}
    for switch, said in ((yes, True), (no, False)):
        plans = [southwell.plan(fit_intercept=value, **inputs) for value in (switch, said)]
        assert len(plans[0].coef_noise_) == len(plans[1].coef_noise_) == 5 + said
    plainly = southwell.PrivateRidge(**BUDGET, fit_intercept=no).fit(table, target).to_sklearn()
    assert plainly.fit_intercept is False


def test_numpys_numbers_are_as_good_as_pythons(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    def fit(whole: Any, real: Any) -> str:
        huber = southwell.PrivateHuber(
            epsilon=whole(2),
            delta=real(2**-20),
            huber_width=real(1.5),
            penalty="elastic_net",
            alpha=real(0.25),
            l1_ratio=real(0.5),
            lower=whole(-2),
            upper=real(2.5),
            relation="add_or_remove_one",
            records=whole(300),
            feature_scale=real(1.5),
            target_scale=whole(2),
            iterations=whole(5),
            clip=real(1.5),
            threads=whole(1),
            seed_for_tests=whole(7),
            verbose=whole(0),
        )
        return str(huber.fit(table, target).model_.to_json())

    plain = fit(int, float)
    for whole in (np.int16, np.int32, np.int64):
        for real in (np.float16, np.float32, np.float64, np.longdouble):
            assert fit(whole, real) == plain, (whole, real)
    no_number: Any
    for no_number in (np.True_, np.False_):
        with pytest.raises(TypeError, match=r"alpha: given .*, accepted is a number"):
            southwell.PrivateLasso(**BUDGET, alpha=no_number).fit(table, target)
        with pytest.raises(TypeError, match=r"iterations: given .*, accepted is a whole number"):
            southwell.PrivateLasso(**BUDGET, iterations=no_number).fit(table, target)
    with pytest.raises(TypeError, match=r"iterations: given .*, accepted is a whole number"):
        made(southwell.PrivateLasso, iterations=np.float64(3)).fit(table, target)
