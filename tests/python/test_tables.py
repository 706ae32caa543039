"""Raw tables: the same bits from every container, and only their form is ever refused."""

from __future__ import annotations

import datetime
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import southwell
from southwell import Schema
from tests.python.cell_cases import CELLS
from tests.python.table_cases import RECORDS, SCHEMA, TABLES, arrow, cells, needed, ridge


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
    tables: list[Any] = []
    for ids in (np.array(numbers), pd.Series(numbers), pl.Series(numbers), pa.array(numbers)):
        tables += [{**cells(), "who": ids}, pd.DataFrame({**needed(), "who": pd.Series(ids)})]
    tables.append(pl.DataFrame({**needed(), "who": numbers}))
    tables.append(pa.table({**needed(), "who": numbers}))
    tables.append(duckdb.connect().from_arrow(tables[-1]))
    for table in tables:
        with pytest.raises(southwell.DataError, match="'who': ids of units in a floating type"):
            ridge().fit(table)


def test_a_query_that_fails_is_reported_without_its_text(schema: Schema) -> None:
    secret = "a record's own words"
    source = pa.table({**needed(), "income": [secret] * RECORDS})
    lazy = pl.DataFrame(source).lazy().with_columns(pl.col("income").cast(pl.Float64))
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

    class Panic(BaseException):  # polars' are no Exception
        pass

    class Panicking:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            raise Panic(secret)

    for table in (lazy, relation, reader, Panicking()):
        with pytest.raises(southwell.DataError, match="the program that makes it failed") as error:
            schema.encode(table)
        assert secret not in str(error.value)
        assert error.value.__context__ is None


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", ["ms", "us", "ns", "D"])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_moment_beyond_the_calendar_is_missing_in_a_column_of_polars(
    unit: Any, sign: int, schema: Schema
) -> None:
    if unit == "D":
        column = pl.Series([18_000, sign * (2**31 - 1), None], dtype=pl.Int32).cast(pl.Date)
    else:
        counts = pl.Series([0, sign * (2**63 - 1), None], dtype=pl.Int64)
        column = counts.cast(pl.Datetime(unit, "Europe/Rome"))
    rows = {name: cells[:3] for name, cells in needed().items()}
    for name in ("day", "at"):
        found = schema.encode({**rows, name: column})
        np.testing.assert_array_equal(found, schema.encode(pl.DataFrame({**rows, name: column})))
        beyond = unit != "ns"  # of nanoseconds no count is
        assert found[:, schema.feature_names.index(f"{name}?")].tolist() == [0, beyond, 1]


@pytest.mark.parametrize("cell", [pd.Timedelta(1), pd.Period("2020"), pd.Interval(0, 1), 1j, "x"])
def test_one_record_never_makes_a_list_of_categories_that_is_refused(
    cell: Any, schema: Schema
) -> None:
    rows = {name: cells[:3] for name, cells in needed().items()}
    wanted = schema.encode({**rows, "age": [None] * 3})
    column = pd.Series([None, cell, None], dtype=object).astype("category")
    np.testing.assert_array_equal(schema.encode({**rows, "age": column}), wanted)
    np.testing.assert_array_equal(schema.encode(pd.DataFrame(rows).assign(age=column)), wanted)


def test_a_stream_can_be_read_once(schema: Schema) -> None:
    reader = arrow().to_reader()
    schema.encode(reader)
    assert schema.encode(reader).shape[0] == 0  # it is at its end


def test_nothing_is_said_of_cells(schema: Schema) -> None:
    odd: list[Any] = [cell for cell, _ in CELLS.values()]
    odd += [b"\xff", "\ud800", datetime.datetime.max, Decimal("1e-999"), Decimal(10) ** 3999]
    columns = dict.fromkeys(needed(), (odd * RECORDS)[:RECORDS])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = schema.encode(columns)
        ridge().fit(columns)
    assert np.isfinite(found).all()


def test_a_csv_with_another_delimiter(schema: Schema, encoded: Any, tmp_path: Path) -> None:
    text = TABLES["csv"](tmp_path).read_text()
    (tmp_path / "other.csv").write_text(text.replace(",", ";"))
    other = southwell.CsvFile(tmp_path / "other.csv", delimiter=";")
    np.testing.assert_array_equal(schema.encode(other), encoded)
    model, wanted = ridge().fit(other), ridge().fit(TABLES["csv"](tmp_path))
    np.testing.assert_array_equal(model.coef_, wanted.coef_)
    np.testing.assert_array_equal(model.predict(other), wanted.predict(cells()))
    assert model.score(other) == wanted.score(cells())


def test_a_csv_in_latin_1(tmp_path: Path) -> None:
    schema = Schema.from_dict(
        {"fields": [{"name": "ville", "type": "string", "constraints": {"enum": ["Orléans"]}}]}
    )
    (tmp_path / "old.csv").write_bytes("ville\nOrléans\n".encode("latin-1"))
    found = schema.encode(southwell.CsvFile(tmp_path / "old.csv", encoding="latin-1"))
    np.testing.assert_array_equal(found, schema.encode({"ville": ["Orléans"]}))
    spoilt = schema.encode(tmp_path / "old.csv")
    assert (spoilt != found).any()


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"delimiter": "--"}, ValueError, "delimiter: given '--', accepted is a single character"),
        ({"delimiter": "x"}, ValueError, "delimiter: given 'x', accepted is a comma"),
        ({"delimiter": 7}, TypeError, "delimiter: given 7, accepted is text"),
        ({"encoding": "utf-16"}, ValueError, "encoding: given 'utf-16', accepted is utf-8 or"),
        ({"path": "table.parquet"}, southwell.DataError, "path: given 'table.parquet', accepted"),
        ({"path": None}, TypeError, "path: given None"),
    ],
)
def test_a_csv_that_cannot_be_is_refused(
    schema: Schema, tmp_path: Path, given: Any, error: type[Exception], words: str
) -> None:
    file = southwell.CsvFile(**{"path": TABLES["csv"](tmp_path), **given})
    with pytest.raises(error, match=words):
        schema.encode(file)


@pytest.mark.parametrize("name", TABLES)
def test_a_day_read_as_words_is_its_text(name: str, tmp_path: Path) -> None:
    as_words = Schema.from_dict(
        {
            "fields": [
                {
                    "name": "day",
                    "type": "string",
                    "constraints": {"enum": ["2016-02-27", "2016-03-11"]},
                }
            ]
        }
    )
    found = as_words.encode(TABLES[name](tmp_path))
    np.testing.assert_array_equal(found[:3], [[0.5, -0.5, 0], [-0.5, 0.5, 0], [-0.5, -0.5, 0]])
    np.testing.assert_array_equal(found, as_words.encode(cells()))


@pytest.mark.filterwarnings("ignore:delta")
def test_whole_numbers_of_any_length_are_ids_and_numbers() -> None:
    wide = [2**64 - 1, str(2**64 - 2), Decimal(2**64), 2**53, f"{2**53 + 1}.0", 7, 7.0, "+07"]
    whole = Schema.from_dict(
        {
            "fields": [
                {"name": "u", "type": "integer", "southwell": {"role": "unit"}},
                {"name": "x", "type": "number", "constraints": {"minimum": 0, "maximum": 9}},
            ]
        }
    )
    table = {"u": wide, "x": [Decimal(10) ** 30] * len(wide)}
    fitted = southwell.PrivateRidge(epsilon=1, delta=1e-6, target_scale=1, schema=whole)
    assert fitted.fit(table, [1.0] * len(wide)).privacy_.records == 6
    assert (whole.encode(table) == [1, 0]).all()
