"""The main job on an embedded problem: fit the paper's `square` privately, show what was promised
and found beside the truth, how the solvers compare, and how well the model predicts records that
the fit never saw; then a small part of the paper's experiments, with its report."""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TRAIN = 1000
PROBLEM = ["--loss", "squared", "--penalty", "l1", "--alpha", "30", "--no-intercept"]


def southwell(*arguments: str, cwd: Path, say: bool = True) -> str:
    """Runs the command line in `cwd`, as it is shown."""
    if say:
        print(f"$ southwell {' '.join(arguments)}", flush=True)
    command = [str(ROOT / "build/southwell"), *arguments]
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


def load(model: str, cwd: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(southwell("inspect", model, "--json", cwd=cwd, say=False))
    return content


def split(scratch: Path) -> None:
    """The first records to fit on, the others to judge by."""
    header, *records = (scratch / "square.csv").read_text().splitlines(keepends=True)
    (scratch / "train.csv").write_text(header + "".join(records[:TRAIN]))
    (scratch / "fresh.csv").write_text(header + "".join(records[TRAIN:]))


def beside_the_truth(model: dict[str, Any], best: dict[str, Any], truth: dict[str, float]) -> None:
    found = {entry["feature"]: entry for entry in model["coef"][0]}
    exact = {entry["feature"]: entry["value"] for entry in best["support"]}
    names = sorted(truth.keys() | found.keys(), key=lambda name: -abs(truth.get(name, 0)))
    print(f"\n  {'feature':10} {'truth':>8} {'optimum':>8} {'private fit':>12} {'noise sd':>10}")
    for name in names:
        entry = found.get(name)
        optimum = f"{exact[name]:8.2f}" if name in exact else f"{'-':>8}"
        fit = f"{entry['value']:12.2f} {entry['noise_sd']:10.2f}" if entry else f"{'-':>12}"
        print(f"  {name:10} {truth.get(name, 0):8.2f} {optimum} {fit}")
    right = len(truth.keys() & found.keys())
    print(
        f"\n  {right} of {len(found)} features found are true ones, among {model['features']};\n"
        f"  the exact optimum (not private) is {best['objective']:.6g} with {len(exact)} of them,"
        f" relative duality gap {best['gap']:.0e}\n"
    )


def objective(model: str, scratch: Path) -> float:
    command = ["lab", "objective", model, "train.csv", "--json"]
    return float(json.loads(southwell(*command, cwd=scratch, say=False))["objective"])


def side_by_side(fit: list[str], best: dict[str, Any], scratch: Path) -> None:
    """All solvers with the same budget and their automatic choices."""
    support = {entry["feature"] for entry in best["support"]}
    gap = best["objective_at_zero"] - best["objective"]
    print(f"  {'solver':8} {'guarantee':16} {'error left':>10} {'right':>6} {'wrong':>6} {'s':>7}")
    for solver in ("gcd", "cd", "sgd"):
        start = time.perf_counter()
        southwell(*fit, "--solver", solver, "--out", f"{solver}.json", cwd=scratch, say=False)
        seconds = time.perf_counter() - start
        model = load(f"{solver}.json", scratch)
        found = {entry["feature"] for entry in model["coef"][0]}
        left = (objective(f"{solver}.json", scratch) - best["objective"]) / gap
        print(
            f"  {solver:8} {model['guarantee']:16} {100 * left:8.0f} % "
            f"{len(found & support):6} {len(found - support):6} {seconds:7.2f}"
        )
    print(
        "\n  error left: of what there is to gain over w = 0 (not private); right, wrong:\n"
        f"  features that are among the {len(support)} of the exact optimum or not;"
        " s: with reading the file\n"
    )


def small_report() -> None:
    """Two of the paper's problems on a part of its grid, and the report of that."""
    place = ROOT / "build/demo"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    problems = ["--problem", "square", "--problem", "log2"]
    southwell("lab", "paper", "--quick", *problems, "--out", "study", cwd=place)
    draw = [sys.executable, "-m", "southwell.paper", str(place / "study"), "--out", str(place)]
    subprocess.run(draw, check=True, stdout=subprocess.PIPE)
    print(f"\n  figures and tables of it: {(place / 'report.html').relative_to(ROOT)}")


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        problem = ["generate", "square", "--records", str(2 * TRAIN), "--seed", "1"]
        southwell(*problem, "--out", "square.csv", "--truth", "truth.csv", cwd=scratch)
        split(scratch)
        print(f"  the first {TRAIN} records go to train.csv, the others to fresh.csv\n")
        budget = ["--epsilon", "1", "--delta", "1e-6"]
        # Known beforehand: features are standardised, and ten coefficients are up to 100.
        declared = ["--feature-scale", "1", "--target-scale", "200"]
        fit = ["fit", "train.csv", *PROBLEM, *budget, *declared]
        southwell(*fit, "--out", "model.json", cwd=scratch)
        print(southwell("inspect", "model.json", cwd=scratch).split("\n\n")[0])
        lines = (scratch / "truth.csv").read_text().split()[1:]
        truth = {feature: float(coef) for feature, coef in (line.split(",") for line in lines)}
        best = json.loads(southwell("lab", "optimum", "train.csv", *PROBLEM, "--json", cwd=scratch))
        beside_the_truth(load("model.json", scratch), best, truth)
        side_by_side(fit, best, scratch)
        print(southwell("evaluate", "model.json", "fresh.csv", cwd=scratch))
    small_report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
