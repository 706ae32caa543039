"""What a user hands over as X or y: its form is checked, its cells are read one by one.

Form is what a container declares: its type, its shape, the types and the names of its columns. It
alone is refused, without a look at a record. A message never shows a cell.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.exceptions import DataConversionWarning

from southwell._cells import (
    Cells,
    Coded,
    Column,
    Levels,
    Numbers,
    Places,
    Typed,
    truth_values,
)

Wanted = Literal["numbers", "labels"]
_ACCEPTED = {
    "numbers": "numbers and truth values",
    "labels": "numbers, truth values and text",
}
_NUMERIC = "biuf"
_TEXT = "UST"


def is_frame(given: object) -> bool:
    """Whether it is a table whose columns have names and types of their own."""
    pandas, polars, arrow = map(sys.modules.get, ("pandas", "polars", "pyarrow"))
    return (
        (pandas is not None and isinstance(given, pandas.DataFrame))
        or (polars is not None and isinstance(given, polars.DataFrame))
        or (arrow is not None and isinstance(given, arrow.Table | arrow.RecordBatch))
    )


def table_of(given: Any, features: object = None) -> Any:
    """X as float64 or float32: an array of two dimensions, or a sparse array.

    Parameters
    ----------
    given : array, sparse array, frame or list of rows
        float64 and float32 are shared, not copied.
    features : int, optional
        How many a row of a list has, where that is declared.
    """
    with np.errstate(all="ignore"):  # what is rounded on the way is nobody's business
        if issparse(given):
            return _sparse(given)
        if is_frame(given):
            whole = _whole_frame(given)
            return _side_by_side(given) if whole is None else whole
        polars = sys.modules.get("polars")
        if polars is not None and isinstance(given, polars.Series):
            raise TypeError(
                "X: given a polars Series, accepted are arrays, frames and lists of rows"
            )
        array = array_of("X", given)
        if array is None:
            return _from_rows(given, features)
        if array.ndim != 2:
            raise ValueError(
                f"X: given an array with ndim {array.ndim}, accepted is 2: a row for each "
                "record and a column for each feature. Reshape your data by reshape(-1, 1) if "
                "there is a single feature, or by reshape(1, -1) if there is a single record"
            )
        if array.dtype.kind == "O":
            return Cells(array.ravel().tolist()).numbers().reshape(array.shape)
        _refuse_unless_numeric("X", array.dtype)
        # What is no array may make one of another type for other records.
        return _as_floats(array) if isinstance(given, np.ndarray) else array.astype(np.float64)


def target_of(given: Any) -> Numbers:
    """The numbers of y, one for each record."""
    one = _only_column(given)
    with np.errstate(all="ignore"):  # what is rounded on the way is nobody's business
        return _column("y", one, "numbers").numbers()


def places_of(given: Any, levels: Levels) -> Places:
    """The place of each record's label in y among the declared classes."""
    one = _only_column(given)
    with np.errstate(all="ignore"):  # what is rounded on the way is nobody's business
        return _column("y", one, "labels").places(levels)


def _only_column(given: Any) -> Any:
    shape: tuple[int, ...] = getattr(given, "shape", ())
    if len(shape) != 2 or issparse(given):
        return given
    if shape[1] != 1:
        raise ValueError(
            f"y: given a table of {shape[1]} columns, accepted is one cell for each record. "
            "y should be a 1d array"
        )
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of "
        "y to (n_samples, ), for example using ravel().",
        DataConversionWarning,
        stacklevel=5,
    )
    return _columns(given)[0][1] if is_frame(given) else np.asanyarray(given)[:, 0]


def _refusal(name: str, what: object, wanted: Wanted) -> TypeError:
    return TypeError(f"{name}: given {what}, accepted are {_ACCEPTED[wanted]}")


def _refuse_unless_numeric(name: str, dtype: Any, wanted: Wanted = "numbers") -> None:
    what = f"an array of {dtype.type.__name__}"  # not how long its longest text is
    if dtype.kind == "c":
        raise ValueError(
            f"{name}: given {what}, accepted are {_ACCEPTED[wanted]}. Complex data not supported"
        )
    if dtype.kind not in _NUMERIC:
        raise _refusal(name, what, wanted)


def _as_floats(array: Any) -> Any:
    return array if array.dtype in (np.float64, np.float32) else array.astype(np.float64)


