"""The code on the pages: what runs, in which order, on which files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Prepared:
    """What a page takes for granted: its reader's own files and arrays, what dots stand for, and
    what comes before a block, by its number."""

    files: Callable[[Path], None] | None = None
    names: Callable[[], dict[str, Any]] = dict
    dots: str = ""
    before: dict[int, str] = field(default_factory=dict)


def people(folder: Path) -> None:
    """Tables of one kind, and their schema, as a reader of the page on ledgers has them."""
    random = np.random.default_rng(1)
    for name in ("people", "q1"):
        ages = random.integers(18, 90, 5000)
        lines = [f"{age},{100 * age + random.integers(0, 500)}" for age in ages]
        (folder / f"{name}.csv").write_text("\n".join(["age,cost", *lines]) + "\n")
    (folder / "people.json").write_text(
        '{"fields": [{"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": '
        '110}}, {"name": "cost", "type": "number", "constraints": {"minimum": 0, "maximum": 12000},'
        ' "southwell": {"role": "target"}}]}'
    )


def new_customers(folder: Path) -> None:
    (folder / "new.csv").write_text(
        "smoker,age,bmi,children,region,charges\nyes,40,30,,southwest,\n"
    )


def arrays() -> dict[str, Any]:
    random = np.random.default_rng(1)
    features = random.normal(size=(4000, 3))
    target = features[:, 0] + random.normal(size=4000)
    parts = zip(("X", "X_new"), np.split(features, 2)), zip(("y", "y_new"), np.split(target, 2))
    return {name: part for pairs in parts for name, part in pairs}


def auditor() -> dict[str, Any]:
    """An auditor of somebody else's, who wraps each mechanism."""

    def audit_spec(**_: object) -> Callable[[Any], Any]:
        return lambda mechanism: mechanism

    return {"audit_spec": audit_spec}


# Its sections each begin with a ledger of their own, under one name.
NO_LEDGER = "rm people.jsonl"
NEW_LEDGER = "southwell ledger create people.jsonl --epsilon 3 --delta 1e-6"

PREPARED = {
    "docs/audit.md": Prepared(names=auditor),
    "docs/ledger.md": Prepared(
        people,
        arrays,
        dots="--schema people.json --loss squared",
        before={1: NO_LEDGER, 2: NO_LEDGER, 3: f"{NO_LEDGER}; {NEW_LEDGER}"},
    ),
    "docs/tables.md": Prepared(files=new_customers),
}


def pages() -> list[str]:
    """Every page that people read, by its place in the repository."""
    docs = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
    return ["README.md", "CONTRIBUTING.md", "SECURITY.md", *docs]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[tuple[str, str]]:
    """The code of a page that a reader runs, in its order: the language, the lines."""
    return [(match[1], match[2]) for match in BLOCK.finditer(text_of(page))]
