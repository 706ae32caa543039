"""The small pieces, from the C++ benchmark program: thread CPU time, least of ten."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator

from bench.rows import DATA, ROOT, Row


def nanoseconds(pattern: str) -> dict[str, float]:
    """Least time of each C++ benchmark that matches, in nanoseconds per item (or per call)."""
    command = [str(ROOT / "build/release/bench/southwell_bench"), "--benchmark_format=json"]
    command += [f"--benchmark_filter={pattern}", "--benchmark_repetitions=10"]
    command += ["--benchmark_min_time=0.1"]
    environment = os.environ | {
        "SOUTHWELL_DOROTHEA": str(DATA / "dorothea/dorothea_train.libsvm.gz")
    }
    out = subprocess.run(
        command, check=True, capture_output=True, text=True, env=environment
    ).stdout
    least: dict[str, float] = {}
    for run in json.loads(out)["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        name = run["run_name"]
        clock = "real_time" if name.endswith("/real_time") else "cpu_time"
        if run.get("error_occurred"):
            continue
        unit = {"ns": 1.0, "us": 1e3, "ms": 1e6}[run["time_unit"]]
        per_item = "items_per_second" in run and clock == "cpu_time"
        time = 1e9 / run["items_per_second"] if per_item else run[clock] * unit
        least[name] = min(least.get(name, float("inf")), time)
    return least


def rows() -> Iterator[Row]:
    least = nanoseconds("Exp$|PoolRegion")
    ours, libm = least["OurExp"], least["LibmExp"]
    yield Row("exp, per number", libm / ours, "x", None, "higher", f"libm's ({libm:.2f} ns)")
    region = least["PoolRegion/threads:2/real_time"]
    yield Row("a parallel region, two threads", region / 1e3, "µs", None, "lower", "-")
