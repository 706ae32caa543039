"""southwell fit --test-share: a model and its private figures for one budget."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np

Run = Callable[..., "subprocess.CompletedProcess[str]"]

FIT = ("fit", "data.csv", "--loss", "logistic", "--classes", "0,1", "--epsilon", "2",
       "--delta", "1e-6", "--feature-scale", "1", "--test-share", "0.25")  # fmt: skip


def write(tmp_path: Path, records: int = 2000) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(records, 2))
    y = (x[:, 0] + 0.5 * rng.normal(size=records) > 0).astype(float)
    np.savetxt(
        tmp_path / "data.csv", np.column_stack([x, y]), delimiter=",", header="a,b,target",
        comments="",
    )  # fmt: skip


def test_fit_and_inspect_show_the_figures(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    done = run(*FIT, "--out", "m.json")
    assert done.returncode == 0, done.stderr
    assert "on records that were held out" in done.stdout
    assert "accuracy" in done.stdout
    shown = run("inspect", "m.json")
    assert "fit: 1500, test: 500" in shown.stdout
    assert "Figures on records that were held out" in shown.stdout
    assert "also carries: evaluation" not in shown.stdout
    whole = json.loads(run("inspect", "m.json", "--json").stdout)
    assert whole["guarantee"] == "(2, 1e-06)-DP"
    assert [part["name"] for part in whole["parts"]] == ["fit", "test"]
    assert whole["attachments"]["evaluation"]["accuracy"]["value"] > 0.5
    assert {use.get("part") for use in whole["mechanisms"]} == {"fit", "test"}
    run("inspect", "m.json", "--html", "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "How well it predicts" in page
    assert "<polyline" in page


def test_a_dry_run_and_a_plan_say_the_parts(run: Run, tmp_path: Path) -> None:
    write(tmp_path)
    dry = run(*FIT, "--dry-run")
    assert "fit: 1500, test: 500" in dry.stdout
    assert "histogram (test)" in dry.stdout
    plan = run(
        "plan", "--records", "2000", "--features", "2", "--loss", "logistic", "--epsilon", "2",
        "--delta", "1e-6", "--test-share", "0.25",
    )  # fmt: skip
    assert "1500 to fit, 500 for private figures" in plan.stdout


def test_what_cannot_be_is_refused_before_data_are_read(run: Run) -> None:
    for more, words in (
        (("--test-share", "2"), "test"),
        (("--test-share", "0.2", "--mode", "paper"), "only valid with mode certified"),
    ):
        done = run(
            "fit", "absent.csv", "--loss", "squared", "--epsilon", "1", "--delta", "1e-6", *more,
            "--out", "m.json",
        )  # fmt: skip
        assert done.returncode in (2, 3)
        assert words in done.stderr


def test_a_plan_says_how_wide_intervals_would_be(run: Run) -> None:
    plan = ("plan", "--records", "20000", "--features", "5", "--epsilon", "1", "--delta", "1e-6")
    done = run(*plan, "--loss", "logistic", "--test-share", "0.2")
    assert done.returncode == 0, done.stderr
    assert "95 % intervals to expect of private figures" in done.stdout
    table = json.loads(run(*plan, "--loss", "squared", "--test-share", "0.2", "--json").stdout)
    assert table["figures"]["mae"]["half_width"] > 0
    assert "figures" not in json.loads(run(*plan, "--loss", "squared", "--json").stdout)
