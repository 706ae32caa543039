"""Every container that the Python shell takes, made from cells without looking at them together."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

from tests.doors.values import CELLS, NUMBERS, WHOLE, Cell, Row

_DOUBLES = {name: cell for name, cell in NUMBERS.items() if isinstance(cell, float)}
_INTEGERS = {**WHOLE, "17": 17}
_BITS: dict[str, Cell] = {"True": True, "False": False}
_SMALL: dict[str, Cell] = {"0": 0, "1": 1, "100": 100}
_WORDS: dict[str, Cell] = {
    name: cell for name, cell in CELLS.items() if type(cell) is str and "\0" not in cell
}
_ENCODABLE = {name: cell for name, cell in _WORDS.items() if name != "surrogate"}


# Of these pandas makes objects or numbers; what it makes of complex numbers and dates is form.
_INFERRED = {k: CELLS[k] for k in ("nan", "inf", "text", "None", "NA", "10**400", "dict", "object")}


def number(cell: Cell) -> float:
    """What a plain cell of the records that stay means; text and what is missing are no number."""
    if isinstance(cell, str):
        return {"0": 0.0, "no": 0.0, "1": 1.0, "yes": 1.0}.get(cell, math.nan)
    return float(cell) if isinstance(cell, int | float) else math.nan


def _truth(cell: Cell) -> float:
    return math.nan if math.isnan(number(cell)) else float(number(cell) > 0)


@dataclass(frozen=True)
class Container:
    """How cells are put together, which cells it can hold, and what is missing in it."""

    name: str
    make: Callable[[Any], Any]
    cells: Mapping[str, Cell]
    missing: Cell = 0
    spell: Callable[[int], Cell] = int  # targets: how it writes 0 and 1
    means: Callable[[Cell], float] = number  # what a fit is to understand of a cell
    rows: bool = False  # whether a record may be something else than a row


def objects(cells: Any) -> np.ndarray[Any, Any]:
    """An object array of exactly these cells: NumPy never sees them side by side."""
    out = np.empty(len(cells), dtype=object)
    for i, cell in enumerate(cells):
        out[i] = cell
    return out


def _object_rows(rows: list[Row]) -> np.ndarray[Any, Any]:
    out = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            out[i, j] = cell
    return out


def _array(dtype: str, order: Any = "C") -> Callable[[Any], Any]:
    def make(cells: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.array(cells).astype(dtype, order=order)

    return make


def _strided(rows: list[Row]) -> Any:
    wide = np.full((2 * len(rows), 2 * len(rows[0])), 99.0)
    wide[::2, ::2] = np.array(rows, dtype=float)
    return wide[::2, ::2]


def _backwards(rows: list[Row]) -> Any:
    return np.array(rows[::-1], dtype=float)[::-1]


def _read_only(rows: list[Row]) -> Any:
    out = np.asfortranarray(np.array(rows, dtype=float))
    out.flags.writeable = False
    return out


def _truths(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A container of truth values: of cells that are numbers, whether they are above 0."""

    def truth(cell: Cell) -> Cell:
        return cell > 0 if isinstance(cell, int) else cell

    def of(cells: Any) -> Any:
        nested = type(cells[0]) is list
        return make([[*map(truth, row)] for row in cells] if nested else [*map(truth, cells)])

    return of


def _fortran_objects(rows: list[Row]) -> Any:
    return np.asfortranarray(_object_rows(rows))


def _columns(rows: list[Row]) -> dict[str, list[Cell]]:
    return {name: [row[j] for row in rows] for j, name in enumerate("abc")}


def _frame(dtype: Any) -> Callable[[list[Row]], Any]:
    def make(rows: list[Row]) -> Any:
        columns = {}
        for name, cells in _columns(rows).items():
            # A declared type; pandas infers nothing.
            columns[name] = pd.Series(objects(cells) if dtype is object else cells, dtype=dtype)
        return pd.DataFrame(columns)

    return make


def _inferred(rows: list[Row]) -> Any:
    """As users make frames: one odd cell makes a column of numbers one of objects."""
    return pd.DataFrame(_columns(rows))


