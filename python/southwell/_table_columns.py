"""The columns of a raw table, in slices, as the C++ takes them.

What a container declares of a column is form: a type that holds no single values is refused for
that alone. Cells without a declared type are converted one by one, by our own code: what other
programs make of them depends on the other cells, and their errors print cells.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from southwell import _core
from southwell._cells import moments_of
from southwell._containers import array_of
from southwell._words import shown

# The cells of a column from a place on, so many of them.
Slices = Callable[[int, int], _core.Column]

_ACCEPTED = "accepted are numbers, truth values, text, dates and moments"


def slices_of(name: str, column: Any) -> tuple[int, Slices]:
    """How many cells a column has, and its slices."""
    return _sliced(f"table: the column {shown(name)}", column)


def _sliced(where: str, column: Any) -> tuple[int, Slices]:
    pandas, polars, arrow = map(sys.modules.get, ("pandas", "polars", "pyarrow"))
    if pandas is not None:
        if isinstance(column, pandas.Index | pandas.api.extensions.ExtensionArray):
            column = pandas.Series(column, copy=False)
        if isinstance(column, pandas.Series):
            return len(column), _of_pandas(where, column)
    if polars is not None and isinstance(column, polars.Series):
        return len(column), _of_polars(where, column)
    if arrow is not None and isinstance(column, arrow.Array | arrow.ChunkedArray):
        return len(column), _of_arrow(where, column)
    array = array_of(where, column)
    if array is not None:
        if array.ndim != 1:
            raise ValueError(
                f"{where}: given an array of {array.ndim} dimensions, accepted is one cell for "
                "each record"
            )
        return len(array), _of_numpy(where, array)
    return len(column), _of_cells(list(column))


def _refusal(where: str, what: object) -> TypeError:
    return TypeError(f"{where}: of the type {what}, {_ACCEPTED}")


def _of_cells(cells: list[Any]) -> Slices:
    return lambda first, count: _core.mixed_column(cells[first : first + count])


def _of_numpy(where: str, array: Any) -> Slices:
    kind = array.dtype.kind
    if kind in "OUST":
        return lambda first, count: _core.mixed_column(array[first : first + count].tolist())
    has_no_unit = kind == "M" and np.datetime_data(array.dtype)[0] == "generic"
    if kind not in "biufM" or has_no_unit:
        raise _refusal(where, array.dtype.type.__name__)

    def of_slice(first: int, count: int) -> _core.Column:
        part = np.ascontiguousarray(array[first : first + count])
        part = part.astype(part.dtype.newbyteorder("="), copy=False)
        if kind == "M":
            return _core.moment_column(*moments_of(part))
        if kind == "f" and part.dtype.itemsize not in (4, 8):
            with np.errstate(all="ignore"):
                part = part.astype(np.float64)
        return _core.typed_column(part)

    return of_slice


def _of_pandas(where: str, series: Any) -> Slices:
    pandas = sys.modules["pandas"]
    dtype = series.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        return _of_categories(where, series)
    arrow_text = isinstance(dtype, pandas.StringDtype) and dtype.storage == "pyarrow"
    if isinstance(dtype, pandas.ArrowDtype) or arrow_text:
        return _of_arrow(where, series.array.__arrow_array__())
    if isinstance(dtype, pandas.StringDtype):
        return _of_numpy(where, series.to_numpy(dtype=object))
    if isinstance(dtype, pandas.DatetimeTZDtype):
        return _of_numpy(where, series.to_numpy(dtype=f"datetime64[{dtype.unit}]"))
    if isinstance(dtype, np.dtype | pandas.SparseDtype):
        return _of_numpy(where, np.asarray(series))
    if not hasattr(dtype, "numpy_dtype") or dtype.kind not in "biuf":
        raise _refusal(where, dtype)

    def of_slice(first: int, count: int) -> _core.Column:
        part = series.iloc[first : first + count]
        valid = np.packbits(~part.isna().to_numpy(dtype=bool), bitorder="little")
        return _core.typed_column(part.to_numpy(dtype=dtype.numpy_dtype, na_value=0), valid)

    return of_slice


def _of_categories(where: str, series: Any) -> Slices:
    """By value: a code is a place in a list that the records made, and so is the list's type."""
    listed = series.dtype.categories
    try:
        count_of_levels, levels = _sliced(where, listed)
        values = levels(0, count_of_levels)
    except (TypeError, _core.DataError):  # one record may have made it a list of durations
        values = _core.mixed_column(listed.astype(object).tolist())
    codes = series.cat.codes

    def of_slice(first: int, count: int) -> _core.Column:
        part = np.ascontiguousarray(codes.iloc[first : first + count].to_numpy())
        return _core.typed_column(part, None, values)

    return of_slice


def _of_polars(where: str, series: Any) -> Slices:
    polars = sys.modules["polars"]
    dtype = series.dtype
    if dtype.is_float():  # a declared type, which ids may not have
        return _of_numpy(where, series.cast(polars.Float64).to_numpy())
    if dtype in (polars.Date, polars.Datetime):  # Python has no moments beyond the year 9999
        unit = "D" if dtype == polars.Date else dtype.time_unit
        counts = series.to_physical().cast(polars.Int64).fill_null(np.iinfo(np.int64).min)
        return _of_numpy(where, counts.to_numpy().view(f"M8[{unit}]"))
    if dtype in (polars.Categorical, polars.Enum):
        series = series.cast(polars.String)
    elif dtype.is_nested() or dtype in (polars.Duration, polars.Time):
        raise _refusal(where, dtype.base_type().__name__)
    return lambda first, count: _core.mixed_column(series.slice(first, count).to_list())


def _of_arrow(where: str, column: Any) -> Slices:
    arrow = sys.modules["pyarrow"]

    def of_slice(first: int, count: int) -> _core.Column:
        part = column.slice(first, count)
        if isinstance(part, arrow.ChunkedArray):
            chunks = part.chunks or [arrow.array([], type=part.type)]
            part = chunks[0] if len(chunks) == 1 else arrow.concat_arrays(chunks)
        return _core.column_of_arrow(part.__arrow_c_array__(), where)

    return of_slice
