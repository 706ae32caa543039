"""Every public function and estimator, each by a call that works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import southwell
from southwell import plot
from tests.python.estimator_cases import BUDGET, CLASSIFIERS, REGRESSORS, declared


class Untouched:
    """Records that nobody may look at, because the parameters were wrong already."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} of the records was asked for")

    def __array__(self, *_: object, **__: object) -> Any:
        raise AssertionError("the records were read")


TABLE = np.random.default_rng(1).normal(size=(60, 4))
TARGET = TABLE[:, 0] - TABLE[:, 2]
PROBLEM = dict.fromkeys(
    ["epsilon", "delta", "lipschitz_max", "smoothness_min", "smoothness_max", "initial_gap",
     "failure"], 0.5,
) | {"records": 1e6, "features": 10}  # fmt: skip


def _fit(kind: Any, X: Any, y: Any, **given: Any) -> Any:  # noqa: N803
    if kind is southwell.PooledScaler:
        return kind(**({"epsilon": 1} | given)).fit(X)
    if kind in CLASSIFIERS and y is TARGET:
        y = np.sign(y)
    return kind(**(BUDGET | declared(kind) | given)).fit(X, y)


def calls(folder: Path, data: str) -> dict[str, Callable[..., Any]]:
    """All calls by name; what they are given is added to what makes them work."""
    (folder / "a.csv").write_text("x,target\n1,2\n3,4\n")
    (folder / "a.libsvm").write_text("1 1:2\n")
    np.save(folder / "a.npy", TABLE)
    X, y = (Untouched(), Untouched()) if data == "form" else (TABLE, TARGET)  # noqa: N806
    fitted = _fit(southwell.PrivateLasso, TABLE, TARGET)
    fitted.save(folder / "m.json")
    planned = {"records": 1000, "features": 5, "loss": "squared", "feature_scale": 1, **BUDGET}
    noise = {"iterations": 3, "selection_epsilon": 1, "release_epsilon": 1}
    known = {
        "plan": _with(southwell.plan, planned),
        "calibrate": _with(southwell.calibrate, {"epsilon": 1, "iterations": 3}),
        "account": _with(southwell.account, noise),
        "generate": _with(
            southwell.generate, {"problem": "log1", "records": 9, "features": 3, "seed": 1}
        ),
        "reference_optimum": _with(
            southwell.reference_optimum, {"X": TABLE, "y": TARGET, "loss": "squared"}
        ),
        "quasi_sparsity": _with(southwell.quasi_sparsity, {"coef": [3, 1, 0], "tau": 1}),
        "utility_bound": _with(_utility_bound, PROBLEM),
        "plot.path": _with(plot.path, {"model": fitted}),
        "plot.statement": _with(plot.statement, {"model": fitted}),
        "plot.noise": _with(plot.noise, BUDGET | {"iterations": [1, 2]}),
        "plot.plan": _with(plot.plan, {"planned": southwell.plan(**planned)}),
        "save": _with(fitted.save, {"file": folder / "new.json"}),
    }
    for name, ending in READERS.items():
        known[name] = _with(getattr(southwell, name), {"file": folder / f"a.{ending}"})
    for kind in [*REGRESSORS, *CLASSIFIERS, southwell.PooledScaler]:
        known[kind.__name__] = _with(_fit, {"kind": kind, "X": X, "y": y})
    for kind in REGRESSORS + CLASSIFIERS:
        known[f"{kind.__name__}.load"] = _with(kind.load, {"file": folder / "m.json"})
    return known


def _with(call: Any, works: dict[str, Any]) -> Callable[..., Any]:
    return lambda **given: call(**(works | given))


def _utility_bound(**given: Any) -> Any:
    return southwell.utility_bound(**({} if "radius" in given else {"mu": 0.5}) | given)


READERS = {"read": "csv", "read_csv": "csv", "read_libsvm": "libsvm", "read_npy": "npy"}
ESTIMATORS = [kind.__name__ for kind in REGRESSORS + CLASSIFIERS]
