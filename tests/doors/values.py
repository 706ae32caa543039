"""Cells that no program expects, and the records around them."""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd

Cell = object
Row = list[Cell]


class Hostile:
    """Raises, with what it holds, whatever is asked of it."""

    def __float__(self) -> float:
        raise RuntimeError("the value of a record")

    __int__ = __index__ = __len__ = __iter__ = __float__
    __str__ = __repr__ = __bool__ = __array__ = __float__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("the value of a record")

    def __hash__(self) -> int:
        raise RuntimeError("the value of a record")


class Loud:
    """A number that is not quiet about it."""

    def __float__(self) -> float:
        warnings.warn("the value of a record", stacklevel=2)
        return 1.0


class EqualToAll(str):
    """Text that says it equals everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("1")


NUMBERS: dict[str, Cell] = {
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "1e308": 1e308,
    "-1e308": -1e308,
    "subnormal": 5e-324,
    "-0.0": -0.0,
    "0.5": 0.5,
    "17": 17,
    "True": True,
}
WHOLE: dict[str, Cell] = {"largest": 2**63 - 1, "smallest": -(2**63), "2^53 + 1": 2**53 + 1, "0": 0}
TYPES: dict[str, Cell] = {
    "text": "x",
    "no text": "",
    "text of a number": "2.5",
    "text of a class": "1",
    "text nan": "nan",
    "text 1e999": "1e999",
    "long text": "y" * 10_000,
    "text with NUL": "a\0b",
    "surrogate": "\ud800",
    "bytes": b"1",
    "None": None,
    "NA": pd.NA,
    "NaT": pd.NaT,
    "10**400": 10**400,
    "-10**400": -(10**400),
    "1j": 1j,
    "complex nan": complex(math.nan, math.nan),
    "list": [1.0, 2.0],
    "tuple": (1.0,),
    "dict": {"foo": "bar"},
    "array": np.array([1.0, 2.0]),
    "array of one": np.array([1.0]),
    "0-d array": np.array(1.0),
    "NumPy text": np.str_("z"),
    "NumPy float16": np.float16(math.inf),
    "datetime64": np.datetime64("2020-01-01"),
    "date": datetime.date(2020, 1, 1),
    "timestamp": pd.Timestamp("2020-01-01", tz="UTC"),
    "decimal": decimal.Decimal("1e400"),
    "decimal sNaN": decimal.Decimal("sNaN"),
    "fraction": fractions.Fraction(10**400, 3),
    "type": int,
    "object": Hostile(),
    "loud number": Loud(),
    "equal to all": EqualToAll("q"),
}
CELLS = NUMBERS | WHOLE | TYPES

# Records that are no row of three cells.
ROWS: dict[str, Cell] = {
    "None": None,
    "text": "abc",
    "bytes": b"abc",
    "number": 1.0,
    "dict": {"a": 1, "b": 2, "c": 3},
    "set": {1, 2, 3},
    "short": [1.0, 2.0],
    "long": [1.0, 2.0, 3.0, 4.0],
    "empty": [],
    "range": range(5),
    "two dimensions": np.ones((1, 3)),
    "Series": pd.Series([1.0, 2.0]),
    "object": Hostile(),
}

PLACES = {"first": 0, "middle": 4, "last": 11}
_FEATURES = [
    [1, -1, 2],
    [-2, 1, -1],
    [1, 0, 1],
    [2, 1, 0],
    [-1, 2, 1],
    [0, -1, 1],
    [1, 1, -2],
    [-1, 2, 0],
    [2, -1, -1],
    [1, 2, 1],
    [-2, -2, 2],
    [1, -1, 1],
]
_TARGET = [1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1]


def features(missing: Cell = 0) -> list[Row]:
    """The records that stay; `missing` stands where a container can hold a missing cell."""
    rows: list[Row] = [list(row) for row in _FEATURES]
    rows[2][1] = missing
    rows[7][0] = missing
    return rows


def target(spell: Callable[[int], Cell] = int, missing: Cell = 0) -> list[Cell]:
    """Labels or targets as `spell` writes 0 and 1; one of them may be missing."""
    cells: list[Cell] = [spell(value) for value in _TARGET]
    cells[5] = missing
    return cells