def _sparse(given: Any) -> Any:
    if given.ndim != 2:
        raise ValueError(
            f"X: given a sparse array of {given.ndim} dimensions, accepted are two. "
            "Reshape your data"
        )
    _refuse_unless_numeric("X", given.dtype)
    return _as_floats(given)


def array_of(name: str, given: Any) -> NDArray[Any] | None:
    """What declares itself an array, as NumPy's; None for what is a list of something."""
    if issparse(given):
        raise TypeError(f"{name}: given a sparse array, accepted is one cell for each record")
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError(f"{name}: given a masked array, accepted are arrays without a mask")
    if isinstance(given, np.matrix):
        raise TypeError(f"{name}: given numpy.matrix, accepted are arrays: numpy.asarray makes one")
    if hasattr(type(given), "__array__"):
        return np.asarray(given)
    if (
        isinstance(given, str | bytes | bytearray | Mapping)
        or not hasattr(type(given), "__len__")
        or not hasattr(type(given), "__getitem__")
    ):
        raise TypeError(
            f"{name}: given {type(given).__name__}, accepted are arrays, frames and lists"
        )
    return None


def _from_rows(given: Any, features: object) -> Numbers:
    """A list, tuple or array of one dimension is a row; any other record misses all its values.

    Where the number of features is declared, so does a row of another length. Otherwise the length
    of rows is form, and the same for all.
    """
    rows = [_cells_of_row(row) for row in given]
    if isinstance(features, int | np.integer):
        width = int(features)
    else:
        widths = {len(row) for row in rows if row is not None}
        if not widths:
            raise ValueError(
                "X: given a list without a row, accepted is a list of rows, each a list of cells. "
                "Reshape your data"
            )
        if len(widths) != 1:
            raise ValueError(
                "X: given a list whose rows are not all of one length, accepted are rows of equal "
                "length, one for each record. Reshape your data"
            )
        (width,) = widths
    missing = [None] * width
    cells = chain.from_iterable(
        missing if row is None or len(row) != width else row for row in rows
    )
    return Cells(list(cells)).numbers().reshape(len(rows), width)


def _cells_of_row(row: Any) -> list[Any] | tuple[Any, ...] | None:
    kind = type(row)
    if kind is list or kind is tuple:
        return row  # type: ignore[no-any-return]
    if kind is np.ndarray and row.ndim == 1 and row.dtype.kind not in "mM":
        return row.tolist()  # type: ignore[no-any-return]  # times would be whole numbers there
    return None


def _column(name: str, given: Any, wanted: Wanted) -> Column:
    pandas, polars, arrow = map(sys.modules.get, ("pandas", "polars", "pyarrow"))
    if pandas is not None:
        if isinstance(given, pandas.Index | pandas.api.extensions.ExtensionArray):
            given = pandas.Series(given, copy=False)
        if isinstance(given, pandas.Series):
            return _of_pandas(name, given, wanted)
    if polars is not None and isinstance(given, polars.Series):
        return _of_polars(name, given, wanted)
    if arrow is not None:
        if isinstance(given, arrow.Array):
            given = arrow.chunked_array([given])
        if isinstance(given, arrow.ChunkedArray):
            return _of_arrow(name, given, wanted)
    array = array_of(name, given)
    return _of_list(given) if array is None else _of_numpy(name, array, wanted)


def _of_list(given: Any) -> Cells:
    # A row of one cell is that cell, whatever the other records are.
    one = (list, tuple)
    return Cells([cell[0] if type(cell) in one and len(cell) == 1 else cell for cell in given])


def _of_numpy(name: str, array: NDArray[Any], wanted: Wanted) -> Column:
    if array.ndim != 1:
        raise ValueError(
            f"{name}: given an array of {array.ndim} dimensions, accepted is one cell for each "
            "record"
        )
    kind = array.dtype.kind
    if kind == "O" or (kind in _TEXT and wanted == "labels"):
        return Cells(array.tolist())
    _refuse_unless_numeric(name, array.dtype, wanted)
    values = array.astype(np.float64, copy=False)
    return truth_values(values) if kind == "b" else Typed(values)


