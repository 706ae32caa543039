"""Schemas in Python: made of dicts, files and YAML, refused in words, kept as they are."""

from __future__ import annotations

import copy
import datetime
import decimal
import fractions
import json
import pickle
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import southwell
from southwell import Schema
from southwell._cells import moments_of, value_of
from southwell.schema import schema_of
from tests.python.table_cases import SCHEMA

AGE = {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 100}}


def test_it_is_the_same_from_a_dict_a_file_and_yaml(tmp_path: Path) -> None:
    made = Schema.from_dict(SCHEMA)
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    assert Schema.from_file(tmp_path / "schema.json") == made
    assert schema_of(str(tmp_path / "schema.json")) == made
    text = """
    fields:
      - name: day
        type: date
        constraints: {minimum: 2015-01-01, maximum: 2026-12-31}
    """
    day = {"minimum": "2015-01-01", "maximum": "2026-12-31"}
    wanted = Schema.from_dict({"fields": [{"name": "day", "type": "date", "constraints": day}]})
    assert Schema.from_yaml(text) == wanted
    (tmp_path / "schema.yaml").write_text(text, encoding="utf-8")
    assert Schema.from_file(tmp_path / "schema.yaml") == wanted


def test_it_says_what_it_makes() -> None:
    made = Schema.from_dict(SCHEMA)
    assert made.target == "cost"
    assert made.unit == "who"
    assert made.classes is None
    assert made.columns == ["age", "income", "region", "smoker", "day", "at", "note"]
    assert made.feature_names[:3] == ["age", "age>25", "age>50"]
    assert len(made.feature_scales) == len(made.feature_names)
    assert made.record_norm == pytest.approx(np.linalg.norm(made.feature_scales))
    assert "target 'cost'" in repr(made)


def test_it_keeps_what_others_wrote_and_never_changes() -> None:
    given = {"fields": [{**AGE, "title": "Age", "unit": "years"}], "title": "People"}
    made = Schema.from_dict(given)
    assert made.to_dict() == given
    assert copy.deepcopy(made) is made
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert hash(again) == hash(made)
    assert made != Schema.from_dict({"fields": [AGE]})


def test_it_makes_up_records_to_try_everything_on() -> None:
    made = Schema.from_dict(SCHEMA)
    table = made.dummy(300, seed=4)
    assert table == made.dummy(300, seed=4)
    assert len(table["age"]) == 300
    assert made.encode(table).shape == (300, len(made.feature_names))
    model = southwell.PrivateRidge(epsilon=1, delta=1e-6, schema=made).fit(table)
    assert model.privacy_.records < 300  # units
    assert made.dummy(0)["age"] == []
    with pytest.raises(ValueError, match="records: given -1"):
        made.dummy(-1)


BAD: list[tuple[Any, type[Exception], str]] = [
    ({"fields": []}, southwell.DataError, "schema: fields"),
    ({"fields": [{"name": "x", "type": "number"}]}, southwell.DataError, "'x'"),
    ({"fields": [AGE, AGE]}, southwell.DataError, "age"),
    ({"fields": [{**AGE, "southwell": {"rolle": "unit"}}]}, southwell.DataError, "rolle"),
    ({"fields": [{"name": "x", "constraints": {1, 2}}]}, southwell.DataError, "JSON can hold"),
    ({"fields": float("nan")}, southwell.DataError, "JSON can hold"),
    ([AGE], TypeError, "accepted is a Schema, a dict or a path"),
    ("no_such_file.json", southwell.DataError, "No such file"),
]


@pytest.mark.parametrize("k", range(len(BAD)))
def test_what_is_none_is_refused_in_words(k: int) -> None:
    given, kind, words = BAD[k]
    with pytest.raises(kind, match=words):
        schema_of(given)
    with pytest.raises(kind, match=words):
        southwell.PrivateRidge(epsilon=1, delta=1e-6, schema=given).fit({"age": [1]})


def test_text_that_is_no_schema_is_refused() -> None:
    with pytest.raises(southwell.DataError, match="schema"):
        Schema("{")
    with pytest.raises(TypeError, match="accepted is JSON text"):
        Schema({"fields": [AGE]})  # type: ignore[arg-type]
    with pytest.raises(southwell.DataError, match="is no YAML"):
        Schema.from_yaml("a: [")
    with pytest.raises(southwell.DataError, match="accepted is a mapping"):
        Schema.from_yaml("17")
    with pytest.raises(southwell.DataError, match="is no YAML"):
        Schema.from_yaml("day: 2015-02-30")
    with pytest.raises(southwell.DataError, match="is no YAML"):
        Schema.from_yaml("- " * 3000)


VALUES: list[tuple[Any, Any]] = [
    (np.int16(3), 3),
    (np.bool_(True), True),
    (np.float32(0.5), 0.5),
    (np.str_("x"), b"x"),
    (2**63, "9223372036854775808"),
    (-(10**5000), -np.inf),
    (decimal.Decimal("1.50"), 1.5),
    (decimal.Decimal("12E2"), 1200),
    (decimal.Decimal("1e9999"), np.inf),
    (decimal.Decimal("sNaN"), None),
    (fractions.Fraction(14, 2), 7),
    (fractions.Fraction(1, 4), 0.25),
    (fractions.Fraction(2**60 + 1, 2**10), None),  # rounded it is another record's id, 2**50
    (np.longdouble(2**50) + np.longdouble(2**-10), None),
    (np.longdouble("1e400"), np.inf),
    (uuid.UUID(int=5), "00000000-0000-0000-0000-000000000005"),
    (datetime.date(1970, 1, 2), (86_400_000_000,)),
    (datetime.datetime(1969, 12, 31, 23, 59, 59, 999999), (-1,)),
    (pd.Timestamp("1970-01-01 01:00", tz="Europe/Rome"), (0,)),
    (np.datetime64(-1, "ns"), (-1,)),
    (np.datetime64("NaT"), None),
    (np.datetime64(300_000, "Y"), None),
    (np.timedelta64(1, "s"), None),
    (pd.NaT, None),
    (pd.NA, None),
    (1j, None),
    (b"\xff", b"\xff"),
    ("\ud800", b"\xed\xa0\x80"),
    ([1], None),
    (np.array([1.0]), None),
]


@pytest.mark.parametrize("k", range(len(VALUES)))
def test_a_cell_counts_by_its_value(k: int) -> None:
    cell, value = VALUES[k]
    found = value_of(cell)
    assert found == value or (value is None and found != found)
    assert isinstance(found, float) == isinstance(value, float) or value is None


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs"])
def test_moments_of_every_unit_are_the_same(unit: str) -> None:
    day = np.array(["1970-01-01"], dtype=f"M8[{unit}]")
    counts, per_second = moments_of(day)
    assert counts.tolist() == [0]
    later = np.array([3], dtype=f"M8[{unit}]")
    counts, per_second = moments_of(later)
    wanted = later.astype("M8[ns]").astype(np.int64)[0] if unit not in "YM" else None
    if wanted is not None:
        assert counts[0] * (10**9 // per_second) == wanted
    ends = np.array([2**63 - 1, -(2**63)]).view(f"M8[{unit}]")
    with np.errstate(all="raise"):
        moments_of(ends)  # nothing overflows
