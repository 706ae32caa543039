"""A raw table in every container that holds one, for the tests of tables."""

from __future__ import annotations

import csv
import datetime
import decimal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet

import southwell

SCHEMA: dict[str, Any] = {
    "fields": [
        {"name": "who", "type": "string", "southwell": {"role": "unit"}},
        {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 100}},
        {
            "name": "income",
            "type": "number",
            "constraints": {"minimum": 0, "maximum": 1e5},
            "southwell": {"transform": "log"},
        },
        {"name": "region", "type": "string", "constraints": {"enum": ["north", "south"]}},
        {"name": "smoker", "type": "boolean"},
        {
            "name": "day",
            "type": "date",
            "constraints": {"minimum": "2015-01-01", "maximum": "2026-12-31"},
            "southwell": {"parts": ["month"]},
        },
        {"name": "at", "type": "datetime", "southwell": {"parts": ["hour", "weekday"]}},
        {"name": "note", "type": "string", "southwell": {"encode": "hash", "features": 16}},
        {"name": "visit", "type": "string", "southwell": {"role": "ignore"}},
        {
            "name": "cost",
            "type": "number",
            "constraints": {"minimum": 0, "maximum": 100},
            "southwell": {"role": "target"},
        },
    ],
    "southwell": {"interactions": [["age", "smoker"]], "expand": {"age": {"hinges": 3}}},
}
RECORDS = 200


def without(*names: str) -> dict[str, Any]:
    """The schema without these fields."""
    return {**SCHEMA, "fields": [f for f in SCHEMA["fields"] if f["name"] not in names]}


def cells() -> dict[str, list[Any]]:
    """The columns as Python's own values; some cells are missing."""
    draw = np.random.default_rng(3)
    day = datetime.date(2016, 2, 27)
    moment = datetime.datetime(2020, 5, 1, 3, 4, 5)
    columns: dict[str, list[Any]] = {
        "note": [f"word{k % 7} other{k % 3}" for k in range(RECORDS)],
        "cost": [float(x) for x in draw.integers(-5, 120, RECORDS)],
        "age": [int(x) for x in draw.integers(-3, 105, RECORDS)],
        "income": [round(float(x), 3) for x in draw.uniform(0, 2e5, RECORDS)],
        "region": [["north", "south", "west"][k % 3] for k in range(RECORDS)],
        "smoker": [bool(k % 2) for k in range(RECORDS)],
        "day": [day + datetime.timedelta(days=13 * k) for k in range(RECORDS)],
        "at": [moment + datetime.timedelta(hours=7 * k) for k in range(RECORDS)],
        "who": [f"p{k % 60}" for k in range(RECORDS)],
        "not needed": [{"any": k} for k in range(RECORDS)],
    }
    for k, name in enumerate(["age", "income", "region", "smoker", "day", "at", "note", "who"]):
        columns[name][k + 5] = None
    return columns


def needed() -> dict[str, list[Any]]:
    """Without the column that not every container can hold."""
    return {name: column for name, column in cells().items() if name != "not needed"}


def arrow() -> pa.Table:
    table = pa.table(needed())
    return table.append_column("not needed", pa.array([[k] for k in range(RECORDS)]))


def as_text() -> dict[str, list[Any]]:
    def text(cell: Any) -> Any:
        return cell if cell is None else str(cell)

    return {name: [text(cell) for cell in column] for name, column in needed().items()}


