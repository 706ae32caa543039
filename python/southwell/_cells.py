"""Cells become numbers or classes one by one: no record changes what another one is.

Nothing here raises or warns because of a cell. What is no number is missing; what is no class is
unknown. A cell may be anything, an object with code of its own included.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
import sys
import threading
import uuid
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]

_TRUTHS = {"True": 1.0, "False": 0.0}
UNKNOWN = -1
MISSING = -2
_MOST_DIGITS = 4000  # Python writes no longer numbers
_EPOCH = datetime.datetime(1970, 1, 1)
_FIRST_MOMENT = -719_162 * 86_400_000_000
_PAST_LAST_MOMENT = 2_932_897 * 86_400_000_000
_NO_MOMENT = np.iinfo(np.int64).min  # how NumPy writes a moment that is missing
_SECONDS = {"W": 604_800, "D": 86_400, "h": 3600, "m": 60, "s": 1}
_PER_SECOND = {"ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12, "fs": 10**15, "as": 10**18}


_one_at_a_time = threading.Lock()  # warnings have one list of filters for all threads


@contextmanager
def _quietly() -> Iterator[None]:
    """Nobody hears what the code of a cell may warn of."""
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def number_of(cell: Any) -> float:
    """The number that a cell holds, or that its text reads as; NaN for everything else."""
    kind = type(cell)  # what an object says of its own class may be code
    if kind is float:
        return cell  # type: ignore[no-any-return]
    if kind is int or kind is bool:
        return _float_of(cell)
    if issubclass(kind, str):
        try:
            return float(str.__str__(cell))
        except ValueError:
            return math.nan
    if issubclass(kind, np.generic):
        # float() takes times for whole numbers, and the real part of a complex one.
        return float(cell) if cell.dtype.kind in "biuf" else math.nan
    if kind is decimal.Decimal or kind is fractions.Fraction:
        return _float_of(cell)
    return _number_of_foreign(kind, cell)


def _number_of_foreign(kind: type, cell: Any) -> float:
    """Of a cell with code of its own, which may do anything."""
    # float() takes the real part of a complex number, one entry of an array, and bytes for text.
    if issubclass(kind, complex | np.ndarray | bytes | bytearray):
        return math.nan
    try:
        with _quietly():
            if not (hasattr(kind, "__float__") or hasattr(kind, "__index__")):
                return math.nan
            return _float_of(cell)
    except BaseException:  # also of what ends a program: it is the cell's, not the user's
        return math.nan


def _float_of(cell: Any) -> float:
    try:
        return float(cell)
    except OverflowError:
        return math.inf if cell > 0 else -math.inf
    except ValueError:  # a signalling NaN
        return math.nan


def value_of(cell: Any) -> str | bytes | int | float | bool | tuple[int] | None:
    """What a cell of a raw table holds, in one of Python's own types; a moment is a tuple of one.

    None is missing. It is asked of cells that are not of such a type already, or too large for it.
    """
    try:
        return _value_of(cell)
    except BaseException:  # of a class with code of its own, of an object that is not whole
        return None


def _value_of(cell: Any) -> str | bytes | int | float | bool | tuple[int] | None:
    kind = type(cell)  # what an object says of its own class may be code
    if issubclass(kind, str):
        return str.__str__(cell).encode("utf-8", "surrogatepass")
    if issubclass(kind, bytes):
        return bytes.__getitem__(cell, slice(None))
    if issubclass(kind, np.generic):
        return _value_of_numpys(cell)
    if issubclass(kind, int):
        return _value_of_whole(int.__index__(cell))
    if kind is fractions.Fraction:
        return _value_of_whole(int(cell)) if cell.denominator == 1 else _rounded(cell)
    if kind is decimal.Decimal:
        near = cell.is_finite() and abs(cell.adjusted()) < _MOST_DIGITS
        if near and cell == cell.to_integral_value():
            return _value_of_whole(int(cell))
        number = _float_of(cell)
        return str(cell) if number.is_integer() else number  # no other's id, which 7 may be
    if kind is uuid.UUID:
        return str(cell)
    if kind is datetime.date:
        return ((datetime.date.toordinal(cell) - _EPOCH.toordinal()) * 86_400_000_000,)
    if kind is datetime.datetime or kind.__name__ in ("Timestamp", "NaTType"):
        return _moment_of(kind, cell)
    number = number_of(cell)
    return None if math.isnan(number) else number


def _rounded(cell: Any) -> float | None:
    """A number that may be more exact than a float: missing where that makes it another one's id.

    From 2**53 on no floating number is an id.
    """
    number = _float_of(cell)
    is_rounded = number.is_integer() and abs(number) < 2**53 and cell != number
    return None if is_rounded else number


def _value_of_whole(cell: int) -> str | int | float:
    if -(2**63) <= cell < 2**63:
        return cell
    if cell.bit_length() <= 3 * _MOST_DIGITS:
        try:
            return str(cell)
        except ValueError:  # Python may be told to write shorter ones alone
            pass
    return math.inf if cell > 0 else -math.inf


def _value_of_numpys(cell: Any) -> int | float | bool | str | tuple[int] | None:
    kind = cell.dtype.kind
    if kind == "b":
        return bool(cell)
    if kind in "iu":
        return _value_of_whole(int(cell))
    if kind == "f":
        return _rounded(cell)
    if kind != "M" or np.isnat(cell) or np.datetime_data(cell.dtype)[0] == "generic":
        return None
    counts, per_second = moments_of(np.array([cell]))
    return _within_calendar(int(counts[0]) * 1_000_000 // per_second)


def _within_calendar(moment: int) -> tuple[int] | None:
    """The years 1 to 9999, as in text."""
    return (moment,) if _FIRST_MOMENT <= moment < _PAST_LAST_MOMENT else None


def _moment_of(kind: type, cell: Any) -> tuple[int] | None:
    pandas = sys.modules.get("pandas")
    if pandas is not None and kind is pandas.Timestamp:
        found = _value_of_numpys(cell.to_datetime64())
        return found if isinstance(found, tuple) else None
    if kind is not datetime.datetime:
        return None
    try:
        with _quietly():  # a time zone may have code of its own
            if cell.tzinfo is not None:
                cell = (cell - cell.utcoffset()).replace(tzinfo=None)
            return _within_calendar((cell - _EPOCH) // datetime.timedelta(microseconds=1))
    except BaseException:
        return None


def moments_of(array: NDArray[Any]) -> tuple[NDArray[np.int64], int]:
    """An array of datetime64 as whole numbers from 1970 on, and how many of them are a second.

    What is missing, or far beyond any calendar, stays so.
    """
    unit, steps = np.datetime_data(array.dtype)
    if unit in ("Y", "M"):
        limit = 20_000 * (1 if unit == "Y" else 12)
        counts = array.view(np.int64)
        near = np.clip(counts, -limit // steps, limit // steps).view(array.dtype)
        return near.astype("datetime64[s]").view(np.int64), 1
    counts = array.view(np.int64)
    if unit in _SECONDS:
        factor = _SECONDS[unit] * steps
        return np.clip(counts, -(10**12) // factor, 10**12 // factor) * factor, 1
    per_second = _PER_SECOND[unit]
    if steps != 1:
        most = 2**62 // steps
        counts = np.clip(counts, -most, most) * steps
    if per_second > 10**9:
        none = counts == _NO_MOMENT
        counts = np.where(none, _NO_MOMENT, counts // (per_second // 10**9))
        per_second = 10**9
    return counts, per_second


def text_of(cell: Any) -> str | None:
    """The text that a label is compared by; None for a number and for what is no label."""
    kind = type(cell)
    if kind is str:
        return cell  # type: ignore[no-any-return]
    if issubclass(kind, str):
        return str.__str__(cell)
    if issubclass(kind, bytes):
        return bytes.decode(cell, "utf-8", "surrogateescape")
    return str(bool(cell)) if kind is bool or kind is np.bool_ else None


def _number_of_label(cell: Any) -> float:
    if issubclass(type(cell), str | bytes):
        text = text_of(cell)
        return _TRUTHS[text] if text in _TRUTHS else number_of(text)
    return number_of(cell)


class Levels:
    """The declared classes: which of them a label is.

    A label is the class of the same text, or else the class of the same number: 1, 1.0 and "1" are
    one level, and so are True and "True". Numbers are compared as float64.
    """

    def __init__(self, classes: Sequence[object]) -> None:
        self._texts: dict[str, int] = {}
        self._numbers: dict[float, int] = {}
        for place, label in enumerate(classes):
            text, number = text_of(label), _number_of_label(label)
            if text is None and math.isnan(number):
                raise TypeError(f"classes: given {label!r}, accepted are numbers and text")
            if text in self._texts or number in self._numbers:
                raise ValueError(
                    f"classes: given {label!r} and the same class before it, accepted is each "
                    "class once (1, 1.0 and '1' are one class, and so are True and 'True')"
                )
            if text is not None:
                self._texts[text] = place
            if not math.isnan(number):
                self._numbers[number] = place
        self._sorted = np.array(sorted(self._numbers), dtype=np.float64)
        self._places = np.array([self._numbers[x] for x in self._sorted], dtype=np.intp)

    def place(self, cell: object) -> int:
        """The place of a label among the classes, or UNKNOWN, or MISSING."""
        text = text_of(cell)
        if text is not None and text in self._texts:
            return self._texts[text]
        number = _number_of_label(cell)
        if not math.isnan(number):
            return self._numbers.get(number, UNKNOWN)
        return MISSING if text is None or text.strip().lower() in ("", "nan") else UNKNOWN

    def places(self, values: Numbers) -> Places:
        """The places of many numbers: those that `place` gives each of them."""
        out = np.where(np.isnan(values), MISSING, UNKNOWN).astype(np.intp)
        if not len(self._sorted):
            return out
        at = np.minimum(np.searchsorted(self._sorted, values), len(self._sorted) - 1)
        return np.where(self._sorted[at] == values, self._places[at], out)


@dataclass(frozen=True)
class Typed:
    """A column of numbers by its declared type; NaN is missing."""

    values: Numbers

    def numbers(self) -> Numbers:
        return self.values

    def places(self, levels: Levels) -> Places:
        return levels.places(self.values)


@dataclass(frozen=True)
class Cells:
    """A column of anything."""

    cells: list[Any]

    def numbers(self) -> Numbers:
        return np.fromiter(map(number_of, self.cells), np.float64, len(self.cells))

    def places(self, levels: Levels) -> Places:
        return np.fromiter(map(levels.place, self.cells), np.intp, len(self.cells))


@dataclass(frozen=True)
class Coded:
    """A column that names each value by its place in a list; -1 is missing."""

    values: Typed | Cells | Coded
    codes: NDArray[np.intp]

    def numbers(self) -> Numbers:
        return np.append(self.values.numbers(), np.nan)[self.codes]

    def places(self, levels: Levels) -> Places:
        return np.append(self.values.places(levels), MISSING)[self.codes]


Column = Typed | Cells | Coded


def truth_values(values: Numbers) -> Coded:
    """A column of the declared type bool from 0, 1 and NaN; a label may be the text True."""
    codes = np.where(np.isnan(values), -1, values).astype(np.intp)
    return Coded(Cells([False, True]), codes)
