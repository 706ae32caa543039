"""Raw tables with a schema, against the plain CSV reader and against pandas with scikit-learn."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

import southwell
from bench.compare.reading import generated
from bench.rows import DATA, ROOT, SCRATCH, Row, fastest
from southwell._tables import read_table

ADULT = DATA / "external/tables/adult.csv.gz"
ADULT_SCHEMA = ROOT / "examples/schemas/adult.json"
TIMES = 20


def rows() -> Iterator[Row]:
    yield from number_rows()
    if ADULT.exists():
        yield from adult_rows()


def number_rows() -> Iterator[Row]:
    features = 10
    sizes = ["--records", "1000000", "--features", str(features), "--seed", "1"]
    file = generated("narrow.csv", "log1", *sizes)
    fields: list[dict[str, Any]] = [
        {
            "name": f"x{j + 1}",
            "type": "number",
            "constraints": {"minimum": -10, "maximum": 10},
            "southwell": {"missing": "middle"},
        }
        for j in range(features)
    ]
    schema = southwell.Schema.from_dict({"fields": fields})
    seconds = fastest(
        {
            "plain": lambda: southwell.read_csv(file, target="target", threads=1),
            "schema": lambda: read_table(file, schema._core, "predict", threads=1),
        }
    )
    yield Row(
        "table of numbers, one thread",
        seconds["plain"] / seconds["schema"],
        "x",
        0.5,
        "higher",
        f"the plain CSV reader ({file.stat().st_size / 1e6 / seconds['plain']:.0f} MB/s)",
    )


def adult_rows() -> Iterator[Row]:
    file = repeated_adult()
    schema = southwell.Schema.from_file(ADULT_SCHEMA)

    seconds = fastest(
        {
            "pandas": lambda: encoded_by_pandas(file, schema),
            "one thread": lambda: read_table(file, schema._core, "predict", threads=1),
            "all cores": lambda: read_table(file, schema._core, "predict"),
        },
        rounds=3,
    )
    for cores, target in (("one thread", None), ("all cores", 3.0)):
        yield Row(
            f"Adult x{TIMES} encoded, {cores}",
            seconds["pandas"] / seconds[cores],
            "x",
            target,
            "higher",
            f"pandas and ColumnTransformer ({seconds['pandas']:.2f} s)",
        )
    command = [ROOT / "build/release/bench/read_peak", file, "--schema", ADULT_SCHEMA]
    out = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout
    design, peak = map(int, out.split())
    yield Row(
        f"Adult x{TIMES} peak resident memory",
        peak / design,
        "x",
        1.25,
        "lower",
        f"the design in memory ({design / 1e6:.0f} MB)",
    )


def repeated_adult() -> Path:
    file: Path = SCRATCH / f"adult_x{TIMES}.csv"
    if not file.exists():
        SCRATCH.mkdir(parents=True, exist_ok=True)
        header, _, records = gzip.decompress(ADULT.read_bytes()).partition(b"\n")
        file.write_bytes(header + b"\n" + TIMES * (records.rstrip(b"\n") + b"\n"))
    return file


def encoded_by_pandas(file: Path, schema: southwell.Schema) -> Any:
    """What a user of pandas would write, with the same bounds and levels declared."""
    fields = {field["name"]: field for field in schema.to_dict()["fields"]}
    used = [fields[name] for name in schema.columns]
    words = [field for field in used if "enum" in field["constraints"]]
    numbers = [field for field in used if "minimum" in field["constraints"]]
    low = [field["constraints"]["minimum"] for field in numbers]
    high = [field["constraints"]["maximum"] for field in numbers]
    levels = [field["constraints"]["enum"] for field in words]
    scaler = FunctionTransformer(
        lambda x: (x.clip(low, high, axis=1) - low) / (pd.Series(high) - low).to_numpy()
    )
    encoder = OneHotEncoder(categories=levels, handle_unknown="ignore", sparse_output=False)
    transformer = ColumnTransformer(
        [
            ("numbers", scaler, [field["name"] for field in numbers]),
            ("words", encoder, [field["name"] for field in words]),
        ],
        sparse_threshold=0,
    )
    table = pd.read_csv(file, skipinitialspace=True, na_values=["?"])
    return transformer.fit_transform(table)


if __name__ == "__main__":
    for row in rows():
        print(json.dumps(row.to_dict(), indent=1))
