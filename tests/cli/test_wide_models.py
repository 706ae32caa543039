"""Wide models: how many features a file may hold, and what is kept of them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.fit_calls import BASE, LOSS

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_a_model_too_long_to_be_read_is_refused_before_the_fit(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wide.libsvm").write_text("1 1:1\n-1 2:1\n" * 500)
    flags = ["--loss", "logistic", "--classes", "-1,0,1", "--epsilon", 1, "--delta", 1e-6]
    cd = [*flags, "--features", 2, "--solver", "cd", "--out", "m.json"]
    done = run("fit", "wide.libsvm", *cd, "--iterations", 9_000_000)
    assert done.returncode == 2
    assert "9000000 steps of the path" in done.stderr
    assert "accepted is what makes a file of at most 256 MiB" in done.stderr
    assert not (tmp_path / "m.json").exists()
    done = run("fit", "wide.libsvm", *cd, "--iterations", 20_000)
    assert done.returncode == 0, done.stderr
    done = run("predict", "m.json", "wide.libsvm")
    assert (done.returncode, done.stdout.count("\n")) == (0, 1001), done.stderr


def test_a_wide_model_is_kept_packed_and_read_again(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wide.libsvm").write_text("1 1:1\n-1 2:1\n" * 500)
    sgd = [*BASE, "--solver", "sgd", "--iterations", 1, "--out", "m.json"]
    sgd += ["--refine", "off"]  # refined, a fit of noise may end with no coefficients at all
    done = run("fit", "wide.libsvm", "--features", 300_000, *sgd)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "m.json").stat().st_size < 16 * 300_000
    assert isinstance(json.loads((tmp_path / "m.json").read_text())["coef"][0]["value"], str)
    done = run("predict", "m.json", "wide.libsvm")
    assert (done.returncode, done.stdout.count("\n")) == (0, 1001), done.stderr


@pytest.mark.parametrize("features", [1, 3])
def test_no_choice_ends_a_fit(run: Run, tmp_path: Path, features: int) -> None:
    # In a box narrower than the grid of scores no feature is better than any other.
    run("generate", "square", "--records", 50, "--features", features, "--seed", 1,
        "--out", "s.csv")  # fmt: skip
    box = ["--penalty", "box", "--lower", 0, "--upper", 1e-30]
    box += ["--target-scale", 1e6, "--feature-scale", 1]
    for _ in range(12 if features == 1 else 3):
        done = run("fit", "s.csv", *LOSS, *box, "--iterations", 1, "--out", "m.json")
        assert (done.returncode, done.stderr) == (0, "")