def _csv(folder: Path) -> Path:
    columns = as_text()
    with open(folder / "table.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values()))
    return folder / "table.csv"


def _parquet(folder: Path) -> Path:
    pa.parquet.write_table(arrow(), folder / "table.parquet", row_group_size=33)
    return folder / "table.parquet"


def _feather(folder: Path) -> str:
    pa.feather.write_feather(arrow(), str(folder / "table.feather"), chunksize=33)
    return str(folder / "table.feather")


def _stream_file(folder: Path) -> Path:
    with pa.ipc.new_stream(folder / "stream.arrow", arrow().schema) as out:
        out.write_table(arrow(), max_chunksize=33)
    return folder / "stream.arrow"


def _objects() -> pd.DataFrame:
    columns = {name: pd.Series(cells, dtype=object) for name, cells in cells().items()}
    return pd.DataFrame(columns)


def _typed() -> pd.DataFrame:
    frame = _objects()
    types: dict[str, Any] = {
        "age": "Int64",
        "income": "float64",
        "region": "string",
        "smoker": "boolean",
    }
    types |= {"cost": "float32", "note": "category", "who": "string[pyarrow]"}
    for name, dtype in types.items():
        frame[name] = frame[name].astype(dtype)
    frame["at"] = pd.to_datetime(frame["at"]).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")
    frame["day"] = pd.to_datetime(frame["day"])
    return frame


def _numpy() -> dict[str, Any]:
    columns: dict[str, Any] = cells()
    columns["income"] = np.array(columns["income"], dtype=float)
    columns["cost"] = np.array(columns["cost"], dtype=">f8")[::-1][::-1]
    columns["day"] = np.array(columns["day"], dtype="M8[D]")
    columns["at"] = np.array(columns["at"], dtype="M8[us]")
    columns["region"] = pa.array(columns["region"])
    columns["age"] = pl.Series(columns["age"])
    columns["note"] = pd.array(columns["note"], dtype="string")
    columns["smoker"] = tuple(columns["smoker"])
    return columns


def _numbers_as_others() -> dict[str, list[Any]]:
    """The same values in other types of Python and NumPy."""
    columns = cells()
    columns["age"] = [x if x is None else np.float32(x) for x in columns["age"]]
    columns["income"] = [x if x is None else decimal.Decimal(str(x)) for x in columns["income"]]
    columns["smoker"] = [x if x is None else str(x).upper() for x in columns["smoker"]]
    columns["day"] = [x if x is None else pd.Timestamp(x) for x in columns["day"]]
    columns["at"] = [x if x is None else np.datetime64(x) for x in columns["at"]]
    columns["note"] = [x if x is None else x.encode() for x in columns["note"]]
    columns["cost"] = [np.int16(x) for x in columns["cost"]]
    return columns


def _decimals() -> pa.Table:
    table = arrow()
    at = table.column_names.index("income")
    column = pa.array(
        [x if x is None else decimal.Decimal(str(x)) for x in cells()["income"]],
        pa.decimal128(20, 5),
    )
    return table.set_column(at, "income", column)


def _dictionaries() -> pa.Table:
    table = arrow()
    for name in ("region", "note", "who", "age"):
        at = table.column_names.index(name)
        table = table.set_column(at, name, table[name].dictionary_encode())
    return table


TABLES: dict[str, Callable[[Path], Any]] = {
    "csv": _csv,
    "parquet": _parquet,
    "feather": _feather,
    "a stream in a file": _stream_file,
    "dict of lists": lambda folder: cells(),
    "dict of text": lambda folder: as_text(),
    "dict of arrays": lambda folder: _numpy(),
    "dict of other types": lambda folder: _numbers_as_others(),
    "pandas object": lambda folder: _objects(),
    "pandas typed": lambda folder: _typed(),
    "pandas inferred": lambda folder: pd.DataFrame(cells()),
    "pandas ArrowDtype": lambda folder: arrow().to_pandas(types_mapper=pd.ArrowDtype),
    "pandas, rows in another order": lambda folder: _typed().iloc[::-1].iloc[::-1],
    "polars": lambda folder: pl.DataFrame(needed()),
    "polars categorical": lambda folder: pl.DataFrame(needed()).with_columns(
        pl.col("region").cast(pl.Categorical), pl.col("note").cast(pl.Categorical)
    ),
    "polars lazy": lambda folder: pl.DataFrame(needed()).lazy(),
    "pyarrow Table": lambda folder: arrow(),
    "pyarrow chunked": lambda folder: pa.concat_tables([arrow().slice(0, 99), arrow().slice(99)]),
    "pyarrow dictionaries": lambda folder: _dictionaries(),
    "pyarrow decimals": lambda folder: _decimals(),
    "pyarrow RecordBatch": lambda folder: arrow().combine_chunks().to_batches()[0],
    "pyarrow RecordBatchReader": lambda folder: arrow().to_reader(max_chunksize=30),
    "pyarrow Dataset": lambda folder: pa.dataset.dataset(_parquet(folder)),
    "pyarrow Scanner": lambda folder: pa.dataset.dataset(_parquet(folder)).scanner(),
    "DuckDB": lambda folder: duckdb.connect().from_arrow(arrow()),
    "DuckDB of a file": lambda folder: duckdb.connect().read_parquet(str(_parquet(folder))),
}


def ridge(**others: Any) -> southwell.PrivateRidge:
    given: dict[str, Any] = {"epsilon": 1, "delta": 1e-6, "seed_for_tests": 1, "schema": SCHEMA}
    return southwell.PrivateRidge(**(given | others))
