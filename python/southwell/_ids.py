"""Whose each record is: ids become text one by one, and are compared by it.

Ids are whole numbers or text. A container that declares floating numbers is refused for its type
alone: there one missing id makes 2**53 and 2**53 + 1 the same. A cell that is no id is missing, and
its record then belongs to nobody; nothing raises or warns because of a cell.
"""

from __future__ import annotations

import decimal
import math
import sys
import uuid
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from southwell import _core
from southwell._cells import text_of
from southwell._containers import array_of

_ACCEPTED = (
    "accepted are whole numbers and text, one for each record (floating numbers do not tell large "
    "ids apart; a missing id makes whole numbers floating in some containers: use text, or a type "
    "that has missing values)"
)
_DIGITS = 60  # of a decimal number that is an id
_LARGEST = 2**53  # up to here every whole number is a floating number of its own


def id_of(cell: Any) -> bytes | None:
    """The text of an id as bytes: 7, 7.0 and "7" are one id; None for what is none."""
    try:
        return _id_of(cell)
    except Exception:  # of an object that is not whole
        return None


def _id_of(cell: Any) -> bytes | None:
    kind = type(cell)
    text = text_of(cell)
    if text is None and issubclass(kind, int | np.integer):
        whole_number = int.__index__(cell) if issubclass(kind, int) else int(cell)
        try:
            text = str(whole_number)
        except ValueError:  # of thousands of digits
            text = hex(whole_number)
    elif text is None and (kind is float or issubclass(kind, np.floating)):
        whole = math.isfinite(cell) and cell == int(cell) and abs(cell) < _LARGEST
        text = str(int(cell)) if whole else None
    elif text is None and kind is decimal.Decimal:
        whole = cell.is_finite() and cell.adjusted() < _DIGITS and cell == cell.to_integral_value()
        text = str(int(cell)) if whole else None
    elif text is None and kind is uuid.UUID:
        text = str(cell)
    return None if text is None else text.encode("utf-8", "surrogatepass")


def units_of(given: Any, records: int) -> _core.Units:
    """Which records belong together, of ids in a list, an array or a column."""
    cells = _cells(given)
    if len(cells) != records:
        raise ValueError(
            "units: given another number of ids than there are records, accepted is one for each, "
            "None where there is none"
        )
    return _core.Units([id_of(cell) for cell in cells])


def checked_units(given: Any, table: Any, target: Any) -> _core.Units | None:
    """The units of a table with a target for each record; None where there are none.

    Where there are some, no message says how many records there are.
    """
    if given is None:
        check_consistent_length(table, target)
        return None
    if len(target) != table.shape[0]:
        raise ValueError("y: given another number of targets than there are records")
    return units_of(given, table.shape[0])


def _refusal(what: object) -> TypeError:
    return TypeError(f"units: given {what}, {_ACCEPTED}")


def _cells(given: Any) -> list[Any]:
    pandas, polars, arrow = map(sys.modules.get, ("pandas", "polars", "pyarrow"))
    if pandas is not None:
        if isinstance(given, pandas.Index | pandas.api.extensions.ExtensionArray):
            given = pandas.Series(given, copy=False)
        if isinstance(given, pandas.Series):
            return _of_pandas(given)
    if polars is not None and isinstance(given, polars.Series):
        return _of_polars(given)
    if arrow is not None:
        if isinstance(given, arrow.Array):
            given = arrow.chunked_array([given])
        if isinstance(given, arrow.ChunkedArray):
            return _of_arrow(given)
    array = array_of("units", given)
    if array is None:
        return list(given)
    return _of_numpy(array)


def _of_numpy(array: Any) -> list[Any]:
    if array.ndim != 1:
        raise ValueError(
            f"units: given an array of {array.ndim} dimensions, accepted is one id for each record"
        )
    if array.dtype.kind not in "iuUSTOb":
        raise _refusal(f"an array of {array.dtype.type.__name__}")
    cells: list[Any] = array.tolist()
    return cells


def _of_pandas(series: Any) -> list[Any]:
    pandas = sys.modules["pandas"]
    dtype = series.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        levels = [*_cells(dtype.categories), None]  # the code of a missing value is -1
        return [levels[code] for code in series.cat.codes.tolist()]
    arrow_text = isinstance(dtype, pandas.StringDtype) and dtype.storage == "pyarrow"
    if isinstance(dtype, pandas.ArrowDtype) or arrow_text:
        return _cells(series.array.__arrow_array__())
    if isinstance(dtype, np.dtype):
        return _of_numpy(series.to_numpy())
    if not isinstance(dtype, pandas.StringDtype) and getattr(dtype, "kind", "") not in tuple("iub"):
        raise _refusal(dtype)
    cells: list[Any] = series.tolist()
    return cells


def _of_polars(series: Any) -> list[Any]:
    polars = sys.modules["polars"]
    dtype = series.dtype
    text = (polars.String, polars.Categorical, polars.Enum)
    plain = (polars.Binary, polars.Object, polars.Boolean, polars.Null, polars.Decimal)
    if dtype in text:
        series = series.cast(polars.String)  # by value: a code is a place in a list
    elif not (dtype.is_integer() or dtype in plain):
        raise _refusal(dtype.base_type().__name__)
    cells: list[Any] = series.to_list()
    return cells


def _of_arrow(column: Any) -> list[Any]:
    arrow = sys.modules["pyarrow"]
    is_a, kind = arrow.types, column.type
    if is_a.is_dictionary(kind):
        return _of_arrow(column.cast(kind.value_type))
    if is_a.is_string(kind) or is_a.is_large_string(kind) or is_a.is_string_view(kind):
        column = column.cast(arrow.large_binary())  # broken text raises, bytes do not
    elif not (
        is_a.is_integer(kind)
        or is_a.is_decimal(kind)
        or is_a.is_binary(kind)
        or is_a.is_large_binary(kind)
        or is_a.is_boolean(kind)
        or is_a.is_null(kind)
    ):
        raise _refusal(kind)
    cells: list[Any] = column.to_pylist()
    return cells
