"""Whatever is done to a ledger from outside is found: by the file alone, or through a model."""

import hashlib
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

LEDGER = "people.jsonl"
MODELS = [f"m{k}.json" for k in range(3)]
FIT = ["--target", "target", "--loss", "squared", "--feature-scale", "1", "--target-scale", "1",
       "--delta", "1e-6"]  # fmt: skip
Call = Callable[..., "subprocess.CompletedProcess[str]"]
Tell = Callable[[str, object], None]  # what tools/reliability.py adds up


@pytest.fixture
def call(southwell_binary: Path, tmp_path: Path) -> Call:
    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [southwell_binary, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def done(finished: "subprocess.CompletedProcess[str]") -> None:
    assert finished.returncode == 0, finished.stderr


@pytest.fixture
def place(call: Call, tmp_path: Path) -> Path:
    """Three models of one ledger, and one each of another and of one under another relation."""
    size = ["--records", "60", "--features", "3", "--seed", "1", "--out", "data.csv"]
    done(call("generate", "square", *size))
    other = ["--relation", "add_or_remove_one"]
    for name, relation in ((LEDGER, []), ("second.jsonl", []), ("added.jsonl", other)):
        budget = ["--epsilon", "1", "--delta", "1e-6"]
        done(call("ledger", "create", name, *budget, *relation))
    records = ["--records", "60"]
    for name, model, relation in (
        *((LEDGER, model, []) for model in MODELS),
        ("second.jsonl", "second.json", []),
        ("added.jsonl", "added.json", [*other, *records]),
    ):
        line = ["fit", "data.csv", *FIT, "--epsilon", "0.1", *relation]
        done(call(*line, "--ledger", name, "--out", model))
    return tmp_path


def chained(lines: list[bytes]) -> bytes:
    """These lines with hashes that fit: as somebody would write them who knows how."""
    previous = "0" * 64
    out: list[bytes] = []
    for line in lines:
        content = json.loads(line)
        content.pop("hash")
        content["previous"] = previous
        content["sequence"] = len(out)
        body = json.dumps(content, separators=(",", ":"))[:-1]
        previous = hashlib.sha256(body.encode()).hexdigest()
        out.append(f'{body},"hash":"{previous}"}}'.encode())
    return b"\n".join(out) + b"\n"


def changed(line: bytes, **values: object) -> bytes:
    return json.dumps({**json.loads(line), **values}).encode()


def damages(text: bytes) -> Iterator[tuple[str, bytes]]:
    """What the file alone shows."""
    for at in range(0, len(text), 23):
        bit = bytes([text[at] ^ 1 << at % 8])
        yield f"bit of byte {at}", text[:at] + bit + text[at + 1 :]
    lines = text.splitlines(keepends=True)
    for k in range(len(lines)):
        if k + 1 < len(lines):
            yield f"without line {k}", b"".join([*lines[:k], *lines[k + 1 :]])
            swapped = [*lines[:k], lines[k + 1], lines[k], *lines[k + 2 :]]
            yield f"lines {k} swapped", b"".join(swapped)
        yield f"line {k} twice", b"".join([*lines[: k + 1], *lines[k:]])
        yield f"line {k} cut off", b"".join(lines[:k]) + lines[k][:-9]


def forgeries(place: Path) -> Iterator[tuple[str, bytes]]:
    """What nobody but its owner could have written, and is no ledger all the same."""
    lines, second, added = (
        (place / name).read_bytes().splitlines() for name in (LEDGER, "second.jsonl", "added.jsonl")
    )
    whole = [b"\n".join(each) + b"\n" for each in (lines, second)]
    yield "merged", b"".join(whole)
    yield "merged the other way", b"".join(reversed(whole))
    yield "merged line by line", chained([lines[0], second[0], lines[1], second[1]])
    yield "with an entry of another relation", chained([*lines, added[1]])
    yield "terms of another relation", chained([added[0], *lines[1:]])
    yield "two commits", chained([*lines, lines[-1]])
    kept = json.loads(lines[1])
    yield "half the cost", chained([lines[0], changed(lines[1], renyi=kept["renyi"] / 2)])
    yield "no cost", chained([lines[0], changed(lines[1], renyi=0)])
    yield "less than no cost", chained([lines[0], changed(lines[1], renyi=-0.1)])
    yield "a refund", chained([*lines, changed(lines[1], renyi=-0.1, pure_epsilon=-1)])
    yield (
        "part of a plan that there is none of",
        chained([lines[0], changed(lines[1], admitted_by="plan", plan=1, member=0)]),
    )
    yield "more than its budget", chained([changed(lines[0], epsilon=0.001), *lines[1:]])


def test_whatever_is_done_to_a_ledger_is_found(
    call: Call, place: Path, record_property: Tell
) -> None:
    file = place / LEDGER
    text = file.read_bytes()
    lines = text.splitlines(keepends=True)
    done(call("ledger", "verify", LEDGER, "--model", *MODELS))
    file.write_bytes(chained(text.splitlines()))
    done(call("ledger", "verify", LEDGER))  # who has the key to a chain can write one
    found = []

    def expect(how: str, content: bytes, *models: str) -> None:
        file.write_bytes(content)
        verified = call("ledger", "verify", LEDGER, *(["--model", *models] if models else []))
        assert verified.returncode == 3, how
        assert verified.stdout == "", how
        found.append(how)

    for how, content in (*damages(text), *forgeries(place)):
        expect(how, content)
    # An older copy is whole in itself: the models of what it forgot tell it.
    for k, model in enumerate(MODELS):
        for kept in range(1, 2 * k + 2):
            expect(f"the first {kept} lines, with {model}", b"".join(lines[:kept]), model)
    # So is one that was continued apart, here by the very same fits.
    file.write_bytes(b"".join(lines[:3]))
    for model in ("apart1.json", "apart2.json"):
        line = ["fit", "data.csv", *FIT, "--epsilon", "0.1", "--ledger", LEDGER, "--out", model]
        done(call(*line))
    apart = file.read_bytes()
    done(call("ledger", "verify", LEDGER, "--model", MODELS[0], "apart1.json", "apart2.json"))
    for model in (MODELS[1], MODELS[2], "second.json", "added.json"):
        expect(f"continued apart, with {model}", apart, model)
    expect("another ledger, with its model", (place / "second.jsonl").read_bytes(), MODELS[0])
    assert len(found) > 100
    record_property("found", len(found))
