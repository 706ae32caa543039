"""The commands under `lab` that look at an objective: what they print and what they refuse."""

import itertools
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
L1 = ["--loss", "squared", "--penalty", "l1", "--alpha", "30"]
NET = ["--loss", "squared", "--penalty", "elastic_net", "--alpha", "1"]


@pytest.fixture
def square(run: Run) -> str:
    done = run("generate", "square", "--seed", 1, "--out", "square.csv", "--truth", "truth.csv")
    assert done.returncode == 0, done.stderr
    return "square.csv"


def test_the_optimum_of_square_lies_within_the_truth(run: Run, square: str, tmp_path: Path) -> None:
    done = run("lab", "optimum", square, *L1, "--no-intercept", "--json")
    found = json.loads(done.stdout)
    keys = "objective objective_at_zero gap certificate support_size support records features"
    assert set(keys.split()) | {"seconds", "southwell_version", "private"} <= set(found)
    truth = dict(line.split(",") for line in (tmp_path / "truth.csv").read_text().split()[1:])
    assert {entry["feature"] for entry in found["support"]} <= set(truth)
    assert found["objective"] < found["objective_at_zero"]
    text = run("lab", "optimum", square, *L1, "--no-intercept").stdout
    assert "not private" in text
    assert f"{found['objective']:.10g}" in text


def test_objective_of_an_optimum_is_the_optimum(run: Run, square: str, tmp_path: Path) -> None:
    for flag in ("--intercept", "--no-intercept"):
        optimum = run("lab", "optimum", square, *L1, flag, "--json").stdout
        (tmp_path / "optimum.json").write_text(optimum)
        done = run("lab", "objective", "optimum.json", square, "--json")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert {"objective", "loss_value", "penalty_value", "records", "private"} <= set(found)
        assert found["objective"] == pytest.approx(json.loads(optimum)["objective"], rel=1e-13)
        assert found["objective"] == pytest.approx(found["loss_value"] + found["penalty_value"])


def test_objective_follows_a_standardised_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b,target\n1,7,2\n3,5,4\n4,5,9\n8,1,8\n")
    (tmp_path / "other_order.csv").write_text("target,b,a\n2,7,1\n4,5,3\n9,5,4\n8,1,8\n")
    flags = ["--loss", "squared", "--penalty", "box", "--lower", "-inf", "--upper", "inf"]
    runs: list[tuple[list[str], bool]] = [(["--standardize"], True), ([], False)]
    for more, recorded in runs:
        optimum = json.loads(run("lab", "optimum", "a.csv", *flags, *more, "--json").stdout)
        assert optimum["standardize"] is recorded
        (tmp_path / "optimum.json").write_text(json.dumps(optimum))
        for data in ("a.csv", "other_order.csv"):
            done = run("lab", "objective", "optimum.json", data, "--json")
            assert done.returncode == 0, done.stderr
            found = json.loads(done.stdout)["objective"]
            assert found == pytest.approx(optimum["objective"], rel=1e-12)
    done = run("lab", "objective", "optimum.json", "a.csv", "--standardize")
    assert done.returncode == 2
    assert "as they are" in done.stderr


def test_objective_of_csv_and_npy_agree(run: Run, square: str, tmp_path: Path) -> None:
    coef = np.zeros(1000)
    for line in (tmp_path / "truth.csv").read_text().split()[1:]:
        name, value = line.split(",")
        coef[int(name[1:]) - 1] = float(value)
    np.save(tmp_path / "truth.npy", coef.reshape(-1, 1))
    values = [
        json.loads(run("lab", "objective", file, square, *L1, "--json").stdout)["objective"]
        for file in ("truth.csv", "truth.npy")
    ]
    assert values[0] == values[1]
    assert values[0] > 30 * np.abs(coef).sum()


@pytest.mark.parametrize("rule", ["gs_s", "gs_r", "gs_q"])
def test_greedy_descends_to_the_optimum_and_counts_its_steps(
    run: Run, square: str, rule: str
) -> None:
    flags = [*L1, "--no-intercept", "--rule", rule, "--iterations", 60]
    found = json.loads(run("lab", "greedy", square, *flags, "--json").stdout)
    assert found["private"] is False
    assert found["good_steps"] + found["bad_steps"] == found["iterations"] == len(found["path"])
    objectives = [found["objective_at_zero"]] + [step["objective"] for step in found["path"]]
    assert all(b <= a * (1 + 1e-14) for a, b in itertools.pairwise(objectives))
    assert 0 <= found["relative_error"] < 1e-6
    assert "not private" in run("lab", "greedy", square, *flags).stdout


