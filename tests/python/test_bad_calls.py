"""What Python says to calls that cannot be: the argument, what was given and what is accepted."""

from __future__ import annotations

import re
import warnings
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import southwell
from southwell import _core
from southwell._words import shown
from tests.python.bad_calls import Bad, Mute, all_bad_calls
from tests.python.working_calls import ESTIMATORS, calls

ROWS = all_bad_calls()
# Words of the layer between Python and C++, and types of the latter.
FOREIGN = re.compile(
    r"incompatible|argument types|Invoked with|nanobind|_core|std::|size_t|uint|vector<|optional<"
    r"|double|0x[0-9a-f]{4}|Traceback|NoneType"
)


@pytest.fixture(autouse=True)
def _without_windows() -> None:
    pytest.importorskip("matplotlib").use("agg")


def in_words_of_cpp(given: str) -> str:
    """What is escaped in Python is written out in messages that come from C++."""
    return given.replace(r"\x1b", "<U+001B>").replace(r"\u202e", "<U+202E>")


def problems_of(message: str, row: Bad) -> list[str]:
    """What a refusal lacks, in words."""
    wants = {
        f"it does not begin with {row.argument}": re.match(
            rf"(lower, upper|{re.escape(row.argument)}): ", message
        ),
        f"it does not show {row.given}": any(
            f"given {given}" in message for given in (row.given, in_words_of_cpp(row.given))
        )
        or f"given is {row.given}" in message
        or re.search(rf": given .*{re.escape(row.given)}", message),
        f"it does not say: {row.accepted}": row.accepted in message and "accepted" in message,
        f"it has {len(message)} characters": len(message) <= 500,
        "it holds what cannot be printed": message.isprintable(),
        "it speaks of C++": not FOREIGN.search(message),
    }
    return [what for what, holds in wants.items() if not holds]


def test_there_are_many_bad_calls_of_everything() -> None:
    assert len(ROWS) >= 2000
    of_each = {name: sum(row.call == name for row in ROWS) for name in {row.call for row in ROWS}}
    assert len(of_each) == 29
    assert min(of_each.values()) >= 10


@pytest.mark.parametrize("call", sorted({row.call for row in ROWS}))
def test_every_bad_call_is_refused_in_our_words(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {on: calls(tmp_path, on) for on in ("form", "data")}
    before = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)

    def never(*_: object, **__: object) -> Any:
        raise AssertionError("a fit was begun")

    if call not in ("plot.path", "plot.statement", "save"):
        monkeypatch.setattr(_core, "fit", never)
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for row in (row for row in ROWS if row.call == call):
            at = f"{call}({row.argument}={shown(row.value)})"
            try:
                known[row.on][call](**dict(row.besides), **{row.argument: row.value})
            except row.error as error:
                wrong += [f"{at}: {lack}: {error!r}" for lack in problems_of(str(error), row)]
            except Exception as error:
                wrong.append(f"{at}: raised {error!r}")
            else:
                wrong.append(f"{at}: was accepted")
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:40])
    assert sorted(path.name for path in tmp_path.iterdir()) == before


