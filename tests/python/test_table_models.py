"""Estimators and pipelines on raw tables: target, units and classes as the schema says."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import southwell
from southwell import Schema, TableEncoder
from tests.python.table_cases import RECORDS, SCHEMA, cells, needed, ridge, without


@pytest.fixture(scope="module")
def schema() -> Schema:
    return Schema.from_dict(SCHEMA)


def test_target_and_units_come_from_one_place() -> None:
    with pytest.raises(ValueError, match="y: given beside 'cost' of the schema"):
        ridge().fit(cells(), cells()["cost"])
    with pytest.raises(ValueError, match="units: given beside 'who' of the schema"):
        ridge().fit(cells(), units=cells()["who"])
    with pytest.raises(ValueError, match="requires y to be passed"):
        ridge(schema=without("cost")).fit(cells())
    with pytest.raises(ValueError, match="y: given another number of targets"):
        ridge(schema=without("cost")).fit(cells(), [1.0])


def test_target_and_units_may_come_beside_the_table() -> None:
    both = ridge(schema=without("who", "cost"), target_scale=25, target_center=50)
    model = both.fit(cells(), np.clip(cells()["cost"], 0, 100), units=cells()["who"])
    assert model.privacy_.records == 60
    declared = ridge(target_scale=25, target_center=50).fit(cells())
    np.testing.assert_array_equal(model.coef_, declared.coef_)
    assert model.score(cells(), cells()["cost"]) < 1
    with pytest.raises(ValueError, match="requires y to be passed"):
        model.score(cells())


def test_predictions_need_neither_target_nor_units() -> None:
    model = ridge().fit(cells())
    bare = {name: column for name, column in cells().items() if name not in ("who", "cost")}
    predicted = model.predict(bare)
    np.testing.assert_array_equal(predicted, model.predict(cells()))
    assert np.isfinite(predicted).all()  # missing cells have their rule


KINDS: list[tuple[dict[str, Any], list[Any], Any]] = [
    (
        {"type": "string", "constraints": {"enum": ["ill", "well"]}},
        ["well", "ill"],
        ["ill", "well"],
    ),
    ({"type": "integer", "constraints": {"enum": [3, 1]}}, [1, "3"], [3, 1]),
    ({"type": "boolean"}, [True, False], [False, True]),
    (
        {"type": "string", "constraints": {"enum": ["ill", "well", "gone"]}},
        ["gone", "well"],
        ["ill", "well", "gone"],
    ),
]


@pytest.mark.parametrize(("kind", "labels", "classes"), KINDS)
@pytest.mark.parametrize("estimator", ["PrivateLogisticRegression", "PrivateLinearSVC"])
def test_classes_are_the_words_of_the_table(
    estimator: str, kind: dict[str, Any], labels: list[Any], classes: list[Any]
) -> None:
    field = {"name": "state", "southwell": {"role": "target"}, **kind}
    schema = {**SCHEMA, "fields": [*without("cost", "who")["fields"], field]}
    table = {**cells(), "state": labels * (RECORDS // 2)}
    made = getattr(southwell, estimator)(epsilon=8, delta=1e-6, schema=schema).fit(table)
    assert made.classes_.tolist() == classes
    assert set(made.predict(table).tolist()) <= set(classes)
    assert 0 <= made.score(table) <= 1
    assert made.score(table) == made.score(table, table["state"])
    again = pickle.loads(pickle.dumps(made))
    assert again.predict(table).tolist() == made.predict(table).tolist()


def test_classes_given_twice_must_be_the_same() -> None:
    field = {"name": "state", "type": "boolean", "southwell": {"role": "target"}}
    schema = {**SCHEMA, "fields": [*without("cost", "who")["fields"], field]}
    table = {**cells(), "state": [True, False] * (RECORDS // 2)}
    model = southwell.PrivateLogisticRegression(
        epsilon=1, delta=1e-6, schema=schema, classes=["no", "yes"]
    )
    with pytest.raises(ValueError, match=r"classes: given .* and the schema says something else"):
        model.fit(table)
    with pytest.raises(ValueError, match=r"loss: given .*squared.*classifies"):
        ridge(schema=schema).fit(table)


def test_a_model_file_holds_all_that_a_prediction_needs(tmp_path: Path) -> None:
    model = ridge().fit(cells())
    model.save(tmp_path / "model.json")
    for again in (
        southwell.PrivateRidge.load(tmp_path / "model.json"),
        pickle.loads(pickle.dumps(model)),
    ):
        assert again.schema_ == Schema.from_dict(SCHEMA)
        np.testing.assert_array_equal(again.predict(cells()), model.predict(cells()))
        assert list(again.feature_names_in_) == Schema.from_dict(SCHEMA).columns
        assert again.n_features_in_ == len(again.feature_names_in_) == 7
        assert list(again.encoded_names_) == list(model.encoded_names_)
    refit = southwell.PrivateRidge.load(tmp_path / "model.json").fit(cells())
    assert refit.privacy_.unit == "all records with one who"


def test_a_fit_without_a_schema_forgets_that_of_before() -> None:
    model = ridge().fit(cells())
    model.set_params(schema=None, target_scale=1).fit(np.eye(30, 3), np.ones(30))
    assert not hasattr(model, "schema_")
    assert not hasattr(model, "coef_in_user_terms_")
    assert model.n_features_in_ == 3
    assert model.predict(np.eye(3)).shape == (3,)


def test_copies_and_parameters_keep_the_schema() -> None:
    model = ridge(schema=Schema.from_dict(SCHEMA))
    assert clone(model).schema == model.schema
    assert clone(model).fit(cells()).schema_ == model.schema
    changed = model.fit(cells()).set_params(schema=without("note"))
    changed.predict(cells())  # by the schema of the fit


def test_coefficients_in_the_terms_of_the_table() -> None:
    fields = [
        {"name": "age", "constraints": {"minimum": 0, "maximum": 100}, "type": "number"},
        {"name": "region", "type": "string", "constraints": {"enum": ["north", "south"]}},
        {
            "name": "cost",
            "type": "number",
            "constraints": {"minimum": 0, "maximum": 100},
            "southwell": {"role": "target"},
        },
    ]
    for field in fields[:2]:
        field["southwell"] = {"missing": "middle"}
    draw = np.random.default_rng(5)
    table = {
        "age": draw.uniform(0, 100, 5000),
        "region": draw.choice(["north", "south"], 5000).tolist(),
    }
    south = np.array([word == "south" for word in table["region"]])
    table["cost"] = 10 + 0.5 * table["age"] + 20 * south
    model = ridge(schema={"fields": fields}, epsilon=8, alpha=1e-4).fit(table)
    rows = {row["name"]: row for row in model.coef_in_user_terms_}
    assert rows["age"]["coef"] == pytest.approx(0.5, abs=0.03)
    assert rows["age"]["per"] == "per unit"
    gap = rows["region=south"]["coef"] - rows["region=north"]["coef"]
    assert gap == pytest.approx(20, abs=1.5)
    known = rows["(intercept)"]["coef"] + 30 * rows["age"]["coef"] + rows["region=south"]["coef"]
    assert known == pytest.approx(model.predict({"age": [30], "region": ["south"]})[0])


def test_scikit_learn_takes_it_for_one_of_its_own() -> None:
    frame = pd.DataFrame(needed())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", southwell.TuningWarning)
        scores = cross_val_score(ridge(), frame, cv=3)
    assert np.isfinite(scores).all()
    plain = ridge().fit(frame).to_sklearn()
    np.testing.assert_allclose(plain.predict(frame), ridge().fit(frame).predict(frame))


def test_a_pipeline_with_a_table_encoder_is_charged_for_the_model_alone(schema: Schema) -> None:
    bare = Schema.from_dict(without("who"))
    model = southwell.PrivateRidge(
        epsilon=1, delta=1e-6, feature_scale=bare.feature_scales, target_scale=25
    )
    pipeline = southwell.private_pipeline(TableEncoder(bare), model)
    pipeline.fit(cells(), cells()["cost"])
    assert pipeline.privacy_.guarantee == "(1, 1e-06)-DP"
    assert not any("not of this library" in line for line in pipeline.privacy_.not_covered)
    assert pipeline.predict(pd.DataFrame(needed())).shape == (RECORDS,)
    plain = make_pipeline(TableEncoder(bare), clone(model)).fit(cells(), cells()["cost"])
    assert southwell.privacy_of(plain).guarantee == "(1, 1e-06)-DP"


def test_a_pipeline_never_forgets_whose_records_they_are(schema: Schema) -> None:
    model = southwell.PrivateRidge(epsilon=1, delta=1e-6)
    with pytest.raises(southwell.PrivacyLeakError, match="TableEncoder with a unit in its schema"):
        southwell.private_pipeline(TableEncoder(schema), model).fit(cells(), cells()["cost"])
    with pytest.raises(ValueError, match="has the unit 'who'"):
        make_pipeline(TableEncoder(schema), model).fit(cells(), cells()["cost"])
    assert TableEncoder(schema).transform(cells()).shape[0] == RECORDS  # predictions may


def test_an_encoder_says_what_its_features_are(schema: Schema) -> None:
    encoder = TableEncoder(without("who")).fit(cells())
    assert list(encoder.get_feature_names_out()) == schema.feature_names
    assert list(encoder.feature_names_in_) == schema.columns
    frame = clone(encoder).set_output(transform="pandas").fit_transform(pd.DataFrame(needed()))
    assert list(frame.columns) == schema.feature_names
    np.testing.assert_array_equal(frame.to_numpy(), schema.encode(cells()))


def test_a_plan_takes_a_schema_for_the_features(schema: Schema) -> None:
    planned = southwell.plan(
        records=1000, schema=schema, loss="squared", penalty="l2", alpha=1, epsilon=1, delta=1e-6
    )
    assert len(planned.coef_noise_) == len(schema.feature_names) + 1
    assert planned.privacy_.unit == "all records with one who"


def test_scores_leave_out_missing_labels_and_call_unknown_ones_wrong() -> None:
    schema = {
        "fields": [
            {"name": "a", "type": "number", "constraints": {"minimum": 0, "maximum": 1}},
            {
                "name": "y",
                "type": "string",
                "constraints": {"enum": ["no", "yes"]},
                "southwell": {"role": "target"},
            },
        ]
    }
    table = {"a": [0.0, 1.0] * 500, "y": ["no", "yes"] * 500}
    model = southwell.PrivateLogisticRegression(epsilon=8, delta=1e-6, schema=schema).fit(table)
    assert model.score(table) == 1
    assert model.score({"a": [0.0, 0.0], "y": ["no", "perhaps"]}) == 0.5
    with pytest.warns(UserWarning, match="1 of 2 records"):
        assert model.score({"a": [0.0, 0.0], "y": ["no", None]}) == 1
