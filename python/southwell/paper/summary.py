"""The headline numbers: what the study was to show, and whether it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from southwell.paper import published, tables
from southwell.paper.published import problem_name
from southwell.paper.reading import Study

# Problems on which the paper finds DP-GCD below its rivals.
GREEDY_WINS = ("square", "madelon_l1", "dorothea", "log1", "log2", "madelon_l2")


@dataclass(frozen=True)
class Headline:
    figure: str
    text: str
    small: str
    good: bool


def _names(problems: Sequence[str]) -> str:
    return ", ".join(problem_name(problem) for problem in problems)


def _count(held: Sequence[str], asked: Sequence[str], text: str) -> Headline:
    failed = [problem for problem in asked if problem not in held]
    small = f"not on {_names(failed)}" if failed else ""
    return Headline(f"{len(held)} of {len(asked)}", text, small, not failed)


def headlines(study: Study) -> list[Headline]:
    found = []
    gains = tables.ratios(study)
    if gains:
        mean = tables.geometric_mean(list(gains.values()))
        text = "the error of paper mode over the certified one, at the same (ε, δ)"
        small = f"geometric mean over {len(gains)} problems; to show: 1.5"
        found.append(Headline(f"{mean:.2f}×", text, small, mean >= 1.5))
        below = [problem for problem, gain in gains.items() if gain > 1]
        found.append(_count(below, list(gains), "problems with certified below paper mode"))
    asked, held = [], []
    for problem in published.SPARSE:
        winner = study.winner(problem, "gcd", "paper")
        share = published.published_share(problem, "gcd")
        if winner is not None and share is not None:
            asked.append(problem)
            if winner.left <= share:
                held.append(problem)
    if asked:
        text = "l1 problems in paper mode at or below the published share of f(0) − f*"
        found.append(_count(held, asked, text))
    asked, held = [], []
    for problem in GREEDY_WINS:
        ours = {a: study.winner(problem, a, "paper") for a in published.ALGORITHMS}
        errors = {a: winner.fresh_mean for a, winner in ours.items() if winner is not None}
        if len(errors) == len(published.ALGORITHMS):
            asked.append(problem)
            if errors["gcd"] < min(errors["cd"], errors["sgd"]):
                held.append(problem)
    if asked:
        text = "of the problems where the paper has DP-GCD below its rivals show it in paper mode"
        found.append(_count(held, asked, text))
    if study.winners:
        runs = sum(winner.settings * winner.runs for winner in study.winners)
        cells = len(study.winners)
        odd = [
            problem_name(w.problem)
            for w in study.winners
            if w.settings != published.grid_size(w.algorithm)
        ]
        small = f"{len(odd)} of them on a part of the grid" if odd else "each on the whole grid"
        figure = f"{runs / 1e6:.2f} M" if runs >= 1e5 else str(runs)
        found.append(Headline(figure, f"fits simulated in {cells} searches", small, not odd))
    return found