def _half_objects(rows: list[Row]) -> Any:
    frame = _frame(object)(rows)
    plain = [row[2] if type(row[2]) is int and abs(row[2]) < 9 else 0 for row in rows]
    frame["c"] = pd.Series(plain, dtype="float64")
    return frame


def _category(rows: list[Row]) -> Any:
    levels = pd.CategoricalDtype([-2.0, -1.0, 0.0, 1.0, 2.0])
    return pd.DataFrame({k: pd.Series(v, dtype=levels) for k, v in _columns(rows).items()})


def _polars(dtype: Any) -> Callable[[list[Row]], Any]:
    return lambda rows: pl.DataFrame(
        _columns(rows), schema=dict.fromkeys("abc", dtype), strict=False
    )


def _arrow(dtype: Any) -> Callable[[list[Row]], Any]:
    return lambda rows: pa.table({k: pa.array(v, dtype) for k, v in _columns(rows).items()})


def _chunked(rows: list[Row]) -> Any:
    parts = [_arrow(pa.float64())(part) for part in (rows[:5], rows[5:6], rows[6:])]
    return pa.concat_tables(parts)


def _sparse(kind: Callable[[Any], Any], dtype: str = "f8") -> Callable[[list[Row]], Any]:
    return lambda rows: kind(_array(dtype)(rows))


def _duplicated(rows: list[Row]) -> Any:
    whole = sparse.coo_array(np.array(rows, dtype=float))
    twice = (np.tile(whole.row, 2), np.tile(whole.col, 2))
    with np.errstate(all="ignore"):
        return sparse.coo_array((np.tile(whole.data / 2, 2), twice), shape=whole.shape)


_NAN = math.nan
_NULLABLE = {**_DOUBLES, "NA": pd.NA, "None": None}
_WITH_NONE = {**_DOUBLES, "None": None}

TABLES = [
    Container("list of lists", list, CELLS, _NAN, rows=True),
    Container("tuple of tuples", lambda rows: tuple(tuple(row) for row in rows), CELLS, None),
    Container("list of tuples", lambda rows: [tuple(row) for row in rows], CELLS, "?"),
    Container("list of object arrays", lambda rows: [objects(row) for row in rows], CELLS, None),
    Container(
        "list of arrays", lambda rows: [np.array(row, float) for row in rows], _DOUBLES, _NAN
    ),
    Container("objects", _object_rows, CELLS, None),
    Container("objects, Fortran order", _fortran_objects, CELLS, "x"),
    *(
        Container(f"{dtype}, {order} order", _array(dtype, order), _DOUBLES, _NAN)
        for dtype in ("f8", "f4", "f2", "g", ">f8")
        for order in ("C", "F")
    ),
    Container("f8, strided", _strided, _DOUBLES, _NAN),
    Container("f8, backwards", _backwards, _DOUBLES, _NAN),
    Container("f8, read only", _read_only, _DOUBLES, _NAN),
    *(Container(dtype, _array(dtype), _SMALL) for dtype in ("i1", "i2", "i4")),
    Container("u8", _array("u8"), _SMALL, means=lambda cell: number(cell) % 2.0**64),
    Container("i8", _array("i8"), _INTEGERS),
    Container("i8, Fortran order", _array("i8", "F"), _INTEGERS),
    Container("bool", _truths(_array("?")), _BITS, means=_truth),
    Container("pandas object", _frame(object), CELLS, None),
    Container("pandas inferred", _inferred, _INFERRED, _NAN),
    Container("pandas object and float64", _half_objects, CELLS, None),
    Container("pandas float64", _frame("float64"), _DOUBLES, _NAN),
    Container("pandas float32", _frame("float32"), _DOUBLES, _NAN),
    Container("pandas int64", _frame("int64"), _INTEGERS),
    Container("pandas Float64", _frame("Float64"), _NULLABLE, pd.NA),
    Container("pandas Int64", _frame("Int64"), {**_INTEGERS, "NA": pd.NA}, pd.NA),
    Container("pandas boolean", _truths(_frame("boolean")), {**_BITS, "NA": pd.NA}, means=_truth),
    Container("pandas double[pyarrow]", _frame("double[pyarrow]"), _NULLABLE, pd.NA),
    Container("pandas int64[pyarrow]", _frame("int64[pyarrow]"), {"NA": pd.NA, "17": 17}, pd.NA),
    Container("pandas category of numbers", _category, {"2.0": 2.0, "nan": _NAN}, _NAN),
    Container("pandas Sparse", _frame(pd.SparseDtype("float64", 0.0)), _DOUBLES, _NAN),
    Container("polars Float64", _polars(pl.Float64), _WITH_NONE, None),
    Container("polars Float32", _polars(pl.Float32), _WITH_NONE, None),
    Container("polars Int64", _polars(pl.Int64), {**_INTEGERS, "None": None}, None),
    Container(
        "polars Boolean", _truths(_polars(pl.Boolean)), {**_BITS, "None": None}, means=_truth
    ),
    Container("polars Object", _polars(pl.Object), CELLS, None),
    Container("Arrow double", _arrow(pa.float64()), _WITH_NONE, None),
    Container("Arrow float", _arrow(pa.float32()), _WITH_NONE, None),
    Container("Arrow int64", _arrow(pa.int64()), {**_INTEGERS, "None": None}, None),
    Container(
        "Arrow halffloat", _arrow(pa.float16()), {"None": None, "inf": np.float16("inf")}, None
    ),
    Container("Arrow decimal", _arrow(pa.decimal128(20, 2)), {"17": 17, "None": None}, None),
    Container("Arrow chunked", _chunked, _WITH_NONE, None),
    Container("Arrow bool", _truths(_arrow(pa.bool_())), {**_BITS, "None": None}, means=_truth),
    *(
        Container(f"sparse {kind.__name__}", _sparse(kind), _DOUBLES, _NAN)
        for kind in (
            *(sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.lil_array),
            *(sparse.dok_array, sparse.bsr_array, sparse.dia_array),
            *(sparse.csr_matrix, sparse.csc_matrix),
        )
    ),
    Container("sparse csr_array f4", _sparse(sparse.csr_array, "f4"), _DOUBLES, _NAN),
    Container("sparse csc_array i8", _sparse(sparse.csc_array, "i8"), _INTEGERS),
    Container("sparse coo_array, duplicates", _duplicated, _DOUBLES, _NAN),
]


