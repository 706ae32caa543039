"""southwell evaluate with a budget: private figures."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

BUDGET = ("--epsilon", "1", "--delta", "1e-6")
FIGURE = {"value", "low", "high", "noise_sd", "sampling_sd"}


def write(path: Path, records: int, loss: str, seed: int = 1) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(records, 2))
    y = x[:, 0] - x[:, 1] + rng.normal(size=records)
    if loss != "squared":
        y = (y > 0).astype(float)
    who = np.arange(records) // 2
    np.savetxt(
        path, np.column_stack([x, who, y]), delimiter=",", header="a,b,who,target", comments="",
        fmt=["%.17g", "%.17g", "%d", "%.17g"],
    )  # fmt: skip


def fitted(run: Run, tmp_path: Path, loss: str) -> None:
    write(tmp_path / "train.csv", 4000, loss)
    (tmp_path / "train2.csv").write_text(
        "\n".join(
            ",".join(np.array(line.split(","))[[0, 1, 3]])
            for line in (tmp_path / "train.csv").read_text().splitlines()
        )
        + "\n"
    )
    flags = ["--target-scale", "2"] if loss == "squared" else ["--classes", "0,1"]
    done = run(
        "fit", "train2.csv", "--loss", loss, "--epsilon", "8", "--delta", "1e-6",
        "--feature-scale", "1", *flags, "--out", "m.json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def figures(run: Run, *more: str) -> dict[str, Any]:
    done = run("evaluate", "m.json", "test.csv", *BUDGET, "--json", *more)
    assert done.returncode == 0, done.stderr
    out: dict[str, Any] = json.loads(done.stdout)
    return out


@pytest.mark.parametrize(
    ("loss", "names"),
    [
        ("logistic", ["loss_value", "accuracy", "auc", "log_loss", "brier"]),
        ("squared_hinge", ["loss_value", "accuracy", "auc"]),
        ("squared", ["loss_value", "mse", "r2", "mae", "median_error", "error_quantile_90"]),
    ],
)
def test_figures_have_intervals_that_hold_the_exact_ones(
    run: Run, tmp_path: Path, loss: str, names: list[str]
) -> None:
    fitted(run, tmp_path, loss)
    write(tmp_path / "test.csv", 4000, loss, seed=2)
    exact = json.loads(run("evaluate", "m.json", "test.csv", "--json").stdout)
    got = figures(run)
    for name in names:
        figure = got[name]
        assert set(figure) == FIGURE
        assert figure["low"] <= figure["value"] <= figure["high"]
        if name in exact:
            assert abs(figure["value"] - exact[name]) < 6 * figure["noise_sd"] + 0.02
    assert got["private"] is True
    assert got["privacy"]["guarantee"] == "(1, 1e-06)-DP"
    assert {"records", "left_out"}.isdisjoint(got)


def test_the_table_and_the_page_say_what_is_promised(run: Run, tmp_path: Path) -> None:
    fitted(run, tmp_path, "logistic")
    write(tmp_path / "test.csv", 4000, "logistic", seed=2)
    done = run("evaluate", "m.json", "test.csv", *BUDGET, "--html", "page.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("guarantee: (1, 1e-06)-DP\n")
    assert re.search(r"auc +0\.\d+ +0\.\d+ to 0\.\d+ +0\.\d+ +0\.\d+", done.stdout)
    page = (tmp_path / "page.html").read_text()
    assert "<polyline" in page
    assert "<circle" in page
    assert "http" not in page
    few = run("evaluate", "m.json", "test.csv", "--epsilon", "0.01", "--delta", "1e-6")
    assert "not determined at this budget" in few.stdout


def test_what_is_missing_is_counted_nowhere(run: Run, tmp_path: Path) -> None:
    fitted(run, tmp_path, "logistic")
    (tmp_path / "test.csv").write_text("a,b,target\n" + "1,,1\n" * 777 + "1,2,\n" * 223)
    done = run("evaluate", "m.json", "test.csv", *BUDGET)
    assert done.returncode == 0, done.stderr
    # As a number of its own: digits of noise may be anything.
    assert not re.search(r"(?<![\d.])777(?!\d)", done.stdout)
    assert "left out" not in done.stdout


def test_units_are_protected_together_and_records_are_not_counted(run: Run, tmp_path: Path) -> None:
    fitted(run, tmp_path, "logistic")
    write(tmp_path / "test.csv", 4000, "logistic", seed=2)
    for unit in ("who", "2"):
        got = figures(run, "--unit", unit)["privacy"]
        assert got["unit"] == "all records with one who"
        assert got["records"] == 2000
    more = figures(run, "--relation", "add_or_remove_one", "--records", "3000")["privacy"]
    assert more["records"] == 3000
    assert "4000" not in json.dumps(more)


def test_of_a_model_by_units_it_is_said_what_counts(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "test.csv", 4000, "logistic")
    done = run(
        "fit", "test.csv", "--loss", "logistic", "--classes", "0,1", *BUDGET, "--unit", "who",
        "--feature-scale", "1", "--out", "m.json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    exact = run("evaluate", "m.json", "test.csv")
    assert "Each record counts once here." in exact.stdout
    assert "all records with one who" in exact.stdout
    one = run("evaluate", "m.json", "test.csv", *BUDGET)
    assert one.returncode == 0
    assert "unit: the model was fitted to protect all records with one who" in one.stderr
    assert "--unit on the command line" in one.stderr
    all_of_one = run("evaluate", "m.json", "test.csv", *BUDGET, "--unit", "who")
    assert "fitted to protect" not in all_of_one.stderr
    assert "unit: all records with one who, which count once together" in all_of_one.stdout
    fitted(run, tmp_path, "logistic")
    for budget in ((), BUDGET):
        plain = run("evaluate", "m.json", "test.csv", *budget)
        assert "unit" not in plain.stdout + plain.stderr
        assert "Each record" not in plain.stdout


def test_seeds_are_not_private(run: Run, tmp_path: Path) -> None:
    fitted(run, tmp_path, "squared")
    write(tmp_path / "test.csv", 500, "squared", seed=2)
    got = figures(run, "--seed-for-tests", "3")
    assert got["private"] is False
    assert got == figures(run, "--seed-for-tests", "3", "--threads", "2")
