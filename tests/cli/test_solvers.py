"""southwell fit by cd and sgd, and with a target scale that is found privately."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.fit_calls import LOSS, load

Run = Callable[..., "subprocess.CompletedProcess[str]"]

BASE = [*LOSS, "--no-intercept", "--feature-scale", "1"]


@pytest.fixture
def square(run: Run, tmp_path: Path) -> Path:
    made = ("--records", 400, "--features", 6, "--seed", 1, "--out", "square.csv")
    run("generate", "square", *made)
    return tmp_path / "square.csv"


@pytest.mark.parametrize(
    ("flags", "mechanisms", "steps"),
    [
        (["--solver", "cd"], [("discrete_gaussian", 5)], 5),
        (["--solver", "cd", "--release", "laplace"], [("discrete_laplace", 5)], 5),
        (["--solver", "sgd"], [("discrete_gaussian", 1), ("discrete_gaussian", 5)], 0),  # moments
        (["--solver", "sgd", "--batch-size", "40"], [("sampled_gaussian_replace", 5)], 0),
    ],
)
def test_each_solver_gives_a_private_model_with_its_mechanisms(
    run: Run,
    tmp_path: Path,
    square: Path,
    flags: list[str],
    mechanisms: list[tuple[str, int]],
    steps: int,
) -> None:
    flags = [*flags, "--target-scale", "100"]
    done = run("fit", square, *BASE, *flags, "--iterations", 5, "--out", "m.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("guarantee: (1, 1e-06)-DP\n")
    model = load(tmp_path / "m.json")
    privacy = model["privacy"]
    assert privacy["solver"] == flags[1]
    assert privacy["rule"] == ""
    assert [(use["kind"], use["count"]) for use in privacy["mechanisms"]] == mechanisms
    assert 0.999 <= privacy["epsilon_spent"] <= 1
    assert len(model.get("path", [])) == steps  # sgd has none
    assert run("inspect", "m.json").returncode == 0
    assert run("predict", "m.json", square).returncode == 0
    # A further fit adds its cost to this one's, whatever the solver.
    done = run("fit", square, *BASE, "--start", "m.json", "--iterations", 2, "--out", "more.json")
    assert done.returncode == 0, done.stderr
    assert load(tmp_path / "more.json")["privacy"]["epsilon_spent"] > 1


@pytest.mark.parametrize("solver", ["gcd", "cd", "sgd"])
def test_paper_mode_of_every_solver_promises_nothing(
    run: Run, tmp_path: Path, square: Path, solver: str
) -> None:
    flags = ["--solver", solver, "--mode", "paper", "--iterations", 3, "--out", "m.json"]
    done = run("fit", square, *BASE, *flags)
    assert done.returncode == 0, done.stderr
    privacy = load(tmp_path / "m.json")["privacy"]
    assert privacy["guarantee"] == "none (paper mode)"
    assert privacy["epsilon_spent"] is None


@pytest.mark.parametrize("solver", ["gcd", "cd", "sgd"])
def test_the_target_scale_is_found_by_a_mechanism(
    run: Run, tmp_path: Path, square: Path, solver: str
) -> None:
    flags = ["--solver", solver]
    done = run("fit", square, *BASE, *flags, "--out", "m.json")
    assert (done.returncode, done.stderr) == (0, "")
    privacy = load(tmp_path / "m.json")["privacy"]
    first = privacy["mechanisms"][0]
    assert (first["step"], first["kind"], first["count"]) == ("target_scale", "bounded_range", 1)
    found = privacy["public_inputs"]["target_scale"]
    assert found["source"] == "mechanism"
    assert found["value"] in (64, 128, 256)
    assert privacy["public_inputs"]["clip"]["source"] == "mechanism"
    assert privacy["epsilon_spent"] <= 1
    done = run("fit", square, *BASE, *flags, "--dry-run")
    assert "in units of the target scale" in done.stdout


@pytest.mark.parametrize(
    ("flags", "name"),
    [
        (["--solver", "gcd", "--batch-size", "10"], "batch_size"),
        (["--rule", "gs_s", "--batch-size", "10"], "rule"),
        (["--solver", "cd", "--rule", "gs_s"], "rule"),
        (["--solver", "cd", "--share", "0.5"], "share"),
        (["--solver", "sgd", "--release", "gaussian"], "release"),
        (["--solver", "sgd", "--selection", "exponential"], "selection"),
        (["--solver", "sgd", "--batch-size", "401"], "batch_size"),
        (["--solver", "newton"], "solver"),
        (["--target-scale", "private", "--clip", "1"], "target_scale"),
        (["--target-scale", "private", "--epsilon", "0.01"], "target_scale"),
        (["--epsilon", "0.01"], "target_scale: given nothing"),
        (["--target-scale", "secret"], "--target-scale"),
    ],
)
def test_what_does_not_apply_is_refused_and_never_ignored(
    run: Run, square: Path, flags: list[str], name: str
) -> None:
    given = {**dict(zip(LOSS[::2], LOSS[1::2], strict=True))}
    given.update(dict(zip(flags[::2], flags[1::2], strict=True)))
    words = [word for pair in given.items() for word in pair]
    done = run("fit", square, *words, "--out", "m.json")
    assert done.returncode == 2, done.stdout
    assert name in done.stderr
