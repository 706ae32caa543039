"""What hostile families must not do, and how two runs of them compare. Pure numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

SLACK = {"small": 1.10, "tight": 1.05, "usual": 1.02}  # of f(0), for the mean
WORST = 2.0  # of f(0), for any fit
RISE = 0.10  # of f(0), over the mean at a smaller epsilon


@dataclass(frozen=True)
class Outcome:
    """The fits of a cell by one solver at one epsilon, in parts of f(0), the objective with all
    coefficients 0; `of_null` in parts of the objective of the best constant."""

    group: str
    cell: str
    loss: str
    solver: str
    epsilon: float
    is_small: bool
    runs: int
    mean: float
    worst: float
    of_null: float
    seconds: float

    @property
    def key(self) -> str:
        return f"{self.cell}, {self.solver}, ε = {self.epsilon:g}"

    @property
    def allowed(self) -> float:
        if self.is_small:
            return SLACK["small"]
        return SLACK["usual"] if self.epsilon >= 0.5 else SLACK["tight"]


@dataclass(frozen=True)
class Violation:
    outcome: Outcome
    reasons: tuple[str, ...]


def violations(outcomes: Iterable[Outcome]) -> list[Violation]:
    """Worst first."""
    found = []
    least: dict[tuple[str, str], float] = {}  # mean at smaller epsilons
    for each in sorted(outcomes, key=lambda o: o.epsilon):
        reasons = []
        if not each.mean <= each.allowed:
            reasons.append(f"mean above {each.allowed:g}")
        if not each.worst <= WORST:
            reasons.append(f"a fit above {WORST:g}")
        before = least.get((each.cell, each.solver), math.inf)
        if not each.is_small and not each.mean <= before + RISE:
            reasons.append(f"{before:.3g} at a smaller ε")
        least[each.cell, each.solver] = min(before, each.mean)
        if reasons:
            found.append(Violation(each, tuple(reasons)))
    return sorted(found, key=lambda v: -max(v.outcome.mean, 0.0))


def report(outcomes: list[Outcome], rows: int = 60) -> str:
    """The cells that violate, worst first, and how many there are of what."""
    found = violations(outcomes)
    lines = [f"{'f over f(0)':>11} {'worst':>9} {'of null':>9}  cell"]
    for each in found[:rows]:
        o = each.outcome
        figures = f"{_short(o.mean):>11} {_short(o.worst):>9} {_short(o.of_null):>9}"
        lines.append(f"{figures}  {o.key}: {'; '.join(each.reasons)}")
    if len(found) > rows:
        lines.append(f"... and {len(found) - rows} more")
    lines.append("")
    for name in ("group", "solver", "loss", "epsilon"):
        tried = Counter(getattr(o, name) for o in outcomes)
        bad = Counter(getattr(v.outcome, name) for v in found)
        parts = (f"{_name(key)} {bad[key]}/{count}" for key, count in tried.items())
        lines.append(f"by {name}: " + ", ".join(parts))
    lines.append("")
    lines += _by_group(outcomes)
    above = sum(o.of_null > 1.1 for o in outcomes if not o.is_small)
    lines.append(f"more than 10 % above the best constant (no criterion): {above}")
    lines.append(f"{len(found)} of {len(outcomes)} violate")
    return "\n".join(lines)


def _by_group(outcomes: list[Outcome]) -> list[str]:
    """Geometric means of f over f(0), by what is odd and by epsilon."""
    lines = []
    epsilons = sorted({o.epsilon for o in outcomes})
    lines.append(f"{'geometric mean of f/f(0)':24}" + "".join(f"{e:>9g}" for e in epsilons))
    for group in dict.fromkeys(o.group for o in outcomes):
        of_it = [o for o in outcomes if o.group == group]
        means = (_geometric([o.mean for o in of_it if o.epsilon == e]) for e in epsilons)
        lines.append(f"{group:24}" + "".join(f"{_short(m):>9}" for m in means))
    return lines


def comparison(outcomes: list[Outcome], before: list[Outcome], rows: int = 30) -> str:
    """Ratios of means to those of an earlier run, on what both have."""
    known = {o.key: o for o in before}
    pairs = [(o, known[o.key]) for o in outcomes if o.key in known]
    lines = [f"{len(pairs)} outcomes in both"]
    for group in dict.fromkeys(o.group for o, _ in pairs):
        ratios = [_ratio(o, b) for o, b in pairs if o.group == group]
        spread = f"{_short(min(ratios))} to {_short(max(ratios))}"
        lines.append(f"{group:24} {_geometric(ratios):8.4f} in geometric mean, {spread}")
    lines.append("")
    worse = sorted(pairs, key=lambda pair: -_ratio(*pair))
    for o, b in worse[:rows]:
        if _ratio(o, b) > 1.0:
            lines.append(f"{_ratio(o, b):8.3f}  {o.key}: {_short(b.mean)} to {_short(o.mean)}")
    was = len(violations([b for _, b in pairs]))
    lines.append(f"{was} violated before, {len(violations([o for o, _ in pairs]))} now")
    return "\n".join(lines)


def as_rows(outcomes: list[Outcome]) -> list[dict[str, object]]:
    return [asdict(o) for o in outcomes]


def _ratio(now: Outcome, before: Outcome) -> float:
    return now.mean / before.mean


def _geometric(values: list[float]) -> float:
    finite = [min(max(v, 1e-300), 1e300) for v in values]
    return math.exp(sum(map(math.log, finite)) / len(finite)) if finite else math.nan


def _short(value: float) -> str:
    if math.isnan(value):
        return "-"
    return f"{value:.3f}" if value < 100.0 else f"{value:.1e}"


def _name(key: object) -> str:
    return f"{key:g}" if isinstance(key, float) else str(key)
