"""Relative error against passes, against run time, and under the three rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from southwell.paper import published, style
from southwell.paper.reading import Point, Study
from southwell.paper.style import Drawn, Look

X = Callable[[Point], float]


def passes(point: Point) -> float:
    return point.passes


def seconds(point: Point) -> float:
    return float("nan") if point.seconds is None else point.seconds


def curve(axes: Axes, points: Sequence[Point], x: X, look: Look, label: str) -> None:
    """Mean, with its band from least to greatest. Two points are two ends, not a path."""
    xs = [x(point) for point in points]
    low = [point.error_min for point in points]
    # A run that diverged takes the band out of the panel, not away.
    far = 1e3 * max([1e-300, *style.positive(point.error_mean for point in points)])
    high = [min(point.error_max, far) for point in points]
    ends_only = len(points) == 2 and points[-1].iterations > 1
    if not ends_only and len(style.positive(low)) > 1:
        axes.fill_between(xs, low, high, color=look.colour, alpha=0.18, linewidth=0)
    axes.plot(
        xs,
        [point.error_mean for point in points],
        color=look.colour,
        linestyle=(0, (1, 3)) if ends_only else look.line,
        linewidth=0.9 if ends_only else 1.4,
        marker=look.marker,
        markevery=max(1, len(points) // 10),
        markeredgewidth=0,
        label=label,
    )
    last = points[-1]
    down, up = last.error_mean - last.error_min, last.error_max - last.error_mean
    if ends_only and down >= 0 and 0 <= up < far:  # its band has one place
        bar = {"ecolor": look.colour, "elinewidth": 0.8, "capsize": 2, "capthick": 0.8}
        axes.errorbar(xs[-1:], [last.error_mean], yerr=[[down], [up]], fmt="none", **bar)  # type: ignore[arg-type]


def frame(axes: Axes, drawn: Sequence[Sequence[Point]], marks: Sequence[float]) -> None:
    """The y axis: all means and bands, but not further up than a few times the highest mean."""
    everything = [point for points in drawn for point in points]
    sure = style.positive([*(p.error_mean for p in everything), *marks])
    if not sure:
        return  # nothing but runs that diverged
    bands = style.positive([e for p in everything for e in (p.error_min, p.error_max)])
    inside = sure + [value for value in bands if value <= 4 * max(sure)]
    style.log_axis(axes.yaxis, min(inside), max(inside))


def _passes_axis(axes: Axes, right: float) -> None:
    axes.set_xlim(-0.035 * right, 1.035 * right)
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=right >= 1, steps=[1, 2, 5, 10]))
    axes.set_xlabel("passes")


def start_line(axes: Axes, error: float) -> None:
    axes.axhline(error, color=style.FAINT, linewidth=0.9, linestyle=(0, (1, 1.2)), zorder=1)


def published_mark(axes: Axes, error: float, look: Look) -> None:
    axes.plot(
        [1.015], [error], transform=axes.get_yaxis_transform(), clip_on=False, linestyle="",
        marker="<", markersize=5, markerfacecolor="none", markeredgecolor=look.colour,
        markeredgewidth=1.1, label="published",
    )  # fmt: skip


def _start_key() -> Line2D:
    return Line2D([], [], color=style.FAINT, linewidth=0.9, linestyle=(0, (1, 1.2)), label="w = 0")


def _published_key() -> Line2D:
    return Line2D(
        [], [], linestyle="", marker="<", markersize=5, markerfacecolor="none",
        markeredgecolor=style.INK, label="published, as share of f(0) − f*",
    )  # fmt: skip


def _of_panel(study: Study, problem: str, mode: str) -> list[list[Point]]:
    found = [study.trajectory(problem, algorithm, mode) for algorithm in published.ALGORITHMS]
    return [points for points in found if points]


def _error_panel(axes: Axes, study: Study, problem: str, mode: str, x: X) -> None:
    drawn = _of_panel(study, problem, mode)
    for points in reversed(drawn):  # gcd on top
        algorithm = points[0].algorithm
        curve(axes, points, x, style.ALGORITHM[algorithm], published.ALGORITHM_NAMES[algorithm])
    at_zero = drawn[0][0].error_mean
    start_line(axes, at_zero)
    marks = [at_zero]
    for algorithm in (points[0].algorithm for points in drawn):
        share = published.published_share(problem, algorithm)
        if share is not None:
            published_mark(axes, share * at_zero, style.ALGORITHM[algorithm])
            marks.append(share * at_zero)
    frame(axes, drawn, marks)
    style.title(axes, published.problem_name(problem), published.OBJECTIVES.get(problem, ""))


def _problems(study: Study, mode: str, ready: Callable[[Point], bool]) -> list[str]:
    have = {
        cell.problem
        for cell, points in study.trajectories.items()
        if cell.mode == mode and any(ready(point) for point in points)
    }
    return [problem for problem in published.PROBLEMS if problem in have]


def _algorithms(study: Study, mode: str) -> list[str]:
    have = {cell.algorithm for cell in study.trajectories if cell.mode == mode}
    return [algorithm for algorithm in published.ALGORITHMS if algorithm in have]


def _keys(study: Study, mode: str) -> list[Line2D]:
    names = published.ALGORITHM_NAMES
    keys = [style.key(names[a], style.ALGORITHM[a]) for a in _algorithms(study, mode)]
    return [*keys, _start_key(), _published_key()]


def _who(mode: str) -> str:
    return (
        "the published algorithms to the letter"
        if mode == "paper"
        else "the corrected mechanisms and accounting at the same (ε, δ) = (1, 1/n²)"
    )


def _label_left(panel: Sequence[Axes], columns: int, text: str) -> None:
    for axes in panel[::columns]:
        axes.set_ylabel(text)


def error_against_passes(study: Study, mode: str) -> Drawn | None:
    problems = _problems(study, mode, lambda point: True)
    if not problems:
        return None
    with style.styled():
        figure, panel = style.panels(len(problems), 4, 1.85)
        for axes, problem in zip(panel, problems):
            _error_panel(axes, study, problem, mode, passes)
            right = max(points[-1].passes for points in _of_panel(study, problem, mode))
            _passes_axis(axes, right)
        _label_left(panel, 4, "relative error")
        style.legend_below(figure, _keys(study, mode))
    return Drawn.finish(
        f"passes_{mode}",
        f"Error against passes, {published.MODE_NAMES[mode]}",
        f"Relative error (f(w) − f*)/f* against passes over the data, {_who(mode)}. Mean and "
        "range of the fresh runs at each algorithm's best setting of the whole grid. One pass is "
        "p iterations of DP-CD, n of DP-SGD, one of DP-GCD.",
        figure,
    )


def error_against_time(study: Study, mode: str) -> Drawn | None:
    def ready(point: Point) -> bool:
        return point.seconds is not None and point.seconds > 0

    problems = _problems(study, mode, ready)
    if not problems:
        return None
    with style.styled():
        figure, panel = style.panels(len(problems), 4, 1.85)
        for axes, problem in zip(panel, problems):
            _error_panel(axes, study, problem, mode, seconds)
            times = [seconds(p) for points in _of_panel(study, problem, mode) for p in points]
            style.log_axis(axes.xaxis, min(style.positive(times)), max(style.positive(times)))
            axes.set_xlabel("seconds")
        _label_left(panel, 4, "relative error")
        style.legend_below(figure, _keys(study, mode))
    return Drawn.finish(
        f"time_{mode}",
        f"Error against run time, {published.MODE_NAMES[mode]}",
        "The same fits against the time of the product's own solver on one thread (logarithmic; "
        "the start, at time 0, is the dotted line).",
        figure,
    )


def rules(study: Study) -> Drawn | None:
    """The three rules on the problems with an l1 penalty, one row per mode."""
    places = []
    for mode in study.modes():
        for problem in published.SPARSE:
            found = [r for r in published.RULES if study.trajectory(problem, "gcd", mode, r)]
            if len(found) > 1:
                places.append((mode, problem))
    if not places:
        return None
    columns = max(sum(mode == m for m, _ in places) for mode in study.modes())
    with style.styled():
        figure, panel = style.panels(len(places), columns, 1.85)
        for axes, (mode, problem) in zip(panel, places):
            _rules_panel(axes, study, mode, problem)
        _label_left(panel, columns, "relative error")
        keys = [style.key(published.RULE_NAMES[r], style.RULE[r]) for r in published.RULES]
        rivals = Look(style.FAINT, "-", "")
        style.legend_below(figure, [*keys, style.key("DP-CD, DP-SGD", rivals), _start_key()])
    return Drawn.finish(
        "rules",
        "The three greedy rules",
        "DP-GCD with the rules GS-s, GS-r and GS-q on the problems with an l1 penalty, each tuned "
        "over the whole grid; in grey its rivals.",
        figure,
    )


def _rules_panel(axes: Axes, study: Study, mode: str, problem: str) -> None:
    drawn = []
    for algorithm in ("cd", "sgd"):
        points = study.trajectory(problem, algorithm, mode)
        if points:
            name = published.ALGORITHM_NAMES[algorithm]
            curve(axes, points, passes, Look(style.FAINT, "-", ""), name)
            drawn.append(points)
    right = 0.0
    for rule in published.RULES:
        points = study.trajectory(problem, "gcd", mode, rule)
        if points:
            curve(axes, points, passes, style.RULE[rule], published.RULE_NAMES[rule])
            drawn.append(points)
            right = max(right, points[-1].passes)
    start_line(axes, drawn[-1][0].error_mean)
    frame(axes, drawn, [drawn[-1][0].error_mean])
    _passes_axis(axes, right)
    style.title(axes, published.problem_name(problem), published.MODE_NAMES[mode])
