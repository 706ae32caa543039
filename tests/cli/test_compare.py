"""southwell lab compare: a table of tuned solvers on named problems and on files."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., "subprocess.CompletedProcess[str]"]

FEW = ("--runs", 1, "--fresh", 2, "--mode", "certified")
PROBLEM = ("--loss", "logistic", "--penalty", "l2", "--alpha", "0.001")


def made(run: Run, tmp_path: Path) -> Path:
    run("generate", "log2", "--records", 60, "--features", 3, "--seed", 1, "--out", "log2.csv")
    return tmp_path / "log2.csv"


def test_a_file_is_compared_by_all_solvers(run: Run, tmp_path: Path) -> None:
    flags = ("--solver", "gcd,cd,sgd", "--rule", "gs_s,gs_q", *FEW)
    done = run("lab", "compare", made(run, tmp_path), *PROBLEM, *flags, "--json")
    assert done.returncode == 0, done.stderr
    out = json.loads(done.stdout)
    assert out["private"] is False
    assert [(r["solver"], r["mode"], r["rule"]) for r in out["rows"]] == [
        ("gcd", "certified", "gs_s"),
        ("gcd", "certified", "gs_q"),
        ("cd", "certified", ""),
        ("sgd", "certified", ""),
    ]
    wanted = {
        "problem", "solver", "mode", "rule", "iterations", "clip", "step", "runs", "error_mean",
        "error_min", "error_max", "support_right", "support_wrong", "seconds",
    }  # fmt: skip
    for row in out["rows"]:
        assert wanted <= row.keys()
        assert row["runs"] == 2
        assert row["error_min"] <= row["error_mean"] <= row["error_max"]
    assert len(out["paired"]) == 3


def test_the_table_says_that_it_is_not_private(run: Run, tmp_path: Path) -> None:
    done = run("lab", "compare", made(run, tmp_path), *PROBLEM, *FEW)
    assert done.returncode == 0, done.stderr
    assert "not private" in done.stdout
    assert "w = 0" in done.stdout
    assert "gcd certified gs_s" in done.stdout


def test_wrong_use_is_refused(run: Run, tmp_path: Path) -> None:
    file = made(run, tmp_path)
    assert "--loss" in run("lab", "compare", file).stderr
    done = run("lab", "compare", "cubic")
    assert (done.returncode, "accepted are log1" in done.stderr) == (2, True)
    assert run("lab", "compare", "square", "--solver", "newton").returncode == 2
    assert run("lab", "compare", "square", "--rule", "gs").returncode == 2
    absent = run("lab", "compare", "absent.csv", *PROBLEM)
    assert (absent.returncode, "a data file that is there" in absent.stderr) == (2, True)
    for given, flag in [
        (["--loss", "logistic"], "--loss"),
        (["--solver", "sgd", "--rule", "gs_q"], "--rule"),
        (["--mode", "paper", "--share", "0.5"], "--share"),
        (["--grid", "paper", "--phase", "0,0"], "--phase"),
        (["--features", "3"], "--features"),
    ]:
        done = run("lab", "compare", "square", *given)
        assert (done.returncode, f"{flag}: given, but it is only valid with" in done.stderr) == (
            2,
            True,
        ), given
