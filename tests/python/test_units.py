"""Several records of one person: ids from every container, and weights of classes."""

from __future__ import annotations

import enum
import re
import uuid
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import southwell
from southwell import _core
from southwell._ids import id_of, units_of
from tests.python.cell_cases import CELLS

Numbers = NDArray[np.float64]
BUDGET: dict[str, Any] = {"epsilon": 1, "delta": 1e-6}
RECORDS = 618


@pytest.fixture
def table() -> Numbers:
    return np.random.default_rng(5).normal(size=(RECORDS, 4))


@pytest.fixture
def labels(table: Numbers) -> NDArray[np.int64]:
    return (table[:, 0] + table[:, 1] > 0.8).astype(np.int64)


def ids(persons: int = 200) -> list[Any]:
    return [7 * (k % persons) for k in range(RECORDS)]


def tells(words: str, number: int) -> bool:
    """Whether a number stands there by itself, not among the digits of another."""
    return re.search(rf"(?<![\d.]){number}(?!\d|\.[1-9])", words) is not None


def classifier(**inputs: Any) -> southwell.PrivateLogisticRegression:
    return southwell.PrivateLogisticRegression(
        **BUDGET, classes=[0, 1], feature_scale=1, seed_for_tests=1, **inputs
    )


def same_ids() -> dict[str, Any]:
    """The same ids in every container that takes whole numbers or text."""
    whole = ids()
    text = [str(k) for k in whole]
    return {
        "list of int": whole,
        "list of str": text,
        "tuple": tuple(whole),
        "bytes": [t.encode() for t in text],
        "whole floats in a list": [float(k) for k in whole],
        "mixed cells": [t if k % 2 else k for k, t in zip(whole, text)],
        "int64": np.array(whole),
        "uint16": np.array(whole, dtype=np.uint16),
        "text array": np.array(text),
        "bytes array": np.array(text, dtype="S"),
        "objects": np.array(whole, dtype=object),
        "not contiguous": np.repeat(np.array(whole), 2)[::2],
        "pandas int": pd.Series(whole),
        "pandas nullable": pd.Series(whole, dtype="Int64"),
        "pandas text": pd.Series(text, dtype="string"),
        "pandas objects": pd.Series(text, dtype=object),
        "pandas category": pd.Series(text, dtype="category"),
        "pandas category of int": pd.Series(whole, dtype="category"),
        "pandas arrow": pd.Series(text, dtype=pd.ArrowDtype(pa.string())),
        "pandas index": pd.Index(whole),
        "polars int": pl.Series(whole),
        "polars decimal": pl.Series([Decimal(k) for k in whole]),
        "arrow decimal": pa.array([Decimal(k) for k in whole]),
        "polars text": pl.Series(text),
        "polars category": pl.Series(text, dtype=pl.Categorical),
        "arrow int": pa.array(whole),
        "arrow text": pa.chunked_array([pa.array(text)]),
        "arrow dictionary": pa.array(text).dictionary_encode(),
    }


@pytest.mark.parametrize("container", same_ids())
def test_the_same_ids_make_the_same_model_from_every_container(
    container: str, table: Numbers, labels: NDArray[np.int64]
) -> None:
    expected = classifier().fit(table, labels, units=ids()).model_.to_json()
    given = same_ids()[container]
    assert classifier().fit(table, labels, units=given).model_.to_json() == expected


def test_the_statement_speaks_of_units_and_never_of_the_number_of_records(
    table: Numbers, labels: NDArray[np.int64]
) -> None:
    made = southwell.PrivateLogisticRegression(**BUDGET, classes=[0, 1], unit="patient")
    fitted = made.fit(table, labels, units=ids(211))
    assert fitted.privacy_.unit == "all records with one patient"
    assert fitted.privacy_.records == 211
    assert fitted.privacy_.guarantee == "(1, 1e-06)-DP"
    statement: Any = fitted.privacy_  # whose page the stub does not have
    page = statement._repr_html_()
    for words in (str(fitted.privacy_), fitted.model_.to_json(), page):
        assert not tells(words, RECORDS)
        assert tells(words, 211)


def test_twice_as_many_rows_of_each_person_change_no_statement(
    table: Numbers, labels: NDArray[np.int64]
) -> None:
    once = classifier().fit(table, labels, units=ids())
    twice = classifier().fit(np.repeat(table, 2, axis=0), np.repeat(labels, 2), np.repeat(ids(), 2))
    assert str(once.privacy_) == str(twice.privacy_)
    assert np.allclose(once.coef_, twice.coef_, rtol=1e-4, atol=1e-4)


def test_without_units_nothing_has_changed(table: Numbers, labels: NDArray[np.int64]) -> None:
    expected = classifier().fit(table, labels)
    assert expected.privacy_.unit == "one record"
    alone = classifier().fit(table, labels, units=range(RECORDS))
    assert np.array_equal(alone.coef_, expected.coef_)