def _series(dtype: Any) -> Callable[[list[Cell]], Any]:
    return lambda cells: pd.Series(objects(cells) if dtype is object else cells, dtype=dtype)


def _pl_series(dtype: Any) -> Callable[[list[Cell]], Any]:
    return lambda cells: pl.Series("target", cells, dtype=dtype, strict=False)


def _pa_array(dtype: Any) -> Callable[[list[Cell]], Any]:
    return lambda cells: pa.array(cells, dtype)


def _column(cells: list[Cell]) -> Any:
    return objects(cells)[:, np.newaxis]


_ANY_TARGETS = [
    Container("list", list, CELLS, None),
    Container("tuple", tuple, CELLS, "?"),
    Container("objects", objects, CELLS, None),
    Container("column of objects", _column, CELLS, None),
    Container("pandas object", _series(object), CELLS, None),
    Container("polars Object", _pl_series(pl.Object), CELLS, None),
    *(Container(dtype, _array(dtype), _DOUBLES, _NAN) for dtype in ("f8", "f4", "f2", ">f8")),
    *(Container(dtype, _array(dtype), _SMALL) for dtype in ("i1", "u8", "i4")),
    Container("i8", _array("i8"), _INTEGERS),
    Container("bool", _truths(_array("?")), _BITS, means=_truth),
    Container("pandas float64", _series("float64"), _DOUBLES, _NAN),
    Container("pandas Float64", _series("Float64"), _NULLABLE, pd.NA),
    Container("pandas Int64", _series("Int64"), {**_INTEGERS, "NA": pd.NA}, pd.NA),
    Container("pandas boolean", _truths(_series("boolean")), {**_BITS, "NA": pd.NA}, pd.NA),
    Container("pandas int64[pyarrow]", _series("int64[pyarrow]"), {"NA": pd.NA, "17": 17}, pd.NA),
    Container("polars Float64", _pl_series(pl.Float64), _WITH_NONE, None),
    Container("polars Int64", _pl_series(pl.Int64), {**_INTEGERS, "None": None}, None),
    Container("Arrow double", _pa_array(pa.float64()), _WITH_NONE, None),
    Container("Arrow int64", _pa_array(pa.int64()), {**_INTEGERS, "None": None}, None),
]


