"""southwell ledger and compose, and --ledger of fit, tune and evaluate."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dp_accounting
import pytest

from tests.cli.fit_calls import load

Run = Callable[..., "subprocess.CompletedProcess[str]"]
DATA = ["data.csv", "--target", "target"]
FIT = ["--loss", "squared", "--delta", "1e-6", "--feature-scale", "1", "--target-scale", "1"]


@pytest.fixture
def place(southwell_binary: Path, tmp_path: Path) -> Path:
    line = ["generate", "square", "--records", "600", "--features", "4", "--seed", "1"]
    subprocess.run(
        [southwell_binary, *line, "--out", "data.csv"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    return tmp_path


@pytest.fixture
def run(southwell_binary: Path, place: Path) -> Run:
    def call(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [southwell_binary, *arguments], cwd=place, capture_output=True, text=True, check=False
        )

    return call


def created(run: Run, *more: str, epsilon: str = "1") -> None:
    line = ("--epsilon", epsilon, "--delta", "1e-6", *more)
    done = run("ledger", "create", "people.jsonl", *line)
    assert done.returncode == 0, done.stderr


def fitted(run: Run, name: str, epsilon: str, *more: str) -> "subprocess.CompletedProcess[str]":
    line = [*DATA, *FIT, "--epsilon", epsilon, "--ledger", "people.jsonl", "--out", name]
    return run("fit", *line, *more)


def shown(run: Run) -> dict[str, Any]:
    done = run("ledger", "show", "people.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    read: dict[str, Any] = json.loads(done.stdout)
    return read


def test_fit_tune_and_evaluate_are_charged_and_say_so(run: Run, place: Path) -> None:
    created(run)
    (place / "grid.json").write_text('{"alpha": [0.001, 0.1]}')
    assert fitted(run, "fit.json", "0.2").returncode == 0
    tuned = run(
        "tune", *DATA, *FIT, "--penalty", "l2", "--epsilon", "0.2", "--grid", "grid.json",
        "--ledger", "people.jsonl", "--out", "tuned.json",
    )  # fmt: skip
    assert tuned.returncode == 0, tuned.stderr
    held_out = fitted(run, "held_out.json", "0.1", "--test-share", "0.3")
    assert held_out.returncode == 0, held_out.stderr
    evaluated = run(
        "evaluate", "fit.json", *DATA, "--epsilon", "0.1", "--delta", "1e-6",
        "--ledger", "people.jsonl", "--json",
    )  # fmt: skip
    assert evaluated.returncode == 0, evaluated.stderr
    entries = shown(run)["entries"]
    assert [entry["looks"][0]["name"] for entry in entries] == ["fit", "tune", "fit", "evaluate"]
    assert all(entry["committed"] for entry in entries)
    ledger = shown(run)["ledger"]
    for name in ("fit.json", "tuned.json", "held_out.json"):
        model = load(place / name)
        assert ledger in model["privacy"]["ledger"]
        assert model["ledger_entry"]["ledger"] == ledger
        assert any("outside the ledger" in item for item in model["privacy"]["not_covered"])
    assert ledger in json.loads(evaluated.stdout)["privacy"]["ledger"]
    verified = run(
        "ledger", "verify", "people.jsonl", "--model", "fit.json", "tuned.json", "held_out.json"
    )
    assert verified.returncode == 0, verified.stderr


def test_a_charge_is_what_the_mechanisms_of_the_model_cost(run: Run, place: Path) -> None:
    created(run)
    assert fitted(run, "fit.json", "0.2").returncode == 0
    (entry,) = [
        line
        for line in map(json.loads, (place / "people.jsonl").read_text().splitlines())
        if line["kind"] == "reservation"
    ]
    assert entry["mechanisms"] == load(place / "fit.json")["privacy"]["mechanisms"]


def test_what_is_left_decides_and_a_refusal_touches_nothing(run: Run, place: Path) -> None:
    created(run)
    assert fitted(run, "a.json", "0.4").returncode == 0
    before = (place / "people.jsonl").read_bytes()
    refused = fitted(run, "b.json", "0.9")
    assert refused.returncode == 4
    assert "left is" in refused.stderr
    assert "no record was used" in refused.stderr
    assert (place / "people.jsonl").read_bytes() == before
    assert not (place / "b.json").exists()
    # Whatever the records hold, the refusal is the same.
    data = (place / "data.csv").read_text().splitlines()
    data[1] = ",".join(["1e308"] * len(data[0].split(",")))
    (place / "data.csv").write_text("\n".join(data) + "\n")
    assert fitted(run, "b.json", "0.9").stderr == refused.stderr


def test_a_first_fit_may_take_all_of_it(run: Run) -> None:
    created(run)
    assert fitted(run, "a.json", "1").returncode == 0
    assert shown(run)["closed"] is True
    assert fitted(run, "b.json", "0.001").returncode == 4
    assert "closed" in run("ledger", "show", "people.jsonl").stdout


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--seed-for-tests", "1"], "guarantee"),
        (["--allow-leaks", "--feature-scale", "from_data"], "guarantee"),
        (["--mode", "paper", "--iterations", "2", "--clip", "1"], "guarantee"),
        (["--relation", "add_or_remove_one", "--records", "600"], "replace_one"),
    ],
)
def test_what_it_cannot_add_up_is_refused_before_it_is_touched(
    run: Run, place: Path, more: list[str], words: str
) -> None:
    created(run)
    before = (place / "people.jsonl").read_bytes()
    options = [word for word in FIT if more[-1] != "from_data" or word != "--feature-scale"]
    if more[-1] == "from_data":
        options.remove("1")
    line = [*DATA, *options, "--epsilon", "0.5", "--ledger", "people.jsonl", "--out", "m.json"]
    refused = run("fit", *line, *more)
    assert refused.returncode == 2, refused.stderr
    assert words in refused.stderr
    assert (place / "people.jsonl").read_bytes() == before


def test_a_ledger_of_patients_wants_units(run: Run, place: Path) -> None:
    created(run, "--unit", "patient")
    assert fitted(run, "m.json", "0.1").returncode == 2
    lines = (place / "data.csv").read_text().splitlines()
    rows = [lines[0] + ",patient", *(f"{row},{k // 2}" for k, row in enumerate(lines[1:]))]
    (place / "data.csv").write_text("\n".join(rows) + "\n")
    assert fitted(run, "m.json", "0.1", "--unit", "patient").returncode == 0


def test_files_that_are_no_ledger_are_refused_before_the_data_are_read(
    run: Run, place: Path
) -> None:
    (place / "people.jsonl").write_text("{}\n")
    assert fitted(run, "m.json", "0.1").returncode == 3
    assert run("fit", "no_data.csv", *FIT, "--epsilon", "1", "--ledger", "nothing.jsonl",
               "--out", "m.json").returncode == 3  # fmt: skip
    (place / "people.jsonl").unlink()
    created(run)
    for out in ("people.jsonl", "./people.jsonl"):
        assert fitted(run, out, "0.1").returncode == 2, "the model would replace the ledger"
    assert run("ledger", "create", "people.jsonl", "--epsilon", "9", "--delta", "1e-6",
               ).returncode == 3  # fmt: skip


def test_a_dry_run_says_whether_it_would_be_admitted(run: Run, place: Path) -> None:
    created(run)
    before = (place / "people.jsonl").read_bytes()
    line = [*DATA, *FIT, "--ledger", "people.jsonl", "--dry-run"]
    admitted = run("fit", *line, "--epsilon", "0.2")
    assert admitted.returncode == 0
    assert "would be admitted" in admitted.stdout
    assert run("fit", *line, "--epsilon", "2").returncode == 4
    assert (place / "people.jsonl").read_bytes() == before


def test_a_plan_has_room_for_fits_that_a_filter_has_none_for(run: Run, place: Path) -> None:
    created(run)
    line = [*DATA, *FIT, "--epsilon", "0.68"]
    statement = run("fit", *line, "--dry-run", "--json")
    assert statement.returncode == 0, statement.stderr
    for name in ("spring.json", "autumn.json"):
        (place / name).write_text(statement.stdout)
    planned = run("ledger", "plan", "people.jsonl", "spring.json", "autumn.json")
    assert planned.returncode == 0, planned.stderr
    assert "takes the whole budget" in planned.stdout
    assert fitted(run, "a.json", "0.5").returncode == 4, "it is no member"
    assert fitted(run, "a.json", "0.68").returncode == 0
    assert fitted(run, "b.json", "0.68").returncode == 0
    assert fitted(run, "c.json", "0.68").returncode == 4
    assert run("ledger", "verify", "people.jsonl", "--model", "a.json", "b.json").returncode == 0
    (place / "half.json").write_text(statement.stdout.replace('"scale": ', '"scale": 1'))
    tampered = run("ledger", "plan", "people.jsonl", "half.json")
    assert tampered.returncode in (3, 4)


def test_an_older_copy_is_found_through_a_model(run: Run, place: Path) -> None:
    created(run)
    older = (place / "people.jsonl").read_bytes()
    assert fitted(run, "a.json", "0.2").returncode == 0
    (place / "people.jsonl").write_bytes(older)
    found = run("ledger", "verify", "people.jsonl", "--model", "a.json")
    assert found.returncode == 3
    assert "older copy" in found.stderr
    assert run("ledger", "verify", "people.jsonl").returncode == 0, "alone it looks in order"


def test_show_says_what_is_left_and_how_many_fits_that_is(run: Run) -> None:
    created(run)
    assert fitted(run, "a.json", "0.2").returncode == 0
    text = run("ledger", "show", "people.jsonl", "--epsilon", "0.1").stdout
    for words in ("spent", "reserved", "left", "still admitted", "fits with Gaussian noise"):
        assert words in text
    state = shown(run)
    assert state["reserved"] == {"pure_epsilon": 0.0, "renyi": 0.0}
    assert 0.0 < state["spent"]["renyi"] < state["renyi_bound"]
    assert 0.0 < state["still_admitted"]["gaussian_epsilon"] < 1.0
    asked = json.loads(run("ledger", "show", "people.jsonl", "--json", "--epsilon", "0.1").stdout)
    assert f"still admit {asked['still_admitted']['fits']} fits" in text


def test_its_events_are_those_of_dp_accounting(run: Run) -> None:
    created(run)
    assert fitted(run, "a.json", "0.2").returncode == 0

    def event_of(content: dict[str, Any]) -> dp_accounting.DpEvent:
        fields = {name: value for name, value in content.items() if name != "class_name"}
        if "event" in fields:
            fields["event"] = event_of(fields["event"])
        if "events" in fields:
            fields["events"] = [event_of(each) for each in fields["events"]]
        event: dp_accounting.DpEvent = getattr(dp_accounting, content["class_name"])(**fields)
        return event

    exported = json.loads(run("ledger", "show", "people.jsonl", "--events").stdout)
    accountant = dp_accounting.rdp.RdpAccountant(
        neighboring_relation=dp_accounting.NeighboringRelation[exported["neighboring_relation"]]
    )
    (entry,) = exported["entries"]
    # Whatever it makes of the rest, it knows the Gaussian releases.
    known = [
        each
        for each in entry["event"]["events"]
        if "Gaussian" in json.dumps(each) and "Poisson" not in json.dumps(each)
    ]
    assert known
    gaussian = dp_accounting.rdp.RdpAccountant()
    gaussian.compose(event_of({"class_name": "ComposedDpEvent", "events": known}))
    assert 0.01 < gaussian.get_epsilon(1e-6) < 0.25
    assert accountant is not None
    event_of(entry["event"])


def test_compose_says_both_and_refuses_what_does_not_go_together(run: Run, place: Path) -> None:
    for name in ("a.json", "b.json"):
        assert run("fit", *DATA, *FIT, "--epsilon", "0.5", "--out", name).returncode == 0
    together = run("compose", "a.json", "b.json", "--json")
    assert together.returncode == 0, together.stderr
    read = json.loads(together.stdout)
    assert 0.5 < read["epsilon_as_plan"] < read["epsilon_as_filter"] <= 1.0
    text = run("compose", "a.json", "b.json").stdout
    assert "as a filter" in text
    assert "as a plan" in text
    assert run("fit", *DATA, *FIT, "--epsilon", "0.5", "--seed-for-tests", "1", "--out",
               "seeded.json").returncode == 0  # fmt: skip
    refused = run("compose", "a.json", "seeded.json")
    assert refused.returncode == 2
    assert "seeded.json" in refused.stderr
    assert "guarantee" in refused.stderr
    assert run("fit", *DATA, *FIT, "--epsilon", "0.5", "--relation", "add_or_remove_one",
               "--records", "600", "--out", "other.json").returncode == 0  # fmt: skip
    assert "relation" in run("compose", "a.json", "other.json").stderr
