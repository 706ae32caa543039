"""What a fit does where nothing is chosen."""

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import southwell
from tests.python.estimator_cases import BUDGET, CLASSIFIERS, REGRESSORS, made

RECORDS, FEATURES = 400, 5
TABLE: NDArray[np.float64] = np.random.default_rng(1).normal(size=(RECORDS, FEATURES))
TARGET = 3 * TABLE[:, 0] - TABLE[:, 1]
UNSAID = "feature_scale: not declared, so every feature is taken to be centred and about 1 in size"


def targets(estimator: Any) -> NDArray[np.float64]:
    return np.sign(TARGET) if estimator in CLASSIFIERS else TARGET


def inputs_of(model: Any) -> dict[str, dict[str, Any]]:
    stated: dict[str, dict[str, Any]] = model.privacy_.public_inputs
    return stated


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS)
def test_the_solver_is_chosen_and_the_statement_says_why(estimator: Any) -> None:
    model = made(estimator).fit(TABLE, targets(estimator))
    stated = inputs_of(model)
    assert stated["solver"] == {"value": model.privacy_.solver, "source": "default"}
    why = stated["solver_choice"]["value"]
    assert f"solver {model.privacy_.solver} (chosen automatically: {why})" in " ".join(
        str(model.privacy_).split()
    )
    given = made(estimator, solver="gcd").fit(TABLE, targets(estimator))
    assert inputs_of(given)["solver"] == {"value": "gcd", "source": "user"}
    assert "solver_choice" not in inputs_of(given)


@pytest.mark.parametrize("estimator", REGRESSORS)
def test_the_size_of_a_target_is_found_unless_it_is_declared(estimator: Any) -> None:
    found = inputs_of(estimator(**BUDGET, feature_scale=1).fit(TABLE, 100 * TARGET))
    assert found["target_scale"]["source"] == "mechanism"
    assert found["target_scale"]["value"] in (128, 256, 512)
    declared = inputs_of(made(estimator, target_scale=300).fit(TABLE, 100 * TARGET))
    assert declared["target_scale"] == {"value": 300, "source": "user"}
    with pytest.raises(ValueError, match=r"target_scale: given nothing.*target_scale=100"):
        estimator(**BUDGET).fit(TABLE[:100], TARGET[:100])


def test_alpha_is_what_scikit_learns_default_means() -> None:
    for model in (
        made(southwell.PrivateRidge),
        made(southwell.PrivateHuber),
        made(southwell.PrivateLogisticRegression, alpha=None),
        made(southwell.PrivateLinearSVC, alpha="auto"),
    ):
        stated = inputs_of(model.fit(TABLE, targets(type(model))))
        assert stated["alpha"] == {"value": 1 / RECORDS, "source": "default"}


