"""southwell lab paper."""

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from southwell.paper.reading import read_study

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_a_quick_study_writes_tidy_files_and_prints_both_figures(run: Run, tmp_path: Path) -> None:
    done = run("lab", "paper", "--problem", "log2", "--quick", "--out", "study")
    assert done.returncode == 0, done.stderr
    assert "not private" in done.stdout
    assert "90*2" in done.stdout  # settings times runs of gcd
    assert "180*2" in done.stdout  # of cd and sgd
    winners = rows(tmp_path / "study" / "winners.csv")
    assert [(w["algorithm"], w["mode"]) for w in winners] == [
        ("gcd", "paper"),
        ("gcd", "certified"),
        ("cd", "paper"),
        ("cd", "certified"),
        ("sgd", "paper"),
    ]
    results = rows(tmp_path / "study" / "results.csv")
    assert len(results) == 2 * 90 + 3 * 180
    for winner in winners:
        own = [
            float(r["error_mean"])
            for r in results
            if (r["algorithm"], r["mode"]) == (winner["algorithm"], winner["mode"])
        ]
        assert len(own) == int(winner["settings"])
        # One of the finalists.
        assert float(winner["search_mean"]) <= sorted(set(own))[7]
        assert f"{float(winner['fresh_mean']):.4g}" in done.stdout
        assert (winner["share"] != "") == (
            winner["algorithm"] == "gcd" and "cert" in winner["mode"]
        )
        assert (winner["good_steps"] != "") == (winner["algorithm"] == "gcd")
        steps = [float(winner[f"{kind}_steps"] or 0) for kind in ("good", "bad")]
        assert winner["algorithm"] != "gcd" or sum(steps) == float(winner["iterations"])
    trajectories = rows(tmp_path / "study" / "trajectories.csv")
    for winner in winners:
        cell = ("algorithm", "mode")
        own_rows = [t for t in trajectories if all(t[k] == winner[k] for k in cell)]
        assert [float(own_rows[0][k]) for k in ("iterations", "seconds")] == [0, 0]
        assert own_rows[-1]["iterations"] == winner["iterations"]
        assert float(own_rows[-1]["seconds"]) == float(winner["fit_seconds"])
    (problem,) = rows(tmp_path / "study" / "problems.csv")
    assert (problem["records"], problem["features"], problem["loss"]) == ("1000", "100", "logistic")
    optimum = rows(tmp_path / "study" / "optimum.csv")
    sizes = sorted((abs(float(row["value"])) for row in optimum), reverse=True)
    assert len(sizes) == int(problem["optimum_support"])
    assert float(problem["quasi_sparsity"]) == sizes[5]
    study = read_study(tmp_path / "study")  # what the report makes of it
    assert len(study.winners) == len(winners)
    assert not [fault for fault in study.missing if "winners" in fault], study.missing
    manifest = json.loads((tmp_path / "study" / "manifest.json").read_text())
    assert manifest["private"] is False
    inputs = manifest["cells"][0]["inputs"]
    assert inputs["grid"] == "quick"
    assert inputs["search_seeds"] == [1, 2]


def test_what_does_not_exist_is_refused(run: Run) -> None:
    assert run("lab", "paper", "--problem", "nonsense").returncode == 2
    assert run("lab", "paper", "--algorithm", "adam").returncode == 2
    assert run("lab", "paper", "--quick", "--runs", "3").returncode == 2
    assert run("lab", "paper", "--problem", "mtp", "--data", "nowhere").returncode == 3


def test_the_study_of_theory_writes_runs_slopes_and_bounds(run: Run, tmp_path: Path) -> None:
    sizes = ("--features", "20,50", "--records", 100, "--seeds", 2)
    done = run("lab", "theory", *sizes, "--algorithm", "gcd", "--out", "theory")
    assert done.returncode == 0, done.stderr
    assert "not private" in done.stdout
    assert "slope of log(left)" in done.stdout
    runs = rows(tmp_path / "theory" / "theory.csv")
    assert len(runs) == 2 * 2 * 2  # truths, sizes, seeds
    assert len(rows(tmp_path / "theory" / "theory_fits.csv")) == 2
    for bound in rows(tmp_path / "theory" / "theory_bounds.csv"):
        assert (bound["bound"] == "") == (bound["failed"] != "")
    assert run("lab", "theory", "--features", "20").returncode == 2


def test_what_belongs_to_certified_gcd_is_refused_elsewhere(run: Run) -> None:
    for flags in (
        ["--share", 0.5, "--mode", "paper"],
        ["--release", "gaussian", "--algorithm", "cd"],
    ):
        done = run("lab", "paper", "--quick", "--problem", "log1", *flags)
        assert done.returncode == 2
        assert f"{flags[0]}: given, but it is only valid with gcd in certified" in done.stderr
