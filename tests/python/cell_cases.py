"""Cells that a record may hold, and the containers of them."""

import uuid
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import polars
from numpy.typing import NDArray

from tests.python.estimator_cases import made

RECORDS, FEATURES = 60, 4
PLACES = [0, RECORDS // 2, RECORDS - 1]


class Hostile:
    """Everything that a table may ask a cell raises, also what no one would catch."""

    def _raise(self, *_: object) -> Any:
        raise SystemExit("a cell was heard")

    __float__ = __index__ = __eq__ = __hash__ = __len__ = __iter__ = __bool__ = _raise
    __str__ = __repr__ = __array__ = __gt__ = __getitem__ = __class__ = property(_raise)


class HostileClass(type):
    """Everything that a table may ask the class of a cell raises."""

    def __getattribute__(cls, name: str) -> Any:
        raise SystemExit("a cell was heard")


class OfHostileClass(metaclass=HostileClass):
    pass


class HostileText(str):
    __slots__ = ()

    def __float__(self) -> float:
        raise SystemExit("a cell was heard")

    def __eq__(self, other: object) -> bool:
        raise SystemExit("a cell was heard")

    def __hash__(self) -> int:
        raise SystemExit("a cell was heard")


class HostileFloat(float):
    def __float__(self) -> float:
        warnings.warn("a cell was heard", UserWarning, stacklevel=1)
        raise OverflowError("a cell was heard")

    def __gt__(self, other: object) -> bool:
        raise KeyboardInterrupt("a cell was heard")


MISSING_CELLS: dict[str, Any] = {
    "a person": "a person",
    "blank": "",
    "text that says so": "nan",
    "None": None,
    "NA": pandas.NA,
    "NaT": pandas.NaT,
    "complex": 1j,
    "NumPy's complex": np.complex64(1),
    "dict": {"foo": "bar"},
    "list": [1.0],
    "bytes": b"1",
    "NumPy's bytes": np.bytes_(b"1"),
    "array": np.array([1.0]),
    "time": np.datetime64(1, "ns"),
    "span": np.timedelta64(1, "ns"),
    "signalling": Decimal("sNaN"),
    "object": object(),
    "hostile object": Hostile(),
    "hostile class": OfHostileClass(),
    "half-made id": object.__new__(uuid.UUID),
    "hostile text": HostileText("a person"),
    "hostile number": HostileFloat(1.0),
}
NUMBER_CELLS: dict[str, tuple[Any, float]] = {
    "huge": (10**400, np.inf),
    "hugely negative": (-(10**400), -np.inf),
    "huge text": ("1e400", np.inf),
    "huge fraction": (Fraction(-(10**400)), -np.inf),
    "huge decimal": (Decimal("1e400"), np.inf),
    "huge long double": (np.longdouble("1e4000"), np.inf),
    "whole": (2**53 + 1, 2.0**53),
    "NumPy's whole": (np.uint64(2**64 - 1), 2.0**64),
    "text": (" 1.5 ", 1.5),
    "NumPy's text": (np.str_("1.5"), 1.5),
    "text with a hostile float": (HostileText("2.5"), 2.5),
    "float32": (np.float32(0.1), float(np.float32(0.1))),
    "True": (True, 1.0),
    "NumPy's True": (np.True_, 1.0),
    "decimal": (Decimal("0.1"), 0.1),
    "fraction": (Fraction(1, 3), 1 / 3),
}
NO_LABELS = ["a person", "None", "NA", "NaT", "complex", "dict", "time", "object", "hostile object",
             "hostile text"]  # fmt: skip
CELLS = {name: (cell, np.nan) for name, cell in MISSING_CELLS.items()} | NUMBER_CELLS


def records() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    table = np.random.default_rng(1).normal(size=(RECORDS, FEATURES))
    return table, 2 * table[:, 0] - table[:, 3]


def objects(table: NDArray[np.float64]) -> NDArray[np.object_]:
    return table.astype(object)


def holding(whole: NDArray[np.float64], at: Any, cell: object) -> NDArray[np.object_]:
    out = objects(whole)
    out[at] = cell
    return out


def objects_of(cells: list[Any]) -> NDArray[np.object_]:
    """By hand: NumPy would ask the cells what they are."""
    out = np.empty(len(cells), dtype=object)
    for i, cell in enumerate(cells):
        out[i] = cell
    return out


def polite(cells: list[Any]) -> list[Any]:
    """Without the cells that polars cannot hold."""
    hostile = (Hostile, OfHostileClass)
    return [object() if type(cell) in hostile else cell for cell in cells]


def rows(table: NDArray[Any]) -> list[list[Any]]:
    """By hand: NumPy lists the entries of arrays within arrays."""
    return [[table[i, k] for k in range(table.shape[1])] for i in range(table.shape[0])]


def fitted(estimator: Any, X: Any, y: Any, **inputs: Any) -> str:  # noqa: N803
    return str(made(estimator, epsilon=8, seed_for_tests=7, **inputs).fit(X, y).model_.to_json())


TABLES: dict[str, Callable[[NDArray[Any]], Any]] = {
    "objects": lambda table: table,
    "objects in Fortran order": np.asfortranarray,
    "lists": rows,
    "tuples": lambda table: tuple(tuple(row) for row in rows(table)),
    "lists of arrays": lambda table: list(table),
    "pandas": lambda table: pandas.DataFrame(table, columns=list("0123"), dtype=object),
    "pandas of one column": lambda table: pandas.DataFrame(
        {
            str(k): pandas.Series(table[:, k], dtype=object if k == 1 else float)
            for k in range(FEATURES)
        }
    ),
    "polars": lambda table: polars.DataFrame(
        [
            polars.Series(str(k), polite(list(table[:, k])), dtype=polars.Object)
            for k in range(FEATURES)
        ]
    ),
}


COLUMNS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "objects": objects_of,
    "pandas": lambda cells: pandas.Series(objects_of(cells), dtype=object),
    "polars": lambda cells: polars.Series(polite(cells), dtype=polars.Object),
}
