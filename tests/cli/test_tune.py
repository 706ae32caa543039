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
    assert "an untuned fit with the whole budget is likely" in done.stdout
    assert "alpha=0.01, solver=gcd; alpha=0.01, solver=sgd; penalty=none" in " ".join(
        done.stdout.split()
    )


def test_a_plan_predicts_whether_it_pays(run: Run, tmp_path: Path) -> None:
    write(tmp_path, {"alpha": [0.001 * k for k in range(1, 21)]})
    tuned = " ".join(run(*TUNE, "--dry-run").stdout.split())
    public = ("plan", "--loss", "logistic", "--penalty", "l2", "--epsilon", "2", "--delta", "1e-6",
              "--feature-scale", "1", "--features", "2", "--settings", "20")  # fmt: skip
    for records, words in ((3000, "likely to be better"), (100_000, "likely to do as well")):
        planned = run(*public, "--records", str(records))
        assert planned.returncode == 0, planned.stderr
        assert words in planned.stdout
        assert max(map(len, planned.stdout.splitlines()[-3:])) < 110
        tuning = json.loads(run(*public, "--records", str(records), "--json").stdout)["tuning"]
        assert tuning["way"] == "runs"
        assert words in tuning["expectation"]
        if records == 3000:
            assert tuning["expectation"] in tuned
            assert f"{tuning['epsilon_of_each_fit']:.3g}" in tuned
    assert run(*public[:-1], "0", "--records", "3000").returncode == 2


def test_lists_as_flags_are_settings(run: Run, tmp_path: Path) -> None:
    write(tmp_path, {})
    flags = [word for word in TUNE if word not in ("--grid", "grid.json", "--penalty", "l2")]
    done = run(*flags, "--penalty", "l1,l2", "--alpha", "0.001,0.1", "--dry-run")
    assert done.returncode == 0, done.stderr
    settings = "alpha=0.001, penalty=l1; alpha=0.001, penalty=l2; alpha=0.1, penalty=l1"
    assert settings in " ".join(done.stdout.split())
    done = run(*TUNE, "--alpha", "0.001,50", "--out", "m.json")
    assert done.returncode == 0, done.stderr
    assert "chosen: alpha=0.001" in done.stdout
    for flags_of_one, words in (
        (("--alpha", "0.001,much"), "alpha"),
        (("--alpha", ""), "--alpha"),
    ):
        done = run(*flags, "--penalty", "l2", *flags_of_one, "--dry-run")
        assert done.returncode == 2, done.stdout
        assert words in done.stderr
    done = run(*flags, "--dry-run")
    assert done.returncode == 2


def test_a_secret_number_of_runs_is_told_to_nobody(run: Run, tmp_path: Path) -> None:
    write(tmp_path, {"alpha": [0.001 * k for k in range(1, 21)]})
    done = run(*TUNE, "--test-share", "0.2", "--out", "m.json")
    assert done.returncode == 0, done.stderr
    assert "on records that no fit and no choice has seen" in done.stdout
    whole = json.loads(run("inspect", "m.json", "--json").stdout)
    assert whole["public_inputs"]["way"]["value"] == "runs"
    assert whole["runs"]["law"] == "poisson"
    assert "a secret number of them" in run("inspect", "m.json").stdout
    assert set(json.loads((tmp_path / "m.json").read_text())["choice"]) <= {
        "settings", "chosen", "way", "iterate",
    }  # fmt: skip
    asked = run(*TUNE, "--way", "all", "--dry-run")
    assert "all 20 settings are fitted" in " ".join(asked.stdout.split())


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
