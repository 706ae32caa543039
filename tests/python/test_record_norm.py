"""The norm of a record: declared, found, or wrong; and several classes as one softmax."""

import json
from typing import Any, cast

import numpy as np
import pytest
from scipy.sparse import random as random_sparse
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import Normalizer, OneHotEncoder

import southwell

BUDGET: dict[str, Any] = {"epsilon": 4.0, "delta": 1e-6}


def text(
    records: int = 2000, features: int = 400, classes: int = 2, seed: int = 1
) -> tuple[Any, Any]:
    """Sparse rows of norm 1 whose class shifts what they hold."""
    generator = np.random.default_rng(seed)
    y = generator.integers(0, classes, records)
    x: Any = random_sparse(records, features, 0.05, "csr", rng=generator)
    shift = generator.standard_normal((classes, features)) > 0.5
    x.data *= np.where(shift[y[np.repeat(np.arange(records), np.diff(x.indptr))], x.indices], 3, 1)
    return southwell.RowNormalizer(record_norm=1).fit_transform(x), y


def model(**inputs: Any) -> southwell.PrivateLogisticRegression:
    inputs = {"classes": [0, 1], "features": 400, "solver": "sgd", **BUDGET, **inputs}
    return southwell.PrivateLogisticRegression(**inputs)


def inputs_of(fitted: southwell.PrivateLogisticRegression) -> Any:
    return json.loads(fitted.model_.to_json())["privacy"]["public_inputs"]


def test_rows_get_the_norm_that_is_asked_for() -> None:
    x, _ = text()
    norms = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
    assert norms[norms > 0] == pytest.approx(1)
    assert southwell.RowNormalizer(record_norm=1).fit(x).record_norm_ == 1
    assert southwell.RowNormalizer().fit(x).record_norm_ == pytest.approx(20)
    with pytest.raises(ValueError, match="record_norm: given 'long'"):
        southwell.RowNormalizer(record_norm=cast(Any, "long")).fit_transform(x)


@pytest.mark.parametrize("size", [0.1, 1.0, 30.0])
def test_a_mechanism_finds_the_norm(size: float) -> None:
    x, y = text()
    fitted = model(record_norm="private").fit(x * size, y)
    found = inputs_of(fitted)
    assert found["record_norm"]["source"] == "mechanism"
    assert size / 1.6 < found["record_norm"]["value"] < size * 1.6
    assert found["record_limit"]["value"] == 2 * found["record_norm"]["value"]
    limit = cast(Any, fitted.model_.attachments["input_limits"])["record_norm"]
    assert limit == found["record_limit"]["value"]
    mechanisms = json.loads(fitted.model_.to_json())["privacy"]["mechanisms"]
    assert [use["step"] for use in mechanisms] == ["record_norm", "release", "calibrate"]


def test_not_declared_it_is_found_from_a_thousand_records_on() -> None:
    x, y = text()
    assert inputs_of(model().fit(x, y))["record_norm"]["source"] == "mechanism"
    few = inputs_of(model().fit(x[:500], y[:500]))["record_norm"]
    assert few == {"source": "default", "value": 20.0}


@pytest.mark.parametrize("wrong", [0.01, 0.1, 10.0, 100.0])
def test_a_wrong_norm_does_little_harm(wrong: float) -> None:
    x, y = text()
    trivial = np.log(2)
    losses = []
    for _ in range(4):
        p = model(record_norm=wrong).fit(x[:1400], y[:1400]).predict_proba(x[1400:])
        losses.append(-np.log(p[np.arange(600), y[1400:]]).mean())
    assert np.mean(losses) < 1.08 * trivial


def test_several_classes_are_one_softmax() -> None:
    x, y = text(classes=3)
    fitted = model(classes=[0, 1, 2], record_norm=1).fit(x, y)
    assert fitted.model_.is_softmax
    margins = fitted.decision_function(x)
    powers = np.exp(margins - margins.max(axis=1, keepdims=True))
    assert fitted.predict_proba(x) == pytest.approx(powers / powers.sum(axis=1, keepdims=True))
    assert (fitted.predict(x) == y).mean() > 0.6
    with pytest.warns(UserWarning, match="Predictions are linear for records of norm 2 or less"):
        plain = fitted.to_sklearn()
    assert plain.predict_proba(x) == pytest.approx(fitted.predict_proba(x))
    greedy = model(classes=[0, 1, 2], solver="gcd").fit(x, y)
    assert not greedy.model_.is_softmax


def test_long_records_are_shortened_in_predictions() -> None:
    x, y = text()
    fitted = model(record_norm=1).fit(x, y)
    assert fitted.decision_function(64.0 * x) == pytest.approx(fitted.decision_function(2.0 * x))


def numbers(signal: bool) -> tuple[Any, Any]:
    """Sparse rows of norm 1 and a target that they explain by three quarters, or not at all."""
    generator = np.random.default_rng(3)
    x, _ = text(records=4000, features=2000)
    pull = x @ generator.standard_normal(2000)
    noise = generator.standard_normal(4000)
    return x, (np.sqrt(3) * pull / pull.std() + noise) / 2 if signal else noise


def ridge(**inputs: Any) -> southwell.PrivateRidge:
    inputs = {"features": 2000, "target_scale": 1.0, **BUDGET, **inputs}
    return southwell.PrivateRidge(**inputs)


