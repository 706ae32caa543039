"""Raw tables: the same bits from every container, and only their form is ever refused."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import southwell
from southwell import Schema, TableEncoder
from tests.python.table_cases import RECORDS, SCHEMA, TABLES, arrow, cells, needed, ridge, without


@pytest.fixture(scope="module")
def schema() -> Schema:
    return Schema.from_dict(SCHEMA)


@pytest.fixture(scope="module")
def encoded(schema: Schema) -> Any:
    return schema.encode(cells())


@pytest.mark.parametrize("name", TABLES)
def test_the_same_table_has_the_same_bits_in_every_container(
    name: str, schema: Schema, encoded: Any, tmp_path: Path
) -> None:
    features = schema.encode(TABLES[name](tmp_path))
    np.testing.assert_array_equal(features, encoded)
    assert np.count_nonzero(encoded) > RECORDS * 20


@pytest.mark.parametrize("name", TABLES)
def test_a_fit_is_the_same_from_every_container(name: str, tmp_path: Path) -> None:
    model = ridge().fit(TABLES[name](tmp_path))
    wanted = ridge().fit(cells())
    np.testing.assert_array_equal(model.coef_, wanted.coef_)
    assert model.privacy_.records == 60  # units
    assert model.privacy_.unit == "all records with one who"
    np.testing.assert_array_equal(model.predict(TABLES[name](tmp_path)), wanted.predict(cells()))
    assert model.score(TABLES[name](tmp_path)) == wanted.score(cells())


def test_what_other_programs_found_in_the_records_is_not_covered(tmp_path: Path) -> None:
    typed = {"pandas object", "pandas inferred", "polars", "pyarrow Table", "DuckDB", "parquet"}
    for name in [*typed, "csv", "dict of lists"]:
        words = ridge().fit(TABLES[name](tmp_path)).privacy_.not_covered
        assert any("another program" in line for line in words) == (name in typed), name


def test_threads_and_slices_change_no_bit(schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    many = {name: column * 700 for name, column in needed().items()}
    whole = schema.encode(many, threads=1)
    assert whole.shape == (140_000, len(schema.feature_names))
    monkeypatch.setattr(southwell._tables, "_AT_ONCE", 1001)
    np.testing.assert_array_equal(schema.encode(many, threads=3), whole)


def test_a_wide_schema_makes_sparse_features_from_the_schema_alone() -> None:
    wide = Schema.from_dict(
        {
            "fields": [
                {
                    "name": "text",
                    "type": "string",
                    "southwell": {"encode": "hash", "features": 4096},
                }
            ]
        }
    )
    assert wide.is_sparse
    found = wide.encode({"text": ["one two two", None, ""]})
    assert found.format == "csr"
    assert found.shape == (3, 4097)
    np.testing.assert_allclose(np.linalg.norm(found.toarray()[:, :4096], axis=1), [1, 0, 0])


BAD_FORMS: list[tuple[Any, type[Exception], str]] = [
    (np.zeros((3, 2)), TypeError, "table: given an array of shape"),
    ([[1, 2]], TypeError, "whose columns would have to be found in its records"),
    ([{"age": 1}], TypeError, "whose columns would have to be found in its records"),
    (pd.Series([1.0], name="age"), TypeError, "pandas Series"),
    (pl.Series("age", [1.0]), TypeError, "polars Series"),
    (pa.chunked_array([[1.0]]), TypeError, "ChunkedArray"),
    (pa.array([{"age": 1}]), TypeError, "StructArray"),
    (17, TypeError, "table: given 17"),
    ({"age": [1, 2]}, southwell.DataError, "columns of the schema are absent: 'income', 'region'"),
    (pd.DataFrame({"age": [1]}), southwell.DataError, "columns of the schema are absent"),
    (pl.DataFrame({"age": [1]}), southwell.DataError, "columns of the schema are absent"),
    (pl.LazyFrame({"age": [1]}), southwell.DataError, "columns of the schema are absent"),
    (pa.table({"age": [1]}), southwell.DataError, "columns of the schema are absent"),
    (needed() | {"age": [1]}, southwell.DataError, "columns of different lengths"),
    (needed() | {"age": "text"}, TypeError, "the column 'age': given str"),
    (needed() | {"age": np.zeros((200, 1))}, ValueError, "an array of 2 dimensions"),
    (needed() | {"age": np.zeros(200, "m8[s]")}, TypeError, "of the type timedelta64"),
    (needed() | {"age": np.zeros(200, "c16")}, TypeError, "of the type complex128"),
    (needed() | {"age": pa.array([[1]] * 200)}, southwell.DataError, "of the Arrow type '\\+l'"),
    (needed() | {"age": pl.Series([[1]] * 200)}, TypeError, "of the type List"),
    (needed() | {"age": pd.interval_range(0, 200)}, TypeError, "of the type interval"),
    (needed() | {"age": np.ma.zeros(200)}, TypeError, "a masked array"),
    ("no_such_file.csv", southwell.DataError, "No such file"),
    ("no_such_file.parquet", southwell.DataError, "No such file"),
    ("table.xlsx", southwell.DataError, "accepted are .csv"),
    ("table.parquet.gz", southwell.DataError, "accepted are .csv"),
    (".", southwell.DataError, "a directory"),
]


@pytest.mark.parametrize("k", range(len(BAD_FORMS)))
def test_a_form_that_is_wrong_is_refused_in_words(schema: Schema, k: int) -> None:
    table, kind, words = BAD_FORMS[k]
    with pytest.raises(kind, match=words):
        schema.encode(table)


def test_names_given_twice_are_refused_if_they_are_needed(schema: Schema) -> None:
    frame = pd.DataFrame(needed())
    twice = pd.concat([frame, frame[["visit" if "visit" in frame else "who"]]], axis=1)
    schema.encode(twice)  # nobody needs who
    with pytest.raises(southwell.DataError, match="the column name 'age' occurs twice"):
        schema.encode(pd.concat([frame, frame[["age"]]], axis=1))


def test_ids_in_a_floating_type_are_refused_for_the_type_alone() -> None:
    numbers = [float(k % 9) for k in range(RECORDS)]
    for ids in (np.array(numbers), pd.Series(numbers), pl.Series(numbers), pa.array(numbers)):
        for table in ({**cells(), "who": ids}, pd.DataFrame({**needed(), "who": pd.Series(ids)})):
            with pytest.raises(southwell.DataError, match="'who': ids of units in a floating type"):
                ridge().fit(table)
    for table in (
        pl.DataFrame({**needed(), "who": numbers}),
        pa.table({**needed(), "who": numbers}),
        duckdb.connect().from_arrow(pa.table({**needed(), "who": numbers})),
    ):
        with pytest.raises(southwell.DataError, match="'who': ids of units in a floating type"):
            ridge().fit(table)


def test_a_query_that_fails_is_reported_without_its_text(schema: Schema) -> None:
    secret = "a record's own words"
    source = pa.table({**needed(), "income": [secret] * RECORDS})
    lazy = pl.from_arrow(source).lazy().with_columns(pl.col("income").cast(pl.Float64))
    relation = (
        duckdb.connect()
        .from_arrow(source)
        .select("* exclude (income), cast(income as double) as income")
    )

    def failing() -> Any:
        yield arrow().drop_columns(["not needed"]).to_batches()[0]
        raise RuntimeError(secret)

    reader = pa.RecordBatchReader.from_batches(
        arrow().drop_columns(["not needed"]).schema, failing()
    )
    for table in (lazy, relation, reader):
        with pytest.raises(southwell.DataError, match="the program that makes it failed") as error:
            schema.encode(table)
        assert secret not in str(error.value)
        assert error.value.__context__ is None


def test_a_stream_can_be_read_once(schema: Schema) -> None:
    reader = arrow().to_reader()
    schema.encode(reader)
    assert schema.encode(reader).shape[0] == 0  # it is at its end


def test_nothing_is_said_of_cells(schema: Schema) -> None:
    odd: list[Any] = [None, "x", 1j, 10**400, float("nan"), b"\xff", "\ud800", object(), [1], {}]
    columns = dict.fromkeys(needed(), (odd * RECORDS)[:RECORDS])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = schema.encode(columns)
        ridge().fit(columns)
    assert np.isfinite(found).all()


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


CLASSES = {"name": "state", "constraints": {"enum": ["ill", "well", "gone"]}}
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
    model.set_params(schema=None).fit(np.eye(30, 3), np.ones(30))
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


def test_a_csv_with_another_delimiter(schema: Schema, encoded: Any, tmp_path: Path) -> None:
    text = TABLES["csv"](tmp_path).read_text()
    (tmp_path / "other.csv").write_text(text.replace(",", ";"))
    np.testing.assert_array_equal(schema.encode(tmp_path / "other.csv", delimiter=";"), encoded)
    with pytest.raises(ValueError, match="delimiter: given"):
        schema.encode(tmp_path / "other.csv", delimiter="--")
