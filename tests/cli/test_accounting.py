"""`calibrate` and `account`: keys, agreement with each other, refusals."""

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def asked(run: Run, *arguments: object) -> dict[str, Any]:
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    out: dict[str, Any] = json.loads(done.stdout)
    assert run("--version").stdout == f"southwell {out['southwell_version']}\n"
    assert out["private"] is True
    return out


BUDGET = ("--epsilon", 1, "--delta", 1e-6, "--iterations", 10)


def test_calibrate_prints_every_accountant_side_by_side(run: Run) -> None:
    out = asked(run, "calibrate", *BUDGET)
    wanted = {
        "epsilon", "delta", "iterations", "relation", "share", "selection", "selection_epsilon",
        "selection_scale", "release", "release_epsilon", "release_scale", "epsilon_spent",
        "accountant", "accountants",
    }  # fmt: skip
    assert wanted <= out.keys()
    assert out["accountant"] == "rdp"
    assert 0.999 <= out["epsilon_spent"] <= 1
    assert out["selection_scale"] == pytest.approx(2 / out["selection_epsilon"])
    assert out["release_scale"] == pytest.approx(1 / out["release_epsilon"])
    rows = out["accountants"]
    assert rows.keys() == {"basic", "rdp", "zcdp", "pld", "advanced", "paper"}
    for name, row in rows.items():
        assert row.keys() == {"selection_epsilon", "release_epsilon", "epsilon_spent", "valid"}
        assert row["valid"] is (name != "paper")
        assert row["epsilon_spent"] == pytest.approx(1, abs=1e-3)
    order = ["rdp", "pld", "zcdp", "basic", "advanced", "paper"]
    levels = [rows[name]["selection_epsilon"] for name in order]
    assert levels == sorted(levels, reverse=True)


@pytest.mark.parametrize("release", ["laplace", "gaussian"])
@pytest.mark.parametrize("relation", ["replace_one", "add_or_remove_one"])
@pytest.mark.parametrize("selection", ["exponential", "permute_and_flip", "noisy_max"])
def test_account_undoes_calibrate(run: Run, release: str, relation: str, selection: str) -> None:
    common = ("--release", release, "--relation", relation, "--selection", selection)
    out = asked(run, "calibrate", *BUDGET, *common)
    noise: tuple[object, ...] = ("--selection-epsilon", out["selection_epsilon"])
    if release == "laplace":
        noise += ("--release-epsilon", out["release_epsilon"])
    else:
        noise += ("--release-sigma", out["release_sigma"])
    back = asked(run, "account", "--iterations", 10, "--delta", 1e-6, *common, *noise)
    assert back["epsilon_spent"] == pytest.approx(out["epsilon_spent"], rel=1e-6)
    assert back["accountant"] == out["accountant"]
    assert back["accountants"].keys() == {"basic", "rdp", "zcdp", "pld", "advanced"}


@pytest.mark.parametrize("relation", ["replace_one", "add_or_remove_one"])
def test_sgd_and_cd_are_served(run: Run, relation: str) -> None:
    sample = ("--solver", "sgd", "--relation", relation, "--batch-size", 50, "--records", 1000)
    out = asked(run, "calibrate", *BUDGET, *sample)
    back = asked(
        run, "account", "--iterations", 10, "--delta", 1e-6, *sample,
        "--release-sigma", out["release_sigma"],
    )  # fmt: skip
    assert back["epsilon_spent"] == pytest.approx(out["epsilon_spent"], rel=1e-6)
    assert out["accountants"]["pld"]["release_sigma"] is None
    assert "selection_epsilon" not in out
    cd = asked(run, "calibrate", *BUDGET, "--solver", "cd", "--relation", relation)
    assert "paper" not in cd["accountants"]


def test_tables_are_for_people(run: Run) -> None:
    table = run("calibrate", *BUDGET).stdout
    assert "certified by rdp" in table
    assert "not valid: no guarantee" in table
    account = ("--iterations", 3, "--selection-epsilon", 0.2, "--release-epsilon", 0.1)
    assert "certified by basic" in run("account", *account).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["calibrate", "--epsilon", 0, "--iterations", 1], 2, "epsilon"),
        (["calibrate", "--epsilon", 1], 2, "iterations"),
        (["calibrate", *BUDGET, "--share", 1], 2, "share"),
        (["calibrate", *BUDGET, "--solver", "cd", "--share", 0.5], 2, "share"),
        (["calibrate", *BUDGET, "--solver", "cd", "--selection", "noisy_max"], 2, "selection"),
        (["calibrate", *BUDGET, "--solver", "sgd"], 2, "batch-size"),
        (["calibrate", *BUDGET, "--records", 5], 2, "records"),
        (["calibrate", *BUDGET, "--delta", 1], 2, "delta"),
        (["calibrate", "--epsilon", 1e-3, "--iterations", 10**6], 4, "largest noise"),
        (["calibrate", "--epsilon", 1, "--iterations", 2, "--release", "gaussian"], 4, "delta"),
        (["account", "--iterations", 3, "--release-epsilon", 1], 2, "selection-epsilon"),
        (
            ["account", "--solver", "cd", "--release", "gaussian", "--iterations", 3,
             "--release-sigma", 2],
            4, "delta",
        ),
    ],
)  # fmt: skip
def test_refusals_name_what_is_wrong(
    run: Run, arguments: list[object], code: int, word: str
) -> None:
    done = run(*arguments)
    assert done.returncode == code, done.stderr
    assert word in done.stderr
