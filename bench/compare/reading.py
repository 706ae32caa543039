"""Reading files, against the readers people use, in one process."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
from sklearn.datasets import load_svmlight_file

import southwell
from bench.rows import ROOT, SCRATCH, Row, fastest


def generated(name: str, *arguments: str) -> Path:
    """A generated file, made once."""
    file: Path = SCRATCH / name
    if not file.exists():
        SCRATCH.mkdir(parents=True, exist_ok=True)
        command = [str(ROOT / "build/southwell"), "generate", *arguments, "--out", str(file)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return file


def rows() -> Iterator[Row]:
    yield from csv_rows(
        "wide", generated("wide.csv", "square", "--records", "10000", "--seed", "1")
    )
    narrow = ["log1", "--records", "1000000", "--features", "10", "--seed", "1"]
    yield from csv_rows("narrow", generated("narrow.csv", *narrow))
    sparse = ["log1", "--records", "50000", "--features", "100", "--seed", "1"]
    yield from libsvm_rows(generated("sparse.libsvm", *sparse))
    big = generated("gigabyte.csv", "square", "--records", "50000", "--seed", "1")
    yield memory_row(big)


def csv_rows(shape: str, file: Path) -> Iterator[Row]:
    read_options = pa.csv.ReadOptions(use_threads=False)

    def arrow() -> Any:
        return pa.csv.read_csv(file, read_options=read_options)

    seconds = fastest(
        {
            "pyarrow": arrow,
            "one": lambda: southwell.read_csv(file, target="target", threads=1),
            "two": lambda: southwell.read_csv(file, target="target", threads=2),
        }
    )
    speed = file.stat().st_size / 1e6
    yield Row(
        f"CSV {shape}, one thread",
        seconds["pyarrow"] / seconds["one"],
        "x",
        1.0,
        "higher",
        f"pyarrow on one thread ({speed / seconds['pyarrow']:.0f} MB/s; ours "
        f"{speed / seconds['one']:.0f})",
    )
    yield Row(
        f"CSV {shape}, two threads",
        seconds["one"] / seconds["two"],
        "x",
        None,
        "higher",
        f"one thread ({speed / seconds['two']:.0f} MB/s on two)",
    )


def libsvm_rows(file: Path) -> Iterator[Row]:
    seconds = fastest(
        {
            "sklearn": lambda: load_svmlight_file(str(file)),
            "one": lambda: southwell.read_libsvm(file, threads=1),
        },
        rounds=3,
    )
    yield Row(
        "libsvm, one thread",
        seconds["sklearn"] / seconds["one"],
        "x",
        5.0,
        "higher",
        "scikit-learn's load_svmlight_file",
    )


def memory_row(file: Path) -> Row:
    command = [str(ROOT / "build/release/bench/read_peak"), str(file), "target"]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    design, peak = map(int, out.split())
    size = file.stat().st_size / 1e9
    return Row(
        "CSV peak resident memory",
        peak / design,
        "x",
        1.25,
        "lower",
        f"the design in memory ({design / 1e6:.0f} MB, file {size:.2f} GB)",
    )
