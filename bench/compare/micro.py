"""The small pieces, from the C++ benchmark program: thread CPU time, least of five."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator

from bench.rows import ROOT, Row


def nanoseconds(pattern: str) -> dict[str, float]:
    """Least time of each C++ benchmark that matches, in nanoseconds per item (or per call)."""
    command = [str(ROOT / "build/release/bench/southwell_bench"), "--benchmark_format=json"]
    command += [f"--benchmark_filter={pattern}", "--benchmark_repetitions=5"]
    command += ["--benchmark_min_time=0.1"]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    least: dict[str, float] = {}
    for run in json.loads(out)["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        name = run["run_name"]
        clock = "real_time" if name.endswith("/real_time") else "cpu_time"
        assert run["time_unit"] == "ns"
        per_item = "items_per_second" in run and clock == "cpu_time"
        time = 1e9 / run["items_per_second"] if per_item else run[clock]
        least[name] = min(least.get(name, float("inf")), time)
    return least


def rows() -> Iterator[Row]:
    least = nanoseconds("Exp$|PoolRegion")
    ours, libm = least["OurExp"], least["LibmExp"]
    yield Row("exp, per number", libm / ours, "x", None, "higher", f"libm's ({libm:.2f} ns)")
    region = least["PoolRegion/threads:2/real_time"]
    yield Row("a parallel region, two threads", region / 1e3, "µs", None, "lower", "-")
