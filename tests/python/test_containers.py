"""What a container declares is form; its cells are read one by one."""

import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest
import scipy.sparse

import southwell
from southwell._cells import MISSING, UNKNOWN, Levels, number_of
from southwell._containers import places_of, table_of, target_of
from tests.python.cell_cases import (
    CELLS,
    COLUMNS,
    PLACES,
    TABLES,
    Hostile,
    HostileFloat,
    HostileText,
    holding,
    records,
    rows,
)
from tests.python.estimator_cases import made

pytestmark = pytest.mark.filterwarnings("error")  # nobody hears of a cell


@pytest.mark.parametrize("name", list(CELLS))
def test_a_cell_is_its_number_or_missing(name: str) -> None:
    cell, number = CELLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as every container does
        np.testing.assert_array_equal(number_of(cell), number)
        assert np.isnan([number_of(array) for array in (np.array(1.0), np.ma.masked)]).all()


@pytest.mark.parametrize("container", list(TABLES))
@pytest.mark.parametrize("name", list(CELLS))
def test_a_cell_of_x_changes_no_other(name: str, container: str) -> None:
    cell, number = CELLS[name]
    table, _ = records()
    for place in PLACES:
        wanted = table.copy()
        wanted[place, 1] = number
        found = table_of(TABLES[container](holding(table, (place, 1), cell)))
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == np.float64


@pytest.mark.parametrize("container", list(COLUMNS))
@pytest.mark.parametrize("name", [name for name in CELLS if name not in ("list", "array")])
def test_a_target_changes_no_other(name: str, container: str) -> None:
    cell, number = CELLS[name]
    _, target = records()
    for place in PLACES:
        cells: list[Any] = target.tolist()
        cells[place], target[place] = cell, number
        found = target_of(COLUMNS[container](cells))
        np.testing.assert_array_equal(found, target)


def test_nobody_hears_what_a_cell_says() -> None:
    cell = HostileFloat(1.0)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        table_of([[cell]])
        table_of(np.array([[cell]], dtype=object))
        target_of([cell])
        places_of([cell], Levels([0, 1]))
    assert not heard


def test_a_record_that_is_no_row_misses_every_value() -> None:
    table, _ = records()
    for record in (None, "abcd", 5, {"a": 1}, Hostile(), np.datetime64(1, "s")):
        given: list[Any] = rows(table)
        given[3] = record
        wanted = table.copy()
        wanted[3] = np.nan
        np.testing.assert_array_equal(table_of(given), wanted)
    times = [np.array([1, 2], dtype="M8[ns]"), np.array(["3", "x"]), pandas.Series([1, pandas.NA])]
    np.testing.assert_array_equal(
        table_of(times), [[np.nan, np.nan], [3, np.nan], [np.nan, np.nan]]
    )
    with pytest.raises(ValueError, match="accepted are rows of equal length") as refused:
        table_of([[1.25, 2.5], [3.75]])
    assert not any(value in str(refused.value) for value in ("1.25", "2.5", "3.75"))


BIG = 2**53 + 1
FRAMES: dict[str, Any] = {
    "nullable": pandas.DataFrame(
        {
            "a": pandas.array([BIG, None], dtype="Int64"),
            "b": pandas.array([True, None], dtype="boolean"),
            "c": pandas.array([0.5, None], dtype="Float64"),
        }
    ),
    "Arrow in pandas": pandas.DataFrame(
        {
            "a": pandas.array([BIG, None], dtype="int64[pyarrow]"),
            "b": pandas.array([True, None], dtype="bool[pyarrow]"),
            "c": pandas.array([0.5, None], dtype="double[pyarrow]"),
        }
    ),
    "objects": pandas.DataFrame({"a": [BIG, None], "b": [True, None], "c": [0.5, None]}, dtype="O"),
    "categories": pandas.DataFrame(
        {"a": [BIG, None], "b": [True, None], "c": [0.5, None]}, dtype="O"
    ).astype("category"),
    "polars": polars.DataFrame({"a": [BIG, None], "b": [True, None], "c": [0.5, None]}),
    "Arrow": pyarrow.table({"a": [BIG, None], "b": [True, None], "c": [0.5, None]}),
    "Arrow's dictionaries": pyarrow.table(
        {
            "a": pyarrow.array([BIG, None]).dictionary_encode(),
            "b": [True, None],
            "c": pyarrow.array([Decimal("0.5"), None]),
        }
    ),
    "sparse": pandas.DataFrame(
        {
            "a": pandas.arrays.SparseArray([float(BIG), np.nan]),
            "b": [1.0, np.nan],
            "c": [0.5, np.nan],
        }
    ),
}


