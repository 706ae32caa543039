"""How often a private target scale is useless where targets are 0. Reads records; not private.

Useless is a scale more than eight times above or below the median size of the targets that are not
0. Each fit has targets of its own. Amounts are lognormal (s = 1) around 1000, changes normal with
standard deviation 1.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import southwell
from bench.defaults.hostile_families import Array

ZEROS = (0.0, 0.3, 0.6, 0.8, 0.95)
RECORDS = (500, 1000, 5000, 50_000)
EPSILONS = (0.5, 1.0, 4.0)
FACTOR = 8.0


def targets(kind: str, records: int, zeros: float, seed: int) -> Array:
    rng = np.random.default_rng([seed, records])
    count = records - round(zeros * records)
    if kind == "amounts":
        sized = rng.lognormal(np.log(1000.0), 1.0, count)
    else:
        sized = rng.standard_normal(count)
    return rng.permutation(np.concatenate([sized, np.zeros(records - count)]))


def scale_found(target: Array, epsilon: float, seed: int) -> float:
    model = southwell.PrivateRidge(
        epsilon=epsilon,
        delta=1e-6,
        target_scale="private",
        solver="gcd",
        fit_intercept=False,
        threads=1,
        seed_for_tests=seed,
    )
    model.fit(np.ones((len(target), 1)), target)
    found: Any = model.privacy_.public_inputs["target_scale"]["value"]
    return float(found)


def is_useless(found: float, target: Array) -> bool:
    right = float(np.median(np.abs(target[target != 0.0])))
    return not right / FACTOR <= found <= FACTOR * right


def share(kind: str, records: int, zeros: float, epsilon: float, runs: int, jobs: int) -> float:
    def once(seed: int) -> bool:
        target = targets(kind, records, zeros, seed)
        return is_useless(scale_found(target, epsilon, seed), target)

    with ThreadPoolExecutor(jobs) as pool:
        return float(np.mean(list(pool.map(once, range(runs)))))


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.defaults zeros", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2, help="threads")
    given = parser.parse_args(arguments)
    columns = "".join(f"{f'{zeros:.0%} zeros':>11}" for zeros in ZEROS)
    print(f"useless scales in %, of {given.runs} fits\n{'':28}{columns}")
    for kind in ("amounts", "changes"):
        for records in RECORDS:
            for epsilon in EPSILONS:
                print(f"{kind}, n = {records}, ε = {epsilon:g}".ljust(28), end="")
                for zeros in ZEROS:
                    found = share(kind, records, zeros, epsilon, given.runs, given.jobs)
                    print(f"{100.0 * found:11.1f}", end="", flush=True)
                print()
