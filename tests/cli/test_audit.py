"""southwell audit: what can be checked about the promise, and what it says of broken models."""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def findings(done: "subprocess.CompletedProcess[str]") -> dict[str, dict[str, Any]]:
    report = json.loads(done.stdout)
    return {
        f"{level['level']}: {finding['subject']}": finding
        for level in report["levels"]
        for finding in level["findings"]
    }


@pytest.fixture
def model(run: Run, tmp_path: Path) -> Path:
    run("generate", "square", "--records", 2000, "--features", 5, "--seed", 1, "--out", "sq.csv")
    budget = ("--epsilon", 1, "--delta", 1e-6, "--target-scale", 100, "--feature-scale", 1)
    done = run("fit", "sq.csv", "--loss", "squared", *budget, "--out", "model.json")
    assert done.returncode == 0, done.stderr
    return tmp_path / "model.json"


def signed(content: dict[str, Any]) -> str:
    content.pop("checksum", None)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return json.dumps({**content, "checksum": hashlib.sha256(text.encode()).hexdigest()})


def test_the_transcript_of_a_sound_model_passes(run: Run, model: Path) -> None:
    done = run("audit", "--model", model, "--level", "transcript", "--json")
    assert done.returncode == 0, done.stderr
    found = findings(done)
    assert {finding["verdict"] for finding in found.values()} == {"passes"}
    attack = found["transcript: cost, by a known attack"]
    assert 0.5 * attack["claimed"] < attack["found"] <= attack["claimed"]


def test_a_model_that_charges_less_than_it_ran_is_flagged(run: Run, model: Path) -> None:
    content = json.loads(model.read_text())
    for use in content["privacy"]["mechanisms"]:
        use["scale"] //= 3
    model.write_text(signed(content))
    done = run("audit", "--model", model, "--level", "transcript")
    assert done.returncode == 1
    assert "FLAGGED" in done.stdout
    assert not done.stderr


def test_a_model_that_names_a_step_and_did_not_charge_it_is_flagged(run: Run, model: Path) -> None:
    content = json.loads(model.read_text())
    uses = content["privacy"]["mechanisms"]
    content["privacy"]["mechanisms"] = [use for use in uses if use["step"] != "choose"]
    assert len(content["privacy"]["mechanisms"]) < len(uses)
    model.write_text(signed(content))
    done = run("audit", "--model", model, "--level", "transcript", "--json")
    assert done.returncode == 1
    found = findings(done)["transcript: inputs that mechanisms found"]
    assert found["verdict"] == "FLAGGED"
    assert found["words"] == "not among the mechanisms: choose"


def test_a_model_that_cannot_be_loaded_is_flagged(run: Run, model: Path) -> None:
    content = json.loads(model.read_text())
    uses = [use for use in content["privacy"]["mechanisms"] if use["step"] == "release"]
    uses[0]["count"] -= 1
    model.write_text(signed(content))
    done = run("audit", "--model", model, "--level", "transcript", "--json")
    assert done.returncode == 1
    found = findings(done)["transcript: model file"]
    assert found["verdict"] == "FLAGGED"
    assert "not as many uses as iterations" in found["words"]


def test_a_model_without_a_promise_has_none_to_audit(run: Run, model: Path) -> None:
    run("fit", "sq.csv", "--loss", "squared", "--epsilon", 1, "--delta", 1e-6, "--target-scale",
        100, "--seed-for-tests", 1, "--out", "seeded.json")  # fmt: skip
    done = run("audit", "--model", "seeded.json", "--level", "transcript")
    assert done.returncode == 0
    assert "there is no promise to audit" in done.stdout


def test_a_page_has_all_levels_that_were_run(run: Run, model: Path, tmp_path: Path) -> None:
    done = run("audit", "--model", model, "--level", "transcript", "--html", "audit.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "audit.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<td>epsilon</td>" in page, "what claimed and found are of"
    assert "Cannot find: a fit that did not do what its statement says" in page
    assert "http" not in page.replace('http-equiv="', "")


def test_canaries_and_mechanisms_pass_with_power(run: Run) -> None:
    done = run("audit", "--level", "mechanisms", "--level", "canaries", "--json")
    assert done.returncode == 0, done.stdout
    found = findings(done)
    assert all(finding["found"] <= finding["claimed"] for finding in found.values())
    for epsilon in (1, 4):
        canary = found[f"canaries: gradient descent, epsilon {epsilon}"]
        assert canary["found"] > 0.3 * canary["claimed"]
        assert canary["power"] == 1


@pytest.fixture
def replay_program(southwell_binary: Path) -> Path:
    program = southwell_binary.resolve().parent / "southwell-replay"
    if not program.exists():
        pytest.skip("southwell-replay is not built (make audit builds it)")
    return program


def test_replays_tell_no_pair_apart(run: Run, replay_program: Path) -> None:
    done = run("audit", "--level", "replay", "--json", timeout=600)
    assert done.returncode == 0, done.stdout
    found = findings(done)
    assert found["replay: same fits as this program"]["verdict"] == "passes"
    pairs = [finding for finding in found.values() if finding["unit"] == "pairs told apart"]
    assert sum(int(finding["words"].split()[0]) for finding in pairs) > 3000
    assert {finding["found"] for finding in pairs} == {0}


def test_a_replay_of_other_fits_than_the_programs_is_flagged(
    southwell_binary: Path, replay_program: Path
) -> None:
    # The fault is in the other program alone: this one has none to switch on.
    done = subprocess.run(
        [southwell_binary, "audit", "--level", "replay", "--json"],
        env={**os.environ, "SOUTHWELL_FAULT": "contribution_bound_is_one_less"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 1
    assert findings(done)["replay: same fits as this program"]["verdict"] == "FLAGGED"


def test_a_program_that_stands_alone_says_that_it_did_not_replay(
    southwell_binary: Path, tmp_path: Path
) -> None:
    alone = tmp_path / "southwell"
    shutil.copy(southwell_binary, alone)
    done = subprocess.run(
        [alone, "audit", "--level", "replay"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "southwell-replay is not beside this program" in done.stdout
    assert "not run" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--level", "transcript"], "--model: given none"),
        (["--level", "replay", "--model", "model.json"], "only transcript reads a model"),
        (["--level", "everything"], "given 'everything'"),
        (["--json", "--html", "audit.html", "--level", "canaries"], "--html"),
    ],
)
def test_wrong_use_is_refused(run: Run, arguments: list[str], words: str) -> None:
    done = run("audit", *arguments)
    assert done.returncode == 2
    assert words in done.stderr


def test_a_model_that_is_not_there_is_an_error_and_no_finding(run: Run) -> None:
    done = run("audit", "--model", "nowhere.json", "--level", "transcript")
    assert done.returncode == 3
    assert "nowhere.json" in done.stderr
    assert not done.stdout
