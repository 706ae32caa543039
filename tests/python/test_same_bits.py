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
from bench.defaults.shells import from_each_shell, raw_tables
from bench.rows import DATA

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# The same fit is in tests/cpp/fit/same_bits_test.cpp, with the same number.
GOLDEN = 0x0AB1_26B7_852A_E7F5


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


ESTIMATORS = {
    ("squared", "l2"): southwell.PrivateRidge,
    ("squared", "l1"): southwell.PrivateLasso,
    ("squared", "elastic_net"): southwell.PrivateElasticNet,
    ("logistic", "l2"): southwell.PrivateLogisticRegression,
    ("logistic", "l1"): southwell.PrivateLogisticRegression,
}


@pytest.mark.parametrize(("loss", "penalty"), ESTIMATORS)
@pytest.mark.parametrize("features", [5, 60])
def test_where_nothing_is_chosen_all_three_shells_make_the_same_model(
    root: Path, run: Run, tmp_path: Path, loss: str, penalty: str, features: int
) -> None:
    problem = "log1" if loss == "logistic" else "square"
    flags = ["--records", 400, "--features", features, "--seed", 1, "--out", "data.csv"]
    assert run("generate", problem, *flags).returncode == 0
    given = ["--loss", loss, "--penalty", penalty, "--epsilon", 1, "--delta", 1e-6]
    given += ["--classes", "-1,1"] if loss == "logistic" else []
    given += ["--l1-ratio", 0.5] if penalty == "elastic_net" else []
    seeded = [*given, "--seed-for-tests", 7]
    done = run("fit", "data.csv", "--target", "target", *seeded, "--out", "model.json")
    assert done.returncode == 0, done.stderr
    from_command_line = json.loads((tmp_path / "model.json").read_text())

    program = root / "build/release/tests/default_fit"
    command = [program, tmp_path / "data.csv", loss, penalty, tmp_path / "cpp.json"]
    cpp = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    assert json.loads((tmp_path / "cpp.json").read_text()) == from_command_line

    data = southwell.read(tmp_path / "data.csv", target="target")
    frame = pandas.DataFrame(np.asarray(data.design), columns=data.feature_names)
    more: dict[str, Any] = {"classes": [-1, 1], "penalty": penalty} if loss == "logistic" else {}
    estimator = ESTIMATORS[loss, penalty](epsilon=1, delta=1e-6, seed_for_tests=7, **more)
    with pytest.warns(UserWarning, match="feature_scale: not declared") as told:
        fitted = estimator.fit(frame, data.target)
    assert json.loads(fitted.model_.to_json()) == from_command_line

    # One warning, in the same words, and the same choices before any data.
    (words,) = {str(each.message) for each in told}
    assert cpp.stderr == f"{words}\n"
    assert done.stderr == f"southwell: warning: {words}\n"
    planned = run("plan", "--records", 400, "--features", features, *given, "--json")
    dry = run("fit", "data.csv", "--target", "target", *given, "--dry-run")
    choice = from_command_line["privacy"]["public_inputs"]["solver_choice"]["value"]
    plan = json.loads(planned.stdout)
    assert (plan["solver"], plan["why"]) == (from_command_line["privacy"]["solver"], choice)
    assert plan["rows"][plan["chosen"]]["iterations"] == fitted.privacy_.iterations
    assert f"solver {plan['solver']} (chosen automatically: " in dry.stdout
    assert planned.stderr == dry.stderr == done.stderr


@pytest.mark.skipif(not DATA.is_dir(), reason="the raw tables are not here")
def test_a_raw_table_makes_the_same_model_in_all_three_shells(tmp_path: Path) -> None:
    california = raw_tables()[0]
    models = from_each_shell(california, tmp_path)
    assert len(models) == 3
    assert models["command line"] == models["Python"] == models["C++"]


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
