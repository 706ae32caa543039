"""A feature that is far larger than declared is warned of, by the words of every shell."""

import json
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import southwell
from tests.cli.test_record_norm import write

Run = Callable[..., "subprocess.CompletedProcess[str]"]
BUDGET: dict[str, Any] = {"epsilon": 4.0, "delta": 1e-6}
FIT = ("--loss", "squared", "--penalty", "l2", "--epsilon", "4", "--delta", "1e-6")


def table(factor: float) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(6)
    x = generator.normal(size=(3000, 8))
    y = x[:, 0] + x[:, 2] + 0.3 * generator.normal(size=3000)
    x[:, 2] *= factor
    return x, y


@pytest.mark.parametrize("solver", ["gcd", "sgd"])
@pytest.mark.parametrize("factor", [1.0, 20.0])
def test_all_shells_say_the_same_words(
    run: Run, tmp_path: Path, solver: str, factor: float
) -> None:
    x, y = table(factor)
    write(tmp_path / "data.csv", x, y)
    chosen = ("--solver", solver, "--feature-scale", "1", "--seed-for-tests", "1")
    done = run("fit", "data.csv", *FIT, *chosen, "--out", "m.json")
    assert done.returncode == 0, done.stderr
    stated = json.loads((tmp_path / "m.json").read_text())["privacy"].get("found_amiss", [])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = southwell.PrivateRidge(
            solver=solver, feature_scale=1.0, seed_for_tests=1, **BUDGET
        ).fit(x, y)
    assert [str(each.message) for each in told] == model.privacy_.warnings
    if factor == 1.0:
        assert not stated
        assert not told
        assert "warning" not in done.stderr
        return
    assert len(stated) == len(told) == 1
    assert "features are larger than declared, at least x2 2" in stated[0]
    # The same words, but for what the feature is called.
    assert stated[0].replace("x2 ", "x3 ") == str(told[0].message)
    assert " ".join(stated[0].split()) in " ".join(done.stderr.split())
    inspected = " ".join(run("inspect", "m.json").stdout.split())
    assert " ".join(stated[0].split()) in inspected
