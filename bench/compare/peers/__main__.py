"""a9a and Adult by other libraries and by ours, on held-out records.

    python -m bench.compare.peers [--fits 5] [--epsilon .1 .5 1 4] [--libraries diffprivlib opacus]

Makes an environment for each library under build/peers (with uv; Opacus brings torch, 1.1 GB),
writes the records there and runs the library's file of this folder in it. Every library is given
the same encoded features and norm of a record. Prints log-loss over that of the class shares,
accuracy and AUC: of its default setting, and of the best of its grid by the held-out log-loss,
which nobody could choose. diffprivlib has delta = 0; Opacus protects who is added or removed, so
ours is asked for both relations.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import southwell
from bench.compare.wide import PROBLEMS, Problem, figures
from bench.rows import ROOT

HERE = Path(__file__).parent
PLACE = ROOT / "build/peers"
LIBRARIES = {
    "diffprivlib": ["diffprivlib==0.6.6", "scikit-learn<1.8"],
    "opacus": ["torch==2.13.0", "opacus==1.6.0", "numpy"],
}
OURS = {"replace_one": {}, "add_or_remove_one": {"relation": "add_or_remove_one"}}


def environment(library: str) -> Path:
    """The interpreter of the library's environment, made where it is absent."""
    folder = PLACE / library
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run(["uv", "venv", "-q", str(folder)], check=True)
        install = ["uv", "pip", "install", "-q", "--python", str(python), *LIBRARIES[library]]
        subprocess.run(install, check=True)
    return python


def written(name: str, problem: Problem) -> Path:
    """The records as a file of arrays, divided by the norm of a record."""
    PLACE.mkdir(parents=True, exist_ok=True)
    file = PLACE / f"{name}.npz"
    halves: list[Any] = [
        (x.toarray() if hasattr(x, "toarray") else x) / problem.record_norm
        for x in (problem.x, problem.x_test)
    ]
    np.savez(file, x=halves[0].astype(np.float32), y=problem.y, x_test=halves[1].astype(np.float32))
    return file


def by_library(library: str, file: Path, epsilon: float, fits: int) -> dict[str, list[Any]]:
    """The probabilities of the second class that each setting gives the records held out."""
    out = PLACE / f"{library}.npz"
    command = [str(environment(library)), str(HERE / f"with_{library}.py"), str(file), str(out)]
    subprocess.run([*command, str(epsilon), str(fits)], check=True, stdout=subprocess.DEVNULL)
    with np.load(out) as found:
        return {name: list(found[name]) for name in found.files}


def ours(problem: Problem, epsilon: float, fits: int, **inputs: Any) -> Any:
    if inputs:
        inputs["records"] = len(problem.y)
    model = southwell.PrivateLogisticRegression(
        epsilon=epsilon,
        delta=1 / len(problem.y) ** 2,
        classes=[0, 1],
        features=problem.x.shape[1],
        record_norm=problem.record_norm,
        **inputs,
    )
    runs = [model.fit(problem.x, problem.y).predict_proba(problem.x_test) for _ in range(fits)]
    return np.mean([figures(p, problem.y_test) for p in runs], axis=0)


def of_second(p: Any, y: Any) -> tuple[float, float, float]:
    p = np.clip(np.nan_to_num(np.asarray(p, dtype=float), nan=0.5), 1e-12, 1 - 1e-12)
    return figures(np.stack([1 - p, p], axis=1), y)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=int, default=5)
    parser.add_argument("--epsilon", type=float, nargs="+", default=[0.1, 0.5, 1, 4])
    parser.add_argument("--problems", nargs="+", default=["a9a", "adult"])
    parser.add_argument("--libraries", nargs="+", default=list(LIBRARIES))
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in given.problems:
        problem = PROBLEMS[name]()
        file = written(name, problem)
        for epsilon in given.epsilon:
            rows = {
                f"ours, {relation}": ours(problem, epsilon, given.fits, **inputs)
                for relation, inputs in OURS.items()
            }
            for library in given.libraries:
                settings = {
                    setting: np.mean([of_second(p, problem.y_test) for p in runs], axis=0)
                    for setting, runs in by_library(library, file, epsilon, given.fits).items()
                }
                best = min(settings, key=lambda each: float(settings[each][0]))
                rows[f"{library}, default"] = settings["default"]
                rows[f"{library}, best ({best})"] = settings[best]
            shown = {method: [round(float(v), 3) for v in found] for method, found in rows.items()}
            print(f"{name} {epsilon:g} {json.dumps(shown)}", flush=True)


if __name__ == "__main__":
    main()
