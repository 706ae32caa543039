"""What a target may come in: numbers, labels and words."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from tests.doors.containers import (
    BITS,
    DOUBLES,
    ENCODABLE,
    INTEGERS,
    NULLABLE,
    SMALL,
    TEXTS,
    WITH_NONE,
    Container,
    array,
    objects,
    truth_value,
    truths,
)
from tests.doors.values import CELLS, Cell


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
    *(Container(dtype, array(dtype), DOUBLES, math.nan) for dtype in ("f8", "f4", "f2", ">f8")),
    *(Container(dtype, array(dtype), SMALL) for dtype in ("i1", "u8", "i4")),
    Container("i8", array("i8"), INTEGERS),
    Container("bool", truths(array("?")), BITS, means=truth_value),
    Container("pandas float64", _series("float64"), DOUBLES, math.nan),
    Container("pandas Float64", _series("Float64"), NULLABLE, pd.NA),
    Container("pandas Int64", _series("Int64"), {**INTEGERS, "NA": pd.NA}, pd.NA),
    Container("pandas boolean", truths(_series("boolean")), {**BITS, "NA": pd.NA}, pd.NA),
    Container("pandas int64[pyarrow]", _series("int64[pyarrow]"), {"NA": pd.NA, "17": 17}, pd.NA),
    Container("polars Float64", _pl_series(pl.Float64), WITH_NONE, None),
    Container("polars Int64", _pl_series(pl.Int64), {**INTEGERS, "None": None}, None),
    Container("Arrow double", _pa_array(pa.float64()), WITH_NONE, None),
    Container("Arrow int64", _pa_array(pa.int64()), {**INTEGERS, "None": None}, None),
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
    Container("NumPy text of numbers", lambda cells: np.array(cells, str), TEXTS, "", str),
    Container("NumPy text, once a list", lambda cells: np.array(list(map(str, cells))), TEXTS, "?"),
    Container(
        "pandas string of numbers", _series("string"), {**ENCODABLE, "NA": pd.NA}, pd.NA, str
    ),
]
WORDS = [
    Container("list", list, CELLS, None, _no_or_yes),
    Container("objects", objects, CELLS, 7, _no_or_yes),
    Container("NumPy text", lambda cells: np.array(cells, str), TEXTS, "", _no_or_yes),
    Container("pandas object", _series(object), CELLS, None, _no_or_yes),
    Container("pandas string", _series("string"), {**ENCODABLE, "NA": pd.NA}, pd.NA, _no_or_yes),
    Container("pandas str", _series("str"), {**ENCODABLE, "None": None}, None, _no_or_yes),
    Container(
        "pandas category",
        _series(pd.CategoricalDtype(["yes", "other", "no"])),
        {"other": "other", "None": None},
        None,
        _no_or_yes,
    ),
    Container(
        "polars String", _pl_series(pl.String), {**ENCODABLE, "None": None}, None, _no_or_yes
    ),
    Container(
        "Arrow string", _pa_array(pa.string()), {**ENCODABLE, "None": None}, None, _no_or_yes
    ),
    Container(
        "Arrow dictionary",
        lambda cells: pa.array(cells, pa.string()).dictionary_encode(),
        {**ENCODABLE, "None": None},
        None,
        _no_or_yes,
    ),
]
