"""A private pipeline checks before it fits, and its model tells the truth about all of it."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import southwell
from southwell.testing import expected_failed_checks

RECORDS = 1000
BUDGET: dict[str, Any] = {"epsilon": 1, "delta": 1e-6}
TABLE = np.random.default_rng(1).normal(size=(RECORDS, 4)) * 300
TARGET = TABLE[:, 0] / 300
ALONE = " for the fit on the matrix it was given; steps before it are not covered"


def _model(**more: Any) -> southwell.PrivateLasso:
    return southwell.PrivateLasso(**BUDGET, **more)


def _scaled(**more: Any) -> southwell.PrivatePipeline:
    return southwell.private_pipeline(southwell.PooledScaler(epsilon=0.3), _model(**more))


# --- what is inside another estimator ----------------------------------------------------------

AROUND: dict[str, Any] = {
    "pipeline": (lambda m: make_pipeline(Normalizer(), m), lambda p: p[-1]),
    "imputer": (lambda m: make_pipeline(SimpleImputer(), m), lambda p: p[-1]),
    "nested": (lambda m: make_pipeline(Normalizer(), make_pipeline(m)), lambda p: p[-1][-1]),
    "target": (lambda m: TransformedTargetRegressor(m), lambda p: p.regressor_),
    "ensemble": (lambda m: BaggingRegressor(m, n_estimators=2), lambda p: p.estimators_[1]),
    "processes": (lambda m: BaggingRegressor(m, 2, n_jobs=2), lambda p: p.estimators_[1]),
    "subclass": (
        lambda m: type("Mine", (Pipeline,), {})([("n", Normalizer()), ("m", m)]),
        lambda p: p[-1],
    ),
}


@pytest.mark.parametrize("case", AROUND)
def test_a_fit_inside_another_estimator_speaks_of_itself_alone(case: str, tmp_path: Path) -> None:
    make, model_of = AROUND[case]
    model = model_of(make(_model()).fit(TABLE, TARGET))
    statement = model.privacy_
    assert statement.guarantee == "(1, 1e-06)-DP" + ALONE
    assert (statement.private, statement.epsilon, statement.delta) == (True, 1, 1e-6)
    first, second = str(statement).splitlines()[:2]
    assert first.startswith("guarantee       (1, 1e-06)-DP for the fit on the matrix it was given;")
    assert f"{first} {second.strip()}".endswith("steps before it are not covered")
    assert f"guarantee: (1, 1e-06)-DP{ALONE}" in statement.to_html()
    assert "This speaks of the fit alone." in statement.to_html()
    model.save(tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["privacy"]["guarantee"].endswith(ALONE)
    again = southwell.PrivateLasso.load(tmp_path / "model.json")
    for kept in (again, pickle.loads(pickle.dumps(model))):
        assert kept.privacy_.to_json() == statement.to_json()
    assert southwell.privacy_of(model).guarantee.endswith(ALONE)
    started = _model(start=again).fit(TABLE, TARGET)
    assert started.privacy_.guarantee.endswith(ALONE)


def test_an_ordinary_fit_says_what_it_always_said() -> None:
    model = _model().fit(TABLE, TARGET)
    assert model.privacy_.guarantee == "(1, 1e-06)-DP"
    assert "fit alone" not in model.privacy_.to_html()
    make_pipeline(StandardScaler(), model).fit(TABLE, TARGET)
    assert model.privacy_.guarantee == "(1, 1e-06)-DP" + ALONE
    assert model.fit(TABLE, TARGET).privacy_.guarantee == "(1, 1e-06)-DP"
    scaler = southwell.PooledScaler(epsilon=0.5)
    scaler.fit_transform(TABLE)  # by scikit-learn's own hand
    assert scaler.privacy_.guarantee == "(0.5, 0)-DP"


def test_other_kinds_of_models_and_scalers_inside_say_so_too() -> None:
    labels = (TARGET > 0).astype(int)
    many = OneVsRestClassifier(southwell.PrivateLogisticRegression(**BUDGET, classes=[0, 1]))
    many.fit(TABLE, labels)
    assert many.estimators_[0].privacy_.guarantee == "(1, 1e-06)-DP" + ALONE
    both = FeatureUnion([("a", southwell.PooledScaler(epsilon=0.5))]).fit(TABLE)
    assert both.transformer_list[0][1].privacy_.guarantee == "(0.5, 0)-DP" + ALONE
    seeded = make_pipeline(StandardScaler(), _model(seed_for_tests=1)).fit(TABLE, TARGET)
    assert seeded[-1].privacy_.guarantee == "none (seeded)"


def test_regression_a_scaler_that_learns_before_a_model(tmp_path: Path, run: Any) -> None:
    pipeline = make_pipeline(StandardScaler(), _model()).fit(TABLE, TARGET)
    pipeline[-1].save(tmp_path / "model.json")
    shown = run("inspect", tmp_path / "model.json").stdout
    assert shown.startswith("guarantee       (1, 1e-06)-DP for the fit on the matrix it was given;")
    with pytest.raises(southwell.PrivacyLeakError, match="standardscaler: given StandardScaler"):
        southwell.privacy_of(pipeline)


# --- private pipelines -------------------------------------------------------------------------


def test_its_model_and_the_file_of_that_carry_the_statement_of_all_steps(
    tmp_path: Path, run: Any
) -> None:
    pipeline = _scaled().fit(TABLE, TARGET)
    statement = pipeline.privacy_
    assert statement.private
    assert 1 < statement.epsilon < 1.3
    assert statement.guarantee == f"({statement.epsilon}, 1e-06)-DP"
    assert next(use["step"] for use in statement.mechanisms) == "feature_scale"
    assert {"pooledscaler.epsilon", "privatelasso.epsilon"} <= set(statement.public_inputs)
    file = tmp_path / "model.json"
    pipeline[-1].save(file)
    again = southwell.PrivateLasso.load(file)
    # Behind a scaler features are of size 1, and the model says so.
    stated = {"feature_scale": [1.0], "target_scale": "private"}
    assert again.get_params() == pipeline[-1].get_params() | stated
    kept = (pipeline[-1].privacy_, southwell.privacy_of(pipeline), again.privacy_)
    assert {each.guarantee for each in kept} == {statement.guarantee}
    assert json.loads(run("inspect", file, "--json").stdout)["guarantee"] == statement.guarantee
    unpickled = pickle.loads(pickle.dumps(pipeline))
    assert unpickled.privacy_.guarantee == statement.guarantee
    np.testing.assert_array_equal(unpickled.predict(TABLE), pipeline.predict(TABLE))


@pytest.mark.parametrize("solver", ["gcd", "cd", "sgd"])
@pytest.mark.parametrize("refine", ["on", "off"])
@pytest.mark.parametrize("kind", ["PrivateRidge", "PrivateHuber", "PrivateLogisticRegression"])
def test_files_of_every_solver_load_again(
    solver: str, refine: str, kind: str, tmp_path: Path
) -> None:
    options: dict[str, Any] = {} if solver == "cd" else {"refine": refine}
    if kind == "PrivateLogisticRegression":
        options["classes"] = ["no", "yes"]
    model = getattr(southwell, kind)(**BUDGET, solver=solver, **options)
    target = np.where(TARGET > 0, "yes", "no") if "classes" in options else TARGET
    pipeline = southwell.private_pipeline(southwell.PooledScaler(epsilon=0.3), model)
    pipeline.fit(TABLE, target)[-1].save(tmp_path / "model.json")
    again = type(model).load(tmp_path / "model.json")
    assert again.privacy_.guarantee == pipeline.privacy_.guarantee
    assert again.solver == solver


def test_refuses_before_any_record_is_used() -> None:
    class Counts(StandardScaler):  # type: ignore[misc]
        fits = 0

        def fit(self, *given: Any, **more: Any) -> Any:
            Counts.fits += 1
            return super().fit(*given, **more)

    scaler, model = southwell.PooledScaler(epsilon=0.3), _model()
    for steps, words in (
        ((scaler, Counts(), model), "counts: given Counts, which may learn from the records"),
        ((scaler, Normalizer()), None),
    ):
        pipeline = southwell.private_pipeline(*steps)
        if words is None:
            assert pipeline.fit_transform(TABLE).shape == TABLE.shape
            assert pipeline.privacy_.guarantee == "(0.3, 0)-DP"
            del scaler.scale_
            continue
        with pytest.raises(southwell.PrivacyLeakError, match=words):
            pipeline.fit(TABLE, TARGET)
        assert not hasattr(scaler, "scale_")
    assert Counts.fits == 0
    with pytest.raises(ValueError, match="without a step that spends a budget"):
        southwell.private_pipeline(Normalizer()).fit(TABLE)
    other = southwell.PooledScaler(epsilon=0.3, relation="add_or_remove_one", records=RECORDS)
    with pytest.raises(ValueError, match="accepted is what the last step has, replace_one"):
        southwell.private_pipeline(other, model).fit(TABLE, TARGET)
    assert not hasattr(other, "scale_")
    started = _model(start=np.zeros(4))
    with pytest.raises(ValueError, match="start: given to 'privatelasso', accepted is none"):
        southwell.private_pipeline(scaler, started).fit(TABLE, TARGET)
    for options in ({"memory": "cache"}, {"transform_input": ["X_val"]}):
        cached = southwell.PrivatePipeline([("s", scaler), ("m", model)], **options)
        with pytest.raises(southwell.PrivacyLeakError, match="whose results may be those of other"):
            cached.fit(TABLE, TARGET)
    assert not hasattr(scaler, "scale_")
    assert not hasattr(model, "model_")


def test_keeps_scikit_learns_conventions() -> None:
    pipeline = _scaled(alpha=0.1)
    assert [name for name, _ in pipeline.steps] == ["pooledscaler", "privatelasso"]
    assert "PrivatePipeline" in repr(pipeline)
    again = clone(pipeline).set_params(privatelasso__alpha=0.2)
    assert type(again) is southwell.PrivatePipeline
    assert again.get_params()["privatelasso__alpha"] == 0.2
    with pytest.raises(NotFittedError):
        assert pipeline.privacy_
    assert not hasattr(pipeline, "fit_transform")
    assert pipeline.fit(TABLE, TARGET) is pipeline
    assert not hasattr(clone(pipeline)[-1], "model_")
    assert pipeline.score(TABLE, TARGET) > 0.5
    pipeline.set_output(transform="pandas").fit(pd.DataFrame(TABLE, columns=list("abcd")), TARGET)
    assert list(pipeline[-1].feature_names_in_) == list("abcd")


def test_every_fit_is_checked_and_charged_again() -> None:
    pipeline = _scaled().fit(TABLE, TARGET)
    first = pipeline.privacy_.epsilon
    pipeline.set_params(pooledscaler__epsilon=2)
    with pytest.raises(southwell.PrivacyLeakError, match="parameters other than those"):
        assert pipeline.privacy_
    assert pipeline.fit(TABLE, TARGET).privacy_.epsilon > first + 0.5
    pipeline.set_params(pooledscaler="passthrough")
    assert pipeline.fit(TABLE, TARGET).privacy_.guarantee == "(1, 1e-06)-DP"
    pipeline.set_params(pooledscaler=StandardScaler().fit(TABLE))
    for ask in (lambda: pipeline.fit(TABLE, TARGET), lambda: pipeline.privacy_):
        with pytest.raises(southwell.PrivacyLeakError, match="pooledscaler: given StandardScaler"):
            ask()


def test_a_fit_that_fails_leaves_no_promise() -> None:
    pipeline = _scaled().fit(TABLE, TARGET)
    with pytest.raises(ValueError, match="inconsistent"):
        pipeline.fit(TABLE, TARGET[:-1])
    with pytest.raises(southwell.PrivacyLeakError, match="not fitted by this pipeline"):
        assert pipeline.privacy_


def test_steps_that_were_fitted_before_are_fitted_again() -> None:
    scaler = southwell.PooledScaler(epsilon=0.3).fit(TABLE * 1000)
    model = _model().fit(StandardScaler().fit_transform(TABLE), TARGET)
    pipeline = southwell.private_pipeline(scaler, model)
    with pytest.raises(southwell.PrivacyLeakError, match="not fitted by this pipeline"):
        assert pipeline.privacy_
    pipeline.fit(TABLE, TARGET)
    assert scaler.scale_ < 1000
    assert pipeline.privacy_.epsilon > 1
    pipeline[-1].fit(TABLE, TARGET)  # alone, again
    with pytest.raises(southwell.PrivacyLeakError, match="not fitted by this pipeline"):
        assert pipeline.privacy_


def test_inside_one_another_nothing_is_charged_twice_or_forgotten() -> None:
    flat = southwell.private_pipeline(
        southwell.PooledScaler(epsilon=0.3), southwell.PooledScaler(epsilon=0.4), _model()
    ).fit(TABLE, TARGET)
    inner = southwell.private_pipeline(southwell.PooledScaler(epsilon=0.4), _model())
    for outer_of in (southwell.private_pipeline, make_pipeline):
        outer = outer_of(southwell.PooledScaler(epsilon=0.3), inner).fit(TABLE, TARGET)
        for _ in range(2):
            statement = southwell.privacy_of(outer)
            assert statement.guarantee == flat.privacy_.guarantee
        assert "privatepipeline.pooledscaler.epsilon" in statement.public_inputs
        carried = inner[-1].privacy_.guarantee
        expected = inner.privacy_.guarantee if outer_of is make_pipeline else statement.guarantee
        assert carried == expected
    assert carried.endswith(ALONE)


def test_processes_and_sparse_tables() -> None:
    both = FeatureUnion([("a", southwell.PooledScaler(epsilon=0.3)), ("b", Normalizer())], n_jobs=2)
    pipeline = southwell.private_pipeline(both, _model()).fit(TABLE, TARGET)
    assert 1 < pipeline.privacy_.epsilon < 1.3
    sparse = scipy.sparse.csr_array(TABLE)
    scaler = southwell.DeclaredScaler(scale=300)
    free = southwell.private_pipeline(scaler, _model(features=4)).fit(sparse, TARGET)
    assert free.privacy_.guarantee == "(1, 1e-06)-DP"


def test_a_search_over_it_promises_no_more_than_one_fit() -> None:
    search = GridSearchCV(_scaled(), {"privatelasso__alpha": [0.01, 0.1]}, cv=2)
    with pytest.warns(southwell.TuningWarning):
        search.fit(TABLE, TARGET)
    best = search.best_estimator_
    for statement in (best.privacy_, best[-1].privacy_, southwell.privacy_of(best)):
        assert statement.guarantee == "none (chosen by cross-validation on the same records)"
        assert not statement.private


# --- declared scales ---------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
def test_declared_scaler_passes_scikit_learns_checks() -> None:
    scaler = southwell.DeclaredScaler(scale=2)
    expected = expected_failed_checks(scaler)
    assert len(expected) <= 2
    check_estimator(scaler, expected_failed_checks=expected, on_skip=None)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_declared_scaler_subtracts_and_divides_each_record_by_itself(kind: Any) -> None:
    table = TABLE.astype(kind)
    center, scale = np.array([1, 2, 3, 4]), [1, 10, 100, 1000]
    scaler = southwell.DeclaredScaler(center=center, scale=scale).fit(table[:5])
    together = scaler.transform(table)
    np.testing.assert_array_equal(together, (table - center.astype(kind)) / np.array(scale, kind))
    assert together.dtype == kind
    for i in range(20):
        np.testing.assert_array_equal(scaler.transform(table[i : i + 1])[0], together[i])
    given = scipy.sparse.csr_array(table)
    sparse: Any = southwell.DeclaredScaler(scale=scale).fit_transform(given)
    assert type(sparse) is scipy.sparse.csr_array
    np.testing.assert_allclose(sparse.toarray(), table / np.array(scale, kind), rtol=1e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e308, -1e308])
def test_declared_scaler_hears_no_value(value: float) -> None:
    table = TABLE.copy()
    table[7] = value
    scaled = southwell.DeclaredScaler(center=-1e308, scale=1e-3).fit_transform(table)
    assert scaled.shape == table.shape


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"scale": 0}, "scale: given 0, accepted are finite numbers above 0"),
        ({"scale": [1, 2, -3, 4]}, "scale: given .*, accepted are finite numbers above 0"),
        ({"scale": np.nan}, "scale: given nan, accepted are finite numbers above 0"),
        ({"scale": np.inf}, "scale: given inf, accepted are finite numbers above 0"),
        ({"scale": [1, 2]}, r"scale: given the shape \(2,\), accepted is a number or 4 numbers"),
        ({"scale": "wide"}, "scale: given 'wide', accepted is a number or 4 numbers"),
        ({"center": np.inf}, "center: given inf, accepted are finite numbers"),
        ({"center": [[1, 2, 3, 4]]}, r"center: given the shape \(1, 4\), accepted is a number or"),
        ({"center": None}, "center: given None, accepted"),
    ],
)
def test_declared_scaler_refuses_what_is_no_scale(given: dict[str, Any], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        southwell.DeclaredScaler(**given).fit(TABLE)


def test_declared_scaler_keeps_the_zeros_of_sparse_tables() -> None:
    with pytest.raises(ValueError, match="center: given 1, accepted is 0 for sparse data"):
        southwell.DeclaredScaler(center=1).fit(scipy.sparse.csr_array(TABLE))
