"""Refined fits, `solver = auto` and `southwell plan`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.fit_calls import LOSS

Run = Callable[..., "subprocess.CompletedProcess[str]"]

EPSILONS = (0.5, 1, 2, 4, 8, 64)
SQUARE = [*LOSS, "--penalty", "l1", "--alpha", "30", "--target-scale", "150"]


@pytest.fixture
def square(run: Run, tmp_path: Path) -> Path:
    flags = ["--records", 1000, "--features", 200, "--seed", 1, "--out", "square.csv"]
    assert run("generate", "square", *flags).returncode == 0
    return tmp_path / "square.csv"


def fitted(run: Run, tmp_path: Path, *flags: object) -> dict[str, Any]:
    done = run("fit", "square.csv", "--target", "target", *flags, "--out", "model.json")
    assert done.returncode == 0, done.stderr
    model: dict[str, Any] = json.loads((tmp_path / "model.json").read_text())
    return model


def test_a_fit_is_refined_unless_it_says_otherwise(run: Run, tmp_path: Path, square: Path) -> None:
    model = fitted(run, tmp_path, *SQUARE)
    assert model["privacy"]["public_inputs"]["refine"] == {"value": "on", "source": "default"}
    assert model["privacy"]["guarantee"] == "(1, 1e-06)-DP"
    names = [use["mechanism"] for use in model["privacy"]["mechanisms"]]
    assert names[0] == "exponential_mechanism"
    assert set(names[1:]) == {"discrete_gaussian_release"}
    assert run("inspect", "model.json").returncode == 0
    printed = fitted(run, tmp_path, *SQUARE, "--refine", "off")
    assert "refine" not in printed["privacy"]["public_inputs"]
    assert len(printed["path"]) == printed["privacy"]["iterations"]
    printed = fitted(run, tmp_path, *SQUARE, "--clip", 50)
    assert "refine" not in printed["privacy"]["public_inputs"]


def test_a_refined_fit_finds_what_matters(run: Run, tmp_path: Path, square: Path) -> None:
    model = fitted(run, tmp_path, *LOSS, "--penalty", "l1", "--alpha", "30", "--target-scale",
                   "private", "--seed-for-tests", 3)  # fmt: skip
    done = run("lab", "optimum", "square.csv", "--target", "target", "--loss", "squared",
               "--penalty", "l1", "--alpha", 30, "--json")  # fmt: skip
    best = {each["index"] for each in json.loads(done.stdout)["support"]}
    found = {each["index"] for each in model["coef"][0] if abs(each["value"]) > 5}
    assert len(found & best) >= 3
    assert len(found - best) <= 2


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--refine", "banana"], "refine: given 'banana'"),
        (["--solver", "cd", "--refine", "banana"], "refine: given 'banana'"),
        (["--solver", "cd", "--refine", "on"], "refine: given on"),
        (["--solver", "cd", "--polish", "on"], "polish: given on"),
        (["--refine", "on", "--clip", 1], "refine: given on, together with clip"),
        (["--refine", "off", "--attenuation", "off"], "attenuation: given off"),
        (["--mode", "paper", "--refine", "on"], "refine: given on"),
        (["--mode", "paper", "--solver", "sgd", "--polish", "on"], "polish: given on"),
        (["--delta", 0, "--refine", "on"], "refine: given on, with delta = 0"),
        (["--solver", "sgd", "--polish", "on"], "polish: given on"),
        (["--solver", "sgd", "--second-moment", "on"], "second_moment: given on"),
        (["--refine", "off", "--second-moment", "off"], "second_moment: given off"),
        (["--no-intercept", "--target-center", 3], "target_center: given 3"),
        (["--refine", "off", "--target-center", "private"], "target_center: given private"),
        (["--margin-correction", "on"], "margin_correction: given on, which is only valid with"),
        (["--selections-per-gradient", 0], "selections_per_gradient: given 0"),
    ],
)
def test_what_does_not_apply_is_refused(
    run: Run, square: Path, flags: list[object], words: str
) -> None:
    given = [*SQUARE, *flags]
    if "--delta" in flags:
        given.remove("--delta")
        given.remove("1e-6")
    done = run("fit", "square.csv", "--target", "target", *given, "--out", "model.json")
    assert done.returncode == 2
    assert words in done.stderr


def test_every_refinement_can_be_turned_off(run: Run, tmp_path: Path, square: Path) -> None:
    for name in (
        "attenuation",
        "clip_tracking",
        "polish",
        "exclude_visited",
        "second_moment",
        "prune",
    ):
        model = fitted(run, tmp_path, *SQUARE, "--" + name.replace("_", "-"), "off")
        assert model["privacy"]["public_inputs"][name] == {"value": "off", "source": "user"}
    logistic = ["--loss", "logistic", "--solver", "gcd", "--classes", "-1,1", "--alpha", 0.01,
                "--epsilon", 1,
                "--delta", 1e-6, "--features", 2, "--seed-for-tests", 1]  # fmt: skip
    (tmp_path / "labels.libsvm").write_text("1 1:1\n-1 2:1\n" * 400, encoding="utf-8")
    for flags, expected in (
        (["--penalty", "l2"], {"value": "on", "source": "default"}),
        (["--penalty", "l1"], {"value": "off", "source": "default"}),
        (["--penalty", "l1", "--margin-correction", "on"], {"value": "on", "source": "user"}),
        (["--penalty", "l2", "--margin-correction", "off"], {"value": "off", "source": "user"}),
    ):
        done = run("fit", "labels.libsvm", *logistic, *flags, "--out", "labels.json")
        assert done.returncode == 0, done.stderr
        stated = json.loads((tmp_path / "labels.json").read_text(encoding="utf-8"))["privacy"]
        assert stated["public_inputs"]["margin_correction"] == expected
    model = fitted(run, tmp_path, *SQUARE, "--target-center", 2.5, "--selections-per-gradient", 1)
    inputs = model["privacy"]["public_inputs"]
    assert inputs["target_center"] == {"value": 2.5, "source": "user"}
    assert inputs["selections_per_gradient"]["value"] == 1


def plan(run: Run, *flags: object) -> dict[str, Any]:
    delta = [] if "--delta" in flags else ["--delta", 1e-7]
    done = run("plan", *delta, *flags, "--json")
    assert done.returncode == 0, done.stderr
    out: dict[str, Any] = json.loads(done.stdout)
    return out


def test_a_plan_says_what_a_fit_would_do(run: Run, tmp_path: Path, square: Path) -> None:
    model = fitted(run, tmp_path, *SQUARE)
    found = plan(run, "--records", 1000, "--features", 200, "--epsilon", 1, "--loss", "squared",
                 "--penalty", "l1", "--alpha", 30, "--target-scale", 150, "--delta", 1e-6,
                 )  # fmt: skip
    row = found["rows"][found["chosen"]]
    assert found["solver"] == "gcd"
    assert row["iterations"] == model["privacy"]["iterations"]
    assert row["epsilon_spent"] == pytest.approx(model["privacy"]["epsilon_spent"])
    assert row["releases"] == sum(use["count"] for use in model["privacy"]["mechanisms"][1:])


def test_more_budget_buys_less_noise_and_smaller_effects(run: Run) -> None:
    flags = ["--records", 5000, "--features", 2000, "--loss", "logistic", "--iterations", 8]
    flags += ["--solver", "gcd"]
    # Small budgets and those under which the records' own chance is all that hides an effect.
    rows = [plan(run, *flags, "--epsilon", epsilon)["rows"] for epsilon in EPSILONS]
    chosen = [next(row for row in r if row["iterations"] == 8 and row["epsilon"] == e)
              for r, e in zip(rows, EPSILONS, strict=True)]  # fmt: skip
    for name in ("coef_noise_sd", "smallest_effect", "release_scale"):
        values = [row[name] for row in chosen]
        assert values == sorted(values, reverse=True)


def test_twice_the_candidates_find_larger_effects(run: Run) -> None:
    flags = ["--records", 50_000, "--loss", "logistic", "--iterations", 7, "--epsilon", 0.1]
    flags += ["--share", 0.5, "--selections-per-gradient", 3]
    plain, of_twice = (
        plan(run, *flags, "--features", features)["rows"][0] for features in (2000, 4000)
    )
    assert plain["selection_epsilon"] == of_twice["selection_epsilon"]
    assert plain["smallest_effect"] < of_twice["smallest_effect"]


@pytest.mark.parametrize(
    ("flags", "solver"),
    [
        (["--features", 20, "--penalty", "l2", "--alpha", 0.1], "sgd"),
        (["--features", 20, "--penalty", "l1", "--alpha", 0.1], "gcd"),
        (["--features", 5000, "--penalty", "l2", "--alpha", 0.1], "gcd"),
    ],
)
def test_a_plan_takes_a_solver_and_says_why(run: Run, flags: list[object], solver: str) -> None:
    found = plan(run, "--records", 20000, "--epsilon", 1, "--loss", "squared", *flags)
    assert found["solver"] == solver
    assert len(found["why"]) > 20
    text = run("plan", "--records", 20000, "--epsilon", 1, "--delta", 1e-7, "--loss", "squared",
               *flags)  # fmt: skip
    assert f"solver {solver}: " in text.stdout
    assert text.stdout.count("*") >= 2


def test_a_plan_wants_its_numbers(run: Run) -> None:
    done = run("plan", "--records", 100, "--epsilon", 1, "--delta", 1e-6, "--loss", "squared")
    assert done.returncode == 2
    assert "--features" in done.stderr
