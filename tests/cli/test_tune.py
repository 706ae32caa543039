"""southwell tune: a setting chosen by a mechanism, within one budget."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np

Run = Callable[..., "subprocess.CompletedProcess[str]"]

TUNE = ("tune", "data.csv", "--loss", "logistic", "--penalty", "l2", "--classes", "0,1",
        "--epsilon", "2", "--delta", "1e-6", "--feature-scale", "1",
        "--grid", "grid.json")  # fmt: skip


def write(tmp_path: Path, grid: object) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(3000, 2))
    y = (x[:, 0] + 0.5 * rng.normal(size=3000) > 0).astype(float)
    np.savetxt(
        tmp_path / "data.csv", np.column_stack([x, y]), delimiter=",", header="a,b,target",
        comments="",
    )  # fmt: skip
    (tmp_path / "grid.json").write_text(json.dumps(grid))


def test_it_writes_the_chosen_model_with_its_statement(run: Run, tmp_path: Path) -> None:
    write(tmp_path, {"alpha": [50.0, 0.001]})
    done = run(*TUNE, "--out", "m.json")
    assert done.returncode == 0, done.stderr
    assert "guarantee: (2, 1e-06)-DP" in done.stdout
    assert "chosen: alpha=0.001" in done.stdout
    whole = json.loads(run("inspect", "m.json", "--json").stdout)
    assert whole["public_inputs"]["settings"]["value"] == "alpha=50.0; alpha=0.001"
    assert whole["public_inputs"]["chosen_setting"]["source"] == "mechanism"
    assert any(use["step"].startswith("other settings: ") for use in whole["mechanisms"])
    assert whole["epsilon_spent"] <= 2.0


def test_a_dry_run_says_what_each_fit_has(run: Run, tmp_path: Path) -> None:
    write(tmp_path, [{"solver": ["gcd", "sgd"], "alpha": [0.01]}, {"penalty": "none"}])
    done = run(*TUNE, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "epsilon_of_each_fit" in done.stdout
    assert "alpha=0.01, solver=gcd; alpha=0.01, solver=sgd; penalty=none" in " ".join(
        done.stdout.split()
    )


def test_bad_grids_are_refused(run: Run, tmp_path: Path) -> None:
    for grid, words in (
        ({"alhpa": [1.0]}, "alhpa"),
        ({"alpha": ["many"]}, "alpha"),
        ({"loss": ["logistic", "squared_hinge"]}, "settings"),
        ([3], "accepted are objects"),
        ([], "settings: given 0"),
    ):
        write(tmp_path, grid)
        done = run(*TUNE, "--out", "m.json")
        assert done.returncode in (2, 3), done.stdout
        assert words in done.stderr
