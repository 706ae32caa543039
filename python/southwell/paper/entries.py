"""Entries of tables, and how numbers are written in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

DASH = "–"


@dataclass(frozen=True)
class Entry:
    text: str
    small: str = ""
    strong: bool = False


@dataclass(frozen=True)
class Table:
    name: str
    title: str
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Entry]]
    words: frozenset[int] = frozenset({0})  # columns of words; the others are numbers
    foot: Sequence[Entry] = field(default_factory=list)


def number(value: float | None, digits: int = 3) -> str:
    if value is None or math.isnan(value):
        return DASH
    if math.isinf(value):
        return "∞"
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return f"{value:.{digits}g}" if abs(value) < 1000 else f"{value:.0f}"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def percent(value: float | None) -> str:
    if value is None or not math.isfinite(value):
        return DASH
    return f"{100 * value:.0f} %" if value >= 0.1 else f"{100 * value:.2g} %"


def duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds / 60:.1f} min"
