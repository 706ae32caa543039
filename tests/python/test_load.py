"""Any model file becomes the estimator that fits such models, whoever wrote it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import southwell

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from numpy.typing import NDArray

    Run = Callable[..., subprocess.CompletedProcess[str]]

BUDGET: dict[str, Any] = {"epsilon": 1, "delta": 1e-6, "feature_scale": 1}
FIT = ["--epsilon", "1", "--delta", "1e-6", "--feature-scale", "1", "--out", "model.json"]
ESTIMATORS: dict[tuple[str, str], Any] = {
    ("squared", "none"): southwell.PrivateRidge,
    ("squared", "box"): southwell.PrivateRidge,
    ("squared", "l2"): southwell.PrivateRidge,
    ("squared", "l1"): southwell.PrivateLasso,
    ("squared", "elastic_net"): southwell.PrivateElasticNet,
    ("huber", "none"): southwell.PrivateHuber,
    ("logistic", "none"): southwell.PrivateLogisticRegression,
    ("logistic", "l1"): southwell.PrivateLogisticRegression,
    ("squared_hinge", "none"): southwell.PrivateLinearSVC,
}
FLAGS = {
    "box": ["--lower", "0"],
    "elastic_net": ["--l1-ratio", "0.5"],
    "huber": ["--huber-width", "1.5"],
    "logistic": ["--classes", "-1,1"],
    "squared_hinge": ["--classes", "-1,1"],
}


@pytest.fixture
def data(table: NDArray[np.float64], tmp_path: Path) -> Path:
    target = np.sign(2 * table[:, 0] - table[:, 3])
    rows = np.column_stack([table, target])
    np.savetxt(tmp_path / "data.csv", rows, delimiter=",", header="a,b,c,d,e,target", comments="")
    return tmp_path / "data.csv"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("objective", ESTIMATORS, ids="-".join)
def test_every_model_of_the_command_line_is_an_estimator(
    objective: tuple[str, str], data: Path, table: NDArray[np.float64], tmp_path: Path, run: Run
) -> None:
    loss, penalty = objective
    flags = ["--loss", loss, "--penalty", penalty, *FLAGS.get(loss, []), *FLAGS.get(penalty, [])]
    done = run("fit", str(data), *flags, *FIT)
    assert done.returncode == 0, done.stderr
    model: Any = southwell.load(tmp_path / "model.json")
    assert type(model) is ESTIMATORS[objective]
    assert getattr(model, "penalty", penalty) == penalty
    assert model.privacy_.guarantee == "(1, 1e-06)-DP"
    assert list(model.feature_names_in_) == list("abcde")
    again = type(model).load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.coef_, model.coef_)
    assert run("predict", "model.json", str(data), "--out", "out.csv").returncode == 0
    predicted = np.loadtxt(tmp_path / "out.csv", skiprows=1)
    np.testing.assert_allclose(model.predict(pd.DataFrame(table, columns=list("abcde"))), predicted)
    model.fit(table, np.sign(table[:, 0]))
    assert (model.model_.loss, model.model_.penalty) == objective


def test_models_that_were_tuned_held_out_or_behind_a_pipeline_are_estimators(
    data: Path, table: NDArray[np.float64], tmp_path: Path, run: Run
) -> None:
    flags = ["--loss", "squared", "--target-scale", "1"]
    (tmp_path / "grid.json").write_text(json.dumps({"penalty": ["l2"], "alpha": [0.1, 1]}))
    done = run("tune", str(data), *flags, "--grid", "grid.json", *FIT)
    assert done.returncode == 0, done.stderr
    assert type(southwell.load(tmp_path / "model.json")) is southwell.PrivateRidge
    assert run("fit", str(data), *flags, "--test-share", "0.3", *FIT).returncode == 0
    held_out: Any = southwell.load(tmp_path / "model.json")
    assert held_out.penalty == "none"
    assert isinstance(held_out.evaluation_, southwell.Evaluation)
    pipeline = southwell.private_pipeline(
        southwell.RowNormalizer(), southwell.PrivateLasso(**BUDGET, target_scale=1)
    ).fit(table, table[:, 0])
    pipeline[-1].save(tmp_path / "model.json")
    assert type(southwell.load(tmp_path / "model.json")) is southwell.PrivateLasso


def test_least_squares_without_a_penalty_is_a_ridge_without_one(
    table: NDArray[np.float64], target: NDArray[np.float64], tmp_path: Path
) -> None:
    inputs: dict[str, Any] = {**BUDGET, "target_scale": 1, "seed_for_tests": 1}
    plain = southwell.PrivateRidge(**inputs, penalty="none").fit(table, target)
    assert plain.model_.penalty == "none"
    plain.save(tmp_path / "model.json")
    again: Any = southwell.load(tmp_path / "model.json")
    assert again.fit(table, target).model_.to_json() == plain.model_.to_json()
    box = southwell.PrivateRidge(**inputs, penalty="none", positive=True).fit(table, target)
    assert box.model_.penalty == "box"
    assert (box.coef_ >= 0).all()
    for penalty in ("l1", "elastic_net", None, 3):
        wrong = southwell.PrivateRidge(**inputs, penalty=penalty)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"accepted are l2, none, box \(PrivateLasso has l1"):
            wrong.fit(table, target)
    with pytest.raises(ValueError, match="only valid with the penalties l1, l2 and elastic_net"):
        southwell.PrivateRidge(**inputs, penalty="none", alpha=1).fit(table, target)


def test_what_is_no_model_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text("{}")
    with pytest.raises(southwell.DataError):
        southwell.load(tmp_path / "model.json")
    with pytest.raises(southwell.DataError, match="No such file"):
        southwell.load(tmp_path / "none.json")
    with pytest.raises(TypeError, match="file: given 3, accepted is a path"):
        southwell.load(3)  # type: ignore[arg-type]
