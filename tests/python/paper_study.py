"""A small study with all files that `southwell lab paper` and `southwell lab theory` write.

Its numbers are made up, but have the sizes and the oddities of real ones: fractions of a pass,
DP-SGD with two points only, an infinite maximum, a bound that does not apply.
"""

from __future__ import annotations

import csv
import json
import math
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

AT_ZERO = {
    "log1": 6.8, "log2": 6.8, "square": 0.73, "california": 0.0963, "madelon_l1": 0.01157,
    "madelon_l2": 0.0512, "dorothea": 0.783, "mtp": 0.094,
}  # fmt: skip
SHAPE = {
    "log1": (1000, 100), "log2": (1000, 100), "square": (1000, 1000), "california": (20640, 8),
    "madelon_l1": (2600, 500), "madelon_l2": (2600, 500), "dorothea": (800, 88119),
    "mtp": (4401, 202),
}  # fmt: skip
SUPPORT = {"square": 9, "california": 3, "madelon_l1": 3, "dorothea": 72}
LEFT = {
    ("gcd", "paper"): 0.5, ("gcd", "certified"): 0.25, ("cd", "paper"): 0.9,
    ("cd", "certified"): 0.8, ("sgd", "paper"): 0.97,
}  # fmt: skip
PASSES = {"gcd": 10.0, "cd": 3.0, "sgd": 20.0}
CELL = ["problem", "algorithm", "mode", "rule"]
WINNER = [
    *CELL, "records", "features", "objective", "error_at_zero", "optimum_support", "settings",
    "settings_run", "runs", "passes", "iterations", "clip", "step", "search_mean", "search_min",
    "search_max", "fresh_runs", "fresh_mean", "fresh_min", "fresh_max", "support_right",
    "support_wrong", "search_seconds", "fit_seconds", "share", "good_steps", "bad_steps",
]  # fmt: skip
RESULT = [
    *CELL, "passes", "iterations", "clip", "step", "runs", "error_mean", "error_min", "error_max",
]  # fmt: skip


def write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def cells() -> list[tuple[str, str, str, str]]:
    found = []
    for problem in AT_ZERO:
        for algorithm, mode in LEFT:
            rules = [""]
            if algorithm == "gcd":
                rules = ["gs_s", "gs_r", "gs_q"] if problem in SUPPORT else ["gs_s"]
            found += [(problem, algorithm, mode, rule) for rule in rules]
    return found


def left(cell: tuple[str, str, str, str]) -> float:
    problem, algorithm, mode, rule = cell
    share = LEFT[algorithm, mode]
    if problem in ("california", "madelon_l1") and algorithm == "gcd":
        share *= 0.02
    return share * {"": 1.0, "gs_s": 1.0, "gs_r": 1.1, "gs_q": 0.95}[rule]


def trajectory(cell: tuple[str, str, str, str], draw: random.Random) -> list[list[object]]:
    problem, algorithm, _, _ = cell
    records, features = SHAPE[problem]
    passes = 0.01 if (problem, algorithm) == ("square", "cd") else PASSES[algorithm]
    per_pass = {"gcd": 1, "cd": features, "sgd": records}[algorithm]
    points = 2 if algorithm == "sgd" else int(passes) + 1 if passes > 1 else 4
    speed = {"gcd": 2e-8, "cd": 5e-8, "sgd": 3e-7}[algorithm] * records * features
    rows: list[list[object]] = []
    for i in range(points):
        done = passes * i / (points - 1)
        error = AT_ZERO[problem] * left(cell) ** (i / (points - 1))
        width = 0.0 if i == 0 else 0.3 * draw.random()
        high = error * (1 + width)
        if (problem, algorithm, i) == ("log1", "cd", 1):
            high = math.inf
        spent = done * speed
        row = [done, int(done * per_pass), error, error * (1 - width), high, spent]
        rows.append([*cell, *row])
    return rows


def winner(cell: tuple[str, str, str, str], points: list[list[object]]) -> list[object]:
    problem, algorithm, mode, _ = cell
    passes, iterations, mean, low, high, spent = points[-1][4:]
    support = SUPPORT.get(problem, SHAPE[problem][1])
    settings = 3500 if algorithm == "gcd" else 4500
    clip, step = 10 ** (-4 + 10 * 23 / 49), 10 ** (-2 + 3 * 6 / 9)
    greedy = algorithm == "gcd"
    share = 0.7 if greedy and mode == "certified" else ""
    good, bad = (9.5, 0.5) if greedy else ("", "")
    return [
        *cell, *SHAPE[problem], 1.0, AT_ZERO[problem], support, settings, settings, 5, passes,
        iterations, clip, step, mean, low, high, 3, mean, low, high, 2.5, 0 if greedy else 1.5,
        12.5, spent, share, good, bad,
    ]  # fmt: skip


