"""Records that are limited in norm, and several classes as one softmax, on the command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def write(file: Path, x: np.ndarray, y: np.ndarray) -> None:
    header = ",".join([*(f"x{j}" for j in range(x.shape[1])), "target"])
    np.savetxt(
        file, np.column_stack([x, y]), delimiter=",", header=header, comments="", fmt="%.17g"
    )


def table(classes: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(2)
    x = generator.normal(size=(400, 4))
    y = np.clip(np.floor(x[:, 0] + 0.7 * generator.normal(size=400) + classes / 2), 0, classes - 1)
    return x, y


FIT = ("--epsilon", "4", "--delta", "1e-6", "--solver", "sgd", "--seed-for-tests", "1")


def test_a_limit_is_in_the_model_and_in_what_it_predicts(run: Run, tmp_path: Path) -> None:
    x, y = table(2)
    write(tmp_path / "data.csv", x, y)
    norm = ("--record-norm", "0.5", "--classes", "0,1")
    done = run("fit", "data.csv", "--loss", "logistic", *FIT, *norm, "--out", "m.json")
    assert done.returncode == 0, done.stderr
    model = json.loads((tmp_path / "m.json").read_text())
    assert model["input_limits"] == {"record_norm": 1.0}
    said = run("inspect", "m.json").stdout
    assert "Predictions are linear for records of norm 1 or less" in said
    w = np.array([entry["value"] for entry in model["coef"][0]])
    shortened = x / np.maximum(1.0, np.linalg.norm(x, axis=1))[:, np.newaxis]
    run("predict", "m.json", "data.csv", "--kind", "margin", "--out", "p.csv")
    got = np.loadtxt(tmp_path / "p.csv", skiprows=1, delimiter=",", usecols=-1)
    assert got == pytest.approx(shortened @ w + model["intercept"][0])
    # The objective of the model is that of the records as it has them.
    write(tmp_path / "signs.csv", x, 2 * y - 1)
    value = json.loads(run("lab", "objective", "m.json", "signs.csv", "--json").stdout)
    expected = np.log1p(np.exp(-(2 * y - 1) * got)).mean()
    assert value["loss_value"] == pytest.approx(expected)


def test_the_optimum_of_a_softmax_is_scikit_learns(run: Run, tmp_path: Path) -> None:
    x, y = table(3)
    write(tmp_path / "data.csv", x, y)
    alpha = 0.01
    objective = ("--loss", "logistic", "--penalty", "l2", "--alpha", str(alpha))
    done = run("lab", "optimum", "data.csv", *objective, "--classes", "0,1,2", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["gap"] <= 1e-10
    assert found["objective_at_zero"] == pytest.approx(np.log(3))
    other = LogisticRegression(C=1 / (400 * alpha), tol=1e-12, max_iter=10_000).fit(x, y)
    p = other.predict_proba(x)[np.arange(400), y.astype(int)]
    value = -np.log(p).mean() + alpha / 2 * (other.coef_**2).sum()
    assert found["objective"] == pytest.approx(value, abs=1e-8)
    # A fit with next to no noise comes near it.
    budget = ("--epsilon", "1e5", "--delta", "0.1", "--solver", "sgd", "--record-norm", "2")
    done = run("fit", "data.csv", *objective, *budget, "--classes", "0,1,2", "--out", "m.json")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "m.json").read_text())["multiclass"] == "softmax"
    figures = json.loads(run("evaluate", "m.json", "data.csv", "--json").stdout)
    assert figures["loss_value"] == pytest.approx(figures["log_loss"])
    assert figures["log_loss"] < found["objective"] + 0.1


def test_other_objectives_have_no_softmax(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "data.csv", *table(3))
    done = run("lab", "optimum", "data.csv", "--loss", "squared", "--classes", "0,1,2")
    assert done.returncode == 2
    assert "--classes: given with another objective" in done.stderr
    done = run("lab", "optimum", "data.csv", "--loss", "logistic", "--classes", "0,1")
    assert done.returncode == 2
    assert "three numbers or more" in done.stderr
