"""The same data and the same scripted noise give the same bits in every shell."""

import json
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import southwell

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# The same fit is in tests/cpp/fit/same_bits_test.cpp, with the same number.
GOLDEN = 0x1C05_85AD_18F8_A2DA


def fingerprint(path: list[tuple[int, float, float]]) -> int:
    """FNV-1a over the bits of every step."""
    state = 0xCBF29CE484222325
    for index, gradient, value in path:
        for byte in struct.pack("<qdd", index, gradient, value):
            state = ((state ^ byte) * 0x100000001B3) % 2**64
    return state


@pytest.mark.parametrize("solver", ["gcd", "cd", "sgd"])
@pytest.mark.parametrize("form", [np.asfortranarray, np.ascontiguousarray])
@pytest.mark.parametrize("bounds", [{}, {"lower": 0.0}], ids=["free", "bounded"])
def test_python_and_the_command_line_agree_to_the_last_bit(
    run: Run, tmp_path: Path, solver: str, form: Any, bounds: dict[str, float]
) -> None:
    flags = ["--records", 200, "--features", 20, "--seed", 1, "--out", "data.csv"]
    assert run("generate", "square", *flags).returncode == 0
    data = southwell.read(tmp_path / "data.csv", target="target")
    inputs: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "alpha": 1.0, "target_scale": 100.0}
    inputs |= {"seed_for_tests": 7, "solver": solver, "iterations": 12, **bounds}
    objective = ["--loss", "squared", "--penalty", "l2"]
    given = [part for k, v in inputs.items() for part in ("--" + k.replace("_", "-"), v)]
    done = run("fit", "data.csv", "--target", "target", *objective, *given, "--out", "model.json")
    assert done.returncode == 0, done.stderr
    wanted = json.loads((tmp_path / "model.json").read_text())
    frame = pandas.DataFrame(form(data.design), columns=data.feature_names)
    fitted = southwell.PrivateRidge(**inputs).fit(frame, data.target)
    assert json.loads(fitted.model_.to_json()) == wanted


def test_python_and_cpp_agree_to_the_last_bit() -> None:
    data, _ = southwell.generate("square", records=200, features=20, seed=1)
    lasso = southwell.PrivateLasso(
        alpha=1.0,
        epsilon=1.0,
        delta=1e-6,
        target_scale=100.0,
        iterations=12,
        share=0.8,
        seed_for_tests=7,
    )
    fitted = lasso.fit(data.design, data.target)
    path = [(int(s["feature"]), float(s["gradient"]), float(s["value"])) for s in fitted.path_]
    assert fingerprint(path) == GOLDEN
