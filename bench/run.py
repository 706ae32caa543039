"""Runs the benchmarks, prints the table and writes bench/results/latest.json.

Usage: python -m bench.run [WORD...]   Only the groups whose name contains one of the words; the
rows of the others stay as they were.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.compare import (
    accounting,
    micro,
    optimum,
    privacy,
    python_layer,
    reading,
    records,
    tables,
)
from bench.rows import ROOT, Row

GROUPS: dict[str, Callable[[], Iterator[Row]]] = {
    "core": micro.rows,
    "records": records.rows,
    "privacy": privacy.rows,
    "accounting": accounting.rows,
    "reading": reading.rows,
    "tables": tables.rows,
    "optimum": optimum.rows,
    "python": python_layer.rows,
}


def machine() -> str:
    model = next(
        (
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    cores = subprocess.run(["nproc"], capture_output=True, text=True, check=True).stdout.strip()
    return f"{model}, {cores} cores"


def commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def print_row(row: Row) -> None:
    target = (
        "" if row.target is None else f"{'≥' if row.better == 'higher' else '≤'} {row.target:g}"
    )
    line = (
        f"{row.name:34} {row.value:10.3g} {row.unit:5} {target:>8}  {row.verdict:7} {row.against}"
    )
    print(line, flush=True)


def main() -> int:
    words = sys.argv[1:]
    chosen = [name for name in GROUPS if not words or any(word in name for word in words)]
    if not chosen:
        print(f"no such group: given {' '.join(words)}, accepted are {', '.join(GROUPS)}")
        return 2
    print(f"{'benchmark':34} {'value':>10} {'unit':5} {'target':>8}  {'verdict':7} against")
    results = []
    for name in chosen:
        for row in GROUPS[name]():
            print_row(row)
            results.append(row)
    path = ROOT / "bench/results/latest.json"
    path.parent.mkdir(exist_ok=True)
    measured = {row.name for row in results}
    kept = json.loads(path.read_text())["results"] if words and path.exists() else []
    rows = [row for row in kept if row["name"] not in measured]
    rows += [row.to_dict() for row in results]
    out = {"machine": machine(), "commit": commit(), "results": rows}
    path.write_text(json.dumps(out, indent=1, ensure_ascii=False) + "\n")
    print(f"written: {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