def _of_pandas(name: str, series: Any, wanted: Wanted) -> Column:
    pandas = sys.modules["pandas"]
    dtype = series.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        levels = dtype.categories
        # Objects and complex numbers are there where one record made them so.
        mixed = isinstance(levels.dtype, np.dtype) and levels.dtype.kind in "Oc"
        values = Cells(levels.tolist()) if mixed else _of_pandas(name, levels.to_series(), wanted)
        return Coded(values, series.cat.codes.to_numpy(dtype=np.intp))
    if isinstance(dtype, pandas.ArrowDtype):
        return _column(name, series.array.__arrow_array__(), wanted)
    if isinstance(dtype, pandas.StringDtype) and wanted == "labels":
        if dtype.storage == "pyarrow":  # whose text may be broken, and then raises
            return _column(name, series.array.__arrow_array__(), wanted)
        return Cells(series.tolist())
    if isinstance(dtype, np.dtype | pandas.SparseDtype):
        return _of_numpy(name, np.asarray(series), wanted)
    if not pandas.api.types.is_numeric_dtype(dtype) or dtype.kind not in _NUMERIC:
        raise _refusal(name, dtype, wanted)
    values = series.to_numpy(dtype=np.float64, na_value=np.nan)
    return truth_values(values) if dtype.kind == "b" else Typed(values)


def _of_polars(name: str, series: Any, wanted: Wanted) -> Column:
    polars = sys.modules["polars"]
    dtype = series.dtype
    if dtype == polars.Object:
        return Cells(series.to_list())
    text = (polars.String, polars.Binary, polars.Categorical, polars.Enum)
    if dtype in text and wanted == "labels":
        # By value: a code is a place in a list that the records made.
        return Cells(
            series.cast(polars.Binary if dtype == polars.Binary else polars.String).to_list()
        )
    if not (dtype.is_numeric() or dtype in (polars.Boolean, polars.Null)):
        raise _refusal(name, dtype.base_type().__name__, wanted)
    values = series.cast(polars.Float64, strict=False).to_numpy()
    return truth_values(values) if dtype == polars.Boolean else Typed(values)


def _of_arrow(name: str, column: Any, wanted: Wanted) -> Column:
    arrow = sys.modules["pyarrow"]
    is_a, kind = arrow.types, column.type
    if is_a.is_dictionary(kind):
        return _of_arrow(name, column.cast(kind.value_type), wanted)
    if is_a.is_decimal(kind):
        return Cells(column.to_pylist())
    text = is_a.is_string(kind) or is_a.is_large_string(kind) or is_a.is_string_view(kind)
    if wanted == "labels" and (text or is_a.is_binary(kind) or is_a.is_large_binary(kind)):
        return Cells(column.cast(arrow.large_binary()).to_pylist())  # broken text raises, bytes not
    numeric = is_a.is_integer(kind) or is_a.is_floating(kind)
    if not (numeric or is_a.is_boolean(kind) or is_a.is_null(kind)):
        raise _refusal(name, kind, wanted)
    # Safe is to raise, with the value, where a whole number is rounded.
    values = column.cast(arrow.float64(), safe=False).to_numpy()
    return truth_values(values) if is_a.is_boolean(kind) else Typed(values)


def _columns(frame: Any) -> list[tuple[Any, Any]]:
    if hasattr(frame, "items"):
        return list(frame.items())
    if hasattr(frame, "iter_columns"):
        return [(series.name, series) for series in frame.iter_columns()]
    return list(zip(frame.schema.names, frame.columns))


def _whole_frame(frame: Any) -> Any:
    """The table of a frame whose columns are plain numbers, or sparse ones; None for another."""
    pandas, polars = map(sys.modules.get, ("pandas", "polars"))
    if polars is not None and isinstance(frame, polars.DataFrame):
        return frame.to_numpy() if set(frame.dtypes) == {polars.Float64} else None
    if pandas is None or not isinstance(frame, pandas.DataFrame) or not frame.shape[1]:
        return None
    dtypes = set(frame.dtypes)
    if all(isinstance(d, np.dtype) and d.kind in _NUMERIC for d in dtypes):
        common = np.result_type(*dtypes)
        both = (np.float64, np.float32)
        return frame.to_numpy(dtype=common if common in both else np.float64)
    if all(
        isinstance(d, pandas.SparseDtype) and d.subtype.kind in _NUMERIC and d.fill_value == 0
        for d in dtypes
    ):
        return _sparse(frame.sparse.to_coo())
    return None


def _side_by_side(frame: Any) -> Numbers:
    table = np.empty(frame.shape, order="F")
    for k, (name, column) in enumerate(_columns(frame)):
        table[:, k] = _column(f"X, column {name!r}", column, "numbers").numbers()
    return table
