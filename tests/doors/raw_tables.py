"""Raw tables with a schema, one record of another value or type, in every container.

A record may hold anything in any column: wrong types, unknown levels, absurd dates, nothing, a
megabyte of text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from tests.doors.containers import DOUBLES, ENCODABLE, INFERRED, INTEGERS, objects
from tests.doors.table_schema import FIELDS, schema
from tests.doors.values import CELLS, PLACES, Cell

Make = Callable[[Any], Any]
Table = dict[str, list[Cell]]

_RECORDS = 12


def records() -> Table:
    """The records that stay, as text and numbers."""
    turns = range(_RECORDS)
    return {
        "age": [10 + 7 * i for i in turns],
        "income": [100.5 * i * i for i in turns],
        "rate": [i - 2.5 for i in turns],
        "region": [["north", "south", "elsewhere"][i % 3] for i in turns],
        "grade": [["low", "mid", "LOW", "high"][i % 4] for i in turns],
        "code": [1 + i % 3 for i in turns],
        "smoker": [i % 2 == 0 for i in turns],
        "joined": [f"2020-0{1 + i % 9}-1{i % 9}" for i in turns],
        "seen": [f"2021-03-04T{i:02}:30:00" for i in turns],
        "note": [f"word{i} another word" for i in turns],
        "skipped": [f"v{i}" for i in turns],
        "outcome": [100 * (i % 7) for i in turns],
        "label": [["no", "yes"][i % 2] for i in turns],
        "patient": [f"p{i}" for i in turns],
    }


@dataclass(frozen=True)
class Form:
    """How a table is put together, the odd column of it with a type of its own."""

    name: str
    make: Callable[[Table, str], Any]  # of the columns, and which of them is the odd one
    cells: Mapping[str, Cell]
    plain: Cell = None  # what the odd column holds otherwise; nothing: as the records are
    makes_ids: bool = True  # whether the odd column may be that of the units


_TEXT = "z " * 500_000
_ODD = {**CELLS, "a megabyte of text": _TEXT, "-99": -99, "absurd date": "9999-99-99"}
_WORDS: dict[str, Cell] = {**ENCODABLE, "a megabyte of text": _TEXT, "None": None, "-99": "-99"}
_NULLS: dict[str, Cell] = {**DOUBLES, "None": None}
_WHOLES: dict[str, Cell] = {**INTEGERS, "None": None, "-99": -99}
_MOMENTS: dict[str, Cell] = {
    "absurd": np.datetime64("9999-12-31", "s"),
    "NaT": np.datetime64("NaT", "s"),
    "before the calendar": np.datetime64(-(10**17), "s"),
    "beyond the calendar": np.datetime64(10**17, "s"),
    "2020": np.datetime64("2020-02-02", "s"),
}
_LISTED: dict[str, Cell] = {
    "text": "x",
    "17": 17,
    "1j": 1j,
    "a duration": pd.Timedelta(1),
    "a period": pd.Period("2020"),
    "an interval": pd.Interval(0, 1),
}
_TRUTHS: dict[str, Cell] = {"True": True, "False": False, "None": None}
_DAY = np.datetime64("2020-01-01", "s")


def _texts(cells: list[Cell]) -> list[Any]:
    return [str(cell) for cell in cells]


def _pandas(dtype: Any) -> Callable[[Table, str], Any]:
    def make(table: Table, odd: str) -> Any:
        columns = {name: pd.Series(objects(cells), dtype=object) for name, cells in table.items()}
        if dtype is not object:
            columns[odd] = pd.Series(table[odd], dtype=dtype)
        return pd.DataFrame(columns)

    return make


def _categories(table: Table, odd: str) -> Any:
    """As users make them: the list of categories is that of the records."""
    frame = _pandas(object)(table, odd)
    frame[odd] = pd.Series(table[odd], dtype="string").astype("category")
    return frame


def _numpy(dtype: Any) -> Callable[[Table, str], Any]:
    def make(table: Table, odd: str) -> Any:
        with np.errstate(all="ignore"):
            return {**table, odd: np.array(table[odd]).astype(dtype)}

    return make


def _arrow(kind: Any, then: Callable[[Any], Any] = lambda table: table) -> Callable[..., Any]:
    def make(table: Table, odd: str) -> Any:
        columns = {name: pa.array(_texts(cells)) for name, cells in table.items() if name != odd}
        cells = table[odd]
        if pa.types.is_timestamp(kind):
            cells = np.array(cells, dtype="M8[s]").view("i8").tolist()
        whole = pa.table({**columns, odd: pa.array(cells, kind)})
        return then(whole)

    return make


def _dictionary(table: Any) -> Any:
    return pa.table({name: table[name].dictionary_encode() for name in table.column_names})


def _chunked(table: Any) -> Any:
    return pa.concat_tables([table.slice(0, 5), table.slice(5, 1), table.slice(6)])


def _reader(table: Any) -> Any:
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=5))


def _polars(kind: Any, lazy: bool = False) -> Callable[[Table, str], Any]:
    def make(table: Table, odd: str) -> Any:
        columns = {name: pl.Series(_texts(cells)) for name, cells in table.items() if name != odd}
        columns[odd] = pl.Series(table[odd], dtype=kind, strict=False)
        frame = pl.DataFrame(columns)
        return frame.lazy() if lazy else frame

    return make


def _polars_moments(table: Table, odd: str) -> Any:
    """A column beside others that are lists."""
    counts = np.array(table[odd], dtype="M8[s]").view("i8")
    return {**table, odd: pl.Series(counts).cast(pl.Datetime("ms"))}


def _listed(table: Table, odd: str) -> Any:
    """The type of the list of categories is that of the one record that has any."""
    frame = _pandas(object)(table, odd)
    frame[odd] = frame[odd].astype("category")
    return frame


def _duckdb(table: Table, odd: str) -> Any:
    frame = _polars(pl.String)({name: _texts(cells) for name, cells in table.items()}, odd)
    return duckdb.connect().from_arrow(frame.to_arrow())


FORMS = [
    Form("dict of lists", lambda table, odd: table, _ODD),
    Form("dict of object arrays", lambda table, odd: {**table, odd: objects(table[odd])}, _ODD),
    Form("dict, float64", _numpy("f8"), DOUBLES, 1.0, makes_ids=False),
    Form("dict, float16", _numpy("f2"), DOUBLES, 1.0, makes_ids=False),
    Form("dict, int64", _numpy("i8"), INTEGERS, 1),
    Form("dict, bool", _numpy("?"), {"True": True}, False),
    Form("dict, datetime64[s]", _numpy("M8[s]"), _MOMENTS, _DAY),
    Form("pandas object", _pandas(object), _ODD),
    Form("pandas inferred", lambda table, odd: pd.DataFrame(table), INFERRED, makes_ids=False),
    Form("pandas string", _pandas("string"), _WORDS, "1"),
    Form("pandas string[python]", _pandas(pd.StringDtype("python")), _WORDS, "1"),
    Form("pandas category", _categories, _WORDS, "1"),
    Form("pandas category of one", _listed, _LISTED, pd.NA, makes_ids=False),
    Form("pandas Int64", _pandas("Int64"), {**_WHOLES, "NA": pd.NA}, 1),
    Form("pandas Float64", _pandas("Float64"), {**_NULLS, "NA": pd.NA}, 1.0, makes_ids=False),
    Form("pandas boolean", _pandas("boolean"), {**_TRUTHS, "NA": pd.NA}, True, makes_ids=False),
    Form("pandas datetime64[s]", _pandas("datetime64[s]"), _MOMENTS, _DAY),
    Form("pandas int64[pyarrow]", _pandas("int64[pyarrow]"), {"17": 17, "NA": pd.NA}, 1),
    Form("Arrow string", _arrow(pa.string()), _WORDS, "1"),
    Form("Arrow dictionaries", _arrow(pa.string(), _dictionary), _WORDS, "1"),
    Form("Arrow string_view", _arrow(pa.string_view()), _WORDS, "1"),
    Form("Arrow double, chunked", _arrow(pa.float64(), _chunked), _NULLS, 1.0, makes_ids=False),
    Form("Arrow int64, a reader", _arrow(pa.int64(), _reader), _WHOLES, 1),
    Form("Arrow timestamp", _arrow(pa.timestamp("s")), _MOMENTS, _DAY),
    Form("Arrow decimal", _arrow(pa.decimal128(38, 2)), {"17": 17, "None": None}, 1),
    Form("polars String", _polars(pl.String), _WORDS, "1"),
    Form("polars Float64, lazy", _polars(pl.Float64, lazy=True), _NULLS, 1.0, makes_ids=False),
    Form("polars Categorical", _polars(pl.Categorical), _WORDS, "1"),
    Form("dict, Datetime of polars", _polars_moments, _MOMENTS, _DAY),
    Form("DuckDB", _duckdb, {k: v for k, v in _WORDS.items() if k != "text with NUL"}, "1"),
]

_QUICK = {"epsilon": 1, "delta": 0, "iterations": 2, "refine": "off"}
_REFINED = {"epsilon": 1, "delta": 1e-5, "iterations": 2}
_NUMBER = schema("a number")
_LABEL = schema("two classes", column="label")
ADDING = "PrivateRidge, units may be added"
MAKERS: dict[str, Make] = {
    "PrivateLasso": lambda s: s.PrivateLasso(alpha=0.01, schema=_NUMBER, **_QUICK),
    "PrivateRidge": lambda s: s.PrivateRidge(solver="sgd", schema=_NUMBER, **_REFINED),
    "PrivateLogisticRegression": lambda s: s.PrivateLogisticRegression(schema=_LABEL, **_QUICK),
    "PrivateLinearSVC": lambda s: s.PrivateLinearSVC(schema=_LABEL, **_QUICK),
    "TableEncoder": lambda s: s.TableEncoder(_NUMBER),
    ADDING: lambda s: s.PrivateRidge(
        schema=schema("a number", "string"), relation="add_or_remove_one", records=10, **_QUICK
    ),
    f"{ADDING}, by whole numbers": lambda s: s.PrivateRidge(
        schema=schema("a number", "integer"), relation="add_or_remove_one", records=10, **_QUICK
    ),
}


@dataclass(frozen=True)
class Pair:
    """Two tables that differ in one record, and who is behind the door."""

    door: str
    behind: str
    cell: str
    at: int
    base: str  # what tells the first tables of other pairs from this one
    tables: tuple[Callable[[], Any], Callable[[], Any]]


def _changed(form: Form, column: str, at: int, cell: Cell) -> tuple[Table, Table]:
    before = records()
    if column == "patient":
        # Without an id it is nobody's record: with one there is a unit more.
        if form.plain == 1:
            before["patient"] = [k + 1000 for k in range(_RECORDS)]
        before["patient"][at] = None
    elif form.plain is not None:
        before[column] = [form.plain] * _RECORDS
    after = {name: list(cells) for name, cells in before.items()}
    after[column][at] = cell
    return before, after


def pairs() -> Iterator[Pair]:
    """Every form, with every cell it can hold in every column, behind one estimator after another.

    And a record that holds the cell in all columns, where the form has room for it.
    """
    behind = [name for name in MAKERS if not name.startswith(ADDING)]
    turn = 0
    for form in FORMS:
        for column in [field["name"] for field in FIELDS] + ["outcome", "label"]:
            for name, cell in form.cells.items():
                turn += 1
                at = list(PLACES.values())[turn % 3]
                before, after = _changed(form, column, at, cell)
                tables = (_made(form, before, column), _made(form, after, column))
                base = f"{column} {at}"
                who = behind[turn % len(behind)]
                yield Pair(f"table: {form.name}", who, name, at, base, tables)
                if form.plain is None and column == "age" and form.name != "pandas inferred":
                    full = {k: [*v[:at], cell, *v[at + 1 :]] for k, v in before.items()}
                    tables = (tables[0], _made(form, full, column))
                    yield Pair(f"table: {form.name}", who, name, at, base, tables)
        if form.makes_ids and any(cell is None for cell in form.cells.values()):
            for name, cell in form.cells.items():
                turn += 1
                at = list(PLACES.values())[turn % 3]
                before, after = _changed(form, "patient", at, cell)
                tables = (_made(form, before, "patient"), _made(form, after, "patient"))
                who = [ADDING, f"{ADDING}, by whole numbers"][turn % 2]
                yield Pair(f"table: {form.name}", who, name, at, f"patient {at}", tables)


def _made(form: Form, table: Table, column: str) -> Callable[[], Any]:
    return lambda: form.make(table, column)