def _no_or_yes(value: int) -> Cell:
    return "yes" if value else "no"


_BROKEN: dict[str, Cell] = {"text": "x", "no UTF-8": b"caf\xe9", "NUL": "a\0b"}


def _broken_text(cells: list[Cell]) -> Any:
    """Text as a file of another program holds it: nobody has looked whether it is any."""
    words = [cell if isinstance(cell, bytes) else str(cell).encode() for cell in cells]
    plain = pa.array(words, pa.large_binary())
    text = pa.Array.from_buffers(pa.large_string(), len(plain), plain.buffers())
    return pd.Series(pd.array(pa.chunked_array([text]), dtype="str"))


TARGETS = [
    *_ANY_TARGETS,
    Container("list of text", list, CELLS, None, str),
]
LABELS = [
    *_ANY_TARGETS,
    Container("list of text", list, CELLS, None, str),
    Container("NumPy text of numbers", lambda cells: np.array(cells, str), _WORDS, "", str),
    Container(
        "NumPy text, once a list", lambda cells: np.array(list(map(str, cells))), _WORDS, "?"
    ),
    Container(
        "pandas string of numbers", _series("string"), {**_ENCODABLE, "NA": pd.NA}, pd.NA, str
    ),
]
WORDS = [
    Container("list", list, CELLS, None, _no_or_yes),
    Container("objects", objects, CELLS, 7, _no_or_yes),
    Container("NumPy text", lambda cells: np.array(cells, str), _WORDS, "", _no_or_yes),
    Container("pandas object", _series(object), CELLS, None, _no_or_yes),
    Container("pandas string", _series("string"), {**_ENCODABLE, "NA": pd.NA}, pd.NA, _no_or_yes),
    Container("pandas str", _series("str"), {**_ENCODABLE, "None": None}, None, _no_or_yes),
    Container(
        "pandas category",
        _series(pd.CategoricalDtype(["yes", "other", "no"])),
        {"other": "other", "None": None},
        None,
        _no_or_yes,
    ),
    Container(
        "polars String", _pl_series(pl.String), {**_ENCODABLE, "None": None}, None, _no_or_yes
    ),
    Container(
        "Arrow string", _pa_array(pa.string()), {**_ENCODABLE, "None": None}, None, _no_or_yes
    ),
    Container(
        "Arrow dictionary",
        lambda cells: pa.array(cells, pa.string()).dictionary_encode(),
        {**_ENCODABLE, "None": None},
        None,
        _no_or_yes,
    ),
]

# Declared types that hold no numbers: refused from the declaration, whatever the cells are.
_DATES: dict[str, Cell] = {"2001": np.datetime64("2001-01-01"), "2002": np.datetime64("2002-02-02")}
_COMPLEX: dict[str, Cell] = {"1j": 1j, "complex nan": complex(math.nan, math.nan), "2": 2}


def _dated(make: Callable[[Any], Any]) -> Callable[[list[Row]], Any]:
    day = np.datetime64("2000-01-01")
    return lambda rows: make([[day if isinstance(x, int) else x for x in row] for row in rows])


REFUSED = [
    Container("NumPy text", lambda rows: np.array(rows, str), _WORDS),
    Container("NumPy bytes", lambda rows: np.array(rows, "S9"), {"bytes": b"1", "0": 0}),
    Container("complex", _array("c16"), _COMPLEX),
    Container("datetime64", _dated(lambda rows: np.array(rows, "M8[D]")), _DATES),
    Container("masked", lambda rows: np.ma.masked_invalid(np.array(rows, float)), _DOUBLES),
    Container("pandas string", _frame("string"), {**_ENCODABLE, "NA": pd.NA}),
    Container("pandas complex", _frame("complex128"), _COMPLEX),
    Container("pandas datetime64", _dated(_frame("datetime64[s]")), _DATES),
    Container("polars String", _polars(pl.String), {**_ENCODABLE, "None": None}),
    Container(
        "Arrow string", lambda rows: _arrow(pa.string())([[*map(str, r)] for r in rows]), _ENCODABLE
    ),
]
