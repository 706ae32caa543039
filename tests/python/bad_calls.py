"""Calls of every public function and estimator with values that none of them takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import southwell
from tests.python.estimator_cases import REGRESSORS
from tests.python.working_calls import ESTIMATORS, PROBLEM, READERS


class Mute:
    """An object that does not want to be looked at."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


@dataclass(frozen=True)
class Bad:
    """A call that must be refused, and what the refusal says."""

    call: str
    argument: str
    value: Any
    given: str  # how the message shows it
    accepted: str
    error: type[Exception] | tuple[type[Exception], ...] = TypeError
    besides: tuple[tuple[str, Any], ...] = ()  # what else is given
    on: str = "form"  # "form": refused before data are looked at; "data": when their shape is known


# What is neither a number nor a word nor a switch, and how a message shows it.
STRANGE: list[tuple[Any, str]] = [
    ([], "[]"),
    ([1.0], "[1.0]"),
    ({}, "{}"),
    (1j, "1j"),
    (b"1", "b'1'"),
    (Mute(), "a Mute"),
    (np.zeros((3, 2)), "an array of shape (3, 2)"),
    (list(range(5000)), "a list of 5000 values"),
    (np.array(["a", "b"]), "an array of shape (2,)"),
]
TEXT: list[tuple[Any, str]] = [
    ("", "''"),
    ("many", "'many'"),
    ("\x1b[2J\n", r"\x1b[2J\n"),
    ("\u202e1", r"\u202e1"),
    ("x" * 5000, "'xxxxxxxxxx"),
    ("\ud800", r"\ud800"),
]
NO_NUMBER = [*STRANGE, *TEXT, (True, "True"), (np.False_, "False"), (10**400, "1000000")]
NO_WHOLE = [*STRANGE, *TEXT, (True, "True"), (1.5, "1.5"), (np.float64(2), "2.0")]
NO_WORD = [*STRANGE, (1, "1"), (0.5, "0.5"), (False, "False")]
NO_SWITCH = [*STRANGE, *TEXT, (1, "1"), (0.0, "0.0")]
WRONG_WORDS: list[tuple[Any, str]] = [
    ("", "''"),
    ("newton", "'newton'"),
    ("\x1b[2J", r"'\x1b[2J'"),
    ("\u202egcd", r"'\u202egcd'"),
    ("x" * 5000, "'xxxxxxxxxx"),
]
NONE: tuple[Any, str] = (None, "None")

NUMBERS_OF_FITS = ["epsilon", "delta", "lower", "upper", "clip", "step", "share", "target_center"]
WHOLE_OF_FITS = ["records", "features", "iterations", "selections_per_gradient", "batch_size",
                 "threads", "seed_for_tests"]  # fmt: skip
WORDS_OF_FITS: dict[str, tuple[str, dict[str, Any]]] = {  # what is accepted, and with what
    "relation": ("replace_one, add_or_remove_one", {}),
    "solver": ("auto, gcd, cd, sgd", {}),
    "mode": ("certified, paper", {}),
    "rule": ("gs_s, gs_r, gs_q", {}),
    "refine": ("auto, on, off", {}),
    "selection": ("exponential, permute_and_flip, noisy_max", {"refine": "off"}),
    "release": ("laplace, gaussian", {"refine": "off"}),
    "sampling": ("poisson", {"solver": "sgd", "batch_size": 10}),
    "iterate": ("average, last", {"solver": "sgd"}),
}
SWITCHES_OF_FITS = ["fit_intercept", "allow_leaks"]
AUTOMATIC_SWITCHES = ["attenuation", "clip_tracking", "margin_correction", "polish",
                      "exclude_visited", "second_moment", "prune"]  # fmt: skip
NUMBERS_OF_THEORY = [*PROBLEM, "radius", "mu"]


def _each(
    call: str, argument: str, values: list[tuple[Any, str]], accepted: str, **more: Any
) -> Iterator[Bad]:
    for value, given in values:
        yield Bad(call, argument, value, given, accepted, **more)


