"""southwell inspect: what a model promises and holds."""

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.fit_calls import BASE

Run = Callable[..., "subprocess.CompletedProcess[str]"]

KEYS = [
    "guarantee",
    "private",
    "epsilon",
    "delta",
    "epsilon_spent",
    "accountant",
    "relation",
    "unit",
    "records",
    "mode",
    "solver",
    "rule",
    "iterations",
    "mechanisms",
    "public_inputs",
    "randomness",
    "ledger",
    "covers",
    "not_covered",
]


@pytest.fixture
def model(run: Run, tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text("a,b,target\n1,2,1\n0,1,-1\n2,0,1\n1,1,-1\n")
    done = run("fit", "a.csv", *BASE, "--iterations", "3", "--out", "m.json")
    assert done.returncode == 0, done.stderr
    return tmp_path / "m.json"


def test_the_statement_is_for_people_and_fits_a_terminal(run: Run, model: Path) -> None:
    done = run("inspect", model)
    assert done.returncode == 0, done.stderr
    assert "guarantee       (1, 1e-06)-DP" in done.stdout
    assert "exponential_mechanism" in done.stdout
    assert "coefficient privacy noise sd  sign" in done.stdout
    words = " ".join(done.stdout.split())
    assert "privacy noise alone; the error of sampling records is extra" in words
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_the_path_is_shown_when_asked_for(run: Run, model: Path) -> None:
    assert "gradient" not in run("inspect", model).stdout.split("coefficient")[-1]
    lines = run("inspect", model, "--path").stdout.splitlines()
    start = next(k for k, line in enumerate(lines) if "gradient" in line and "step" in line)
    steps = len(json.loads(model.read_text())["path"])
    assert [int(line.split()[0]) for line in lines[start + 1 :]] == list(range(1, steps + 1))


def test_json_has_the_keys_of_the_statement(run: Run, model: Path) -> None:
    content = json.loads(model.read_text())
    got = json.loads(run("inspect", model, "--json", "--path").stdout)
    assert set(KEYS) == content["privacy"].keys()
    assert {key: got[key] for key in KEYS} == content["privacy"]
    assert got["southwell_version"] == content["southwell_version"]
    names = [*content["feature_names"], "(intercept)"]
    assert [step["feature"] for step in got["path"]] == [
        names[step["index"]] for step in content["path"]
    ]
    assert "path" not in json.loads(run("inspect", model, "--json").stdout)


def write_with_checksum(file: Path, content: dict[str, Any]) -> None:
    """What someone who can count can write."""
    content.pop("checksum")
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    content["checksum"] = hashlib.sha256(canonical.encode()).hexdigest()
    file.write_text(json.dumps(content))


def test_what_a_model_carries_beside_its_coefficients_is_named(run: Run, model: Path) -> None:
    assert "also carries" not in run("inspect", model).stdout
    assert set(json.loads(run("inspect", model, "--json").stdout)["attachments"]) == {
        "input_limits"
    }
    content = json.loads(model.read_text())
    carried = {"unit": {"column": "patient"}, "input_limits": {"record_norm": 2.5}}
    write_with_checksum(model, content | carried)
    text = run("inspect", model).stdout
    assert "The model also carries: unit (" in text
    assert "Predictions are linear for records of norm 2.5 or less" in text
    shown = json.loads(run("inspect", model, "--json").stdout)
    assert shown["attachments"] == carried
    assert shown["unit"] == content["privacy"]["unit"]


def test_a_model_without_its_path_says_so(run: Run, model: Path) -> None:
    content = json.loads(model.read_text())
    del content["path"]
    write_with_checksum(model, content)
    done = run("inspect", model, "--path")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no path: the model was kept without" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"iterations":3', '"iterations":2', "checksum"),
        ('"version": 2', '"version": 3', "made by a later version"),
        ('"private": true', '"private": tru', "not JSON"),
        ("southwell.linear_model", "southwell.ledger", "not a southwell model"),
    ],
)
def test_a_changed_file_is_refused(run: Run, model: Path, old: str, new: str, message: str) -> None:
    text = model.read_text()
    assert old in text
    model.write_text(text.replace(old, new))
    done = run("inspect", model)
    assert done.returncode == 3
    assert done.stdout == ""
    assert f"{model}:" in done.stderr
    assert message in done.stderr


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"epsilon": 0.5, "guarantee": "(0.5, 1e-06)-DP"}, "they cost epsilon"),
        ({"epsilon_spent": 0.5}, "they cost epsilon"),
        ({"guarantee": "(0.5, 1e-06)-DP"}, "what epsilon and delta say"),
        ({"delta": 1e-9, "guarantee": "(1, 1e-09)-DP"}, "they cost epsilon"),
        ({"delta": 2}, "delta"),
        ({"mechanisms": []}, "none was used"),
        ({"private": False}, "private"),
        ({"mode": "paper"}, "mode"),
        ({"relation": "friends"}, "relation"),
        ({"solver": "no word"}, "solver"),
        ({"iterations": 2}, "iteration"),
        ({"guarantee": "none (paper mode)"}, "guarantee"),
    ],
)
def test_a_promise_that_its_mechanisms_do_not_keep_is_refused(
    run: Run, model: Path, changed: dict[str, object], message: str
) -> None:
    content = json.loads(model.read_text())
    content["privacy"].update(changed)
    write_with_checksum(model, content)
    done = run("inspect", model)
    assert (done.returncode, done.stdout) == (3, "")
    assert message in done.stderr


