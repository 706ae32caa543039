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

DOUBLES = {name: cell for name, cell in NUMBERS.items() if isinstance(cell, float)}
INTEGERS = {**WHOLE, "17": 17}
BITS: dict[str, Cell] = {"True": True, "False": False}
SMALL: dict[str, Cell] = {"0": 0, "1": 1, "100": 100}
TEXTS: dict[str, Cell] = {
    name: cell for name, cell in CELLS.items() if type(cell) is str and "\0" not in cell
}
ENCODABLE = {name: cell for name, cell in TEXTS.items() if name != "surrogate"}
# Of these pandas makes objects or numbers; what it makes of complex numbers and dates is form.
INFERRED = {k: CELLS[k] for k in ("nan", "inf", "text", "None", "NA", "10**400", "dict", "object")}


def number(cell: Cell) -> float:
    """What a plain cell of the records that stay means; text and what is missing are no number."""
    if isinstance(cell, str):
        return {"0": 0.0, "no": 0.0, "1": 1.0, "yes": 1.0}.get(cell, math.nan)
    return float(cell) if isinstance(cell, int | float) else math.nan


def truth_value(cell: Cell) -> float:
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


def array(dtype: str, order: Any = "C") -> Callable[[Any], Any]:
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


def truths(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
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
    return lambda rows: kind(array(dtype)(rows))


def _duplicated(rows: list[Row]) -> Any:
    whole = sparse.coo_array(np.array(rows, dtype=float))
    twice = (np.tile(whole.row, 2), np.tile(whole.col, 2))
    with np.errstate(all="ignore"):
        return sparse.coo_array((np.tile(whole.data / 2, 2), twice), shape=whole.shape)


NULLABLE = {**DOUBLES, "NA": pd.NA, "None": None}
WITH_NONE = {**DOUBLES, "None": None}
TABLES = [
    Container("list of lists", list, CELLS, math.nan, rows=True),
    Container("tuple of tuples", lambda rows: tuple(tuple(row) for row in rows), CELLS, None),
    Container("list of tuples", lambda rows: [tuple(row) for row in rows], CELLS, "?"),
    Container("list of object arrays", lambda rows: [objects(row) for row in rows], CELLS, None),
    Container(
        "list of arrays", lambda rows: [np.array(row, float) for row in rows], DOUBLES, math.nan
    ),
    Container("objects", _object_rows, CELLS, None),
    Container("objects, Fortran order", _fortran_objects, CELLS, "x"),
    *(
        Container(f"{dtype}, {order} order", array(dtype, order), DOUBLES, math.nan)
        for dtype in ("f8", "f4", "f2", "g", ">f8")
        for order in ("C", "F")
    ),
    Container("f8, strided", _strided, DOUBLES, math.nan),
    Container("f8, backwards", _backwards, DOUBLES, math.nan),
    Container("f8, read only", _read_only, DOUBLES, math.nan),
    *(Container(dtype, array(dtype), SMALL) for dtype in ("i1", "i2", "i4")),
    Container("u8", array("u8"), SMALL, means=lambda cell: number(cell) % 2.0**64),
    Container("i8", array("i8"), INTEGERS),
    Container("i8, Fortran order", array("i8", "F"), INTEGERS),
    Container("bool", truths(array("?")), BITS, means=truth_value),
    Container("pandas object", _frame(object), CELLS, None),
    Container("pandas inferred", _inferred, INFERRED, math.nan),
    Container("pandas object and float64", _half_objects, CELLS, None),
    Container("pandas float64", _frame("float64"), DOUBLES, math.nan),
    Container("pandas float32", _frame("float32"), DOUBLES, math.nan),
    Container("pandas int64", _frame("int64"), INTEGERS),
    Container("pandas Float64", _frame("Float64"), NULLABLE, pd.NA),
    Container("pandas Int64", _frame("Int64"), {**INTEGERS, "NA": pd.NA}, pd.NA),
    Container(
        "pandas boolean", truths(_frame("boolean")), {**BITS, "NA": pd.NA}, means=truth_value
    ),
    Container("pandas double[pyarrow]", _frame("double[pyarrow]"), NULLABLE, pd.NA),
    Container("pandas int64[pyarrow]", _frame("int64[pyarrow]"), {"NA": pd.NA, "17": 17}, pd.NA),
    Container("pandas category of numbers", _category, {"2.0": 2.0, "nan": math.nan}, math.nan),
    Container("pandas Sparse", _frame(pd.SparseDtype("float64", 0.0)), DOUBLES, math.nan),
    Container("polars Float64", _polars(pl.Float64), WITH_NONE, None),
    Container("polars Float32", _polars(pl.Float32), WITH_NONE, None),
    Container("polars Int64", _polars(pl.Int64), {**INTEGERS, "None": None}, None),
    Container(
        "polars Boolean", truths(_polars(pl.Boolean)), {**BITS, "None": None}, means=truth_value
    ),
    Container("polars Object", _polars(pl.Object), CELLS, None),
    Container("Arrow double", _arrow(pa.float64()), WITH_NONE, None),
    Container("Arrow float", _arrow(pa.float32()), WITH_NONE, None),
    Container("Arrow int64", _arrow(pa.int64()), {**INTEGERS, "None": None}, None),
    Container(
        "Arrow halffloat", _arrow(pa.float16()), {"None": None, "inf": np.float16("inf")}, None
    ),
    Container("Arrow decimal", _arrow(pa.decimal128(20, 2)), {"17": 17, "None": None}, None),
    Container("Arrow chunked", _chunked, WITH_NONE, None),
    Container("Arrow bool", truths(_arrow(pa.bool_())), {**BITS, "None": None}, means=truth_value),
    *(
        Container(f"sparse {kind.__name__}", _sparse(kind), DOUBLES, math.nan)
        for kind in (
            *(sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.lil_array),
            *(sparse.dok_array, sparse.bsr_array, sparse.dia_array),
            *(sparse.csr_matrix, sparse.csc_matrix),
        )
    ),
    Container("sparse csr_array f4", _sparse(sparse.csr_array, "f4"), DOUBLES, math.nan),
    Container("sparse csc_array i8", _sparse(sparse.csc_array, "i8"), INTEGERS),
    Container("sparse coo_array, duplicates", _duplicated, DOUBLES, math.nan),
]
# Declared types that hold no numbers: refused from the declaration, whatever the cells are.
_DATES: dict[str, Cell] = {"2001": np.datetime64("2001-01-01"), "2002": np.datetime64("2002-02-02")}
_COMPLEX: dict[str, Cell] = {"1j": 1j, "complex nan": complex(math.nan, math.nan), "2": 2}


def _dated(make: Callable[[Any], Any]) -> Callable[[list[Row]], Any]:
    day = np.datetime64("2000-01-01")
    return lambda rows: make([[day if isinstance(x, int) else x for x in row] for row in rows])


REFUSED = [
    Container("NumPy text", lambda rows: np.array(rows, str), TEXTS),
    Container("NumPy bytes", lambda rows: np.array(rows, "S9"), {"bytes": b"1", "0": 0}),
    Container("complex", array("c16"), _COMPLEX),
    Container("datetime64", _dated(lambda rows: np.array(rows, "M8[D]")), _DATES),
    Container("masked", lambda rows: np.ma.masked_invalid(np.array(rows, float)), DOUBLES),
    Container("pandas string", _frame("string"), {**ENCODABLE, "NA": pd.NA}),
    Container("pandas complex", _frame("complex128"), _COMPLEX),
    Container("pandas datetime64", _dated(_frame("datetime64[s]")), _DATES),
    Container("polars String", _polars(pl.String), {**ENCODABLE, "None": None}),
    Container(
        "Arrow string", lambda rows: _arrow(pa.string())([[*map(str, r)] for r in rows]), ENCODABLE
    ),
]
