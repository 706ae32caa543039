"""At a glance: what DP-GCD leaves of f(0) - f*, as published, in paper mode and certified."""

from __future__ import annotations

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator

from southwell.paper import published, style
from southwell.paper.reading import Study
from southwell.paper.style import Drawn

PUBLISHED = "published"


def shares(study: Study) -> dict[str, dict[str, float]]:
    """Share left on fresh seeds, by problem and mode, with the published one where there is."""
    table: dict[str, dict[str, float]] = {}
    for problem in published.PROBLEMS:
        row: dict[str, float] = {}
        for mode in published.MODES:
            winner = study.winner(problem, "gcd", mode)
            if winner is not None and style.positive([winner.left]):
                row[mode] = winner.left
        share = published.published_share(problem, "gcd")
        if row and share is not None:
            row[PUBLISHED] = share
        if row:
            table[problem] = row
    return table


def overview(study: Study) -> Drawn | None:
    table = shares(study)
    if not table:
        return None
    problems = sorted(table, key=lambda problem: max(table[problem].values()))
    with style.styled():
        figure, (axes,) = style.panels(1, 1, 0.27 * len(problems) + 0.7)
        figure.set_figwidth(style.WIDTH * 0.86)
        ys = range(len(problems))
        for y, problem in zip(ys, problems):
            values = list(table[problem].values())
            axes.plot([min(values), max(values)], [y, y], color=style.HAIR, linewidth=3.5, zorder=1)
        for mode in published.MODES:
            here = [(table[p][mode], y) for y, p in zip(ys, problems) if mode in table[p]]
            look = style.MODE[mode]
            axes.plot(
                [x for x, _ in here], [y for _, y in here], linestyle="", marker=look.marker,
                markersize=6.5, markeredgewidth=0, color=look.colour, zorder=3,
                label=published.MODE_NAMES[mode],
            )  # fmt: skip
        here = [(table[p][PUBLISHED], y) for y, p in zip(ys, problems) if PUBLISHED in table[p]]
        axes.plot(
            [x for x, _ in here], [y for _, y in here], linestyle="", marker="D", markersize=6,
            markerfacecolor="none", markeredgecolor=style.INK, label=PUBLISHED, zorder=4,
        )  # fmt: skip
        axes.set_yticks(list(ys), [published.problem_name(problem) for problem in problems])
        axes.set_ylim(-0.6, len(problems) - 0.4)
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
        values = [value for row in table.values() for value in row.values()]
        style.log_axis(axes.xaxis, min(values), max(*values, 1.0), room=0.04)
        axes.xaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5), numticks=30))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{100 * v:.3g} %"))
        axes.set_xlabel("left of f(0) − f*   (logarithmic; less is better)")
        handles = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
        style.legend_below(figure, _filled(handles))
    return Drawn.finish(
        "overview",
        "What DP-GCD leaves of f(0) − f*",
        "The share of what there is to gain over w = 0 that the fit leaves, mean of the fresh runs "
        "at the best setting of the grid: published, our run of the published algorithm, and "
        "certified at the same (ε, δ) = (1, 1/n²). Shares compare where instances differ.",
        figure,
    )


def _filled(handles: list[Line2D]) -> list[Line2D]:
    return [handle for handle in handles if len(handle.get_xdata()) > 0]  # type: ignore[arg-type]
