"""southwell lab paper."""

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_a_quick_study_writes_tidy_files_and_prints_both_figures(run: Run, tmp_path: Path) -> None:
    done = run("lab", "paper", "--problem", "log2", "--quick", "--out", "study")
    assert done.returncode == 0, done.stderr
    assert "not private" in done.stdout
    assert "120*2" in done.stdout  # settings times runs of gcd
    assert "240*2" in done.stdout  # of cd and sgd
    winners = rows(tmp_path / "study" / "winners.csv")
    assert [(w["algorithm"], w["mode"]) for w in winners] == [
        ("gcd", "paper"),
        ("gcd", "certified"),
        ("cd", "paper"),
        ("cd", "certified"),
        ("sgd", "paper"),
    ]
    results = rows(tmp_path / "study" / "results.csv")
    assert len(results) == 2 * 120 + 3 * 240
    for winner in winners:
        own = [
            float(r["error_mean"])
            for r in results
            if (r["algorithm"], r["mode"]) == (winner["algorithm"], winner["mode"])
        ]
        assert len(own) == int(winner["settings"])
        assert float(winner["search_mean"]) == min(own)
        assert f"{float(winner['fresh_mean']):.4g}" in done.stdout
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
