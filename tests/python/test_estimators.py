"""The estimators: parameters, attributes, files, frames, and what they refuse."""

import inspect
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from numpy.typing import NDArray

import southwell
from southwell import _core
from southwell.estimators import FitInputs, PrivateLinearModel
from tests.python.estimator_cases import BUDGET, CLASSIFIERS, REGRESSORS, made

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def assert_equal_but_for_rounding(
    found: Any, wanted: NDArray[np.float64], table: NDArray[np.float64], fitted: Any
) -> None:
    """Sums of the same products in another order differ by as much as their terms round, however
    small the sum is. Fits are noisy, so some sums are close to nothing."""
    terms = np.abs(table) @ np.abs(fitted.coef_).T + np.abs(fitted.intercept_)
    allowed = 2 * (table.shape[1] + 1) * np.finfo(float).eps * float(np.max(terms))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=allowed)


def test_parameters_carry_the_names_of_all_shells() -> None:
    inputs = set(_core.fit_inputs())
    for estimator in REGRESSORS + CLASSIFIERS:
        names = set(inspect.signature(estimator).parameters)
        assert names - inputs == {"fit_intercept", "positive", "verbose", "schema", "ledger"}
        kind = {"target_scale"} if estimator in REGRESSORS else {"classes", "class_weight"}
        objective = {"loss", "penalty", "alpha", "l1_ratio", "lower", "upper", "huber_width"}
        others = {"intercept", "target_scale", "classes", "class_names", "class_weight"}
        assert inputs - objective - others | kind | {"lower", "upper"} <= names


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS)
def test_a_budget_is_for_somebody_to_choose(estimator: Any) -> None:
    with pytest.raises(TypeError, match="'epsilon' and 'delta'"):
        estimator()


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS)
def test_random_state_and_sample_weight_are_refused_with_the_reason(
    estimator: Any, table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    with pytest.raises(TypeError, match="random_state: not accepted: noise that can be repeated"):
        made(estimator, random_state=0)
    with pytest.raises(TypeError, match="sample_weight: not accepted: a record of weight w"):
        made(estimator).fit(table, target, sample_weight=np.ones(300))
    with pytest.raises(TypeError, match="coef_init: is no argument of fit"):
        made(estimator).fit(table, target, coef_init=0)


@pytest.mark.parametrize("solver", ["gcd", "cd", "sgd"])
@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS)
def test_every_solver_serves_every_estimator(
    estimator: Any, solver: str, table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    y = np.sign(target) if estimator in CLASSIFIERS else target
    fitted = made(estimator, solver=solver, iterations=7).fit(table, y)
    assert fitted.privacy_.solver == solver
    assert fitted.privacy_.iterations == 7
    assert fitted.privacy_.epsilon_spent <= 1
    shape = (1, 5) if estimator in CLASSIFIERS else (5,)
    assert fitted.coef_.shape == fitted.coef_noise_.shape == shape
    assert np.shape(fitted.intercept_) == np.shape(fitted.intercept_noise_) == shape[:-1]
    assert ((fitted.coef_noise_ != 0) == (fitted.coef_ != 0)).all()  # NaN: not determined
    assert {
        "gcd": len(fitted.path_) > 0,
        "cd": len(fitted.path_) == 7,
        "sgd": not len(fitted.path_),
    }[solver]


def test_the_path_ends_at_the_coefficients(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    fitted = southwell.PrivateLasso(**BUDGET, alpha=0.01, iterations=30).fit(table, target)
    for feature in range(5):
        steps = fitted.path_[fitted.path_["feature"] == feature]
        assert fitted.coef_[feature] == (steps["value"][-1] if len(steps) else 0)
    constant = fitted.path_[fitted.path_["feature"] == 5]
    assert fitted.intercept_ == (constant["value"][-1] if len(constant) else 0)


def test_a_fit_as_printed_states_no_noise_of_its_coefficients(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    printed = {"refine": "off", **BUDGET}
    printed |= {"alpha": 1, "target_scale": 1}
    plan = southwell.plan(records=300, features=5, loss="squared", penalty="l1", **printed)
    fitted = southwell.PrivateLasso(**printed).fit(table, target)
    moved = fitted.coef_ != 0
    assert np.isnan(fitted.coef_noise_[moved]).all()
    assert fitted.privacy_.to_json() == plan.privacy_.to_json()
    assert len(plan.gradient_noise_) == 6
    assert str(plan) == str(plan.privacy_)
    divisor = southwell.plan(
        records=300, features=5, loss="squared", relation="add_or_remove_one", **BUDGET
    )
    assert divisor.privacy_.records == 300


def test_the_statement_is_an_object_a_dictionary_and_a_text(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    statement = southwell.PrivateRidge(**BUDGET, alpha=0.5).fit(table, target).privacy_
    whole = statement.to_dict()
    assert json.loads(statement.to_json()) == whole
    for name, value in whole.items():
        assert getattr(statement, name) == value
    assert statement.public_inputs["alpha"] == {"value": 0.5, "source": "user"}
    assert statement.mechanisms[0]["mechanism"] == "exponential_mechanism"
    assert str(statement).startswith("guarantee       (1, 1e-06)-DP\n")
    assert repr(statement) == "<Statement guarantee: (1, 1e-06)-DP>"
    part: str = getattr(statement, "_repr_html_")()  # noqa: B009 (private: not in the stub)
    assert part in statement.to_html()


def test_the_page_is_that_of_the_command_line(
    table: NDArray[np.float64], target: NDArray[np.float64], tmp_path: Path, run: Run
) -> None:
    fitted = southwell.PrivateLasso(**BUDGET).fit(table, target)
    fitted.save(tmp_path / "model.json")
    assert run("inspect", "model.json", "--html", "page.html").returncode == 0
    loaded = southwell.PrivateLasso.load(tmp_path / "model.json")
    assert (tmp_path / "page.html").read_text() == loaded.privacy_.to_html()


def test_a_large_delta_is_warned_of(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    with pytest.warns(UserWarning, match=r"delta 0\.01 is at least 1/n = 0\.0033"):
        southwell.PrivateLasso(epsilon=1, delta=0.01).fit(table, target)


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS)
def test_a_model_file_is_that_of_the_command_line(
    estimator: Any,
    table: NDArray[np.float64],
    target: NDArray[np.float64],
    tmp_path: Path,
    run: Run,
) -> None:
    frame = pandas.DataFrame(table, columns=list("abcde"))
    y = np.sign(target) if estimator in CLASSIFIERS else target
    inputs = {"iterations": 9, "feature_scale": [1, 1, 2, 1, 1], "fit_intercept": False}
    fitted = made(estimator, **inputs).fit(frame, y)
    fitted.save(tmp_path / "model.json")
    back = estimator.load(tmp_path / "model.json")
    np.testing.assert_array_equal(back.predict(frame), fitted.predict(frame))
    assert back.privacy_.to_json() == fitted.privacy_.to_json()
    assert back.iterations == 9
    assert back.fit_intercept is False
    assert list(back.feature_names_in_) == list("abcde")
    assert back.n_features_in_ == 5
    frame.to_csv(tmp_path / "data.csv", index=False)
    shown = json.loads(run("inspect", "model.json", "--json").stdout)
    assert shown["guarantee"] == fitted.privacy_.guarantee
    done = run("predict", "model.json", "data.csv", "--out", "out.csv")
    assert done.returncode == 0, done.stderr
    column = pandas.read_csv(tmp_path / "out.csv").iloc[:, -1]
    assert_equal_but_for_rounding(column, fitted.predict(frame), table, fitted)
    with pytest.raises(ValueError, match="given is a model of loss"):
        (southwell.PrivateRidge if estimator is southwell.PrivateLasso else southwell.PrivateLasso
         ).load(tmp_path / "model.json")  # fmt: skip


def test_a_loaded_model_can_be_fitted_again_with_the_same_parameters(
    table: NDArray[np.float64], target: NDArray[np.float64], tmp_path: Path
) -> None:
    first = southwell.PrivateHuber(
        **BUDGET, penalty="box", lower=0, upper=np.inf, seed_for_tests=2**60 + 1, target_scale=2
    ).fit(table, target)
    first.save(tmp_path / "model.json")
    again = southwell.PrivateHuber.load(tmp_path / "model.json").fit(table, target)
    assert again.model_.to_json() == first.model_.to_json()


def test_a_loaded_model_keeps_whole_numbers_and_what_a_mechanism_found(
    table: NDArray[np.float64], target: NDArray[np.float64], tmp_path: Path
) -> None:
    first = southwell.PrivateLasso(
        epsilon=20, delta=1e-6, iterations=5, selections_per_gradient=2, target_scale="private",
        seed_for_tests=3,
    )  # fmt: skip
    first.fit(table, target).save(tmp_path / "model.json")
    loaded = southwell.PrivateLasso.load(tmp_path / "model.json")
    assert loaded.target_scale == "private"
    assert loaded.fit(table, target).model_.to_json() == first.model_.to_json()


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS)
def test_the_plain_estimator_of_scikit_learn_predicts_the_same(
    estimator: Any, table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    y = np.sign(target) if estimator in CLASSIFIERS else target
    fitted = made(estimator).fit(table, y)
    plain = fitted.to_sklearn()
    assert type(plain).__module__.startswith("sklearn.")
    assert_equal_but_for_rounding(plain.predict(table), fitted.predict(table), table, fitted)
    if hasattr(fitted, "predict_proba"):
        np.testing.assert_allclose(plain.predict_proba(table), fitted.predict_proba(table))


def test_a_missing_value_makes_a_prediction_unknown(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    holed = table[:3].copy()
    holed[1] = np.nan
    regression = southwell.PrivateLasso(epsilon=50, delta=1e-6, alpha=0.01).fit(table, target)
    np.testing.assert_array_equal(np.isnan(regression.predict(holed)), [False, True, False])
    classifier = southwell.PrivateLinearSVC(epsilon=50, delta=1e-6, classes=["no", "yes"])
    classifier.fit(table, np.where(target > 0, "yes", "no"))
    with pytest.warns(UserWarning, match="1 records miss a value that the model uses"):
        assert classifier.predict(holed)[1] == "no"


def test_a_fit_may_start_from_a_model_or_from_public_coefficients(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    first = southwell.PrivateLasso(**BUDGET).fit(table, target)
    second = southwell.PrivateLasso(**BUDGET, start=first).fit(table, target)
    assert second.privacy_.epsilon > 1
    assert second.privacy_.private
    given = southwell.PrivateLasso(**BUDGET, start=[0, 0, 0, 0, 3.5], iterations=1, step=1e-9)
    assert given.fit(table, target).coef_[4] == pytest.approx(3.5, abs=1e-3)


@pytest.mark.parametrize("frame", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_frames_keep_the_names_of_their_columns(
    frame: Any, table: NDArray[np.float64], target: NDArray[np.float64], tmp_path: Path
) -> None:
    columns = {name: table[:, j] for j, name in enumerate(["age", "dose", "größe", "d", "e"])}
    inputs: dict[str, Any] = BUDGET | {"alpha": 0.01, "seed_for_tests": 1}
    fitted = southwell.PrivateLasso(**inputs).fit(frame(columns), target)
    assert list(fitted.feature_names_in_) == list(columns)
    assert fitted.model_.feature_names == list(columns)
    bare = southwell.PrivateLasso(**inputs).fit(table, target)
    np.testing.assert_array_equal(fitted.coef_, bare.coef_)
    np.testing.assert_array_equal(fitted.predict(frame(columns)), bare.predict(table))
    fitted.save(tmp_path / "model.json")
    assert list(southwell.PrivateLasso.load(tmp_path / "model.json").feature_names_in_) == list(
        columns
    )
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(frame({name + "2": values for name, values in columns.items()}))


@pytest.mark.parametrize(
    "strange",
    [
        np.array([["a", "b"]] * 4),
        np.array([[b"a", b"b"]] * 4),
        np.zeros((4, 2), dtype="datetime64[s]"),
        np.ma.masked_array(np.zeros((4, 2)), mask=np.eye(4, 2, dtype=bool)),
        np.zeros((4, 2), dtype=complex),
    ],
    ids=["text", "bytes", "times", "masked", "complex"],
)
def test_what_declares_to_be_no_number_is_refused(strange: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        southwell.PrivateLasso(**BUDGET).fit(strange, np.zeros(4))


@pytest.mark.parametrize("dtype", ["f2", "f4", "i1", "u8", "?", ">f8", "O", "g"])
def test_every_kind_of_number_is_accepted(dtype: str, target: NDArray[np.float64]) -> None:
    whole = (np.arange(1500).reshape(300, 5) % 3 % 2).astype(dtype)
    inputs: dict[str, Any] = BUDGET | {"seed_for_tests": 1}
    fitted = southwell.PrivateRidge(**inputs).fit(whole, target)
    wanted = southwell.PrivateRidge(**inputs).fit(whole.astype(float), target)
    np.testing.assert_array_equal(fitted.coef_, wanted.coef_)


def test_verbose_shows_iterations_and_nothing_else(
    table: NDArray[np.float64], target: NDArray[np.float64], capsys: pytest.CaptureFixture[str]
) -> None:
    southwell.PrivateLasso(**BUDGET, iterations=4, verbose=1).fit(table, target)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.endswith("fitting [" + "#" * 30 + "]\n")
    assert set(shown.err) <= set("\rfiting [#.]\n")
    southwell.PrivateLasso(**BUDGET, iterations=4).fit(table, target)
    assert capsys.readouterr().err == ""


def test_the_base_documents_every_parameter_it_has() -> None:
    both = (inspect.getdoc(each) or "" for each in (PrivateLinearModel, FitInputs))
    head = "".join(text[text.index("Parameters") :] for text in both)
    for name in inspect.signature(PrivateLinearModel).parameters:
        assert f"{name}" in head