@pytest.mark.parametrize("name", list(FRAMES))
def test_columns_of_declared_numbers_are_taken_with_their_gaps(name: str) -> None:
    found = table_of(FRAMES[name])
    np.testing.assert_array_equal(found, [[2.0**53, 1, 0.5], [np.nan, np.nan, np.nan]])


def test_codes_are_never_values() -> None:
    codes = pandas.Series([70, 30, 70, None]).astype("category")
    np.testing.assert_array_equal(table_of(codes.to_frame("a"))[:, 0], [70, 30, 70, np.nan])
    np.testing.assert_array_equal(target_of(codes), [70, 30, 70, np.nan])
    unused = codes.cat.set_categories([90, 30, 70])
    assert places_of(unused, Levels([30, 70])).tolist() == [1, 0, 1, MISSING]
    mixed = pandas.Series([1, "2", "x"], dtype=object).astype("category")
    np.testing.assert_array_equal(target_of(mixed), [1, 2, np.nan])


def test_numbers_are_shared_and_sparse_stays_sparse() -> None:
    table, _ = records()
    for order in (table, np.asfortranarray(table), table.astype(np.float32)):
        assert table_of(order) is order
    frame = pandas.DataFrame(table)
    assert np.shares_memory(table_of(frame), frame.to_numpy())
    assert table_of(frame.astype(np.float32)).dtype == np.float32
    wide = pandas.DataFrame({"a": pandas.arrays.SparseArray([0, 5])})
    assert table_of(wide).toarray().tolist() == [[0.0], [5.0]]
    for layout in ("csr", "csc", "coo", "bsr", "dia", "dok", "lil"):
        found = table_of(scipy.sparse.coo_array(table).astype(np.float32).asformat(layout))
        assert found.dtype == np.float32
        assert found.format == layout


NO, NONE = UNKNOWN, MISSING
LEVELS: list[tuple[list[Any], list[Any], list[int]]] = [
    ([0, 1], [1, 1.0, "1", "1.0", True, np.int8(1), Decimal(1), b"1"], [1] * 8),
    ([0, 1], [0, "0", False, -0.0, "True", "one"], [0] * 4 + [1, NO]),
    (["0", "1"], [1, 1.0, "1", True, 0, "0", np.False_], [1] * 4 + [0] * 3),
    ([False, True], [True, "True", 1, "1", np.True_, "False", 0], [1] * 5 + [0] * 2),
    (["no", "yes"], ["yes", np.str_("yes"), b"yes", "YES", 1, None], [1] * 3 + [NO] * 2 + [NONE]),
    (["nan", "b"], ["nan", "b", np.nan, "", "x"], [0, 1, NONE, NONE, NO]),
    ([2**53, 0], [2**53 + 1, float(2**53), "9007199254740993"], [0, 0, 0]),
    ([1, 2, 3], [3, "2", 4, "four", pandas.NA, HostileText("3")], [2, 1, NO, NO, NONE, 2]),
]


@pytest.mark.parametrize(("classes", "cells", "places"), LEVELS)
def test_a_label_is_the_class_of_its_text_or_number(
    classes: list[Any], cells: list[Any], places: list[int]
) -> None:
    levels = Levels(classes)
    for container in COLUMNS.values():
        assert places_of(container(cells), levels).tolist() == places


def numpys(code: str) -> Callable[[list[Any]], Any]:
    return lambda cells: np.array(cells).astype(code)


def pandas_of(dtype: Any) -> Callable[[list[Any]], Any]:
    return lambda cells: pandas.Series(cells).astype(dtype)


