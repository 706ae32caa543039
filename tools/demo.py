"""The main job on an embedded problem: generate the paper's `square`, read it back, look at it."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import southwell

ROOT = Path(__file__).resolve().parent.parent


def table(rows: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"  {name:{width}}  {value}")


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
    design, target = data.design, data.target
    assert isinstance(design, np.ndarray)
    assert target is not None
    means, scales = np.abs(design.mean(0)).max(), design.std(0)
    table(
        [
            ("records x features", f"{design.shape[0]} x {design.shape[1]}"),
            ("file", f"{size:.1f} MB, read in {seconds:.2f} s"),
            ("columns", f"{data.feature_names[0]} .. {data.feature_names[-1]}, and the target"),
            ("largest |column mean|", f"{means:.1e}"),
            ("column deviations", f"{scales.min():.6f} to {scales.max():.6f}"),
            ("target", f"mean {target.mean():.3f}, deviation {target.std():.3f}"),
        ]
    )
    print("\n  true coefficients (all others are 0)")
    table([(name, f"{float(value):8.3f}") for name, value in truth.items()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
