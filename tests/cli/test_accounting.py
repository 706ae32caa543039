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


SGD = ("--solver", "sgd", "--records", 10)
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
    assert rows.keys() == {"basic", "rdp", "hockey_stick", "zcdp", "pld", "advanced", "paper"}
    assert set(rows.pop("hockey_stick").values()) == {None, False}  # it has no Laplace noise
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
    assert back["epsilon_spent"] == out["epsilon_spent"]  # the same whole scales
    assert back["accountant"] == out["accountant"]
    names = {"basic", "rdp", "hockey_stick", "zcdp", "pld", "advanced"}
    assert back["accountants"].keys() == names
    covered = release == "gaussian" and selection == "exponential"
    assert (back["accountants"]["hockey_stick"] is not None) is covered
    assert out["accountants"]["hockey_stick"]["valid"] is covered
    assert (out["accountant"] == "hockey_stick") is covered


@pytest.mark.parametrize("relation", ["replace_one", "add_or_remove_one"])
def test_sgd_and_cd_are_served(run: Run, relation: str) -> None:
    sample = ("--solver", "sgd", "--relation", relation, "--batch-size", 50, "--records", 1000)
    out = asked(run, "calibrate", *BUDGET, *sample)
    back = asked(
        run, "account", "--iterations", 10, "--delta", 1e-6, *sample,
        "--release-sigma", out["release_sigma"],
    )  # fmt: skip
    assert back["epsilon_spent"] == out["epsilon_spent"]
    assert out["accountants"]["pld"] == {
        "selection_epsilon": None, "release_epsilon": None, "release_sigma": None,
        "epsilon_spent": None, "valid": False,
    }  # fmt: skip
    assert out["accountants"]["rdp"]["valid"] is True
    assert "selection_epsilon" not in out
    cd = asked(run, "calibrate", *BUDGET, "--solver", "cd", "--relation", relation)
    assert "paper" not in cd["accountants"]


@pytest.mark.parametrize("iterations", [1, 3, 7, 40, 1000])
@pytest.mark.parametrize("release", ["laplace", "gaussian"])
def test_no_accountant_claims_more_than_the_budget(run: Run, iterations: int, release: str) -> None:
    out = asked(
        run, "calibrate", "--epsilon", 0.7, "--delta", 1e-7, "--iterations", iterations,
        "--release", release,
    )  # fmt: skip
    for row in out["accountants"].values():
        assert {"selection_epsilon", "release_epsilon", "epsilon_spent", "valid"} <= row.keys()
        if row["epsilon_spent"] is None:
            assert row["valid"] is False
        else:
            assert row["epsilon_spent"] <= 0.7


def test_account_rounds_noise_down_and_rates_up(run: Run) -> None:
    common = ("--delta", 1e-6, "--iterations", 100)
    third = asked(
        run, "account", *common, "--solver", "sgd", "--release-sigma", 4 / 3, "--batch-size", 1,
        "--records", 3,
    )  # fmt: skip
    assert third["release_sigma"] == (2**20 * 4 // 3) / 2**20 < 4 / 3
    assert third["sampling_rate"] == (2**32 // 3 + 1) / 2**32 > 1 / 3
    half = asked(
        run, "account", *common, "--solver", "sgd", "--release-sigma", 2, "--batch-size", 50,
        "--records", 100,
    )  # fmt: skip
    assert half["release_sigma"] == 2
    assert half["sampling_rate"] == 0.5
    out = asked(
        run, "account", "--iterations", 7, "--selection-epsilon", 0.3, "--release-epsilon", 0.7
    )
    assert out["selection_epsilon"] >= 0.3
    assert out["release_epsilon"] >= 0.7
    assert out["epsilon_spent"] >= 7.0
    assert out["epsilon_spent"] == pytest.approx(7.0, rel=1e-6)
    table = run("account", *common, "--solver", "cd", "--release-epsilon", 0.1).stdout
    assert "epsilon 0.1000000" in table


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
        (["calibrate", *BUDGET, "--solver", "sgd"], 2, "batch_size"),
        (["calibrate", *BUDGET, "--records", 5], 2, "records"),
        (["calibrate", *BUDGET, "--delta", 1], 2, "delta"),
        (["calibrate", "--epsilon", 1e-3, "--iterations", 10**6], 4, "largest noise"),
        (["calibrate", "--epsilon", 1, "--iterations", 2, "--release", "gaussian"], 4, "delta"),
        (["calibrate", "--epsilon", 1e-300, "--iterations", 1], 4, "largest noise"),
        (["calibrate", "--epsilon", "nan", "--iterations", 1], 2, "epsilon"),
        (["calibrate", *BUDGET[:2], "--delta", "nan", "--iterations", 1], 2, "delta"),
        (["calibrate", *BUDGET, *SGD, "--batch-size", "nan"], 2, "batch-size"),
        (["calibrate", *BUDGET, *SGD, "--batch-size", "inf"], 2, "batch-size"),
        (["calibrate", *BUDGET, *SGD, "--batch-size", 11], 2, "batch_size"),
        (["account", "--iterations", 3, "--release-epsilon", 1], 2, "selection_epsilon"),
        (
            ["account", "--iterations", 3, "--selection-epsilon", 1, "--release-epsilon", 1e300],
            2, "release_epsilon",
        ),
        (
            ["account", "--iterations", 3, "--selection-epsilon", 1e-300, "--release-epsilon", 1],
            2, "selection_epsilon",
        ),
        (["account", *SGD, "--iterations", 3, "--batch-size", "nan", "--release-sigma", 1], 2,
         "batch-size"),
        (["account", *SGD, "--iterations", 3, "--batch-size", 1, "--release-sigma", 1e-9], 2,
         "release_sigma"),
        (["account", *SGD, "--iterations", 3, "--batch-size", 1, "--release-sigma", 1e300], 2,
         "release_sigma"),
        (["account", *SGD, "--iterations", 3, "--batch-size", 1, "--release-sigma", "nan"], 2,
         "--release-sigma"),
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