def test_a_regression_on_records_of_a_small_norm_follows_it() -> None:
    x, y = numbers(signal=True)
    fitted = ridge(record_norm=1, seed_for_tests=1).fit(x[:3500], y[:3500])
    assert fitted.model_.privacy.solver == "sgd"
    uses = json.loads(fitted.model_.to_json())["privacy"]["mechanisms"]
    assert [use["step"] for use in uses] == ["center", "release", "calibrate"]
    without = ridge(seed_for_tests=1).fit(x[:3500], y[:3500])
    assert without.model_.privacy.solver == "gcd"
    assert fitted.score(x[3500:], y[3500:]) > without.score(x[3500:], y[3500:]) + 0.05
    # What is given of the other descent's own decides for that one.
    other = ridge(record_norm=1, solver="sgd", clip_tracking=True).fit(x[:500], y[:500])
    names = [use["step"] for use in json.loads(other.model_.to_json())["privacy"]["mechanisms"]]
    assert "calibrate" not in names


def test_a_regression_by_the_norm_keeps_little_of_noise() -> None:
    x, y = numbers(signal=False)
    fitted = ridge(record_norm=1, seed_for_tests=1).fit(x[:3500], y[:3500])
    assert fitted.score(x[3500:], y[3500:]) > -0.05


def test_a_regression_is_told_the_norm_by_its_pipeline_and_finds_none() -> None:
    x, y = numbers(signal=True)
    fitted = ridge()
    southwell.private_pipeline(southwell.RowNormalizer(record_norm=1), fitted).fit(x, y)
    assert norm_of(fitted)["value"] == 1
    with pytest.raises(ValueError, match="record_norm: given private, which is only valid with"):
        ridge(record_norm="private").fit(x, y)


def test_the_norm_belongs_to_sgd() -> None:
    x, y = text()
    with pytest.raises(
        ValueError, match="record_norm: given 1, which is only valid with solver sgd"
    ):
        model(solver="gcd", record_norm=1).fit(x, y)


def test_auto_asks_for_the_norm() -> None:
    x, y = text()
    fitted = model(solver="auto", record_norm=1).fit(x, y)
    assert fitted.model_.privacy.solver == "sgd"
    assert model(solver="auto", record_norm=30).fit(x, y).model_.privacy.solver == "gcd"


def halves(first: Any, second: Any) -> ColumnTransformer:
    """Steps side by side on 200 columns each."""
    columns = (list(range(200)), list(range(200, 400)))
    steps = [("a", first, columns[0]), ("b", second, columns[1])]
    return ColumnTransformer(steps, sparse_threshold=0)


def norm_of(fitted: Any) -> Any:
    """What the last step of a pipeline was told; its inputs carry its name there."""
    inputs = inputs_of(fitted)
    return next((inputs[name] for name in inputs if name.endswith(".record_norm")), None)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([southwell.RowNormalizer(record_norm=3)], 3.0),
        ([southwell.RowNormalizer()], 20.0),
        ([southwell.DeclaredScaler(scale=2.0), Normalizer()], 1.0),
        ([Normalizer(), "passthrough"], 1.0),
        ([Normalizer(norm="l1")], None),
        ([Normalizer(), southwell.DeclaredScaler(scale=2.0)], None),
        (
            [FeatureUnion([("a", Normalizer()), ("b", southwell.RowNormalizer(record_norm=2))])],
            5**0.5,
        ),
        ([FeatureUnion([("a", Normalizer()), ("b", "passthrough")])], None),
        ([halves(southwell.RowNormalizer(record_norm=3), southwell.RowNormalizer())], 209**0.5),
        ([halves(Normalizer(), make_pipeline(southwell.RowNormalizer()))], 201**0.5),
        ([halves(Normalizer(), "passthrough")], None),
    ],
)
def test_a_pipeline_passes_the_norm_of_its_steps_on(steps: Any, expected: float | None) -> None:
    x, y = text(records=400)
    fitted = model(features=None)
    southwell.private_pipeline(*steps, fitted).fit(x.toarray(), y)
    declared = norm_of(fitted)
    if expected is None:
        assert declared["source"] == "default"
    else:
        assert declared == {"value": pytest.approx(expected), "source": "user"}


def test_hashed_text_and_encoded_tables_pass_their_norm_on() -> None:
    words = ["red green", "blue red red", "green"] * 100
    hashed = HashingVectorizer(n_features=64, alternate_sign=False)
    fitted = model(features=64)
    southwell.private_pipeline(hashed, fitted).fit(words, [0, 1, 1] * 100)
    assert norm_of(fitted) == {"value": 1, "source": "user"}
    schema = southwell.Schema.from_dict(
        {"fields": [{"name": "a", "type": "boolean"}, {"name": "b", "type": "boolean"}]}
    )
    fitted = model(features=None)
    table = {"a": [True, False] * 100, "b": [True, True] * 100}
    southwell.private_pipeline(southwell.TableEncoder(schema), fitted).fit(table, [0, 1] * 100)
    assert norm_of(fitted)["value"] == pytest.approx(schema.record_norm)
    levels = OneHotEncoder(categories=[[0, 1], [0, 1, 2]], handle_unknown="ignore")
    fitted = model(features=5)
    southwell.private_pipeline(levels, fitted).fit([[0, 1], [1, 2]] * 100, [0, 1] * 100)
    assert norm_of(fitted)["value"] == pytest.approx(2**0.5)


def test_the_norm_of_a_pipeline_gives_way() -> None:
    x, y = text(records=400)
    fitted = model(record_norm=5.0)
    southwell.private_pipeline(Normalizer(), fitted).fit(x, y)
    assert norm_of(fitted)["value"] == 5
    for other in (
        model(solver="gcd"),
        southwell.PrivateLasso(**BUDGET, features=400, target_scale=1.0),
    ):
        southwell.private_pipeline(Normalizer(), other).fit(x, y)
        assert norm_of(other) is None
