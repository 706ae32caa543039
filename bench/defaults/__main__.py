"""How well automatic choices do: the figures of docs/research/rules.md. Reads records; not private.

Usage: python -m bench.defaults STUDY [--runs 30] [--only WORD]

    untuned    what the default leaves
    ablation   each refinement turned off
    safe       means above f(0) at small budgets
    tuned      the default beside the best that tuning finds
    left_out   each problem with the change of the rule that is best on all others
    scale      the target's scale declared, and found by a mechanism
    held_out   accuracy on records that no fit saw, beside scikit-learn's
    hostile    fits of records that break things, against f(0); options of its own
    uncertainty  spread of coefficients over fits against the noise stated for them; the same
    shells     defaults on five data sets, by the command line, Python and C++; the same
    zeros      how often a private scale of targets that are mostly 0 is useless; the same

Errors are what is left of f(0) - f*, the mean over runs. Problems are those of families.py.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

import southwell
from bench.defaults import hostile, shells, uncertainty, zeros
from bench.defaults.families import (
    Problem,
    generated_problems,
    given_problems,
    held_out_data,
)
from bench.rows import ROOT

SMOOTHED = 0.002  # of f(0) - f*: below that, errors are nothing
SWITCHES = (
    "attenuation",
    "clip_tracking",
    "margin_correction",
    "polish",
    "exclude_visited",
    "second_moment",
    "prune",
)


@dataclass(frozen=True)
class Left:
    mean: float
    error: float  # of the mean

    def __str__(self) -> str:
        digits = 4 if self.mean < 0.1 else 3
        return f"{self.mean:.{digits}f} ± {self.error:.{digits}f}"


def made(problem: Problem, seed: int, **inputs: Any) -> Any:
    """A fit with nothing tuned but `inputs`."""
    shared: dict[str, Any] = {
        "epsilon": problem.epsilon,
        "delta": problem.delta,
        "fit_intercept": problem.has_center,
        "solver": "auto",
        "threads": 1,
        "seed_for_tests": seed,
    }
    model: Any
    if problem.loss == "logistic":
        model = southwell.PrivateLogisticRegression(
            penalty=problem.penalty,
            alpha=problem.alpha,
            classes=[-1.0, 1.0],
            features=problem.design.shape[1],
            **(shared | inputs),
        )
    else:
        kind = southwell.PrivateLasso if problem.penalty == "l1" else southwell.PrivateRidge
        scaled = {"target_scale": "private"}
        model = kind(alpha=problem.alpha, **(scaled | shared | inputs))
    return model.fit(problem.design, problem.target)


def fitted(problem: Problem, seed: int, **inputs: Any) -> float:
    """What such a fit leaves."""
    return problem.left(np.ravel(made(problem, seed, **inputs).coef_))


def left(problem: Problem, runs: int, **inputs: Any) -> Left:
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda seed: fitted(problem, seed, **inputs), range(runs)))
    return Left(float(np.mean(found)), float(np.std(found) / math.sqrt(runs)))


def problems(word: str) -> Iterator[Problem]:
    for name, made in (given_problems() | generated_problems()).items():
        if word in name:
            yield made()


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def smoothed_ratio(error: float, of: float) -> float:
    return (error + SMOOTHED) / (of + SMOOTHED)


def untuned(runs: int, word: str) -> None:
    for problem in problems(word):
        print(f"{problem.name:60} {left(problem, runs)}", flush=True)


def ablation(runs: int, word: str) -> None:
    """Only of problems that the default gives to gcd; a switch that does not apply is left out."""
    ratios: dict[str, list[float]] = {}
    changes: list[dict[str, Any]] = [{name: False} for name in SWITCHES]
    changes += [{"selections_per_gradient": 1}, {"refine": "off"}]
    for problem in problems(word):
        whole = left(problem, runs, solver="gcd")
        line = [f"{problem.name}: {whole}"]
        for change in changes:
            name = " ".join(f"{key} {value}" for key, value in change.items())
            try:
                other = left(problem, runs, solver="gcd", **change)
            except ValueError:
                continue
            ratios.setdefault(name, []).append(smoothed_ratio(other.mean, whole.mean))
            line.append(f"  {name:28} {other}")
        print("\n".join(line), flush=True)
    for name, all_of_them in ratios.items():
        mean, worst, best = geometric_mean(all_of_them), max(all_of_them), min(all_of_them)
        print(f"{name:28} {mean:.3f} in geometric mean, {best:.2f} to {worst:.2f}")


def safe(runs: int, word: str) -> None:
    """`of f(0)` is the mean objective as a part of that of no model."""
    for epsilon in (0.5, 0.1):
        above = tried = 0
        for each in problems(word):
            problem = replace(each, epsilon=epsilon)
            try:
                found = left(problem, runs)
            except (southwell.CalibrationError, ValueError):
                continue  # too few records to find a scale
            tried += 1
            of_nothing = (
                problem.least + found.mean * (problem.at_zero - problem.least)
            ) / problem.at_zero
            if found.mean > 1.0:
                above += 1
                print(f"ε = {epsilon:g}  {problem.name:60} {found}, {of_nothing:.4f} of f(0)")
        print(f"ε = {epsilon:g}: {above} of {tried} means above f(0)", flush=True)


def best_tuned(problem: Problem, runs: int) -> tuple[str, float]:
    """Of gcd, and of full-batch sgd where features are few, as printed: the paper's clips all, a
    third of its steps. A part of the clips alone can miss the best by a factor of ten."""
    records, features = problem.design.shape
    solvers = "gcd,sgd" if 4 * features <= records else "gcd"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "data.npy"
        design: Any = problem.design
        dense = design.toarray() if hasattr(design, "toarray") else design
        np.save(file, np.column_stack([dense, problem.target]))
        command = [ROOT / "build/southwell", "lab", "compare", file, "--target", features]
        command += ["--loss", problem.loss, "--penalty", problem.penalty]
        command += ["--alpha", problem.alpha, "--epsilon", problem.epsilon, "--runs", 3]
        command += ["--solver", solvers, "--mode", "certified", "--fresh", runs, "--json"]
        rows = []
        for first_clip in range(5):
            phased = [*command, "--phase", first_clip, 1]
            done = subprocess.run(
                list(map(str, phased)), capture_output=True, text=True, check=True
            )
            rows += json.loads(done.stdout)["rows"]
    scale = problem.least / (problem.at_zero - problem.least)
    best = min((row for row in rows if row["error_mean"] is not None), key=_error)
    return best["solver"], best["error_mean"] * scale


def _error(row: dict[str, Any]) -> float:
    return float(row["error_mean"])


def tuned(runs: int, word: str) -> None:
    ratios = []
    for problem in problems(word):
        default = left(problem, runs)
        solver, error = best_tuned(problem, runs)
        ratios.append(smoothed_ratio(default.mean, error))
        print(
            f"{problem.name:60} {default}   {error:.4f} ({solver})   {ratios[-1]:.2f}", flush=True
        )
    print(f"{geometric_mean(ratios):.3f} in geometric mean, {max(ratios):.2f} at worst")


def changes_of(problem: Problem) -> dict[str, dict[str, Any]]:
    """Single changes of the rule by inputs that everybody has."""
    inputs = made(problem, 0, solver="gcd").privacy_.public_inputs
    rule = {name: inputs[name]["value"] for name in ("iterations", "share")}
    taken = int(rule["iterations"])
    changes: dict[str, dict[str, Any]] = {"the rule": {}}
    for factor in (0.6, 0.8, 1.25, 1.6):
        few = min(max(1, round(factor * taken)), problem.design.shape[1])
        changes[f"T ×{factor:g}"] = {"iterations": few}
    for odds in (0.5, 0.7, 1.4, 2.0):
        share = rule["share"]
        changes[f"share, odds ×{odds:g}"] = {"share": odds * share / (odds * share + 1.0 - share)}
    changes["one gradient"] = {"selections_per_gradient": taken}
    changes["a gradient for each"] = {"selections_per_gradient": 1}
    for name in ("polish", "second_moment", "margin_correction", "prune"):
        if name in inputs:
            changes[f"{name} the other way"] = {name: inputs[name]["value"] == "off"}
    return changes


def left_out(runs: int, word: str) -> None:
    """Only of problems that the default gives to gcd, each loss for itself."""
    for loss in ("squared", "logistic"):
        tables: dict[str, dict[str, float]] = {}
        for problem in problems(word):
            if problem.loss != loss or made(problem, 0).privacy_.solver != "gcd":
                continue
            tables[problem.name] = {
                name: left(problem, runs, solver="gcd", **change).mean
                for name, change in changes_of(problem).items()
            }
        if len(tables) < 2:
            continue
        against_rule, against_best = [], []
        chosen: dict[str, int] = {}
        for name, table in tables.items():
            others = [other for key, other in tables.items() if key != name]
            changes = {change: None for other in others for change in other}
            best = min(changes, key=lambda change: _over(others, change))
            chosen[best] = chosen.get(best, 0) + 1
            error = table.get(best, table["the rule"])
            against_rule.append(smoothed_ratio(error, table["the rule"]))
            against_best.append(smoothed_ratio(error, min(table.values())))
        print(f"{loss}, {len(tables)} problems")
        for change in {change: None for table in tables.values() for change in table}:
            print(f"  {change:32} {_over(list(tables.values()), change):.3f} of the rule")
        print(f"  chosen by the others: {chosen}")
        print(f"  on what was left out: {geometric_mean(against_rule):.3f} of the rule,", end=" ")
        print(f"{geometric_mean(against_best):.3f} of its own best", flush=True)


def _over(tables: list[dict[str, float]], change: str) -> float:
    """The geometric mean of what a change does to the error; where it does not apply, nothing."""
    return geometric_mean(
        [
            smoothed_ratio(table.get(change, table["the rule"]), table["the rule"])
            for table in tables
        ]
    )


def scale(runs: int, word: str) -> None:
    """Declared is the median size of the targets, read from the records."""
    ratios = []
    for problem in problems(word):
        if problem.loss != "squared":
            continue
        declared = float(np.median(np.abs(problem.target)))
        known, found = left(problem, runs, target_scale=declared), left(problem, runs)
        ratios.append(smoothed_ratio(found.mean, known.mean))
        print(f"{problem.name:60} {known}   {found}   {ratios[-1]:.2f}", flush=True)
    print(f"{geometric_mean(ratios):.3f} in geometric mean, {max(ratios):.2f} at worst")


def held_out(runs: int, word: str) -> None:
    for data in held_out_data():
        if word not in data.name:
            continue
        known = LogisticRegression(
            l1_ratio=1.0 if data.penalty == "l1" else 0.0,
            C=1.0 / (data.alpha * len(data.target)),
            solver="liblinear",
            max_iter=1000,
        ).fit(data.design, data.target)
        larger = max(np.mean(data.test_target == 1.0), np.mean(data.test_target == -1.0))
        print(f"{data.name}: larger class {larger:.3f},", end=" ")
        print(f"scikit-learn {known.score(data.test_design, data.test_target):.3f}")
        for epsilon in (0.1, 0.5, 1.0, 4.0):
            scores = []
            for seed in range(runs):
                model = southwell.PrivateLogisticRegression(
                    penalty=data.penalty,
                    alpha=data.alpha,
                    epsilon=epsilon,
                    delta=1.0 / len(data.target) ** 2,
                    solver="auto",
                    classes=[-1.0, 1.0],
                    features=data.design.shape[1],
                    seed_for_tests=seed,
                ).fit(data.design, data.target)
                scores.append(model.score(data.test_design, data.test_target))
            solver = model.privacy_.solver
            print(f"  ε = {epsilon:g}: {np.mean(scores):.3f}", end=" ")
            print(f"({min(scores):.3f} to {max(scores):.3f}; {solver})", flush=True)


STUDIES: dict[str, Callable[[int, str], None]] = {
    "untuned": untuned,
    "ablation": ablation,
    "safe": safe,
    "tuned": tuned,
    "left_out": left_out,
    "scale": scale,
    "held_out": held_out,
}


def main() -> None:
    apart = {
        "hostile": hostile.main,
        "shells": shells.main,
        "uncertainty": uncertainty.main,
        "zeros": zeros.main,
    }
    if sys.argv[1:2] and sys.argv[1] in apart:
        apart[sys.argv[1]](sys.argv[2:])
        return
    parser = argparse.ArgumentParser(
        prog="python -m bench.defaults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--only", default="", help="problems whose name has this in it")
    given = parser.parse_args()
    print("not private: computed from the records, with seeded noise")
    STUDIES[given.study](given.runs, given.only)


if __name__ == "__main__":
    main()
