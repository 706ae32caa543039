"""More than 500 calls that cannot be right: each is refused by name, and nothing is written.

The table is a product: every option of every command with an empty value and with values of the
wrong kind (bad_calls), then calls that are wrong by what stands beside them (bad_calls_in_context).
"""

import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

import pytest

from tests.cli.bad_calls import (
    CALLS,
    OPTIONS,
    Row,
    call,
    of_every_option,
    of_positional_arguments,
    of_required_options,
    printable,
)
from tests.cli.bad_calls_in_context import (
    of_outputs,
    of_what_is_found_before_data_are_read,
    of_what_stands_beside,
)

TABLE = [
    *of_every_option(),
    *of_positional_arguments(),
    *of_required_options(),
    *of_what_stands_beside(),
    *of_outputs(),
    *of_what_is_found_before_data_are_read(),
]

Outcome = tuple[int, str, str, bool]


@pytest.fixture(scope="module")
def scratch(southwell_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the calls find: data of every kind, a model, pipes, links that lead nowhere."""
    place = tmp_path_factory.mktemp("calls") / "0"
    place.mkdir()
    (place / "a.csv").write_text("a,b,y\n1,2,1\n0,1,-1\n2,0,1\n1,1,-1\n")
    (place / "coef.csv").write_text("feature,coef\na,1\n")
    (place / "s.csv").write_text("feature,scale\na,1\nb,1\n")
    (place / "x.svm").write_text("1 1:1\n-1 2:1\n")
    fields = [
        {"name": "a", "type": "number", "constraints": {"minimum": 0, "maximum": 2}},
        {"name": "b", "type": "integer", "constraints": {"minimum": 0, "maximum": 2}},
        {
            "name": "y",
            "type": "number",
            "constraints": {"minimum": -1, "maximum": 1},
            "southwell": {"role": "target"},
        },
    ]
    (place / "s.json").write_text(json.dumps({"fields": fields}))
    columns = [{"name": "a", "datatype": "number"}]
    (place / "w.json").write_text(json.dumps({"tableSchema": {"columns": columns}}))
    (place / "n.yaml").write_text("db:\n  s:\n    t:\n      a:\n        type: int\n")
    unfinished = [str(southwell_binary), "schema", "init", "a.csv", "--out", "todo.json"]
    subprocess.run(unfinished, cwd=place, check=True)
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }"
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    npy = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(32)
    (place / "x.npy").write_bytes(npy)
    (place / "y.npy").write_bytes(npy)
    (place / "d").mkdir()
    (place / "here").symlink_to(".")
    for ending in (".json", ".csv", ".html"):
        (place / f"d{ending}").mkdir()
        (place / f"dangling{ending}").symlink_to("nowhere/at/all")
        (place / f"loop{ending}").symlink_to(f"loop{ending}")
    for name in ("pipe.csv", "pipe.svm", "pipe.npy"):
        os.mkfifo(place / name)
    made = [str(southwell_binary), *call("fit", {"out": "m.json"}, more=["--seed-for-tests", "1"])]
    subprocess.run([*made, "--target-scale", "1"], cwd=place, check=True, capture_output=True)
    made = [*made, "--schema", "s.json"]
    made[made.index("m.json")] = "ms.json"
    subprocess.run(made, cwd=place, check=True, capture_output=True)
    return place


def contents(place: Path) -> list[tuple[str, bytes]]:
    files = sorted(place.iterdir())
    return [(file.name, file.read_bytes() if is_plain(file) else b"") for file in files]


def is_plain(file: Path) -> bool:
    return file.is_file() and not file.is_symlink()


@pytest.fixture(scope="module")
def outcomes(southwell_binary: Path, scratch: Path) -> dict[Row, Outcome]:
    """Every call once, some at a time, each in a directory of its own."""
    places: Queue[Path] = Queue()
    for k in range(2 * (os.cpu_count() or 1)):
        copy = scratch.parent / f"copy{k}"
        shutil.copytree(scratch, copy, symlinks=True, ignore=shutil.ignore_patterns("pipe.*"))
        for name in ("pipe.csv", "pipe.svm", "pipe.npy"):
            os.mkfifo(copy / name)
        places.put(copy)
    before = contents(scratch)

    def run(row: Row) -> Outcome:
        place = places.get()
        try:
            done = subprocess.run(
                [southwell_binary, *row.arguments], cwd=place, capture_output=True, timeout=20,
                check=False, stdin=subprocess.DEVNULL,
            )  # fmt: skip
            said = done.stderr.decode("utf-8"), done.stdout.decode("utf-8")
            return done.returncode, *said, contents(place) == before
        except subprocess.TimeoutExpired:
            return -1, "it waited for data", "", True
        finally:
            places.put(place)

    with ThreadPoolExecutor(places.qsize()) as pool:
        return dict(zip(TABLE, pool.map(run, TABLE), strict=True))


def test_the_table_is_long_and_every_row_another_call() -> None:
    assert len(TABLE) >= 500
    assert len({row.arguments for row in TABLE}) == len(TABLE)


def test_the_calls_that_rows_change_are_right(southwell_binary: Path, scratch: Path) -> None:
    for command in CALLS:
        if command in ("lab compare", "lab paper", "lab theory"):
            continue  # they take long
        if command == "ledger plan":
            continue  # it wants a statement, and has tests of its own
        more = {
            "lab constants": ["--no-intercept"],  # it has none to give
            "fit": ["--target-scale", "1"],  # of so few records it is not found
        }.get(command, [])
        done = subprocess.run(
            [southwell_binary, *call(command, more=more)],
            cwd=scratch,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)
    for made in ("new.json", "new.jsonl", "new.csv"):
        (scratch / made).unlink()


def test_the_table_has_every_option_that_takes_a_value(southwell_binary: Path) -> None:
    for command, options in OPTIONS.items():
        done = subprocess.run(
            [southwell_binary, *command.split(), "--help"], capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        listed = re.findall(r"^  (--[a-z0-9-]+) (?:[A-Z]{3}|on\|off)", done.stdout, re.MULTILINE)
        assert sorted(listed) == sorted(options), command


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_a_bad_call_is_refused_by_name_and_leaves_nothing(
    row: Row, outcomes: dict[Row, Outcome]
) -> None:
    code, said, printed, untouched = outcomes[row]
    assert code == row.code, said
    assert printed == ""
    assert said.startswith("southwell: ")
    assert said.endswith("\n")
    line = said[:-1]
    assert line == printable(line)  # one line, nothing that a terminal obeys
    plain = row.names.removeprefix("--").replace("-", "_")
    assert row.names in line or f"{plain}:" in line
    if row.given is not None:
        assert row.given in line
    assert row.says in line
    assert re.search(r"accepted (is|are|for|beyond)|only valid with|is required|not accepted", line)
    assert untouched
