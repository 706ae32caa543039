"""The main job on an embedded problem: generate the paper's `square`, read it back, look at it, and
find the best that could be done without privacy."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import southwell

ROOT = Path(__file__).resolve().parent.parent


def table(rows: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"  {name:{width}}  {value}")


def describe(data: southwell.Dataset, size: float, seconds: float) -> list[tuple[str, str]]:
    design, target = data.design, data.target
    assert isinstance(design, np.ndarray)
    assert target is not None
    means, scales = np.abs(design.mean(0)).max(), design.std(0)
    return [
        ("records x features", f"{design.shape[0]} x {design.shape[1]}"),
        ("file", f"{size:.1f} MB, read in {seconds:.2f} s"),
        ("columns", f"{data.feature_names[0]} .. {data.feature_names[-1]}, and the target"),
        ("largest |column mean|", f"{means:.1e}"),
        ("column deviations", f"{scales.min():.6f} to {scales.max():.6f}"),
        ("target", f"mean {target.mean():.3f}, deviation {target.std():.3f}"),
    ]


def optimum(file: Path) -> dict[str, Any]:
    """What `lab optimum` finds on the file."""
    flags = ["--loss", "squared", "--penalty", "l1", "--alpha", "30", "--no-intercept"]
    print(f"\n$ southwell lab optimum square.csv {' '.join(flags)}", flush=True)
    command = [str(ROOT / "build/southwell"), "lab", "optimum", str(file), *flags, "--json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "square.csv"
        truth_file = Path(scratch) / "truth.csv"
        command = ["generate", "square", "--seed", "1", "--out", str(file)]
        print(f"$ southwell {' '.join(command[:-1])} square.csv --truth truth.csv", flush=True)
        subprocess.run(
            [str(ROOT / "build/southwell"), *command, "--truth", str(truth_file)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        start = time.perf_counter()
        data = southwell.read(file, target="target")
        seconds = time.perf_counter() - start
        size = file.stat().st_size / 1e6
        truth = dict(line.split(",") for line in truth_file.read_text().split()[1:])
        table(describe(data, size, seconds))
        best = optimum(file)
    table(
        [
            ("objective", f"{best['objective']:.8g} (at zero {best['objective_at_zero']:.8g})"),
            ("relative gap", f"{best['gap']:.0e} ({best['certificate']})"),
            ("solved in", f"{1e3 * best['seconds']:.1f} ms"),
        ]
    )
    found = {entry["feature"]: entry["value"] for entry in best["support"]}
    print("\n  coefficients (all others are 0)      truth    optimum")
    for name in sorted(truth.keys() | found.keys(), key=lambda name: -float(truth.get(name, 0))):
        value = f"{found[name]:10.3f}" if name in found else "         -"
        print(f"  {name:31} {float(truth.get(name, 0)):10.3f} {value}")
    print("\n  not private: the optimum is what a private fit is measured against")
    return 0


if __name__ == "__main__":
    sys.exit(main())
