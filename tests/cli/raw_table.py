"""A raw table with words and missing cells, and its schemas."""

import csv
import io
import json
import random
import subprocess
from pathlib import Path
from typing import Any

from tests.conftest import Run

FIELDS: list[dict[str, Any]] = [
    {"name": "age", "type": "integer", "constraints": {"minimum": 18, "maximum": 65}},
    {"name": "smoker", "type": "boolean", "trueValues": ["ja"], "falseValues": ["nein"]},
    {"name": "region", "type": "string", "constraints": {"enum": ["Nord", "Süd"]}},
    {"name": "visit", "type": "string", "southwell": {"role": "ignore"}},
]
COST: dict[str, Any] = {
    "name": "cost",
    "type": "number",
    "constraints": {"minimum": 0, "maximum": 60000},
    "southwell": {"role": "target"},
}
RISK: dict[str, Any] = {
    "name": "risk",
    "type": "string",
    "constraints": {"enum": ["low", "high"]},
    "southwell": {"role": "target", "aliases": {"HIGH": "high"}},
}
BUDGET = ("--epsilon", 4, "--delta", 1e-6)
SEEDED = (*BUDGET, "--seed-for-tests", 7)


def rows(count: int = 2000, seed: int = 1) -> list[dict[str, str]]:
    rng = random.Random(seed)
    made = []
    for k in range(count):
        age, smoker, south = rng.randint(18, 65), rng.random() < 0.3, rng.random() < 0.5
        cost = 200 * age + 20000 * smoker + 1000 * south + rng.gauss(0, 1500)
        made.append(
            {
                "age": str(age) if k % 50 else "?",
                "smoker": "ja" if smoker else "nein",
                "region": "Süd" if south else "Nord",
                "visit": f"v{k}",
                "cost": f"{cost:.2f}",
                "risk": "high" if cost > 18000 else "low",
            }
        )
    return made


def text(table: list[dict[str, str]], delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(table[0]), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return out.getvalue()


def write_schema(path: Path, target: dict[str, Any], **beside: Any) -> None:
    path.write_text(json.dumps({"fields": [*FIELDS, target], "missingValues": ["", "?"], **beside}))


def good(done: "subprocess.CompletedProcess[str]") -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout


def fitted(run: Run, out: str, schema: str, *more: object, data: str = "table.csv") -> str:
    loss = "logistic" if schema == "risk.json" else "squared"
    return good(
        run(
            "fit", data, "--schema", schema, "--loss", loss, "--solver", "auto", *more, "--out", out
        )
    )


def write_tables(place: Path) -> None:
    (place / "table.csv").write_text(text(rows()))
    write_schema(place / "cost.json", COST)
    write_schema(place / "risk.json", RISK)
