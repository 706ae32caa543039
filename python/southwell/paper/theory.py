"""Theory against practice: error against the number of features, fitted slopes, and the bounds."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes

from southwell.paper import published, style
from southwell.paper.reading import Study, TheoryFit
from southwell.paper.style import Drawn, Look

TRUTHS = {"log_normal": "log-normal truth", "sparse": "10-sparse truth"}
THEOREM_LOOKS = [(0, (6, 2)), (0, (1, 1.2)), (0, (4, 1.5, 1, 1.5))]


def _by_features(
    study: Study, truth: str, algorithm: str, mode: str, value: str
) -> dict[int, list[float]]:
    """A value of the runs of all seeds, where they have it, by number of features."""
    found: dict[int, list[float]] = {}
    for run in study.theory:
        number = getattr(run, value)
        if (run.truth, run.algorithm, run.mode) == (truth, algorithm, mode) and number is not None:
            found.setdefault(run.features, []).append(number)
    return dict(sorted(found.items()))


def _truths(study: Study) -> list[str]:
    have = {run.truth for run in study.theory}
    return [truth for truth in TRUTHS if truth in have] + sorted(have - set(TRUTHS))


def _fit(study: Study, truth: str, algorithm: str, mode: str) -> TheoryFit | None:
    wanted = (truth, algorithm, mode)
    return next((f for f in study.fits if (f.truth, f.algorithm, f.mode) == wanted), None)


def _places(study: Study) -> list[tuple[str, str]]:
    runs = [run for run in study.theory if run.share is not None and style.positive([run.share])]
    have = {(run.mode, run.truth) for run in runs}
    return [(m, t) for m in published.MODES for t in _truths(study) if (m, t) in have]


def _panel(axes: Axes, study: Study, truth: str, mode: str) -> None:
    shown: list[float] = []
    sizes: list[int] = []
    handles = []
    for algorithm in published.ALGORITHMS:
        found = _by_features(study, truth, algorithm, mode, "share")  # what slopes are fitted to
        if not found:
            continue
        ps = np.array(list(found))
        means = np.array([np.mean(values) for values in found.values()])
        low = np.array([min(values) for values in found.values()])
        high = np.array([max(values) for values in found.values()])
        look = style.ALGORITHM[algorithm]
        axes.fill_between(ps, low, high, color=look.colour, alpha=0.15, linewidth=0)
        name = published.ALGORITHM_NAMES[algorithm]
        axes.plot(ps, means, color=look.colour, linestyle="", marker=look.marker, label=name)
        fit = _fit(study, truth, algorithm, mode)
        text = name
        seen = (means > 0) & np.isfinite(means)
        if fit is not None and math.isfinite(fit.slope) and seen.any():
            # The fitted slope through the middle of the points: the file has no intercept.
            center = np.exp(np.mean(np.log(means[seen]) - fit.slope * np.log(ps[seen])))
            axes.plot(ps, center * ps**fit.slope, color=look.colour, linestyle=look.line)
            text += f"  slope {fit.slope:+.2f} [{fit.slope_low:+.2f}, {fit.slope_high:+.2f}]"
        handles.append(style.key(text, look))
        shown += style.positive(error for values in found.values() for error in values)
        sizes += list(found)
    style.log_axis(axes.xaxis, min(sizes), max(sizes), room=0.05)
    # Room for the legend above the data.
    bottom, top = min(shown), max(shown)
    style.log_axis(axes.yaxis, bottom, top * (top / bottom) ** 0.35)
    axes.legend(
        handles=handles, loc="upper left", fontsize=6.8, handlelength=2.6, borderaxespad=0.2
    )
    axes.set_xlabel("features p")
    style.title(axes, TRUTHS.get(truth, truth), published.MODE_NAMES[mode])


def slopes(study: Study) -> Drawn | None:
    places = _places(study)
    if not places:
        return None
    columns = len(_truths(study))
    records = sorted({run.records for run in study.theory})
    seeds = len({run.seed for run in study.theory})
    with style.styled():
        figure, panel = style.panels(len(places), columns, 2.3)
        for axes, (mode, truth) in zip(panel, places):
            _panel(axes, study, truth, mode)
        for axes in panel[::columns]:
            axes.set_ylabel("left of f(0) − f*")
    return Drawn.finish(
        "theory",
        "Theory against practice: error against the number of features",
        f"What is left of f(0) − f* at n = {', '.join(map(str, records))}, mean and range of "
        f"{seeds} seeds, with the slope of its logarithm against log p and its 95 % interval. The "
        "paper's claim: logarithmic in p for DP-GCD, polynomial for its rivals; at 1 there is "
        "nothing left to lose.",
        figure,
    )


def bounds(study: Study) -> Drawn | None:
    """The two theorems beside what DP-GCD did; on axes of their own, for they are far above."""
    drawn = [(b.truth, b.theorem, b.features, b.bound) for b in study.bounds]
    applies = [(t, th, p, b) for t, th, p, b in drawn if b is not None and style.positive([b])]
    have = {truth for truth, *_ in applies}
    places = _places(study)
    truths = [truth for truth in _truths(study) if truth in have and places]
    if not truths:
        return None
    mode = places[0][0]
    theorems = sorted({theorem for _, theorem, *_ in applies})
    looks = dict(zip(theorems, THEOREM_LOOKS * len(theorems)))
    with style.styled():
        figure, panel = style.panels(len(truths), 2, 2.2)
        for axes, truth in zip(panel, truths):
            found = _by_features(study, truth, "gcd", mode, "error")
            means = [float(np.mean(values)) for values in found.values()]
            look = style.ALGORITHM["gcd"]
            axes.plot(list(found), means, color=look.colour, marker=look.marker, label="DP-GCD")
            seen = style.positive(means)
            for theorem in theorems:
                line = sorted((p, b) for t, th, p, b in applies if (t, th) == (truth, theorem))
                if line:
                    axes.plot(
                        [p for p, _ in line], [b for _, b in line], color=style.PURPLE,
                        linestyle=looks[theorem], marker="x", label=theorem,
                    )  # fmt: skip
                    seen += [b for _, b in line]
            sizes = [*found, *(p for t, _, p, _ in applies if t == truth)]
            style.log_axis(axes.xaxis, min(sizes), max(sizes), room=0.05)
            style.log_axis(axes.yaxis, min(seen), max(seen))
            axes.set_xlabel("features p")
            style.title(axes, TRUTHS.get(truth, truth), published.MODE_NAMES[mode])
        panel[0].set_ylabel("relative error")
        keys = [style.key(f"DP-GCD, {published.MODE_NAMES[mode]}", style.ALGORITHM["gcd"])]
        keys += [
            style.key(f"bound, {_say(t)}", Look(style.PURPLE, looks[t], "x")) for t in theorems
        ]
        style.legend_below(figure, keys)
    return Drawn.finish(
        "bounds",
        "The bounds of the theorems",
        "The utility bounds where their preconditions hold, beside what DP-GCD reached.",
        figure,
    )


def _say(theorem: str) -> str:
    return theorem.replace("_", " ")
