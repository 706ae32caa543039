"""How a refusal shows what was given: on one line, short, and never a table's numbers."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from southwell import _core
from southwell._cells import Levels

_MOST = 60  # characters, and values of a list
_FEW = 12


def shown(given: object) -> str:
    """What was given, for a message: text is cut, a table is told by its shape."""
    try:
        return _shown(given)
    except Exception:  # what an object does when it is asked for its name is its own affair
        return _kind(given)


def _shown(given: Any) -> str:
    shape = getattr(given, "shape", ())
    if isinstance(shape, tuple) and shape != ():
        return f"{_kind(given)} of shape {shape}"
    if isinstance(given, str | bytes):
        return repr(given) if len(given) <= _MOST else repr(given[:_MOST]) + "..."
    count = len(given) if isinstance(given, Collection) and not isinstance(given, np.ndarray) else 0
    text = _printable(" ".join(repr(given).split())) if count <= _MOST else ""
    if count and not 0 < len(text) <= _MOST:
        return f"{_kind(given)} of {count} values"
    if " at 0x" in text:  # where it is in memory is of no use
        return _kind(given)
    return text if len(text) <= _MOST else text[:_MOST] + "..."


def _kind(given: object) -> str:
    kind = "array" if isinstance(given, np.ndarray) else _printable(type(given).__name__)
    return f"{'an' if kind[:1] in tuple('aeiou') else 'a'} {kind}"


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def unknown(name: str, of: str, known: Sequence[str]) -> TypeError:
    """The refusal of a keyword, with the one that was meant if one is like it."""
    close = difflib.get_close_matches(name, known, n=1)
    few = list(known[:_FEW])
    others = f" and {len(known) - _FEW} others" if len(known) > _FEW else ""
    accepted = f"is {close[0]}" if close else f"are {', '.join(few)}{others}"
    return TypeError(f"{shown(name)[1:-1]}: is no input of {of}, accepted {accepted}")


def path(name: str, given: Any) -> bytes:
    """A path as the file system spells it."""
    if not isinstance(given, str | bytes | os.PathLike):
        raise TypeError(f"{name}: given {shown(given)}, accepted is a path")
    try:
        spelt = os.fsencode(given)
    except UnicodeEncodeError:
        spelt = b""
    if not spelt or b"\0" in spelt:
        raise ValueError(f"{name}: given {shown(given)}, accepted is a path that can be a file's")
    return spelt


def ledger_file(given: Any) -> str | None:
    """The file of a ledger, which is given as it is or by its path; None where there is none."""
    if given is None:
        return None
    return os.fsdecode(path("ledger", getattr(given, "_charged_file", given)))


def file_to_read(name: str, given: Any) -> bytes:
    """The path of something that is no directory."""
    spelt = path(name, given)
    if os.path.isdir(spelt):
        raise _core.DataError(f"{name}: given {shown(given)}, a directory; accepted is a file")
    return spelt


def check_classes(given: Any) -> None:
    """Refuse what is no list of labels, without a look at any target."""
    accepted = "accepted is at least two labels, none of them missing"
    is_list = hasattr(given, "__len__") and hasattr(given, "__getitem__")
    if isinstance(given, str | bytes | Mapping) or not is_list or getattr(given, "ndim", 1) != 1:
        raise TypeError(f"classes: given {shown(given)}, {accepted}, in order, in a list")
    labels = given.tolist() if isinstance(given, np.ndarray) else list(given)
    for label in labels:
        if _is_missing(label):
            raise ValueError(f"classes: given {shown(label)} as a class, {accepted}")
    if len(labels) < 2:
        count = "1 class" if labels else "none"
        raise ValueError(f"classes: given {count}, {accepted}")
    Levels(labels)  # refuses a class that is there twice


def class_weights(given: Any, classes: Sequence[Any]) -> Any:
    """One weight for each class: of {label: weight} those of its labels, 1 of the others."""
    if not isinstance(given, Mapping):
        return given
    levels, weights = Levels(classes), [1.0] * len(classes)
    for label, weight in given.items():
        place = levels.place(label)
        if place < 0:
            raise ValueError(
                f"class_weight: given a weight of {shown(label)}, accepted are labels of classes"
            )
        weights[place] = weight
    return weights


def _is_missing(label: Any) -> bool:
    """None, NaN in its forms, and infinite numbers, which no label is."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, float | np.floating) and not np.isfinite(label)
