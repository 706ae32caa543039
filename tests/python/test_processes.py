"""Parts, figures and choices where a process is forked, and where one is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import southwell
from southwell import PrivateLogisticRegression, PrivateSearch

BUDGET: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6}


def data() -> tuple[Any, Any]:
    random = np.random.default_rng(1)
    x = random.normal(size=(2000, 3))
    return x, (x[:, 0] + random.normal(size=2000) > 0).astype(int)


def estimator(**more: Any) -> PrivateLogisticRegression:
    return PrivateLogisticRegression(**BUDGET, classes=[0, 1], feature_scale=1.0, threads=1, **more)


def of_evaluation() -> Callable[[], str]:
    model = estimator().fit(*data())
    return lambda: str(southwell.evaluate(model, *data(), **BUDGET).to_dict())


def of_held_out() -> Callable[[], str]:
    return lambda: estimator(test_share=0.2).fit(*data()).model_.to_json()


def of_search(way: str) -> Callable[[], str]:
    search = PrivateSearch(estimator(), {"alpha": [0.01, 0.02]}, **BUDGET, way=way, test_share=0.2)
    return lambda: search.fit(*data()).best_estimator_.model_.to_json()


def of_a_child(run: Callable[[], str]) -> str:
    """What a forked process finds."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(write, "w") as out:
                out.write(run())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as found:
        text = found.read()
    os.waitpid(child, 0)
    return text


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "of", [of_evaluation, of_held_out, lambda: of_search("all"), lambda: of_search("runs")],
    ids=["evaluation", "held out", "all settings", "runs"],
)  # fmt: skip
def test_a_fork_draws_its_own_noise_and_parts(of: Callable[[], Callable[[], str]]) -> None:
    run = of()
    run()  # so that bits have been asked for before the fork
    found = [of_a_child(run), of_a_child(run), run()]
    assert all(found)
    assert len(set(found)) == 3


LONG = """
import signal, sys, numpy as np, southwell
signal.signal(signal.SIGINT, signal.default_int_handler)
X = np.asfortranarray(np.random.default_rng(1).normal(size=(1000, 100)))
y = (X[:, 0] > 0).astype(int)
model = southwell.PrivateLogisticRegression(
    alpha=1, epsilon=1, delta=1e-6, iterations=1_000_000, solver="cd", classes=[0, 1],
    feature_scale=1.0, test_share=0.2 if sys.argv[1] == "held out" else None,
)
if sys.argv[1] != "held out":
    model = southwell.PrivateSearch(
        model, {"alpha": [1.0, 2.0]}, epsilon=1, delta=1e-6, way=sys.argv[1],
        ledger=sys.argv[2] if sys.argv[1] == "all" else None,
    )
print("fitting", flush=True)
model.fit(X, y)
"""


@pytest.mark.parametrize("what", ["held out", "all", "runs"])
def test_ctrl_c_stops_it_and_what_was_reserved_stays_spent(what: str, tmp_path: Path) -> None:
    file = tmp_path / "ledger"
    ledger = southwell.Ledger.create(str(file), epsilon=3, delta=1e-5)
    process = subprocess.Popen(
        [sys.executable, "-c", LONG, what, str(file)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "fitting\n"
    timer = threading.Timer(1.5, lambda: process.send_signal(signal.SIGINT))
    timer.start()
    _, message = process.communicate(timeout=60)
    timer.join()
    assert process.returncode != 0
    assert "KeyboardInterrupt" in message
    # A choice that was stopped has read records: a ledger keeps what it was to cost.
    assert len(ledger.entries) == (1 if what == "all" else 0)