def test_counts_that_do_not_add_up_are_an_error_of_the_file(run: Run, model: Path) -> None:
    content = json.loads(model.read_text())
    for use in content["privacy"]["mechanisms"]:
        use["count"] = 2**64 - 1
    write_with_checksum(model, content)
    assert run("inspect", model).returncode == 3


def test_half_a_file_is_refused(run: Run, model: Path) -> None:
    model.write_bytes(model.read_bytes()[:-100])
    assert run("inspect", model).returncode == 3


def test_the_statement_is_a_page_for_a_browser(run: Run, model: Path, tmp_path: Path) -> None:
    done = run("inspect", model, "--html", "statement.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    page = (tmp_path / "statement.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "guarantee: (1, 1e-06)-DP" in page
    assert "(intercept)" in page
    assert run("inspect", model, "--html", model).returncode == 2
    assert run("inspect", model, "--html", "x.html", "--json").returncode == 2
    assert run("inspect", model, "--html", "no/such/place.html").returncode == 3


def test_names_cannot_command_a_terminal_or_turn_a_page(
    run: Run, tmp_path: Path, model: Path
) -> None:
    """A model file that somebody else wrote, with a checksum that is right."""
    content = json.loads(model.read_text())
    hostile = "\u202egnp.\u2066x\x1b[2J\x07\u200f\u061c\u0085\u2028y"
    shown = "<U+202E>gnp.<U+2066>x<U+001B>[2J<U+0007><U+200F><U+061C><U+0085><U+2028>y"
    content["feature_names"] = [hostile, "b" + hostile]
    content["privacy"]["public_inputs"]["start"] = {"value": hostile, "source": "user"}
    write_with_checksum(tmp_path / "hostile.json", content)
    done = run("inspect", "hostile.json", "--path")
    assert done.returncode == 0, done.stderr
    assert run("inspect", "hostile.json", "--html", "page.html").returncode == 0
    page = (tmp_path / "page.html").read_text()
    assert shown in done.stdout
    assert shown.replace("<", "&lt;").replace(">", "&gt;") in page
    for output in (done.stdout, page):
        assert not (set(hostile) - set("gnp.x[2Jy")) & set(output)


@pytest.mark.parametrize("understated", [0, 1])
def test_a_fit_as_printed_counts_its_selections_and_its_releases(
    run: Run, model: Path, understated: int
) -> None:
    done = run("fit", "a.csv", *BASE, "--refine", "off", "--iterations", "5", "--out", model)
    assert done.returncode == 0, done.stderr
    content = json.loads(model.read_text())
    content["privacy"]["mechanisms"][understated]["count"] = 1
    write_with_checksum(model, content)
    done = run("inspect", model)
    assert (done.returncode, done.stdout) == (3, "")
    assert "not as many uses as iterations" in done.stderr


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"features": 2**33}, "an index has 32 bits"),
        ({"privacy": {"randomness": "a fixed seed or script, for tests"}}, "randomness"),
        ({"privacy": {"records": -5.0}}, "records"),
    ],
)
def test_what_no_private_fit_says_is_refused(
    run: Run, model: Path, changed: dict[str, Any], message: str
) -> None:
    content = json.loads(model.read_text())
    content["privacy"] |= changed.pop("privacy", {})
    content |= changed
    content["feature_names"] = []
    write_with_checksum(model, content)
    done = run("inspect", model)
    assert (done.returncode, done.stdout) == (3, "")
    assert message in done.stderr
