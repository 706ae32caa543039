"""What a fit costs more through Python than in C++, on a9a."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import southwell
from bench.rows import DATA, Row, fastest
from southwell import _core
from southwell._design import as_design

FILE = DATA / "a9a" / "a9a.libsvm.gz"
INPUTS: dict[str, Any] = {"epsilon": 1, "delta": 1e-6, "features": 123, "threads": 1}


def seconds(rounds: int = 20) -> dict[str, float]:
    """Of the fit that the command line makes once it has read the file, and of the estimator's.

    On one thread, in CPU time, so that a busy machine does not count. The estimator also checks
    the table, the labels and the parameters, and makes the design: all of that is its overhead.
    """
    data = southwell.read_libsvm(FILE, features=123)
    target = np.asarray(data.target)
    estimator = southwell.PrivateLogisticRegression(**INPUTS, alpha=1e-4, classes=[-1, 1])
    inputs = INPUTS | {"loss": "logistic", "penalty": "l2", "alpha": 1e-4, "classes": [-1.0, 1.0]}
    design = as_design(data.design)

    def core() -> object:
        return _core.fit(_core.plan_for(design, inputs), design, target)

    tasks = {"core": core, "python": lambda: estimator.fit(data.design, target)}
    return fastest(tasks, rounds, time.process_time)


def rows() -> Iterator[Row]:
    if not FILE.exists():
        return
    took = seconds()
    core, more = 1e3 * took["core"], 1e3 * (took["python"] - took["core"])
    against = f"the fit in C++, {core:.0f} ms; allowed are 1 ms and 2 % of it"
    yield Row(
        "Python's part of a fit, a9a", more, "ms", round(1 + 0.02 * core, 2), "lower", against
    )
