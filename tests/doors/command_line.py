"""The door of the command line: files of every format, one record of another value."""

from __future__ import annotations

import gzip
import math
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.doors.tap import Outcome

Record = list[object]  # features, then the target; text stands in a file as it is

# The records that stay: some of them have what the others must not hear of.
PLACES = {"first": 0, "middle": 4, "last": 11}
TABLE: list[Record] = [
    [0.5, -1.25, 2.0, 1],
    [-2.0, 0.25, -1.0, -1],
    [1.0, math.nan, 1.5, 1],
    [0.75, 1.0, -0.5, -1],
    [-1.5, 0.5, 1.0, 1],
    [math.inf, -0.75, 0.25, math.nan],
    [1.25, 1.5, -2.0, -1],
    [-0.25, 2.0, 0.5, 7],
    [2.0, -1.0, -1.5, 1],
    [0.25, 0.5, 1.75, -1],
    [-1.0, -0.5, 0.75, 1],
    [1.5, 1.25, -0.25, -1],
]
NUMBERS = [math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, -0.0, 0.0, 1.0, -7.0, 123456789.0]
# What a CSV may hold where a number stands: values, not errors.
TEXTS = ["", "NA", "nan", "NaN", "-inf", "inf", "1e999", "-1e999", "1e-999", " 2 ", "+3", '"4"']


@dataclass(frozen=True)
class Door:
    """A format, and how the command line is handed the file."""

    name: str
    suffix: str
    write: Callable[[Path, list[Record]], None]
    values: tuple[object, ...]
    options: tuple[str, ...]
    through: str = "file"