MISSING = [
    None,
    float("nan"),
    np.nan,
    pd.NA,
    pd.NaT,
    0.5,
    1e300,
    2.0**60,
    np.longdouble(2**50) + np.longdouble(2**-10),
    object(),
    [1],
    1j,
    Decimal("1e99"),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("cell", MISSING, ids=lambda cell: type(cell).__name__)
def test_a_cell_that_is_no_id_is_missing_and_its_record_counts_nothing(
    cell: Any, table: Numbers, labels: NDArray[np.int64]
) -> None:
    assert id_of(cell) is None
    given = ids()
    given[3] = cell
    without = ids()
    without[3] = None
    wild = table.copy()
    wild[3] = [np.inf, np.nan, 1e308, -1e308]
    expected = classifier().fit(table, labels, units=without).model_.to_json()
    assert classifier().fit(wild, 1 - labels * 0, units=given).model_ is not None
    assert classifier().fit(wild, labels, units=given).model_.to_json() == expected


class Kind(enum.IntEnum):
    SEVEN = 7


@pytest.mark.parametrize(
    "cell", [7, "7", b"7", 7.0, np.int8(7), np.float32(7), Kind.SEVEN, Decimal("7.0")]
)
def test_one_id_in_other_words_is_the_same(cell: Any) -> None:
    assert id_of(cell) == b"7"


def test_ids_are_compared_exactly() -> None:
    cells = [2**53, 2**53 + 1, 2**63, 2**64 + 1, 10**5000, 10**5000 + 1, "a", "A", " a", "a\0", ""]
    cells += [b"\xff", b"\xfe", "\ud800", uuid.UUID(int=1), uuid.UUID(int=2), "é", True, -1, 0]
    assert units_of(cells, len(cells)).count == len(cells)
    assert units_of(np.array([2**53, 2**53 + 1]), 2).count == 2
    assert units_of(pd.Series([2**53, 2**53 + 1, None], dtype="Int64"), 3).count == 2
    assert units_of(pl.Series([2**53, 2**53 + 1, None]), 3).count == 2
    assert units_of(pa.array([2**53, 2**53 + 1, None]), 3).count == 2


FORMS = {
    "float64": np.arange(float(RECORDS)),
    "float32": np.arange(RECORDS, dtype=np.float32),
    "pandas float": pd.Series([1, None] * (RECORDS // 2)),
    "pandas category of float": pd.Series([1.5, 2.5] * (RECORDS // 2), dtype="category"),
    "pandas nullable float": pd.Series([1.5] * RECORDS, dtype="Float64"),
    "pandas dates": pd.Series(pd.date_range("2020-01-01", periods=RECORDS)),
    "polars float": pl.Series([1.5] * RECORDS),
    "arrow float": pa.array([1.5] * RECORDS),
    "complex": np.zeros(RECORDS, dtype=complex),
    "dates": np.zeros(RECORDS, dtype="datetime64[s]"),
    "text": "a" * RECORDS,
    "dict": dict.fromkeys(range(RECORDS), 1),
    "masked": np.ma.masked_array(np.arange(RECORDS)),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_container_that_declares_no_ids_is_refused_by_its_type(
    form: str, table: Numbers, labels: NDArray[np.int64]
) -> None:
    with pytest.raises(TypeError, match=r"units: given .*, accepted"):
        classifier().fit(table, labels, units=FORMS[form])


def test_another_number_of_ids_is_refused_without_saying_how_many(
    table: Numbers, labels: NDArray[np.int64]
) -> None:
    for given in (ids()[1:], np.zeros((RECORDS, 2), dtype=int)):
        with pytest.raises(ValueError, match="units: given") as refused:
            classifier().fit(table, labels, units=given)
        assert str(RECORDS) not in str(refused.value)
        assert str(RECORDS - 1) not in str(refused.value)
    with pytest.raises(ValueError, match="y: given a table of 2 columns") as refused:
        classifier().fit(table, np.zeros((RECORDS, 2)), units=ids())
    assert str(RECORDS) not in str(refused.value)
    with pytest.raises(ValueError, match="y: given another number") as refused:
        classifier().fit(table, labels[1:], units=ids())
    assert str(RECORDS) not in str(refused.value)


def test_what_units_are_not_for_is_refused(table: Numbers, labels: NDArray[np.int64]) -> None:
    with pytest.raises(ValueError, match="unit: given 'patient', which is only valid with data"):
        classifier(unit="patient").fit(table, labels)
    with pytest.raises(ValueError, match="batch_size: given 10, with data that have units"):
        classifier(solver="sgd", batch_size=10).fit(table, labels, units=ids())
    with pytest.raises(ValueError, match=r"units: given with the data, .* mode certified"):
        classifier(mode="paper").fit(table, labels, units=ids())
    with pytest.raises(southwell.DataError, match="no record with an id"):
        classifier().fit(table, labels, units=[None] * RECORDS)


def test_weights_of_classes_are_taken_as_scikit_learn_has_them(
    table: Numbers, labels: NDArray[np.int64]
) -> None:
    expected = classifier(class_weight=[1, 3]).fit(table, labels)
    for given in ({1: 3}, {0: 1, 1: 3}, {"1": 3.0}, (2, 6), np.array([0.5, 1.5])):
        fitted = classifier(class_weight=given).fit(table, labels)
        assert np.array_equal(fitted.coef_, expected.coef_), given
    assert expected.privacy_.public_inputs["class_weight"]["value"] == [1, 3]
    plain = classifier().fit(table, labels)
    assert not np.array_equal(plain.coef_, expected.coef_)
    assert expected.predict(table).mean() > plain.predict(table).mean()


def test_weights_of_words_are_found_by_their_labels(
    table: Numbers, labels: NDArray[np.int64]
) -> None:
    words = np.array(["healthy", "ill"])[labels]
    made = southwell.PrivateLinearSVC(
        **BUDGET, classes=["healthy", "ill"], class_weight={"ill": 4}, seed_for_tests=1
    )
    fitted = made.fit(table, words)
    assert fitted.privacy_.public_inputs["class_weight"]["value"] == [1, 4]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("balanced", "class_weight: given 'balanced', .* would count the labels"),
        ([1, 2, 3], "class_weight: given 3 numbers, accepted is one for each of the 2"),
        ([1, 0], "class_weight: given 0, accepted is a number > 0"),
        ({0: 1, 1: float("nan")}, "class_weight: given nan, accepted is a number > 0"),
        ({2: 3}, "class_weight: given a weight of 2, accepted are labels"),
    ],
)
def test_other_weights_are_refused(
    given: Any, words: str, table: Numbers, labels: NDArray[np.int64]
) -> None:
    with pytest.raises(ValueError, match=words):
        classifier(class_weight=given).fit(table, labels)


def test_a_saved_model_knows_its_weights_and_its_unit(
    table: Numbers, labels: NDArray[np.int64], tmp_path: Any
) -> None:
    file = tmp_path / "model.json"
    classifier(class_weight={1: 3}, unit="patient").fit(table, labels, units=ids()).save(file)
    back = southwell.PrivateLogisticRegression.load(file)
    assert back.privacy_.unit == "all records with one patient"
    assert back.class_weight == [1, 3]
    assert back.unit == "patient"


def test_a_scale_for_all_features_counts_units_too(
    table: Numbers, labels: NDArray[np.int64]
) -> None:
    model = classifier(unit="patient")
    scaler = southwell.PooledScaler(epsilon=1, unit="patient", seed_for_tests=1)
    pipeline = southwell.private_pipeline(scaler, model)
    given = ids()
    both = {"pooledscaler__units": given, "privatelogisticregression__units": given}
    pipeline.fit(table, labels, **both)
    assert pipeline.privacy_.unit == "all records with one patient"
    assert pipeline.privacy_.records == 200
    assert len(pipeline.privacy_.mechanisms) > 1
    assert not tells(str(pipeline.privacy_), RECORDS)
    model_alone = {"privatelogisticregression__units": given}
    with pytest.raises(ValueError, match="units: given to some steps and not to 'pooledscaler'"):
        southwell.private_pipeline(southwell.PooledScaler(epsilon=1), model).fit(
            table, labels, **model_alone
        )
    other = southwell.private_pipeline(southwell.PooledScaler(epsilon=1), model)
    with pytest.raises(ValueError, match="whose unit is all records with one id, accepted is that"):
        other.fit(table, labels, **both)


def test_bindings_take_units_of_a_plan_for_units_alone(
    table: Numbers, labels: NDArray[np.int64]
) -> None:
    from southwell._design import as_design

    design = as_design(np.asfortranarray(table), (), 1)
    inputs = {"loss": "logistic", "classes": [0, 1], **BUDGET}
    units = _core.Units([b"a", None] * (RECORDS // 2))
    plan = _core.plan_for(design, inputs, units)
    target = labels.astype(np.float64)
    with pytest.raises(_core.DataError, match="units: given none"):
        _core.fit(plan, design, target)
    with pytest.raises(_core.DataError, match="another number than there are records"):
        _core.fit(plan, design, target, units=_core.Units([b"a"]))
    assert _core.fit(plan, design, target, units=units).privacy.records == 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", CELLS)
def test_no_cell_raises_or_warns_as_an_id(
    name: str, table: Numbers, labels: NDArray[np.int64]
) -> None:
    cell, _ = CELLS[name]
    assert id_of(cell) is None or isinstance(id_of(cell), bytes)
    given = ids()
    given[3] = cell
    fitted = classifier().fit(table, labels, units=given)
    assert fitted.privacy_.records in (200, 201)  # somebody else's, or nobody's