# There is one model file, of a PrivateLasso.
@pytest.mark.parametrize(
    "call", sorted({row.call for row in ROWS} - {f"{name}.load" for name in ESTIMATORS[1:]})
)
def test_every_call_works_when_nothing_is_wrong(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    calls(tmp_path, "data")[call]()


MISSPELT = [
    ("plan", "epsilom", "is no input of a fit, accepted is epsilon"),
    ("plan", "feature_scales", "accepted is feature_scale"),
    ("plan", "intercept", "is no input of plan, accepted is fit_intercept"),
    ("plan", "class_names", "is no input of plan, accepted is classes"),
    ("plan", "zzz", "is no input of a fit, accepted are loss, penalty"),
    ("plan", "\x1b", "is no input of a fit"),
    ("calibrate", "iteration", "is no input of calibrate, accepted is iterations"),
    ("calibrate", "release_sigma", "is no input of calibrate, accepted is release"),
    ("account", "epsilon", "is no input of account, accepted is"),
    ("account", "zzz", "is no input of account, accepted are selection_epsilon, release"),
    ("reference_optimum", "epsilon", "is no input of reference_optimum, accepted are loss"),
    ("reference_optimum", "intercept", "accepted is fit_intercept"),
    ("reference_optimum", "apha", "accepted is alpha"),
    ("utility_bound", "featuers", "is no input of utility_bound, accepted is features"),
]


@pytest.mark.parametrize(("call", "name", "words"), MISSPELT)
def test_a_misspelt_keyword_is_told_from_what_was_meant(
    call: str, name: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(TypeError) as refused:
        calls(tmp_path, "data")[call](**{name: 1})
    message = str(refused.value)
    assert message.startswith(f"{shown(name)[1:-1]}: ")
    assert words in message
    assert len(message) <= 500
    assert message.isprintable()


@pytest.mark.parametrize("call", ESTIMATORS)
def test_a_misspelt_parameter_is_told_as_python_does(call: str, tmp_path: Path) -> None:
    made = calls(tmp_path, "form")[call]
    with pytest.raises(TypeError, match=r"argument 'epsilom'\. Did you mean 'epsilon'\?"):
        made(epsilom=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'zzz'"):
        made(zzz=1)


@pytest.mark.parametrize(
    ("call", "given", "error", "words"),
    [
        ("plan", ["records", "features", "epsilon", "delta"], ValueError, "loss: given nothing"),
        ("plan", ["records", "features", "loss", "delta"], ValueError, "epsilon: given nothing"),
        ("plan", ["records", "features", "loss", "epsilon"], ValueError, "delta: given nothing"),
        ("calibrate", ["epsilon"], TypeError, "iterations: given nothing, accepted is a whole"),
        ("account", [], TypeError, "iterations: given nothing, accepted is a whole"),
        ("utility_bound", ["mu"], TypeError, "records: given nothing, accepted is a number"),
    ],
)
def test_what_is_required_is_never_taken_as_nought(
    call: str, given: list[str], error: type[Exception], words: str
) -> None:
    values = {"records": 100, "features": 5, "loss": "squared", "epsilon": 1, "delta": 0, "mu": 0.5}
    with pytest.raises(error, match=words):
        getattr(southwell, call)(**{name: values[name] for name in given})


def test_a_file_that_is_not_there_is_what_python_calls_it(tmp_path: Path) -> None:
    for reader in (southwell.read, southwell.read_csv, southwell.read_npy, southwell.read_libsvm):
        with pytest.raises(FileNotFoundError, match="no_such"):
            reader(tmp_path / "no_such.csv")
    fitted = southwell.PrivateLasso(epsilon=1, delta=0.001, target_scale=1, feature_scale=1)
    fitted.fit(np.eye(9), np.ones(9))
    with pytest.raises(southwell.DataError, match="is a directory; accepted is the name of a file"):
        fitted.save(tmp_path)
    with pytest.raises(southwell.DataError, match=r"no_such\.json: cannot be opened"):
        southwell.PrivateLasso.load(tmp_path / "no_such.json")


def test_what_was_given_is_shown_on_one_short_line() -> None:
    for given, words in {
        "a\tb": r"'a\tb'",
        "\x9b": r"'\x9b'",
        (1, 2): "(1, 2)",
        range(10**9): "a range of 1000000000 values",
    }.items():
        assert shown(given) == words
    assert shown(10**5000) == "an int"  # Python does not write so many digits
    assert shown(Mute()) == "a Mute"
    frame = pytest.importorskip("pandas").DataFrame({"a": [1, 2]})
    assert shown(frame) == "a DataFrame of shape (2, 1)"
    others: list[object] = [{"k": "v" * 99}, ["\n"] * 50, "x" * 999, type("A\nB", (), {})()]
    for other in others:
        assert len(shown(other)) < 80
        assert shown(other).isprintable()


@pytest.mark.parametrize("call", [*ESTIMATORS, "PooledScaler", "plan"])
def test_a_large_epsilon_is_warned_of_once_and_promises_nothing_beyond_a_thousand(
    call: str, tmp_path: Path
) -> None:
    made = calls(tmp_path, "data")[call]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert made(epsilon=8).privacy_.private
    with pytest.warns(UserWarning, match="epsilon 20 is a weak promise") as told:
        assert made(epsilon=20).privacy_.private
    assert [str(each.message) for each in told] == [
        "epsilon 20 is a weak promise: one record can change the odds of any outcome by a factor "
        "of e^20; values up to 8 are common"
    ]
    assert told[0].filename.endswith("working_calls.py")  # the line that asked for it
    with pytest.warns(UserWarning, match=r"epsilon 1e\+300 promises nothing: one record"):
        privacy = made(epsilon=1e300).privacy_
    assert privacy.guarantee == "none (epsilon 1e+300 promises nothing)"
    assert not privacy.private


def test_each_kind_of_row_can_fail() -> None:
    row = Bad("plan", "clip", "x", "'x'", "accepted is a number")
    good = "clip: given 'x', accepted is a number"
    assert problems_of(good, row) == []
    for bad in (
        "step: given 'x', accepted is a number",
        "clip: given 'y', accepted is a number",
        "clip: given 'x', accepted is a word",
        good + " " * 500,
        good + "\n",
        good + " (std::string)",
    ):
        assert len(problems_of(bad, row)) == 1, bad
    assert {len(list(rows)) > 0 for _, rows in groupby(ROWS, key=lambda row: row.call)} == {True}