def _cell(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def _csv(records: list[Record]) -> bytes:
    lines = ["a,b,c,target", *(",".join(map(_cell, record)) for record in records)]
    return ("\n".join(lines) + "\n").encode()


def _libsvm(records: list[Record]) -> bytes:
    lines = []
    for *features, target in records:
        # Zeros are left out of a sparse file: a record may have any number of entries.
        entries = [
            f"{j + 1}:{_cell(x)}" for j, x in enumerate(features) if x != 0 or str(x) == "-0.0"
        ]
        lines.append(" ".join([_cell(target), *entries]))
    return ("\n".join(lines) + "\n").encode()


def _plain(form: Callable[[list[Record]], bytes]) -> Callable[[Path, list[Record]], None]:
    return lambda path, records: _done(path.write_bytes(form(records)))


def _zipped(form: Callable[[list[Record]], bytes]) -> Callable[[Path, list[Record]], None]:
    return lambda path, records: _done(path.write_bytes(gzip.compress(form(records), mtime=0)))


def _done(_: object) -> None:
    return None


def _npy(dtype: str) -> Callable[[Path, list[Record]], None]:
    def write(path: Path, records: list[Record]) -> None:
        with np.errstate(all="ignore"):
            np.save(path, np.array(records, dtype=np.float64).astype(dtype))

    return write


_BY_NAME = ("--target", "target")
_BY_NUMBER = ("--target", "3")
_SPARSE = ("--features", "3")
DOORS = [
    Door("csv", ".csv", _plain(_csv), (*NUMBERS, *TEXTS), _BY_NAME),
    Door("csv.gz", ".csv.gz", _zipped(_csv), (*NUMBERS, *TEXTS), _BY_NAME),
    Door("csv through a pipe", ".csv", _plain(_csv), (*NUMBERS, *TEXTS), _BY_NAME, through="pipe"),
    Door("csv as f32", ".csv", _plain(_csv), (*NUMBERS, *TEXTS), (*_BY_NAME, "--storage", "f32")),
    Door("libsvm", ".libsvm", _plain(_libsvm), tuple(NUMBERS), _SPARSE),
    Door("libsvm.gz", ".svm.gz", _zipped(_libsvm), tuple(NUMBERS), _SPARSE),
    Door("npy f8", ".npy", _npy("<f8"), tuple(NUMBERS), _BY_NUMBER),
    Door("npy f4", ".npy", _npy("<f4"), tuple(NUMBERS), _BY_NUMBER),
    Door("npy f8, big-endian", ".npy", _npy(">f8"), tuple(NUMBERS), _BY_NUMBER),
]

_PURE = ("--epsilon", "1", "--delta", "0", "--iterations", "2", "--refine", "off")
FITS = {
    "squared, gcd as printed": ("--loss", "squared", "--target-scale", "1", *_PURE),
    "squared, refined, scale by a mechanism": (
        *("--loss", "squared", "--penalty", "l1", "--alpha", "0.01"),
        *("--epsilon", "100", "--delta", "1e-5", "--iterations", "2", "--target-scale", "private"),
    ),
    "huber in a box": (
        *("--loss", "huber", "--huber-width", "1", "--penalty", "box", "--target-scale", "1"),
        *("--lower", "-1", "--upper", "1", *_PURE),
    ),
    "logistic, gcd as printed": ("--loss", "logistic", "--classes", "-1,1", *_PURE),
    "logistic, refined": (
        *("--loss", "logistic", "--classes", "-1,1", "--penalty", "l2", "--alpha", "0.1"),
        *("--epsilon", "1", "--delta", "1e-5", "--iterations", "2"),
    ),
    "three classes": ("--loss", "logistic", "--classes", "-1,1,7", *_PURE),
    "squared hinge, sgd": (
        *("--loss", "squared_hinge", "--classes", "-1,1", "--solver", "sgd"),
        *("--epsilon", "1", "--delta", "1e-5", "--iterations", "2"),
    ),
}

_BUDGET = ("--epsilon", "1", "--delta", "1e-5")
# A fit whose model is evaluated, and what is asked of the evaluation.
EVALUATIONS = {
    "figures of two classes": ("logistic, refined", _BUDGET),
    "figures of three classes": ("three classes", _BUDGET),
    "figures of errors": ("squared, gcd as printed", _BUDGET),
}


def neighbours(door: Door) -> Iterator[tuple[str, list[Record]]]:
    """The table with one record of another value: in a feature, in the target, everywhere."""
    for place, at in PLACES.items():
        for value in door.values:
            for where, columns in (("feature", [1]), ("target", [3]), ("record", [0, 1, 2, 3])):
                changed = [list(record) for record in TABLE]
                for column in columns:
                    changed[at][column] = value
                yield f"{_cell(value)!r} in the {where} of the {place} record", changed


class CommandLine:
    """The tapped program; a run leaves all that can be seen of it in an Outcome."""

    def __init__(self, program: Path, leak: str = "") -> None:
        self.program = program
        self.environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"}
        if leak:
            self.environment["SOUTHWELL_LEAK"] = leak

    def run(self, door: Door, fit: str, records: list[Record], replay: str = "") -> Outcome:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            data = folder / f"data{door.suffix}"
            door.write(data, records)
            options = [*FITS[fit], *door.options]
            return self.outcome(folder, [data.name, *options], door.through, replay)

    def evaluate(
        self, door: Door, model: str, budget: tuple[str, ...], records: list[Record], replay: str
    ) -> Outcome:
        """A private evaluation of these records by a model, given as the text of its file."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "model.json").write_text(model)
            data = folder / f"data{door.suffix}"
            door.write(data, records)
            target = door.options[:2] if door.options[0] == "--target" else ()
            command = ["evaluate", "model.json", data.name, *budget, *target, "--json"]
            return self.seen(folder, command, door.through, replay, data.name)

    def outcome(self, folder: Path, arguments: list[str], through: str, replay: str) -> Outcome:
        """A fit of the files in `folder`; the first argument is the data's name."""
        command = ["fit", *arguments, "--out", "model.json"]
        return self.seen(folder, command, through, replay, arguments[0])

    def seen(
        self, folder: Path, arguments: list[str], through: str, replay: str, data: str
    ) -> Outcome:
        """All that can be seen of a command; `data` is the argument that names the data."""
        environment = {**self.environment, "SOUTHWELL_TAP": str(folder / "tap")}
        if replay:
            (folder / "run").write_text(replay)
            environment["SOUTHWELL_REPLAY"] = str(folder / "run")
        command = [str(self.program), *arguments]
        done = _call(command, folder, environment, through, data)
        model = folder / "model.json"
        tap = folder / "tap"
        seen: dict[str, object] = {
            "exit code": done.returncode,
            "output": done.stdout,
            "messages": done.stderr,
            "model": model.read_text() if model.exists() else "",
            "files": sorted(path.name for path in folder.iterdir() if path.name != "run"),
        }
        return Outcome(seen, tap.read_text() if tap.exists() else "")


def _call(
    command: list[str], folder: Path, environment: dict[str, str], through: str, name: str
) -> subprocess.CompletedProcess[str]:
    data = folder / name
    if through == "pipe":  # the same bytes through a named pipe, whose size nobody knows
        data.rename(folder / "source")
        os.mkfifo(data)
        feeder = subprocess.Popen(["sh", "-c", f"cat source > {data.name}"], cwd=folder)
    if through == "stdin":
        command = ["-" if word == name else word for word in command]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        input=data.read_bytes() if through == "stdin" else b"",
        capture_output=True,
        timeout=60,
        check=False,
    )
    if through == "pipe":
        if done.returncode != 0:
            feeder.terminate()  # nobody may have read
        feeder.wait(timeout=10)
    said = [text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr)]
    return subprocess.CompletedProcess(command, done.returncode, *said)