def _of_fits(call: str) -> Iterator[Bad]:
    """The inputs that a plan and every estimator share."""
    for name in NUMBERS_OF_FITS:
        nothing = [NONE] if name in ("epsilon", "delta") else []
        yield from _each(call, name, [*NO_NUMBER, *nothing], "accepted is a number")
    for name in WHOLE_OF_FITS:
        yield from _each(call, name, NO_WHOLE, "accepted is a whole number")
        negative = [(-1, "-1"), (2**64, "1844674407")]
        yield from _each(call, name, negative, "a whole number from", error=ValueError)
    for name, (accepted, besides) in WORDS_OF_FITS.items():
        yield from _each(call, name, NO_WORD, "accepted is a word")
        also = {"error": ValueError, "besides": tuple(besides.items()), "on": "data"}
        yield from _each(call, name, WRONG_WORDS, f"accepted are {accepted}", **also)
    for name in SWITCHES_OF_FITS:
        yield from _each(call, name, [*NO_SWITCH, NONE], "accepted is True or False")
    for name in AUTOMATIC_SWITCHES:
        yield from _each(call, name, NO_SWITCH, "accepted is True or False or 'auto'")
    out_of_range: dict[str, tuple[list[tuple[Any, str]], str]] = {
        "epsilon": ([(0, "0"), (-1.0, "-1"), (np.nan, "nan"), (np.inf, "inf")], "positive finite"),
        "delta": ([(-1e-9, "-1e-09"), (1, "1"), (np.nan, "nan"), (2, "2")], "from 0 to below 1"),
        "clip": ([(0, "0"), (-2, "-2"), (np.nan, "nan"), (1e300, "1e+300")], "a number > 0"),
        "step": ([(0, "0"), (-2, "-2"), (np.inf, "inf")], "a number > 0"),
        "iterations": ([(0, "0"), (10**9, "1000000000")], "from 1 to 10000000"),
        "feature_scale": (
            [(0, "0"), (-1, "-1"), ([1, 2, 3], "3 numbers"), (np.nan, "nan")], "number"),
    }  # fmt: skip
    for name, (values, accepted) in out_of_range.items():
        yield from _each(call, name, values, accepted, error=ValueError, on="data")
    yield from _each(call, "threads", [(5000, "5000")], "from 0 to 4096", error=ValueError)
    words = [value for value in NO_NUMBER if isinstance(value[0], str)]
    yield from _each(call, "feature_scale", [*words, ({}, "{}")], "accepted is numbers")
    yield from _each(call, "feature_scale", [([], "[]")], "at least one", error=ValueError)
    yield from _each(call, "start", [*words, (1, "1"), (Mute(), "a Mute")], "accepted is a fitted")
    yield from _each(call, "start", [([], "[]"), ([[]], "[[]]")], "at least one", error=ValueError)


def _of_estimators(call: str) -> Iterator[Bad]:
    yield from _of_fits(call)
    yield from _each(call, "positive", [*NO_SWITCH, NONE], "accepted is True or False")
    no_count = [each for each in NO_WHOLE if each[0] is not True]
    yield from _each(call, "verbose", [*no_count, NONE], "accepted is a whole number")
    yield from _each(call, "alpha", NO_NUMBER, "accepted is a number")
    if call in [kind.__name__ for kind in REGRESSORS]:
        yield from _each(call, "target_scale", NO_NUMBER, "accepted is a number or 'private'")
    else:
        yield from _of_classes(call)
    if call in ("PrivateHuber", "PrivateLogisticRegression", "PrivateLinearSVC"):
        yield from _each(call, "penalty", NO_WORD, "accepted is a word")
        also = {"error": ValueError, "on": "data"}
        yield from _each(call, "penalty", WRONG_WORDS, "accepted are none, l1", **also)


def _of_classes(call: str) -> Iterator[Bad]:
    form: list[tuple[Any, str]] = [
        (5, "5"), ("ab", "'ab'"), ("", "''"), (b"ab", "b'ab'"), ({0, 1}, "{0, 1}"), ({}, "{}"),
        (np.array(5), "array(5)"), (np.zeros((2, 2)), "an array of shape (2, 2)"),
        (iter([0, 1]), "a list_iterator"), (Mute(), "a Mute"),
    ]  # fmt: skip
    values: list[tuple[Any, str]] = [
        ([], "none"), ([1], "1 class"), (np.array([]), "none"),
        ([1, np.nan], "nan"), ([None, 1], "None"), ([np.inf, 1.0], "inf"),
    ]  # fmt: skip
    twice: list[tuple[Any, str]] = [
        ([1, 1], "1 and the same class before it"), (["a", "b", "a"], "'a' and the same class"),
        ([1, "1"], "'1' and the same"), (np.zeros(3000), "0.0 and the same class before it"),
    ]  # fmt: skip
    yield from _each(call, "classes", form, "accepted is at least two labels")
    yield from _each(call, "classes", values, "at least two labels", error=ValueError)
    yield from _each(call, "classes", twice, "accepted is each class once", error=ValueError)
    yield from _each(call, "classes", [([[1], [2]], "[1]")], "accepted are numbers and text")


