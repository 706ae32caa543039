"""Cells become numbers or classes one by one: no record changes what another one is.

Nothing here raises or warns because of a cell. What is no number is missing; what is no class is
unknown. A cell may be anything, an object with code of its own included.
"""

from __future__ import annotations

import decimal
import fractions
import math
import threading
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
    if not (hasattr(kind, "__float__") or hasattr(kind, "__index__")):
        return math.nan
    try:
        with _quietly():
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