def test_constants_say_what_each_is_worth(run: Run, square: str) -> None:
    flags = ["--loss", "squared", "--penalty", "l2", "--alpha", 0.5, "--no-intercept"]
    found = json.loads(run("lab", "constants", square, *flags, "--json").stdout)
    assert found["smoothness"]["worth"] == "exact"
    np.testing.assert_allclose(found["smoothness"]["values"], 1.5, rtol=1e-12)
    assert found["mu_m2"]["worth"] == "exact"
    # 1000 standardised columns have rank 999: the l2 term is all the curvature there is
    assert found["mu_m2"]["value"] == pytest.approx(0.5 / 1.5, rel=1e-9)
    assert found["mu_m1"]["value"] == pytest.approx(found["mu_m2"]["value"] / 1000)
    assert found["r_m1"]["worth"] == "upper bound"
    alphas = [entry["alpha"] for entry in found["quasi_sparsity"]]
    assert alphas == sorted(alphas, reverse=True)
    assert "not private" in run("lab", "constants", square, *flags).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["optimum", "a.csv"], 2, "--loss is required"),
        (["optimum", "a.csv", "--loss", "absolute"], 2, "absolute"),
        (["optimum", "a.csv", "--loss", "squared", "--alpha", "1"], 2, "alpha"),
        (["optimum", "a.csv", "--loss", "squared", "--penalty", "l1"], 2, "alpha"),
        (["optimum", "a.csv", "--loss", "squared", "--penalty", "l1", "--alpha", "-1"], 2, "-1"),
        (["optimum", "a.csv", "--loss", "squared", "--huber-width", "1"], 2, "huber_width"),
        (
            ["optimum", "a.csv", "--loss", "squared", "--intercept", "--no-intercept"],
            2,
            "given together",
        ),
        (["optimum", "a.csv", "--loss", "logistic"], 3, "-1 and 1"),
        (["optimum", "nan.csv", "--loss", "squared"], 3, "finite"),
        (["optimum", "missing.csv", "--loss", "squared"], 3, "missing.csv"),
        (["objective", "a.csv", "a.csv", "--loss", "squared"], 3, "feature,coef"),
        (["objective", "w.csv", "a.csv"], 2, "loss"),
        (["objective", "missing.csv", "a.csv", "--loss", "squared"], 3, "missing.csv: cannot"),
        (["objective", ".", "a.csv", "--loss", "squared"], 3, "accepted are .csv"),
        (["objective", "twice.csv", "a.csv", "--loss", "squared"], 3, "twice.csv:3: the feature"),
        (["objective", "w.csv", "a.csv", "--penalty", "l1"], 2, "loss"),
        (["greedy", "a.csv", "--loss", "squared", "--rule", "gs_x"], 2, "gs_x"),
        (["constants", "a.csv", "--loss", "squared"], 2, "--no-intercept"),
        (["optimum", "a.csv", *NET, "--l1-ratio", "1.5"], 2, "a number from 0 to 1"),
        (["optimum", "a.csv", *NET, "--l1-ratio", "-1e-9"], 2, "given -1e-09"),
        (
            ["optimum", "a.csv", "--loss", "squared", "--penalty", "l1", "--alpha=-1e-9"],
            2,
            "-1e-09",
        ),
        (["optimum", "x.npy", "--loss", "squared"], 2, "--target: not given"),
    ],
)
def test_wrong_use_is_refused_with_a_reason(
    run: Run, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    (tmp_path / "a.csv").write_text("a,target\n1,2\n3,4\n")
    (tmp_path / "nan.csv").write_text("a,target\n1,2\nnan,4\n")
    (tmp_path / "w.csv").write_text("feature,coef\na,1\n")
    (tmp_path / "twice.csv").write_text("feature,coef\na,1\na,1\n")
    np.save(tmp_path / "x.npy", np.ones((2, 2)))
    done = run("lab", *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    assert message in done.stderr + done.stdout


def test_what_depends_on_an_optimum_that_was_not_found_is_refused(run: Run, tmp_path: Path) -> None:
    # The intercept is 1e15 - 1/26, next to which doubles are an eighth apart.
    (tmp_path / "far.csv").write_text(
        "a,target\n1,1e15\n2,1000000000000001\n5,1000000000000001.5\n"
    )
    for name in ("optimum", "greedy"):
        command = [name, "far.csv", "--loss", "squared"]
        done = run("lab", *command)
        assert done.returncode == 1, done.stdout + done.stderr
        assert "gap" in done.stderr


def test_a_box_that_excludes_zero_bounds_the_radius(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,target\n1,5\n-1,-5\n")
    flags = ["--loss", "squared", "--penalty", "box", "--lower", "1", "--upper", "2"]
    done = run("lab", "constants", "a.csv", *flags, "--no-intercept", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "r_m1_lower" not in found
    assert found["r_m1"]["value"] == 1.0