def _of_accounting() -> Iterator[Bad]:
    for call in ("calibrate", "account"):
        yield from _each(call, "iterations", [*NO_WHOLE, NONE], "accepted is a whole number")
        yield from _each(
            call, "iterations", [(-1, "-1"), (0, "0")], "whole number", error=ValueError
        )
        yield from _each(call, "delta", [*NO_NUMBER, NONE], "accepted is a number")
        values = [(-1, "-1"), (1.0, "1"), (np.nan, "nan")]
        yield from _each(call, "delta", values, "from 0 to below 1", error=ValueError)
        yield from _each(call, "records", NO_WHOLE, "accepted is a whole number")
        yield from _each(call, "batch_size", NO_NUMBER, "accepted is a number")
        for name in ("solver", "relation", "selection", "release"):
            nothing = [NONE] if name in ("solver", "relation") else []
            yield from _each(call, name, [*NO_WORD, *nothing], "accepted is a word")
            yield from _each(call, name, WRONG_WORDS, "accepted are ", error=ValueError)
    yield from _each("calibrate", "epsilon", [*NO_NUMBER, NONE], "accepted is a number")
    values = [(0, "0"), (-1, "-1"), (np.nan, "nan"), (np.inf, "inf")]
    yield from _each("calibrate", "epsilon", values, "positive finite", error=ValueError)
    yield from _each("calibrate", "share", NO_NUMBER, "accepted is a number")
    for name in ("selection_epsilon", "release_epsilon", "release_sigma"):
        yield from _each("account", name, NO_NUMBER, "accepted is a number")
    for name in ("selection_epsilon", "release_epsilon"):
        yield from _each("account", name, values, "positive finite", error=ValueError)


def _of_data() -> Iterator[Bad]:
    yield from _each("generate", "problem", [*NO_WORD, NONE], "accepted is a word")
    yield from _each("generate", "problem", WRONG_WORDS, "log1, log2 and", error=ValueError)
    paths: list[tuple[Any, str]] = [
        (None, "None"), (5, "5"), (1.5, "1.5"), ([], "[]"), (Mute(), "a Mute"), (True, "True"),
    ]  # fmt: skip
    never: list[tuple[Any, str]] = [
        ("", "''"),
        (b"", "b''"),
        ("a\0b", r"'a\x00b'"),
        (Path("a\0"), r"a\x00"),
    ]
    for call in ("generate", *READERS):
        for name in ("records", "features", "seed", "threads"):
            if call == "generate" or name == "threads" or (name, call[-4:]) == ("features", "read"):
                nothing = [NONE] if name in ("seed", "threads") else []
                yield from _each(call, name, [*NO_WHOLE, *nothing], "accepted is a whole number")
                values = [(-1, "-1"), (2**64, "1844674407")]
                yield from _each(call, name, values, "a whole number from", error=ValueError)
    for call in (*READERS, "save", *(f"{name}.load" for name in ESTIMATORS)):
        yield from _each(call, "file", paths, "accepted is a path")
        yield from _each(call, "file", never, "accepted is a path", error=ValueError)
        if call != "save":
            yield Bad(call, "file", Path("/"), "/", "accepted is a file", southwell.DataError)
    for call in ("read", "read_csv", "read_npy"):
        yield from _each(call, "storage", [*NO_WORD, NONE], "accepted is a word")
        yield from _each(call, "storage", WRONG_WORDS, "as_given, f64 and", error=ValueError)
        strange: list[tuple[Any, str]] = [([], "[]"), (1.5, "1.5"), (True, "True"), (b"x", "b'x'")]
        yield from _each(call, "target", strange, "accepted are a name, a number and a path")
        yield Bad(call, "target", "", "''", "accepted is a column's name", ValueError)


