"""The main job on an embedded problem: fit the paper's `square` privately, show what was promised
and found beside the truth, and how well it predicts records that the fit never saw."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TRAIN = 1000


def southwell(*arguments: str, cwd: Path, say: bool = True) -> str:
    """Runs the command line in `cwd`, as it is shown."""
    if say:
        print(f"$ southwell {' '.join(arguments)}", flush=True)
    command = [str(ROOT / "build/southwell"), *arguments]
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


def split(scratch: Path) -> None:
    """The first records to fit on, the others to judge by."""
    header, *records = (scratch / "square.csv").read_text().splitlines(keepends=True)
    (scratch / "train.csv").write_text(header + "".join(records[:TRAIN]))
    (scratch / "fresh.csv").write_text(header + "".join(records[TRAIN:]))


def beside_the_truth(model: dict[str, Any], truth: dict[str, float]) -> None:
    found = {entry["feature"]: entry for entry in model["coef"][0]}
    names = sorted(truth.keys() | found.keys(), key=lambda name: -abs(truth.get(name, 0)))
    print(f"\n  {'feature':10} {'truth':>10} {'private fit':>12} {'noise sd':>10}")
    for name in names:
        entry = found.get(name)
        fit = f"{entry['value']:12.2f} {entry['noise_sd']:10.2f}" if entry else f"{'-':>12}"
        print(f"  {name:10} {truth.get(name, 0):10.2f} {fit}")
    right = len(truth.keys() & found.keys())
    print(f"\n  {right} of {len(found)} features found are true ones, among {model['features']}\n")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        problem = ["generate", "square", "--records", str(2 * TRAIN), "--seed", "1"]
        southwell(*problem, "--out", "square.csv", "--truth", "truth.csv", cwd=scratch)
        split(scratch)
        print(f"  the first {TRAIN} records go to train.csv, the others to fresh.csv\n")
        budget = ["--epsilon", "1", "--delta", "1e-6"]
        problem = ["--loss", "squared", "--penalty", "l1", "--alpha", "30", "--no-intercept"]
        # The typical size of a target, known beforehand: ten coefficients up to 100.
        declared = ["--target-scale", "200"]
        fit = ["fit", "train.csv", *problem, *budget, *declared, "--out", "model.json"]
        southwell(*fit, cwd=scratch)
        print(southwell("inspect", "model.json", cwd=scratch).split("\n\n")[0])
        model = json.loads(southwell("inspect", "model.json", "--json", cwd=scratch, say=False))
        lines = (scratch / "truth.csv").read_text().split()[1:]
        truth = {feature: float(coef) for feature, coef in (line.split(",") for line in lines)}
        beside_the_truth(model, truth)
        print(southwell("evaluate", "model.json", "fresh.csv", cwd=scratch), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
