"""The schema of the doors' raw tables: every type and every role."""

from __future__ import annotations

from typing import Any

FIELDS: list[dict[str, Any]] = [
    {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 110}},
    {
        "name": "income",
        "type": "number",
        "constraints": {"minimum": 0, "maximum": 500000},
        "southwell": {"transform": "log"},
    },
    {"name": "rate", "type": "number", "southwell": {"scale": 2, "center": 1}},
    {"name": "region", "type": "string", "constraints": {"enum": ["north", "south", "east", "1"]}},
    {
        "name": "grade",
        "type": "string",
        "constraints": {"enum": ["low", "mid", "high"]},
        "southwell": {"ordered": True, "missing": "middle", "aliases": {"LOW": "low"}},
    },
    {"name": "code", "type": "integer", "constraints": {"enum": [1, 2, 3]}},
    {"name": "smoker", "type": "boolean"},
    {
        "name": "joined",
        "type": "date",
        "constraints": {"minimum": "2015-01-01", "maximum": "2026-12-31"},
        "southwell": {"parts": ["month", "weekday"]},
    },
    {"name": "seen", "type": "datetime", "southwell": {"parts": ["hour"]}},
    {"name": "note", "type": "string", "southwell": {"encode": "hash", "features": 16}},
    {"name": "skipped", "type": "string", "southwell": {"role": "ignore"}},
]
TARGETS: dict[str, dict[str, Any]] = {
    "a number": {"type": "number", "constraints": {"minimum": 0, "maximum": 1000}},
    "two classes": {"type": "string", "constraints": {"enum": ["no", "yes"]}},
    "three classes": {"type": "string", "constraints": {"enum": ["no", "yes", "perhaps"]}},
}
UNITS = {kind: {"name": "patient", "type": kind, "southwell": {"role": "unit"}}
         for kind in ("string", "integer")}  # fmt: skip


def schema(target: str, unit: str | None = None, column: str = "outcome") -> dict[str, Any]:
    """With a target of that kind in `column`, and in `patient` a unit of that type."""
    outcome = {"name": column, **TARGETS[target], "southwell": {"role": "target"}}
    return {
        "fields": [*FIELDS, outcome, *([UNITS[unit]] if unit else [])],
        "missingValues": ["", "NA", "?", "-99"],
        "southwell": {
            "interactions": [["age", "smoker"], ["region", "joined"]],
            "expand": {"age": {"hinges": 2}, "income": {"bins": 3}},
        },
    }