def _of_theory() -> Iterator[Bad]:
    call = "reference_optimum"
    yield from _each(call, "loss", [*NO_WORD, NONE], "accepted is a word")
    yield from _each(call, "loss", WRONG_WORDS, "accepted are squared, log", error=ValueError)
    yield from _each(call, "penalty", NO_WORD, "accepted is a word")
    yield from _each(call, "penalty", WRONG_WORDS, "accepted are none, l1", error=ValueError)
    yield from _each(call, "gap", [*NO_NUMBER, NONE], "accepted is a number")
    yield from _each(call, "fit_intercept", [*NO_SWITCH, NONE], "accepted is True or False")
    yield from _each(call, "threads", NO_WHOLE, "accepted is a whole number")
    for name in ("alpha", "l1_ratio", "lower", "upper", "huber_width"):
        yield from _each(call, name, NO_NUMBER, "accepted is a number")
    tables: list[tuple[Any, str]] = [
        (None, "None"), ([], "[]"), ("x", "'x'"), (np.zeros(3), "an array of shape (3,)"),
        (np.full((60, 4), np.nan), "an array of shape (60, 4)"),
        (np.array([["a"]]), "an array of shape (1, 1)"),
    ]  # fmt: skip
    either = (TypeError, ValueError)
    yield from _each(call, "X", tables, "accepted is a table of finite numbers", error=either)
    lists = [(None, "None"), ("x", "'x'"), (["a"], "['a']"), ([np.nan] * 60, "values"),
             (np.array(["a"] * 60), "an array of shape (60,)")]  # fmt: skip
    yield from _each(call, "y", lists, "accepted is one finite number per", error=either)
    yield from _each("quasi_sparsity", "coef", lists, "accepted is a list of", error=either)
    yield from _each("quasi_sparsity", "tau", [*NO_WHOLE, NONE], "accepted is a whole number")
    for name in NUMBERS_OF_THEORY:
        nothing = [NONE] if name in PROBLEM else []
        yield from _each("utility_bound", name, [*NO_NUMBER, *nothing], "accepted is a number")
    yield from _each("utility_bound", "tau", NO_WHOLE, "accepted is a whole number")
    yield from _each("utility_bound", "iterations", NO_WHOLE, "accepted is a whole number")


def _of_plots() -> Iterator[Bad]:
    for call in ("plot.path", "plot.statement"):
        yield from _each(call, "model", [*STRANGE, *TEXT, NONE], "accepted is a fitted private")
        yield from _each(call, "most", [*NO_WHOLE, NONE], "accepted is a whole number")
        yield from _each(call, "most", [(0, "0"), (-3, "-3")], "from 1", error=ValueError)
        yield from _each(call, "ax", TEXT, "accepted are axes of matplotlib")
    yield from _each("plot.plan", "planned", [*STRANGE, *TEXT, NONE], "what southwell.plan returns")
    yield from _each("plot.noise", "iterations", [*TEXT, NONE, (5, "5")], "whole numbers")
    yield Bad("plot.noise", "iterations", [], "[]", "at least one", ValueError)
    for name in ("epsilon", "delta"):
        yield from _each("plot.noise", name, [*NO_NUMBER, NONE], "accepted is a number")


def _of_scalers() -> Iterator[Bad]:
    call = "PooledScaler"
    yield from _each(call, "epsilon", [*NO_NUMBER, NONE], "accepted is a number")
    for name in ("records", "features", "seed_for_tests"):
        yield from _each(call, name, NO_WHOLE, "accepted is a whole number")
    yield from _each(call, "relation", NO_WORD, "accepted is a word")
    also = {"error": ValueError, "on": "data"}
    yield from _each(call, "relation", WRONG_WORDS, "replace_one, add_or_remove_one", **also)
    yield from _each(call, "allow_leaks", [*NO_SWITCH, NONE], "accepted is True or False")
    values = [(0, "0"), (-1, "-1"), (np.nan, "nan"), (np.inf, "inf")]
    yield from _each(call, "epsilon", values, "positive finite", **also)


def _of_plans() -> Iterator[Bad]:
    yield from (row for row in _of_fits("plan") if row.argument not in ("records", "features"))
    for name in ("records", "features"):
        yield from _each("plan", name, [*NO_WHOLE, NONE], "accepted is a whole number")
        yield from _each("plan", name, [(0, "0"), (-1, "-1")], "from 1", error=ValueError)
    yield from _each("plan", "settings", NO_WHOLE, "accepted is a whole number")
    yield from _each("plan", "settings", [(0, "0"), (-1, "-1")], "from 1", error=ValueError)
    yield from _each("plan", "loss", [*NO_WORD, NONE], "accepted is a word")
    yield from _each("plan", "penalty", WRONG_WORDS, "accepted are none, l1", error=ValueError)


def all_bad_calls() -> list[Bad]:
    """The whole table."""
    parts = [_of_plans(), _of_accounting(), _of_data(), _of_theory(), _of_plots(), _of_scalers()]
    return [row for part in [*parts, *map(_of_estimators, ESTIMATORS)] for row in part]
