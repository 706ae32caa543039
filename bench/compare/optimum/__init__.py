"""Time to a certified gap, data in memory, against scikit-learn, celer and skglm.

Every solver is judged by the same checker (problems.relative_gap): of each library the loosest
tolerance that passes is timed, after its compilation. Ours is timed by `lab optimum --repeat`: the
solve alone, as the libraries' `fit` is timed on arrays they already hold.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import dump_svmlight_file

from bench.compare.optimum.libraries import Solver, all_solvers
from bench.compare.optimum.problems import Array, Problem, problems, relative_gap
from bench.rows import ROOT, SCRATCH, Row

LEVELS = (1e-6, 1e-10)
TOLERANCES = [10.0**-k for k in range(2, 15)]
ROUNDS = 7
TOO_LONG = 4.0  # seconds: a solver this slow at one tolerance is not asked for a finer one
HOPELESS = 3.0  # times the fastest so far: a solver this slow is not timed again


def written(problem: Problem) -> list[str]:
    """The problem as files, and the arguments that read them."""
    stem = SCRATCH / problem.name.replace(" ", "_")
    SCRATCH.mkdir(parents=True, exist_ok=True)
    if isinstance(problem.design, np.ndarray):
        design, target = Path(f"{stem}_x.npy"), Path(f"{stem}_y.npy")
        np.save(design, problem.design)
        np.save(target, problem.target)
        return [str(design), "--target", str(target)]
    file = Path(f"{stem}.libsvm")
    dump_svmlight_file(problem.design.tocsr(), problem.target, str(file), zero_based=False)
    return [str(file), "--features", str(problem.design.shape[1])]


def ours(problem: Problem, files: list[str], level: float) -> float:
    """Seconds of the fastest solve, once the checker agrees with the gap."""
    command = [str(ROOT / "build/southwell"), "lab", "optimum", *files, "--no-intercept", "--json"]
    command += ["--loss", problem.loss, "--penalty", problem.penalty, "--alpha", str(problem.alpha)]
    command += ["--gap", str(level), "--repeat", str(ROUNDS)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    coef = np.zeros(problem.design.shape[1])
    for entry in found["support"]:
        coef[entry["index"]] = entry["value"]
    gap = relative_gap(problem, coef)
    if gap > 1.01 * level:
        raise RuntimeError(f"{problem.name}: the checker finds a gap of {gap:.1e}, not {level:.0e}")
    return float(found["seconds"])


def seconds_of(call: Callable[[], Array]) -> tuple[float, Array]:
    start = time.perf_counter()
    coef = call()
    return time.perf_counter() - start, coef


def theirs(problem: Problem, solver: Solver, fastest: dict[float, float]) -> dict[float, float]:
    """Least seconds by level, for the levels it reaches; `fastest` is what others needed."""
    solver(problem, TOLERANCES[0])  # compilation
    least: dict[float, float] = {}
    for tolerance in TOLERANCES:

        def call(tolerance: float = tolerance) -> Array:
            return solver(problem, tolerance)

        took, coef = seconds_of(call)
        gap = relative_gap(problem, coef)
        for level in LEVELS:
            if gap <= level and level not in least:
                again = 0 if took > HOPELESS * fastest[level] else ROUNDS - 1
                least[level] = min([took] + [seconds_of(call)[0] for _ in range(again)])
                fastest[level] = min(fastest[level], least[level])
        if len(least) == len(LEVELS) or took > TOO_LONG:
            break
    return least


def rows() -> Iterator[Row]:
    for problem in problems():
        files = written(problem)
        fastest = dict.fromkeys(LEVELS, float("inf"))
        found = {
            name: theirs(problem, solver, fastest) for name, solver in all_solvers(problem).items()
        }
        for level in LEVELS:
            name, least = min(
                ((name, seconds[level]) for name, seconds in found.items() if level in seconds),
                key=lambda pair: pair[1],
            )
            seconds = ours(problem, files, level)
            yield Row(
                f"optimum {problem.name}, gap {level:.0e}",
                least / seconds,
                "x",
                1.0,
                "higher",
                f"{name} ({1e3 * least:.1f} ms; ours {1e3 * seconds:.2f} ms)",
            )
