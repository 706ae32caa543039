"""Calls that are wrong by themselves: every option with an empty value and with wrong ones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

USAGE, DATA = 2, 3

BUDGET = {"--epsilon": "1", "--delta": "1e-6"}
FIT = {"--loss": "squared", **BUDGET, "--target": "y", "--out": "new.json"}
LAB = {"--loss": "squared", "--target": "y"}

# A call of each command that is right, but for what a row changes.
CALLS: dict[str, tuple[list[str], dict[str, str]]] = {
    "fit": (["a.csv"], FIT),
    "predict": (["m.json", "a.csv"], {}),
    "evaluate": (["m.json", "a.csv"], {"--target": "y"}),
    "inspect": (["m.json"], {}),
    "plan": ([], {"--loss": "squared", **BUDGET, "--records": "1000", "--features": "10"}),
    "calibrate": ([], {**BUDGET, "--iterations": "5"}),
    "account": (
        [],
        {
            "--iterations": "5",
            "--delta": "1e-6",
            "--selection-epsilon": ".1",
            "--release-epsilon": ".1",
        },
    ),
    "generate": (["square"], {"--seed": "1", "--out": "new.csv"}),
    "ledger create": (["new.jsonl"], BUDGET),
    "ledger show": (["new.jsonl"], {}),
    "ledger plan": (["new.jsonl", "statement.json"], {}),
    "ledger verify": (["new.jsonl"], {}),
    "compose": (["new.json"], {}),
    "schema init": (["a.csv"], {}),
    "schema check": (["s.json"], {}),
    "schema dummy": (["s.json"], {"--records": "5"}),
    "schema import": ([], {"--csvw": "w.json"}),
    "lab optimum": (["a.csv"], LAB),
    "lab objective": (["coef.csv", "a.csv"], LAB),
    "lab greedy": (["a.csv"], LAB),
    "lab constants": (["a.csv"], LAB),
    "lab compare": (["log1"], {}),
    "lab paper": ([], {"--problem": "log1"}),
    "lab theory": ([], {}),
    "lab standardize": (["a.csv"], {"--target": "y", "--out": "new.csv"}),
}

# What the words without a flag are called, where that is not DATA alone.
PLACES = {
    "predict": ["MODEL", "DATA"],
    "evaluate": ["MODEL", "DATA"],
    "inspect": ["MODEL"],
    "ledger create": ["FILE"],
    "ledger show": ["FILE"],
    "ledger plan": ["FILE", "STATEMENT"],
    "ledger verify": ["FILE"],
    "compose": ["MODEL"],
    "schema check": ["SCHEMA"],
    "schema dummy": ["SCHEMA"],
    "lab objective": ["COEF", "DATA"],
    "generate": ["PROBLEM"],
    "lab compare": ["PROBLEM"],
}

OBJECTIVE = {
    "--loss": "word",
    "--penalty": "word",
    **dict.fromkeys(["--alpha", "--l1-ratio", "--lower", "--upper", "--huber-width"], "number"),
}
INPUTS = {
    **OBJECTIVE,
    **dict.fromkeys(["--epsilon", "--delta", "--test-share"], "number"),
    **dict.fromkeys(["--records", "--seed-for-tests"], "whole"),
    **dict.fromkeys(["--clip", "--step", "--share"], "number or auto"),
    **dict.fromkeys(["--iterations", "--batch-size", "--selections-per-gradient"], "whole or auto"),
    **dict.fromkeys(
        ["--attenuation", "--clip-tracking", "--margin-correction", "--polish"], "switch"
    ),
    **dict.fromkeys(
        ["--exclude-visited", "--second-moment", "--select-iterate", "--calibrate-probabilities"],
        "switch",
    ),
    "--prune": "switch",
    **dict.fromkeys(["--relation", "--solver", "--mode", "--rule", "--selection"], "word"),
    **dict.fromkeys(["--release", "--sampling", "--iterate", "--refine"], "word"),
    **dict.fromkeys(["--target-scale", "--target-center", "--record-norm"], "number or private"),
    **dict.fromkeys(["--classes", "--class-weight"], "numbers"),
    "--unit": "text",
}
TEXT = {"--delimiter": "delimiter", "--encoding": "word"}
MODEL = {"--target": "text", "--missing": "list", "--threads": "threads", **TEXT}
READING = {**MODEL, "--features": "whole"}
SOLVING = {**READING, **OBJECTIVE}
MECHANISMS = {
    "--iterations": "whole",
    "--delta": "number",
    **dict.fromkeys(["--solver", "--relation", "--selection", "--release"], "word"),
    "--batch-size": "number",
    "--records": "whole",
}

# What every option that takes a value takes.
OPTIONS: dict[str, dict[str, str]] = {
    "fit": {
        **INPUTS,
        **READING,
        "--storage": "word",
        "--schema": "text",
        "--feature-scale": "scale",
        "--start": "start",
        **dict.fromkeys(["--ledger", "--out"], "text"),
    },
    "predict": {**MODEL, "--kind": "word", "--id": "text", "--out": "text"},
    "evaluate": {
        **MODEL,
        **dict.fromkeys(["--epsilon", "--delta", "--target-scale"], "number"),
        **dict.fromkeys(["--records", "--seed-for-tests"], "whole"),
        "--relation": "word",
        **dict.fromkeys(["--unit", "--ledger", "--html"], "text"),
    },
    "inspect": {"--html": "text"},
    "plan": {
        **INPUTS,
        "--features": "whole",
        "--settings": "whole",
        "--feature-scale": "number",
        "--schema": "text",
    },
    "calibrate": {**MECHANISMS, "--epsilon": "number", "--share": "number"},
    "account": {
        **MECHANISMS,
        **dict.fromkeys(["--selection-epsilon", "--release-epsilon", "--release-sigma"], "number"),
    },
    "generate": {
        **dict.fromkeys(["--records", "--features", "--seed"], "whole"),
        "--threads": "threads",
        "--out": "text",
        "--truth": "text",
    },
    "ledger create": {
        **dict.fromkeys(["--epsilon", "--delta"], "number"),
        "--relation": "word",
        "--unit": "text",
    },
    "ledger show": dict.fromkeys(["--epsilon", "--delta"], "number"),
    "ledger plan": {},
    "ledger verify": {"--model": "text"},
    "compose": {"--delta": "number"},
    "schema init": {**TEXT, "--out": "text"},
    "schema check": {**TEXT, "--threads": "threads"},
    "schema dummy": {**dict.fromkeys(["--records", "--seed"], "whole"), "--out": "text"},
    "schema import": dict.fromkeys(["--smartnoise", "--csvw", "--out"], "text"),
    "lab optimum": {**SOLVING, "--gap": "number", "--repeat": "whole", "--classes": "numbers"},
    "lab objective": SOLVING,
    "lab greedy": {**SOLVING, "--rule": "word", "--iterations": "whole", "--step": "number"},
    "lab constants": SOLVING,
    "lab compare": {
        **SOLVING,
        **dict.fromkeys(["--solver", "--rule"], "words"),
        **dict.fromkeys(["--mode", "--grid"], "word"),
        **dict.fromkeys(["--instances", "--runs", "--fresh"], "whole"),
        **dict.fromkeys(["--epsilon", "--delta", "--share"], "number"),
        "--phase": "phase",
        "--data": "text",
    },
    "lab paper": {
        **dict.fromkeys(["--algorithm", "--mode", "--rule", "--selection", "--release"], "word"),
        **dict.fromkeys(["--runs", "--fresh", "--instance"], "whole"),
        **dict.fromkeys(["--epsilon", "--share"], "number"),
        "--problem": "word",
        "--data": "text",
        "--out": "text",
        "--threads": "threads",
    },
    "lab theory": {
        "--features": "wholes",
        **dict.fromkeys(["--records", "--seeds"], "whole"),
        **dict.fromkeys(["--algorithm", "--mode"], "word"),
        "--epsilon": "number",
        "--out": "text",
        "--threads": "threads",
    },
    "lab standardize": {**READING, "--out": "text"},
}

WITHOUT_JSON = ["predict", "generate", "lab paper", "lab theory", "lab standardize"]
WITHOUT_JSON += ["ledger create", "ledger plan", "ledger verify"]
WITHOUT_JSON += ["schema init", "schema dummy", "schema import"]

NO_NUMBERS = ["abc", "1,5", "0x10", "1e999", "1 2", "\x1b[31m1", "+-1", "1\u202e"]
NO_WHOLE = ["abc", "-1", "1.5", "1e3", "18446744073709551616", "7\n8", " 1"]
NO_WORDS = ["abc", "\x1b]0;x\x07", "\u202eabc", "AUTO"]

# Values that each kind refuses, besides the empty one.
WRONG: dict[str, list[str]] = {
    "number": NO_NUMBERS,
    "whole": NO_WHOLE,
    "threads": [*NO_WHOLE, "0", "4097"],
    "number or auto": [*NO_NUMBERS, "Auto"],
    "whole or auto": [*NO_WHOLE, "Auto"],
    "number or private": [*NO_NUMBERS, "Private"],
    "switch": ["yes", "ON", "1", "\x07"],
    "word": NO_WORDS,
    "words": [*NO_WORDS, "gcd,,cd", "gs_s,", ","],
    "wholes": [*NO_WHOLE, "10,,20", ",10"],
    "numbers": ["a,b", "1,,2", "1,", ",", "1;2"],
    "list": ["a,,b", ",", "?,", " , "],
    "delimiter": ["x", ",,", "comma", "TAB", " ", "\x1b", "\n"],
    "phase": ["2", "5,1", "x,1", "2,,1"],
    "scale": ["one", "1,2", "x.svm", "\x1b.txt"],
    "start": ["x.txt", "x", "x.svm", "x.json.zip"],
    "text": [],
}


def printable(text: str) -> str:
    """What a message shows of a text."""
    command = r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
    return re.sub(command, lambda found: f"<U+{ord(found[0]):04X}>", text)


@dataclass(frozen=True)
class Row:
    arguments: tuple[str, ...]
    names: str  # what the message calls the argument
    given: str | None = None  # what it shows of the value
    code: int = USAGE
    says: str = ""

    def __str__(self) -> str:
        return (
            printable(" ".join(self.arguments) or "nothing at all")
            .encode("ascii", "backslashreplace")
            .decode()
        )


def call(
    command: str,
    changed: Mapping[str, str | None] | None = None,
    places: Sequence[str] | None = None,
    more: Sequence[str] = (),
) -> tuple[str, ...]:
    """The right call of a command with some options changed (None: left out) and words added."""
    positional, options = CALLS[command]
    given = {
        **options,
        **{f"--{name.replace('_', '-')}": to for name, to in (changed or {}).items()},
    }
    words = [word for flag, value in given.items() if value is not None for word in (flag, value)]
    return (*command.split(), *(positional if places is None else places), *words, *more)


def of_every_option() -> Iterator[Row]:
    for command, options in OPTIONS.items():
        for flag, kind in options.items():
            name = flag[2:].replace("-", "_")
            others = {name: None}
            right = call(command, others)
            yield Row((*right, flag, ""), flag, "''")
            yield Row((*right, f"{flag}="), flag, "''")
            yield Row((*right, flag), flag, says="without a value")
            yield Row((*right, flag, "--help"), flag, "'--help'")
            for value in WRONG[kind]:
                shown = None if kind == "phase" else printable(value)
                yield Row((*right, flag, value), flag, shown)


def of_positional_arguments() -> Iterator[Row]:
    for command, (places, _) in CALLS.items():
        for k, name in enumerate(PLACES.get(command, ["DATA"])[: len(places)]):
            yield Row(call(command, places=[*places[:k], "", *places[k + 1 :]]), name, "''")
            yield Row(call(command, places=places[:k]), name, says="is required")
        yield Row((*call(command), "--nonsense"), "--nonsense", says="is not understood")
        yield Row((*call(command), "--jso\x1bn"), "--jso<U+001B>n", says="is not understood")
        if command not in WITHOUT_JSON:
            yield Row((*call(command), "--json=maybe"), "--json", "'maybe'")
            yield Row((*call(command), "--json="), "--json", "''")
    yield Row((), "command", says="is required")
    yield Row(("lab",), "command", says="is required")
    yield Row(("schema",), "command", says="is required")
    yield Row(("ledger",), "command", says="is required")
    yield Row(("\x1b[2Jfit",), "<U+001B>[2Jfit", says="is not understood")


def of_required_options() -> Iterator[Row]:
    for command, required in {
        "fit": ["--loss", "--epsilon", "--delta", "--out"],
        "plan": ["--loss", "--epsilon", "--delta", "--records", "--features"],
        "calibrate": ["--epsilon", "--iterations"],
        "account": ["--iterations"],
        "generate": ["--seed", "--out"],
        "ledger create": ["--epsilon", "--delta"],
        "schema dummy": ["--records"],
        "schema import": ["--csvw"],
        "lab optimum": ["--loss"],
        "lab greedy": ["--loss"],
        "lab constants": ["--loss"],
        "lab standardize": ["--out"],
    }.items():
        for flag in required:
            left = {flag[2:].replace("-", "_"): None}
            yield Row(call(command, left), flag, says="is required")
            if flag in CALLS[command][1]:
                value = CALLS[command][1][flag]
                yield Row((*call(command), flag, value), flag, says="given more than once")
