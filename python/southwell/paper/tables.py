"""The report's tables, as data: what is written, what stands out, what is beside the paper's."""

from __future__ import annotations

import math
from collections.abc import Sequence

from southwell.paper import published
from southwell.paper.entries import DASH, Entry, Table, number, percent
from southwell.paper.published import ALGORITHM_NAMES, MODE_NAMES, problem_name
from southwell.paper.reading import Study, Winner
from southwell.paper.study_tables import data_sets, searches, slopes, steps


def ratio(study: Study, problem: str, algorithm: str = "gcd") -> float | None:
    """Error in paper mode over the certified one, both on fresh seeds."""
    paper = study.winner(problem, algorithm, "paper")
    certified = study.winner(problem, algorithm, "certified")
    if paper is None or certified is None or certified.fresh_mean <= 0:
        return None
    value = paper.fresh_mean / certified.fresh_mean
    return value if math.isfinite(value) and value > 0 else None


def ratios(study: Study) -> dict[str, float]:
    found = {problem: ratio(study, problem) for problem in published.PROBLEMS}
    return {problem: value for problem, value in found.items() if value is not None}


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def _result(winner: Winner | None) -> Entry:
    if winner is None:
        return Entry(DASH)
    small = (
        f"{percent(winner.left)} left · {number(winner.fresh_min)} to {number(winner.fresh_max)}"
    )
    return Entry(number(winner.fresh_mean), small)


def comparison(study: Study) -> Table | None:
    """Published, paper mode and certified side by side."""
    rows = []
    for problem in published.PROBLEMS:
        paper = study.winner(problem, "gcd", "paper")
        certified = study.winner(problem, "gcd", "certified")
        either = paper or certified
        if either is None:
            continue
        known = published.SUPPORTS.get((problem, "gcd"))
        share = published.published_share(problem, "gcd")
        gain = ratio(study, problem)
        rows.append(
            [
                Entry(problem_name(problem), published.OBJECTIVES[problem]),
                Entry(number(either.error_at_zero)),
                Entry(number(known.error, 2), f"{percent(share)} left") if known else Entry(DASH),
                _result(paper),
                _result(certified),
                Entry(
                    DASH if gain is None else f"{gain:.2f}", strong=gain is not None and gain > 1
                ),
            ]
        )
    if not rows:
        return None
    gains = list(ratios(study).values())
    mean = [
        Entry("geometric mean", strong=True),
        *[Entry("")] * 4,
        Entry(f"{geometric_mean(gains):.2f}" if gains else DASH, strong=True),
    ]
    runs = max(winner.fresh_runs for winner in study.winners)
    return Table(
        "comparison",
        "DP-GCD: published, paper mode, certified",
        f"Relative error (f(w) − f*)/f*, mean of {runs} fresh runs of the best setting; below it "
        "the share left of f(0) − f* and the range. Published figures are means of the 5 runs that "
        "chose the setting. The ratio is paper mode over certified: above 1, certified is better.",
        ["problem", "w = 0", "published", "paper mode", "certified", "ratio"],
        rows,
        foot=mean,
    )


def rivals(study: Study) -> Table | None:
    """All algorithms; the best of each mode stands out."""
    columns = [(m, a) for m in study.modes() for a in published.ALGORITHMS]
    columns = [c for c in columns if any((w.mode, w.algorithm) == c for w in study.winners)]
    if len({algorithm for _, algorithm in columns}) < 2:
        return None  # the comparison says it all
    rows = []
    for problem in published.PROBLEMS:
        found = {(m, a): study.winner(problem, a, m) for m, a in columns}
        if not any(found.values()):
            continue
        row = [Entry(problem_name(problem))]
        for mode, algorithm in columns:
            winner = found[mode, algorithm]
            peers = [w.fresh_mean for (m, _), w in found.items() if m == mode and w is not None]
            known = published.SUPPORTS.get((problem, algorithm)) if mode == "paper" else None
            small = f"published {number(known.error, 2)}" if known else ""
            if winner is None:
                row.append(Entry(DASH, small))
            else:
                best = len(peers) > 1 and winner.fresh_mean == min(peers)
                row.append(Entry(number(winner.fresh_mean), small, strong=best))
        rows.append(row)
    if not rows:
        return None
    return Table(
        "rivals",
        "All algorithms",
        "Relative error on fresh seeds; bold: the least of its mode. Published values stand for "
        "problems with an l1 penalty, the only ones the paper gives in figures.",
        ["problem", *(f"{ALGORITHM_NAMES[a]}, {MODE_NAMES[m]}" for m, a in columns)],
        rows,
    )