TYPED: dict[str, Callable[[list[Any]], Any]] = {
    **{code: numpys(code) for code in
       ("?", "i1", "u8", "f2", "f4", "f8", "g", ">f8", "U", "S", "O")},
    **{dtype: pandas_of(dtype) for dtype in
       ("int64", "Int64", "float64", "Float64", "boolean", "string", "str", "category", "object",
        "int64[pyarrow]", "bool[pyarrow]", "string[pyarrow]", "Sparse[int64]")},
    "index": pandas.Index,
    "extension array": lambda cells: pandas.array(cells, dtype="Int64"),
    "polars": polars.Series,
    "polars text": lambda cells: polars.Series(map(str, cells)),
    "polars bool": lambda cells: polars.Series(cells).cast(polars.Boolean),
    "polars category": lambda cells: polars.Series(map(str, cells), dtype=polars.Categorical),
    "polars enum": lambda cells: polars.Series(map(str, cells), dtype=polars.Enum(["1", "0"])),
    "Arrow": pyarrow.array,
    "Arrow text": lambda cells: pyarrow.array(list(map(str, cells))),
    "Arrow chunks": lambda cells: pyarrow.chunked_array([cells[:3], cells[3:]]),
    "Arrow dictionary": lambda cells: pyarrow.array(list(map(str, cells))).dictionary_encode(),
    "Arrow decimal": lambda cells: pyarrow.array(list(map(Decimal, cells))),
}  # fmt: skip


@pytest.mark.parametrize("name", list(TYPED))
def test_every_container_of_labels_means_the_same(name: str) -> None:
    cells = [0, 1, 1, 0, 1]
    given = TYPED[name](cells)
    for classes in ([0, 1], ["0", "1"], [0.0, 1.0], [False, True], ["1", "0"]):
        wanted = [int(cell == int(float(classes[1]))) for cell in cells]
        assert places_of(given, Levels(classes)).tolist() == wanted
    assert max(places_of(given, Levels(["a", "b"]))) < 0


SECRET = "a person"
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "text": (lambda: np.array([[SECRET]]), "given an array of str_"),
    "bytes": (lambda: np.array([[SECRET.encode()]]), "given an array of bytes_"),
    "NumPy's new text": (
        lambda: np.array([[SECRET]], dtype=np.dtypes.StringDType()),
        "given an array of str",
    ),
    "times": (lambda: np.zeros((1, 1), "M8[s]"), "given an array of datetime64"),
    "spans": (lambda: np.zeros((1, 1), "m8[s]"), "given an array of timedelta64"),
    "complex": (lambda: np.full((1, 1), 1 + 918273j), "given an array of complex128"),
    "records": (lambda: np.zeros((1, 1), [("a", int)]), "given an array of void"),
    "masked": (lambda: np.ma.masked_equal(np.ones((1, 1)), 1), "given a masked array"),
    "sparse complex": (lambda: scipy.sparse.csr_array([[1j]]), "given an array of complex128"),
    "pandas text": (lambda: pandas.DataFrame({"name": [SECRET]}), "column 'name': given str"),
    "pandas string": (
        lambda: pandas.DataFrame({"name": [SECRET]}, dtype="string"),
        "column 'name': given string",
    ),
    "pandas category": (
        lambda: pandas.DataFrame({"name": [SECRET]}, dtype="category"),
        "column 'name': given str",
    ),
    "pandas time": (
        lambda: pandas.DataFrame({"day": pandas.to_datetime(["2020-02-03"])}),
        "column 'day': given an array of datetime64",
    ),
    "pandas zoned": (
        lambda: pandas.DataFrame({"day": pandas.to_datetime(["2020-02-03"], utc=True)}),
        "column 'day': given datetime64",
    ),
    "pandas interval": (
        lambda: pandas.DataFrame({"range": pandas.interval_range(918273, 918274)}),
        "column 'range': given interval",
    ),
    "polars text": (lambda: polars.DataFrame({"name": [SECRET]}), "column 'name': given String"),
    "polars enum": (
        lambda: polars.DataFrame({"name": polars.Series([SECRET], dtype=polars.Enum([SECRET]))}),
        "column 'name': given Enum",
    ),
    "Arrow text": (lambda: pyarrow.table({"name": [SECRET]}), "column 'name': given string"),
    "Arrow dictionary": (
        lambda: pyarrow.table({"name": pyarrow.array([SECRET]).dictionary_encode()}),
        "column 'name': given string",
    ),
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_is_declared_no_number_is_refused_by_form(name: str) -> None:
    make, words = REFUSED[name]
    given = make()
    whole = records()[0]
    for take in (
        lambda: made(southwell.PrivateLasso).fit(given, [1.0]),
        lambda: made(southwell.PrivateLasso).fit(whole, whole[:, 0]).predict(given),
        lambda: southwell.RowNormalizer().fit(given),
        lambda: southwell.PooledScaler(epsilon=1).fit(given),
    ):
        with pytest.raises((TypeError, ValueError), match=r"^X") as refused:
            take()
        said = str(refused.value)
        assert words in said
        assert "accepted are" in said
        assert SECRET not in said
        assert "918273" not in said
        assert "2020" not in said
