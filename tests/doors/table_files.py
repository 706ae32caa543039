"""The door of raw tables: a schema, and one record or unit whose cells are anything at all."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.doors.command_line import CommandLine
from tests.doors.table_schema import FIELDS, schema
from tests.doors.tap import Outcome

Record = list[bytes]  # a cell for each column, as it stands in the file

COLUMNS = [field["name"] for field in FIELDS] + ["outcome", "patient"]
_PATIENT = len(FIELDS) + 1
_CHANGED = b"p5"  # the unit that neighbours have otherwise, or at all

_TABLE = """
34|20000|1.5|north|low|1|true|2015-02-03|2020-01-01T05:00:00Z|a good one|x|120|yes|p1
61|310000|0.5|south|mid|2|false|2016-07-13|2020-01-02T15:00:00Z|a bad one||340|no|p2
8||2.25|east|high|3|true|2026-12-01|2021-05-05T23:59:00+01:00|one||80|yes|p3
44|55000|-1|west|LOW|1|false|2019-02-28|2020-02-29|quiet|x|650|no|p3
29|41000|NA|north|low|2|?|2020-02-29|?|late again||910|perhaps|p3
77|0|4|south|high|9|true||2022-08-08T08:08:08Z|||5|yes|p4
52|500000|0|east|mid|3|false|2018-01-31|2020-12-31T12:00:00Z|good and bad|x||no|p4
19|18000|1|north||1|true|2017-10-10|2019-03-03T03:00:00Z|?||400|never|p5
90|64000|2.5|south|low|2|false|2021-06-21|2020-07-07T17:00:00Z|one two three||1200|yes|p5
40|72000|1.75|east|mid||true|2022-03-04|2020-11-11T11:11:11Z|bad||230|no|p5
120|99000|-3|north|high|3|false|2015-01-01|2018-04-04T04:04:04Z|good|x|-7|yes|p5
1|1000|1e3|south|low|1|true|2026-12-31|2020-09-09T19:00:00Z|no word||1000|no|
"""

# What a cell may hold: no type has a say in it. A newline would end the record, which is form.
CELLS: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b"   ",
    "NA": b"NA",
    "a word": b"north",
    "another word": b"nowhere",
    "a word in capitals": b"NORTH",
    "a class": b"yes",
    "true": b"true",
    "yes and no": b"yes|no",
    "nan": b"nan",
    "-inf": b"-inf",
    "1e400": b"1e400",
    "-1e400": b"-1e400",
    "1e-400": b"1e-400",
    "a number": b"17",
    "a number in blanks": b"  2 ",
    "a number with a comma": b"1,5",
    "a hexadecimal number": b"0x10",
    "2^53 + 1": b"9007199254740993",
    "a date": b"2020-02-02",
    "no such date": b"2020-13-45",
    "a date long ago": b"0001-01-01",
    "a date far away": b"9999-12-31T23:59:59.999999-23:59",
    "a date of another country": b"31.12.2020",
    "quotes": b'say ""no""',
    "an apostrophe": b"it's",
    "NUL": b"a\0b",
    "no UTF-8": b"\xff\xfe\x80",
    "a carriage return": b"a\rb",
    "a formula": b"=1+1",
    "a terminal's order": b"\x1b[31m\xe2\x80\xae",
    "a comma's neighbour": b",;|\t",
    "a megabyte": b"word " * 210_000,
}


@dataclass(frozen=True)
class Door:
    """How the bytes of a table reach the program."""

    name: str
    delimiter: bytes = b","
    packed: bool = False
    through: str = "file"
    options: tuple[str, ...] = ()


DOORS = [
    Door("table"),
    Door("table, gz", packed=True),
    Door("table through a pipe", through="pipe"),
    Door("table from standard input", through="stdin"),
    Door("table with semicolons, f32", b";", options=("--delimiter", ";", "--storage", "f32")),
    Door("table with tabs", b"\t", options=("--delimiter", "tab")),
    Door("table in latin-1", options=("--encoding", "latin-1")),
]

_PURE = ("--epsilon", "1", "--delta", "0", "--iterations", "2", "--refine", "off")
_GAUSSIAN = ("--epsilon", "100", "--delta", "1e-5", "--iterations", "2")


@dataclass(frozen=True)
class Fit:
    """What is fitted, to which target, and whose privacy is promised."""

    name: str
    target: str
    options: tuple[str, ...]
    units: bool = False


_HINGE = ("--loss", "squared_hinge", "--solver", "sgd")
_FEWER = ("--relation", "add_or_remove_one", "--records", "5")
FITS = [
    Fit("units, as printed", "a number", ("--loss", "squared", *_PURE), units=True),
    Fit("squared, as printed", "a number", ("--loss", "squared", *_PURE)),
    Fit("squared, refined", "a number", ("--loss", "squared", *_GAUSSIAN)),
    Fit("squared, sgd", "a number", ("--loss", "squared", "--solver", "sgd", *_GAUSSIAN)),
    Fit("huber", "a number", ("--loss", "huber", "--huber-width", "9", *_PURE)),
    Fit("logistic, as printed", "two classes", ("--loss", "logistic", *_PURE)),
    Fit("logistic, refined", "two classes", ("--loss", "logistic", *_GAUSSIAN)),
    Fit("squared hinge, sgd", "two classes", (*_HINGE, *_GAUSSIAN)),
    Fit("three classes", "three classes", ("--loss", "logistic", *_PURE)),
    Fit("units, refined", "two classes", ("--loss", "logistic", *_GAUSSIAN), units=True),
    Fit("units, one more or less", "a number", ("--loss", "squared", *_PURE, *_FEWER), units=True),
]


def table(fit: Fit) -> list[Record]:
    records = []
    for line in _TABLE.strip().splitlines():
        *features, number, label, patient = line.encode().split(b"|")
        records.append([*features, number if fit.target == "a number" else label, patient])
    if _is_one_more_or_less(fit):
        return [record for record in records if record[_PATIENT] != _CHANGED]
    return records


def _is_one_more_or_less(fit: Fit) -> bool:
    return "add_or_remove_one" in fit.options


def neighbours(fit: Fit) -> Iterator[tuple[str, list[Record]]]:
    """The table with other cells in one record, or, where units are promised, in one unit."""
    if fit.units:
        yield from _of_units(fit)
        return
    base = table(fit)
    for place, at in {"first": 0, "middle": 5, "last": len(base) - 1}.items():
        for name, record in _odd_records(base[at], everywhere=place == "middle"):
            yield f"{name} in the {place} record", [*base[:at], record, *base[at + 1 :]]


def _odd_records(like: Record, everywhere: bool) -> Iterator[tuple[str, Record]]:
    """`everywhere`: also every odd cell in every column."""
    for name, cell in CELLS.items():
        if name != "nothing":  # a line without any cell is no record
            yield f"{name} in all columns", [cell] * len(COLUMNS)
        for column in range(len(COLUMNS)) if everywhere else ():
            yield f"{name} in {COLUMNS[column]}", [*like[:column], cell, *like[column + 1 :]]
    yield "one cell", like[:1]
    yield "half the cells", like[:6]
    yield "empty cells", [b""] * len(COLUMNS)
    yield "too many cells", [*like, *CELLS.values()]


def _of_units(fit: Fit) -> Iterator[tuple[str, list[Record]]]:
    """A unit has any records but none; a record without an id is nobody's."""
    base = table(fit)
    mine = [*base[2][:_PATIENT], _CHANGED]
    others = [record for record in base if record[_PATIENT] != _CHANGED]
    for name, odd in _odd_records(mine, everywhere=True):
        full = [*odd, *[b""] * (len(COLUMNS) - len(odd))][: len(COLUMNS)]
        own = [*full[:_PATIENT], _CHANGED]
        yield f"{name}, one record of the unit", [*others, own]
        if not name.endswith("all columns"):
            continue
        yield f"{name}, many records of the unit", [*others[:3], *[own] * 9, *others[3:]]
        yield f"{name}, and nobody's record", [*others, own, [*full[:_PATIENT], b"NA"]]
        if full[_PATIENT].strip() not in (b"", b"NA"):
            yield f"{name}, another unit", [*others, [*mine[:_PATIENT], full[_PATIENT]]]
    if _is_one_more_or_less(fit):
        yield "a unit less", [record for record in base if record[_PATIENT] != b"p4"]
        yield "nobody at all", [*others, [*mine[:_PATIENT], b""]]


def _file(door: Door, records: list[Record]) -> bytes:
    def cell(text: bytes) -> bytes:
        return b'"' + text + b'"' if any(c in text for c in (door.delimiter, b'"')) else text

    header = [name.encode() for name in COLUMNS]
    lines = [door.delimiter.join(map(cell, record)) for record in [header, *records]]
    text = b"\n".join(lines) + b"\n"
    return gzip.compress(text, mtime=0) if door.packed else text


def run(
    shell: CommandLine, door: Door, fit: Fit, records: list[Record], replay: str = ""
) -> Outcome:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = "data.csv.gz" if door.packed else "data.csv"
        (folder / data).write_bytes(_file(door, records))
        (folder / "schema.json").write_text(
            json.dumps(schema(fit.target, "string" if fit.units else None))
        )
        options = [*fit.options, *door.options, "--schema", "schema.json"]
        return shell.outcome(folder, [data, *options], door.through, replay)
