"""What a benchmark reports: one row per claim, with its target and its verdict."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = ROOT / "build" / "bench"
DATA = Path(os.environ.get("SOUTHWELL_DATA", ROOT.parent / "shared" / "data"))


@dataclass(frozen=True)
class Row:
    name: str
    value: float
    unit: str
    target: float | None
    better: Literal["higher", "lower"]
    against: str

    @property
    def verdict(self) -> str:
        if self.target is None:
            return "-"
        met = self.value >= self.target if self.better == "higher" else self.value <= self.target
        return "met" if met else "missed"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"verdict": self.verdict}


def fastest(
    tasks: dict[str, Callable[[], object]],
    rounds: int = 5,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Least seconds of each task, the rounds taken in turn so that drift hits all alike."""
    least = dict.fromkeys(tasks, float("inf"))
    for _ in range(rounds):
        for name, task in tasks.items():
            start = clock()
            result = task()
            least[name] = min(least[name], clock() - start)
            del result
    return least