def test_alpha_of_an_l1_part_follows_the_sizes() -> None:
    chance = np.sqrt(2 * np.log(2 * FEATURES) / RECORDS) / 8

    def alpha(estimator: Any, **inputs: Any) -> dict[str, Any]:
        return inputs_of(made(estimator, **inputs).fit(TABLE, targets(estimator)))["alpha"]

    lasso = alpha(southwell.PrivateLasso, target_scale=2, feature_scale=3)
    assert lasso["source"] == "default"
    assert lasso["value"] == pytest.approx(6 * chance)
    logistic = alpha(southwell.PrivateLogisticRegression, penalty="l1")
    assert logistic["value"] == pytest.approx(chance / 2)
    net = inputs_of(made(southwell.PrivateElasticNet, l1_ratio=0.25).fit(TABLE, TARGET))
    assert net["l1_strength"]["value"] == pytest.approx(0.25 * chance)
    assert net["l2_strength"]["value"] == pytest.approx(0.75 / RECORDS)
    assert net["alpha"]["value"] == pytest.approx(0.25 * chance + 0.75 / RECORDS)
    found = alpha(southwell.PrivateLasso, target_scale=None)
    assert found["source"] == "mechanism"
    assert found["value"] in [pytest.approx(2.0**k * chance) for k in range(5)]


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_classes_are_declared_or_stated_as_a_leak(estimator: Any) -> None:
    with pytest.raises(southwell.PrivacyLeakError, match=r"such as classes=\[0, 1\]"):
        made(estimator, classes=None).fit(TABLE, targets(estimator))
    with pytest.warns(southwell.PrivacyLeakWarning, match="classes: given nothing") as told:
        leaky = made(estimator, classes=None, allow_leaks=True).fit(TABLE, targets(estimator))
    assert len(told) == 1
    assert inputs_of(leaky)["classes"] == {"value": [-1, 1], "source": "data"}
    assert leaky.privacy_.guarantee == "none (allow_leaks)"
    declared = inputs_of(made(estimator).fit(TABLE, targets(estimator)))
    assert declared["classes"] == {"value": [-1, 1], "source": "user"}


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS)
def test_sizes_that_nobody_declared_are_warned_of_once(estimator: Any) -> None:
    y = targets(estimator)
    with pytest.warns(UserWarning, match=UNSAID) as told:
        model = made(estimator, feature_scale=None).fit(TABLE, y)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert UNSAID in " ".join(str(model.privacy_).split())
    assert model.privacy_.warnings == [str(told[0].message)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert made(estimator).fit(TABLE, y).privacy_.warnings == []
        made(estimator, feature_scale=[1] * FEATURES).fit(TABLE, y)


@pytest.mark.parametrize(
    "scaler",
    [
        southwell.DeclaredScaler(scale=2),
        southwell.PooledScaler(epsilon=0.2),
        southwell.RowNormalizer(),
    ],
)
def test_a_scaler_before_the_model_declares_its_features(scaler: Any) -> None:
    ridge = southwell.PrivateRidge(**BUDGET)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        inside = southwell.private_pipeline(scaler, ridge).fit(TABLE, TARGET)
        assert inside.privacy_.warnings == []
        make_pipeline(scaler, ridge).fit(TABLE, TARGET)
        make_pipeline(make_pipeline(scaler), ridge).fit(TABLE, TARGET)
        make_pipeline(StandardScaler(), ridge).fit(TABLE, TARGET)
    assert ridge.feature_scale is None
    with pytest.warns(UserWarning, match=UNSAID):
        make_pipeline(FunctionTransformer(np.tanh), ridge).fit(TABLE, TARGET)
    with pytest.warns(UserWarning, match=UNSAID) as told:
        southwell.private_pipeline(FunctionTransformer(np.tanh), ridge).fit(TABLE, TARGET)
    assert len(told) == 1


def test_a_plan_makes_the_choices_of_a_fit() -> None:
    with pytest.warns(UserWarning, match=UNSAID):
        planned = southwell.plan(
            records=RECORDS, features=FEATURES, loss="squared", penalty="l2", **BUDGET
        )
    with pytest.warns(UserWarning, match=UNSAID):
        fitted = southwell.PrivateRidge(**BUDGET).fit(TABLE, TARGET)
    assert planned.solver == fitted.privacy_.solver
    assert planned.why == inputs_of(fitted)["solver_choice"]["value"]
    differ = {
        name for name, value in planned.privacy_.public_inputs.items()
        if value != inputs_of(fitted)[name]
    }  # fmt: skip
    assert differ == {"target_scale", "clip"}, "what a mechanism finds"
    two = southwell.plan(records=1000, features=5, loss="logistic", feature_scale=1, **BUDGET)
    assert two.privacy_.public_inputs["classes"] == {"value": "two", "source": "default"}


def test_the_intercept_goes_along_where_coefficients_are_shortened() -> None:
    random = np.random.default_rng(0)
    missed = []
    for seed in range(12):
        far = random.standard_normal((1000, 20)) + 10.0
        target = 20.0 + random.standard_normal(1000)
        model = southwell.PrivateRidge(
            epsilon=0.5,
            delta=1e-6,
            solver="gcd",
            feature_scale=1,
            target_scale=16,
            select_iterate=False,
            seed_for_tests=seed,
        ).fit(far, target)
        missed.append(abs(float(np.mean(model.predict(far))) - 20.0))
    assert np.mean(missed) < 0.35  # .53 where it stays behind


def test_a_norm_that_nobody_declared_decides_between_two_plans() -> None:
    random = np.random.default_rng(4)
    dense = random.standard_normal((1500, 300))
    short = dense / np.linalg.norm(dense, axis=1, keepdims=True)
    labels = np.sign(dense[:, 0])
    planned = southwell.plan(records=1500, features=300, loss="logistic", feature_scale=1, **BUDGET)
    assert planned.solver == "gcd"
    for table, solver in ((dense, "gcd"), (short, "sgd")):
        model = made(southwell.PrivateLogisticRegression, feature_scale=1).fit(table, labels)
        stated = inputs_of(model)
        assert stated["solver"] == {"value": solver, "source": "mechanism"}
        assert stated["solver_choice"]["value"] == planned.why
        assert stated["record_norm"]["source"] == "mechanism"
        # Both plans are stated, and cost together what was asked for.
        assert {use.get("plan", "") for use in model.privacy_.mechanisms} == {"", "gcd", "sgd"}
        assert 0.99 * BUDGET["epsilon"] < model.privacy_.epsilon_spent <= BUDGET["epsilon"]
        assert "if sgd" in str(model.privacy_)
    declared = made(southwell.PrivateLogisticRegression, feature_scale=1, record_norm=1)
    assert inputs_of(declared.fit(short, labels))["solver"]["source"] == "default"
