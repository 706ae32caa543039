"""One private scale for all features, and what a pipeline promises."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    Normalizer,
    OneHotEncoder,
    StandardScaler,
)
from sklearn.utils.estimator_checks import check_estimator

import southwell
from southwell.preprocessing import _sizes
from southwell.testing import expected_failed_checks

BUDGET: dict[str, Any] = {"epsilon": 1, "delta": 1e-6}


def _table(records: int = 1000, size: float = 100.0) -> Any:
    return np.random.default_rng(1).normal(size=(records, 6)) * size


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", [None, 1])
def test_scikit_learns_checks_pass(seed: int | None) -> None:
    scaler = southwell.PooledScaler(epsilon=50, seed_for_tests=seed, allow_leaks=True)
    expected = expected_failed_checks(scaler)
    assert len(expected) <= 2
    check_estimator(scaler, expected_failed_checks=expected, on_skip=None)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array, scipy.sparse.csc_array])
def test_divides_by_the_size_of_a_typical_record(kind: Any, form: Any) -> None:
    table = _table().astype(kind)
    declared = None if form is np.asarray else 6
    scaler = southwell.PooledScaler(epsilon=0.2, features=declared).fit(form(table))
    assert scaler.scale_ == 128  # root mean squares of about 100
    scaled: Any = scaler.transform(form(table))
    dense = scaled if form is np.asarray else scaled.toarray()
    np.testing.assert_array_equal(dense, table / 128)  # to the last bit
    assert dense.dtype == kind


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308, 5e-324, 0.0])
def test_no_value_raises_warns_or_moves_the_scale_far(value: float) -> None:
    table = _table()
    table[7] = value
    scaler = southwell.PooledScaler(epsilon=0.5).fit(table)
    assert scaler.scale_ in (64, 128)
    scaler.transform(table)
    everything = np.full((1000, 6), value)
    southwell.PooledScaler(epsilon=0.5).fit(everything).transform(everything)


def test_says_what_it_costs_and_keeps_saying_it() -> None:
    scaler = southwell.PooledScaler(epsilon=0.2).fit(_table())
    assert scaler.privacy_.guarantee == "(0.2, 0)-DP"
    assert scaler.privacy_.public_inputs["feature_scale"] == {"value": 128, "source": "mechanism"}
    again = pickle.loads(pickle.dumps(scaler))
    assert again.privacy_.to_json() == scaler.privacy_.to_json()
    assert "of a scale of features" in scaler.privacy_.to_html()
    seeded = clone(scaler).set_params(seed_for_tests=2).fit(_table())
    assert seeded.privacy_.guarantee == "none (seeded)"


def test_its_promise_is_that_of_the_fit_whatever_happens_to_its_parameters() -> None:
    scaler = southwell.PooledScaler(epsilon=1, seed_for_tests=3).fit(_table())
    scaler.set_params(seed_for_tests=None, epsilon=0.05)
    assert scaler.privacy_.guarantee == "none (seeded)"
    scaler = southwell.PooledScaler(epsilon=1).fit(_table())
    assert 0.79 < scaler.privacy_.epsilon_spent <= 1  # noise has whole scales
    with pytest.raises(ValueError, match="features: given 9, accepted is 6"):
        scaler.set_params(epsilon=0.1, features=9).fit(_table())
    with pytest.raises(NotFittedError):
        assert scaler.privacy_


@pytest.mark.filterwarnings("error")
def test_numbers_that_doubles_do_not_hold_raise_no_warning() -> None:
    table = _table().astype(np.longdouble)
    table[3, 3] = np.longdouble("1e4000")
    table[4, 4] = np.longdouble("1e-4000")
    scaler = southwell.PooledScaler(epsilon=1).fit(table)
    ridge = southwell.PrivateRidge(**BUDGET, feature_scale=1, target_scale=1)
    ridge.fit(scaler.transform(table), np.zeros(1000))
    ridge.fit(table, np.zeros(1000)).predict(table)


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_size_of_a_record_depends_on_no_other(order: Any) -> None:
    table = np.asarray(np.random.default_rng(1).normal(size=(2000, 17)), order=order)
    together = _sizes(table)
    for i in range(200):
        alone = np.asarray(table[i : i + 1], order=order)
        assert _sizes(alone)[0] == together[i]
        assert _sizes(np.asarray(table[i : i + 2], order=order))[0] == together[i]
    sparse = _sizes(scipy.sparse.csr_array(table))
    assert all(_sizes(scipy.sparse.csr_array(table[i : i + 1]))[0] == sparse[i] for i in range(99))


def test_does_not_keep_a_number_of_records_that_is_secret() -> None:
    secret: dict[str, Any] = {"relation": "add_or_remove_one", "records": 900}
    scaler = southwell.PooledScaler(epsilon=0.2, **secret).fit(_table())
    assert scaler.records_ == scaler.privacy_.records == 900
    assert 1000 not in vars(scaler).values()


def test_refuses_a_guess() -> None:
    with pytest.raises(ValueError, match=r"epsilon: given 0.01, accepted is more of it"):
        southwell.PooledScaler(epsilon=0.01).fit(_table())
    with pytest.raises(TypeError, match="epsilon: given None, accepted is a number"):
        southwell.PooledScaler(epsilon=None).fit(_table())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"epsilon: given .*, accepted is a number"):
        southwell.PooledScaler(epsilon=np.complex128(1)).fit(_table())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="epsilon: given '1', accepted is a number"):
        southwell.PooledScaler(epsilon="1").fit(_table())  # type: ignore[arg-type]
    sparse = scipy.sparse.csr_array(_table())
    with pytest.raises(southwell.PrivacyLeakError, match="features: given nothing"):
        southwell.PooledScaler(epsilon=1).fit(sparse)
    leaking = southwell.PooledScaler(epsilon=1, allow_leaks=True)
    with pytest.warns(southwell.PrivacyLeakWarning, match="features: given nothing"):
        assert leaking.fit(sparse).privacy_.guarantee == "none (allow_leaks)"
    with pytest.raises(ValueError, match="features: given 7, accepted is 6"):
        southwell.PooledScaler(epsilon=1, features=7).fit(sparse)


def test_a_pipeline_promises_the_cost_of_all_its_steps() -> None:
    table = _table()
    model = southwell.PrivateLasso(**BUDGET)
    pipeline = make_pipeline(southwell.PooledScaler(epsilon=0.2), model)
    statement = southwell.privacy_of(pipeline.fit(table, table[:, 0] / 100))
    assert statement.private
    assert model.privacy_.epsilon_spent < statement.epsilon_spent <= statement.epsilon < 1.2
    steps = [use["step"] for use in statement.mechanisms]
    assert steps == ["feature_scale", *(use["step"] for use in model.privacy_.mechanisms)]
    assert statement.public_inputs["pooledscaler.epsilon"]["value"] == 0.2
    assert statement.public_inputs["privatelasso.epsilon"]["value"] == 1
    assert statement.guarantee in str(statement)
    assert "of a linear model" in statement.to_html()
    assert southwell.privacy_of(model).to_json() == model.privacy_.to_json()


def test_steps_inside_steps_are_charged_too() -> None:
    table = _table()
    columns = ColumnTransformer(
        [
            ("left", southwell.PooledScaler(epsilon=0.2), [0, 1, 2]),
            ("right", make_pipeline(Normalizer(), southwell.PooledScaler(epsilon=0.3)), [3, 4]),
            ("kept", "passthrough", [5]),
            ("empty", southwell.PooledScaler(epsilon=0.2), []),
        ],
        sparse_threshold=0,
    )
    both = FeatureUnion([("columns", columns), ("none", "drop")])
    pipeline = Pipeline([("both", both), ("model", southwell.PrivateLasso(**BUDGET))])
    statement = southwell.privacy_of(pipeline.fit(table, table[:, 0]))
    assert [use["step"] for use in statement.mechanisms[:2]] == ["feature_scale"] * 2
    assert {"both.columns.left.epsilon", "both.columns.right.pooledscaler.epsilon"} <= set(
        statement.public_inputs
    )


@pytest.mark.parametrize(
    "step",
    [
        StandardScaler(),
        OneHotEncoder(handle_unknown="ignore"),
        OneHotEncoder(categories=[[0, 1]] * 6),
        OneHotEncoder(categories=[[0, 1]] * 6, handle_unknown="ignore", drop="first"),
        FunctionTransformer(lambda table: table - table.mean()),
        FunctionTransformer(np.frompyfunc(abs, 1, 1)),
        FunctionTransformer(np.add),
        FunctionTransformer(np.exp, inverse_func=np.log),
        FunctionTransformer(np.exp, kw_args={"where": True}),
        type("Learns", (Normalizer,), {})(),
        type("Mixes", (Pipeline,), {})([("none", "passthrough")]),
        southwell.PrivateLasso,
    ],
    ids=lambda step: type(step).__name__,
)
def test_what_may_learn_from_records_is_refused(step: Any) -> None:
    pipeline = make_pipeline(step, southwell.PrivateLasso(**BUDGET))
    with pytest.raises(southwell.PrivacyLeakError, match="which may learn from the records"):
        southwell.privacy_of(pipeline)


def test_columns_are_named_and_their_form_is_fixed() -> None:
    table = pd.DataFrame(_table(), columns=list("abcdef"))
    model = southwell.PrivateLasso(**BUDGET)

    def promised(**options: Any) -> str:
        columns = options.pop("columns", ["a", "b"])
        parts = ColumnTransformer([("part", "passthrough", columns)], **options)
        pipeline = make_pipeline(parts, model).fit(table, table["a"])
        return southwell.privacy_of(pipeline).guarantee

    assert promised(sparse_threshold=0) == "(1, 1e-06)-DP"
    assert promised(sparse_threshold=0, columns=make_column_selector("a|b")) == "(1, 1e-06)-DP"
    with pytest.raises(southwell.PrivacyLeakError, match=r"sparse_threshold 0\.3, whose form"):
        promised()
    with pytest.raises(southwell.PrivacyLeakError, match="part: given columns that a function"):
        promised(sparse_threshold=0, columns=lambda frame: list(frame.columns[frame.mean() > 0]))
    unfitted = ColumnTransformer([("part", "passthrough", ["a"])], sparse_threshold=0)
    with pytest.raises(NotFittedError):
        southwell.privacy_of(make_pipeline(unfitted, model))
    with pytest.raises(NotFittedError):
        southwell.privacy_of(southwell.PrivateLasso(**BUDGET))


def test_a_start_whose_own_steps_are_unknown_is_refused() -> None:
    table = _table()
    first = make_pipeline(southwell.PooledScaler(epsilon=0.5), southwell.PrivateLasso(**BUDGET))
    start = first.fit(table, table[:, 0])[-1]
    for before in (southwell.PooledScaler(epsilon=0.5), southwell.RowNormalizer()):
        model = southwell.PrivateLasso(**BUDGET, start=start)
        second = make_pipeline(before, model).fit(table, table[:, 0])
        with pytest.raises(ValueError, match="start: given to 'privatelasso', accepted is none"):
            southwell.privacy_of(second)


@pytest.mark.parametrize(
    "step",
    [
        southwell.RowNormalizer(),
        Normalizer(),
        FunctionTransformer(np.tanh),
        OneHotEncoder(categories=[[0, 1]] * 6, handle_unknown="ignore", sparse_output=False),
    ],
    ids=lambda step: type(step).__name__,
)
def test_what_treats_each_record_by_itself_is_free(step: Any) -> None:
    pipeline = make_pipeline(step, southwell.PrivateLasso(**BUDGET))
    pipeline.fit(_table(size=1.0), np.zeros(1000))
    statement = southwell.privacy_of(pipeline)
    assert statement.guarantee == "(1, 1e-06)-DP"
    foreign = [line for line in statement.not_covered if "not of this library" in line]
    assert len(foreign) == (0 if isinstance(step, southwell.RowNormalizer) else 1)


def test_a_promise_is_no_better_than_its_weakest_step() -> None:
    table = _table()
    seeded = southwell.PooledScaler(epsilon=0.2, seed_for_tests=1)
    pipeline = make_pipeline(seeded, southwell.PrivateLasso(**BUDGET)).fit(table, table[:, 0])
    assert southwell.privacy_of(pipeline).guarantee == "none (seeded)"
    other = southwell.PooledScaler(epsilon=0.2, relation="add_or_remove_one", records=1000)
    pipeline = make_pipeline(other, southwell.PrivateLasso(**BUDGET)).fit(table, table[:, 0])
    with pytest.raises(ValueError, match="accepted is what the last step has, replace_one"):
        southwell.privacy_of(pipeline)
    with pytest.raises(ValueError, match="without a step that spends a budget"):
        southwell.privacy_of(make_pipeline(Normalizer()))