def _nearest(values: Sequence[float], value: float) -> int:
    return min(range(len(values)), key=lambda i: abs(math.log(values[i] / value)))


def grid_steps(algorithm: str, theirs: published.Setting, ours: Winner) -> tuple[int, int, int]:
    """How far apart two settings are on the grid, in passes, clip and step."""
    pairs = (
        (published.GRID_PASSES[algorithm], theirs.passes, ours.passes),
        (published.GRID_CLIPS, theirs.clip, ours.clip),
        (published.GRID_STEPS[algorithm], theirs.step, ours.step),
    )
    away = [_nearest(values, b) - _nearest(values, a) for values, a, b in pairs]
    return away[0], away[1], away[2]


def _setting(passes: float, clip: float, step: float) -> str:
    return f"{passes:g} · {number(clip)} · {number(step)}"


def _chosen(algorithm: str, theirs: published.Setting, ours: Winner | None) -> Entry:
    if ours is None:
        return Entry(DASH)
    away = grid_steps(algorithm, theirs, ours)
    small = "the paper's" if not any(away) else " / ".join(f"{d:+d}" if d else "0" for d in away)
    if ours.share is not None:
        small += f", share {ours.share:.2g}"
    return Entry(_setting(ours.passes, ours.clip, ours.step), small, strong=not any(away))


def hyperparameters(study: Study) -> Table | None:
    """All 24 rows of the paper's table, whatever part of it was searched here."""
    if not study.winners:
        return None
    rows = []
    for algorithm in published.ALGORITHMS:
        for problem in published.PROBLEMS:
            theirs = published.CHOSEN[problem, algorithm]
            row = [
                Entry(ALGORITHM_NAMES[algorithm]),
                Entry(problem_name(problem)),
                Entry(_setting(theirs.passes, theirs.clip, theirs.step)),
            ]
            for mode in published.MODES:
                row.append(_chosen(algorithm, theirs, study.winner(problem, algorithm, mode)))
            rows.append(row)
    return Table(
        "hyperparameters",
        "Chosen hyperparameters",
        "Passes · clipping threshold · step of the best setting, beside the paper's; in grey, "
        "how many places of the grid it is from the paper's in each of the three, and what "
        "certified DP-GCD spends on selections.",
        ["algorithm", "problem", "the paper's", "paper mode", "certified"],
        rows,
        words=frozenset({0, 1}),
    )


def _false_runs(study: Study, winner: Winner) -> str:
    wrong = [s.support_wrong for s in study.supports if s.cell == winner.cell]
    return f"{sum(w > 0 for w in wrong)} of {len(wrong)} runs with a false one" if wrong else ""


def _support(study: Study, winner: Winner | None) -> Entry:
    if winner is None:
        return Entry(DASH)
    text = (
        f"{winner.support_right:.3g} / {winner.support_wrong:.2g} ({number(winner.fresh_mean, 2)})"
    )
    return Entry(text, _false_runs(study, winner), strong=winner.support_wrong == 0)


def supports(study: Study) -> Table | None:
    rows = []
    for problem in published.SPARSE:
        for algorithm in published.ALGORITHMS:
            ours = {m: study.winner(problem, algorithm, m) for m in published.MODES}
            some = next((winner for winner in ours.values() if winner), None)
            if some is None:
                continue
            known = published.SUPPORTS[problem, algorithm]
            size = f"{some.optimum_support}"
            differs = published.OPTIMUM_SUPPORT[problem] != some.optimum_support
            small = f"paper {published.OPTIMUM_SUPPORT[problem]}" if differs else ""
            rows.append(
                [
                    Entry(problem_name(problem)),
                    Entry(ALGORITHM_NAMES[algorithm]),
                    Entry(size, small),
                    Entry(f"{known.right} / {known.wrong} ({number(known.error, 2)})"),
                    *(_support(study, ours[mode]) for mode in published.MODES),
                ]
            )
    if not rows:
        return None
    return Table(
        "supports",
        "Recovery of the support",
        "Coordinates found rightly / wrongly as non-zero, with the relative error; means of the "
        "fresh runs. Bold: no false coordinate in any run.",
        ["problem", "algorithm", "‖w*‖₀", "the paper's", "paper mode", "certified"],
        rows,
        words=frozenset({0, 1}),
    )


def all_tables(study: Study) -> dict[str, Table]:
    made = [
        comparison(study), rivals(study), hyperparameters(study), supports(study),
        data_sets(study), steps(study), slopes(study), searches(study),
    ]  # fmt: skip
    return {table.name: table for table in made if table is not None}
