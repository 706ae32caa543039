"""southwell fit: what it refuses, and that nothing is written then."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.cli.fit_calls import BASE, LOSS, load, table

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize("intercept", ["--intercept", "--no-intercept"])
def test_more_candidates_than_a_selection_takes_are_refused(
    run: Run, tmp_path: Path, intercept: str
) -> None:
    (tmp_path / "a.libsvm").write_text("1 1:1\n-1 8388609:1\n")
    flags = [*BASE, intercept, "--out", "m.json"]
    done = run("fit", "a.libsvm", *flags, "--features", 2**23 + 1)
    assert done.returncode == 3
    assert "at most 2^23" in done.stderr
    assert not (tmp_path / "m.json").exists()


def test_leaks_are_refused_unless_allowed_and_then_stated(run: Run, tmp_path: Path) -> None:
    flags = ["--target", "y", *LOSS, "--target-scale", "1", "--out", "m.json"]
    flags += ["--feature-scale", "from_data"]
    done = run("fit", table(tmp_path), *flags)
    assert (done.returncode, "feature_scale" in done.stderr) == (2, True)
    done = run("fit", "a.csv", *flags, "--allow-leaks")
    assert done.returncode == 0, done.stderr
    assert "guarantee: none (allow_leaks)" in done.stdout
    (tmp_path / "a.svm").write_text("1 1:2 3:1\n-1 2:1\n")
    done = run("fit", "a.svm", *BASE, "--out", "m.json")
    assert (done.returncode, "features" in done.stderr) == (2, True)
    done = run("fit", "a.svm", *BASE, "--features", 5, "--out", "m.json")
    assert done.returncode == 0, done.stderr
    assert load(tmp_path / "m.json")["features"] == 5


@pytest.mark.parametrize(
    ("flags", "code", "message"),
    [
        ([], 2, "--out"),
        (["--out", "no/such/m.json"], 3, "No such file or directory"),
        (["--out", "./a.csv"], 2, "--out: given ./a.csv, which is read"),
        (["--out", "m.json", "--epsilon", "0"], 2, "epsilon"),
        (["--out", "m.json", "--epsilon", "nan"], 2, "epsilon"),
        (["--out", "m.json", "--epsilon", "abc"], 2, "accepted is a number"),
        (["--out", "m.json", "--delta", "1"], 2, "delta"),
        (["--out", "m.json", "--iterations", "0"], 2, "iterations"),
        (["--out", "m.json", "--iterations", "1.5"], 2, "accepted is a whole number or auto"),
        (["--out", "m.json", "--clip", "-1"], 2, "clip"),
        (["--out", "m.json", "--step", "big"], 2, "accepted is a number or auto"),
        (["--out", "m.json", "--share", "1"], 2, "share"),
        (["--out", "m.json", "--alpha", "1"], 2, "alpha"),
        (["--out", "m.json", "--classes", "-1,1"], 2, "classes"),
        (["--out", "m.json", "--classes", "a,b"], 2, "--classes"),
        (["--out", "m.json", "--rule", "best"], 2, "rule"),
        (["--out", "m.json", "--records", "5"], 2, "records"),
        (["--out", "m.json", "--feature-scale", "0"], 2, "feature_scale"),
        (["--out", "m.json", "--feature-scale", "missing.csv"], 3, "missing.csv"),
        (["--out", "m.json", "--start", "missing.json"], 3, "missing.json"),
        (["--out", "m.json", "--start", "a.csv"], 3, "feature,coef"),
        (["--out", "m.json", "--target", "z"], 2, "target"),
        (["--out", "m.json", "--epsilon", "1e-13", "--delta", "0"], 4, ""),
    ],
)
def test_wrong_use_is_refused_and_nothing_is_written(
    run: Run, tmp_path: Path, flags: list[str], code: int, message: str
) -> None:
    table(tmp_path)
    given = {"--loss": "squared", "--epsilon": "1", "--delta": "1e-6", "--target": "y"}
    given.update(dict(zip(flags[::2], flags[1::2], strict=True)))
    done = run("fit", "a.csv", *[word for pair in given.items() for word in pair])
    assert done.returncode == code, done.stderr + done.stdout
    assert message in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["a.csv"]


def test_no_file_that_is_read_is_overwritten(run: Run, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.ones((4, 2)))
    np.save(tmp_path / "y.npy", np.ones(4))
    np.save(tmp_path / "s.npy", np.ones(2))
    flags = [*LOSS, "--target", "y.npy", "--feature-scale", "s.npy", "--start", "s.npy"]
    for name in ("x.npy", "y.npy", "s.npy"):
        done = run("fit", "x.npy", *flags, "--out", name)
        assert done.returncode == 2, done.stderr
        assert "which is read" in done.stderr


def test_a_feature_may_not_be_called_like_the_constant(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("(intercept),b,target\n1,2,3\n")
    done = run("fit", "a.csv", *BASE, "--out", "m.json")
    assert done.returncode == 3
    assert "(intercept)" in done.stderr


@pytest.mark.parametrize("flag", ["--start", "--feature-scale"])
@pytest.mark.parametrize(("name", "code"), [("numbers.txt", 2), ("missing.csv", 3)])
def test_a_file_of_numbers_is_named_before_data_are_read(
    run: Run, tmp_path: Path, flag: str, name: str, code: int
) -> None:
    (tmp_path / "numbers.txt").write_text("1\n")
    (tmp_path / "broken.csv").write_text("a,target\nno,number\n")
    done = run("fit", "broken.csv", *LOSS, flag, name, "--out", "m.json")
    assert done.returncode == code
    assert (flag if code == 2 else name) in done.stderr
    assert "broken.csv" not in done.stderr