def write_theory(folder: Path, draw: random.Random) -> None:
    runs, fits, bounds = [], [], []
    slope = {"gcd": 0.05, "cd": 0.5, "sgd": 0.8}
    for truth, level in (("log_normal", 0.4), ("sparse", 0.05)):
        for algorithm, mode in LEFT:
            for features in (100, 1000, 10000):
                for seed in range(4):
                    error = level * (features / 100) ** slope[algorithm]
                    error *= LEFT[algorithm, mode] * draw.uniform(0.8, 1.25)
                    runs.append([truth, features, 1000, algorithm, mode, seed, error, error / 2])
            value = slope[algorithm]
            fits.append([truth, algorithm, mode, value, value - 0.04, value + 0.04])
        for features in (100, 1000, 10000):
            bounds.append([truth, features, "convex", 300 * math.log(features)])
            applies = truth == "sparse" and features < 10000
            bounds.append([truth, features, "quasi_sparse", 80 * features**0.1 if applies else ""])
    columns = ["truth", "features", "records", "algorithm", "mode", "seed", "error", "share"]
    write(folder / "theory.csv", columns, runs)
    columns = ["truth", "algorithm", "mode", "slope", "slope_low", "slope_high"]
    write(folder / "theory_fits.csv", columns, fits)
    write(folder / "theory_bounds.csv", ["truth", "features", "theorem", "bound"], bounds)


def write_problems(folder: Path, draw: random.Random) -> None:
    problems, optima = [], []
    for problem, (records, features) in SHAPE.items():
        count = SUPPORT.get(problem, features)
        values = [draw.choice((-1, 1)) * draw.lognormvariate(0, 1) for _ in range(count)]
        sizes = sorted(map(abs, values), reverse=True)
        sixth = sizes[5] if count > 5 else 0.0
        row = [problem, records, features, "squared", "l1", 0.1, 1.0, AT_ZERO[problem], count]
        problems.append([*row, sixth])
        optima += [[problem, index, value] for index, value in enumerate(values)]
    columns = [
        "problem", "records", "features", "loss", "penalty", "alpha", "objective",
        "error_at_zero", "optimum_support", "quasi_sparsity",
    ]  # fmt: skip
    write(folder / "problems.csv", columns, problems)
    write(folder / "optimum.csv", ["problem", "index", "value"], optima)


def write_study(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(7)
    paths = {cell: trajectory(cell, draw) for cell in cells()}
    columns = [*CELL, "passes", "iterations", "error_mean", "error_min", "error_max", "seconds"]
    write(folder / "trajectories.csv", columns, [row for rows in paths.values() for row in rows])
    write(folder / "winners.csv", WINNER, [winner(cell, rows) for cell, rows in paths.items()])
    columns = [*CELL, "seed", "error", "support_right", "support_wrong", "optimum_support"]
    wrong = [[*cell, seed, 0.5, 2, int(cell[1] != "gcd"), 9] for cell in paths for seed in range(3)]
    write(folder / "supports.csv", columns, wrong)
    # Two settings of each cell: a part of the grid, which the report must notice.
    setting = [1, 1, 1e-4, 0.01, 5, 0.5, 0.4, 0.6]
    write(folder / "results.csv", RESULT, [[*cell, *setting] for cell in paths for _ in range(2)])
    write_problems(folder, draw)
    write_theory(folder, draw)
    inputs = {"data_sha256": "ab" * 32, "search_seeds": [1, 5], "fresh_seeds": [1000000, 1000002]}
    content = {
        "southwell_version": "0.1.0",
        "compiler": "g++ 12.2.0",
        "cells": [{"inputs": inputs, "winner": {"problem": "square"}}],
    }
    (folder / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def rows(path: Path, **wanted: str) -> list[dict[str, str]]:
    """The CSV's rows, read by other means than the report's."""
    with path.open(newline="") as file:
        found = list(csv.DictReader(file))
    return [row for row in found if all(row[name] == value for name, value in wanted.items())]
