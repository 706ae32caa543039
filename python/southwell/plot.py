"""Figures of a private model; they need matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from southwell._words import shown
from southwell.accounting import calibrate
from southwell.estimators import PrivateLinearModel
from southwell.planning import Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BAND = 2  # standard deviations to either side
_LONGEST = 44  # characters of a label
_ROW = 0.22  # inches that a label needs
_STYLES = ("-", "--", ":", "-.")  # where colours are used up


def _axes(ax: Axes | None, *, height: float = 4.8) -> Axes:
    """Those that were given, or of a figure that high, in inches."""
    if ax is not None:
        if not callable(getattr(ax, "plot", None)):
            raise TypeError(f"ax: given {shown(ax)}, accepted are axes of matplotlib")
        return ax
    import matplotlib.pyplot as plt

    made: Axes = plt.subplots(layout="constrained", figsize=(7.2, height))[1]
    return made


def _check_model(model: object) -> None:
    if not isinstance(model, PrivateLinearModel):
        raise TypeError(f"model: given {shown(model)}, accepted is a fitted private model")
    check_is_fitted(model)


def _count(name: str, given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        raise TypeError(f"{name}: given {shown(given)}, accepted is a whole number")
    if given < 1:
        raise ValueError(f"{name}: given {shown(given)}, accepted is a whole number from 1")
    return int(given)


def _name(model: PrivateLinearModel, feature: int) -> str:
    """Of a feature as it was fitted: with a schema those are more than the table's columns."""
    if feature == model.model_.features:
        return "(intercept)"
    names = model.model_.feature_names
    return _label(names[feature]) if names else f"x{feature + 1}"


def _coefficient(model: PrivateLinearModel) -> str:
    """What a coefficient is of."""
    return "coefficient of the scaled feature" if model.model_.schema else "coefficient"


def _label(name: str) -> str:
    """Short enough for a label; both ends tell names apart, and a dollar sign is no formula."""
    short = name if len(name) <= _LONGEST else f"{name[: _LONGEST // 2]}…{name[-_LONGEST // 2 :]}"
    return short.replace("$", r"\$")


def path(model: PrivateLinearModel, *, ax: Axes | None = None, most: int = 10) -> Axes:
    """Draw the path of the coefficients, with a band of two standard deviations of their privacy
    noise; those whose noise is not determined at this budget have none.

    Parameters
    ----------
    model : fitted estimator
        By gcd or cd: sgd has no path of single coefficients.
    ax : matplotlib axes, optional
        Made unless given.
    most : int
        So many coefficients get a line: those that end largest.

    Returns
    -------
    matplotlib axes
    """
    _check_model(model)
    shown_at_most = _count("most", most)
    steps = model.path_
    if not len(steps):
        raise ValueError("model: given one without a path, accepted are models by gcd and cd")
    moved_ones = sorted({(int(s["head"]), int(s["feature"])) for s in steps})
    ax = _axes(ax, height=max(4.8, 1 + _ROW * min(shown_at_most, len(moved_ones))))
    noise = np.atleast_2d(model.coef_noise_)
    constant = np.atleast_1d(model.intercept_noise_)
    times = np.arange(len(steps) + 1)
    lines = []
    for head, feature in moved_ones:
        values = np.zeros(len(times))
        for t in np.flatnonzero((steps["head"] == head) & (steps["feature"] == feature)):
            values[t + 1 :] = steps["value"][t]
        intercept = feature == model.model_.features
        lines.append((values, constant[head] if intercept else noise[head, feature], head, feature))
    lines.sort(key=lambda line: -abs(line[0][-1]))
    for k, (values, sd, head, feature) in enumerate(lines[:shown_at_most]):
        label = _name(model, feature)
        if len(constant) > 1:
            label += f", {_label(str(model.classes_[head]))}"
        style = _STYLES[k // 10 % len(_STYLES)]
        (line,) = ax.step(times, values, where="post", label=label, linestyle=style)
        moved = np.flatnonzero(values)
        since = times[moved[0] :] if len(moved) else times[:0]
        band = values[since]
        ax.fill_between(
            since,
            band - _BAND * sd,
            band + _BAND * sd,
            step="post",
            alpha=0.15,
            color=line.get_color(),
        )
    ax.axhline(0, color="0.6", linewidth=0.8)
    ax.set(
        xlabel="iteration",
        ylabel=_coefficient(model),
        title=f"guarantee: {model.privacy_.guarantee}",
    )
    # Beside the lines: names are long, and there is no corner without one.
    ax.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.3)
    return ax


def noise(
    *,
    epsilon: float,
    delta: float,
    iterations: Sequence[int] = (1, 2, 5, 10, 20, 50, 100),
    ax: Axes | None = None,
    **mechanisms: Any,
) -> Axes:
    """Draw the noise of a release against the iterations, by every accountant that is valid.

    Parameters
    ----------
    epsilon, delta : float
        The budget.
    iterations : sequence of int
        Where to compute it.
    ax : matplotlib axes, optional
        Made unless given.
    **mechanisms
        As for `southwell.calibrate`.

    Returns
    -------
    matplotlib axes
    """
    if isinstance(iterations, str | bytes) or not isinstance(iterations, Iterable):
        raise TypeError(f"iterations: given {shown(iterations)}, accepted are whole numbers")
    counts = [_count("iterations", count) for count in iterations]
    if not counts:
        raise ValueError(f"iterations: given {shown(iterations)}, accepted is at least one number")
    scales: dict[str, list[tuple[int, float]]] = {}
    for count in counts:
        found = calibrate(epsilon=epsilon, delta=delta, iterations=count, **mechanisms)
        for name, row in found["accountants"].items():
            scale = row.get("release_sigma") or (
                row["release_epsilon"] and 1 / row["release_epsilon"]
            )
            if row["valid"] and scale:
                scales.setdefault(name, []).append((count, scale))
    ax = _axes(ax)
    for name, points in scales.items():
        ax.plot(*zip(*points), marker="o", label=name)
    ax.set(xscale="log", yscale="log", xlabel="iterations", ylabel="noise scale, in sensitivities",
           title=f"epsilon {epsilon:g}, delta {delta:g}")  # fmt: skip
    ax.legend(fontsize="small")
    return ax


def _or_gap(number: float | None) -> float:
    return np.nan if number is None else number


def plan(planned: Plan, *, ax: Axes | None = None) -> Axes:
    """Draw what a budget would buy: noise and the smallest effect found, against epsilon.

    Parameters
    ----------
    planned : Plan
        Of `southwell.plan`.
    ax : matplotlib axes, optional
        Made unless given.

    Returns
    -------
    matplotlib axes
    """
    if not isinstance(planned, Plan):
        raise TypeError(f"planned: given {shown(planned)}, accepted is what southwell.plan returns")
    ax = _axes(ax)
    chosen = planned.plan_table[planned.chosen]
    best: dict[float, dict[str, Any]] = {}
    for row in planned.plan_table:  # of the rows at the budget asked for, the one a fit would take
        if row["epsilon"] != chosen["epsilon"] or row is chosen:
            best[row["epsilon"]] = row
    rows = [best[epsilon] for epsilon in sorted(best)]
    curves = {"coef_noise_sd": "noise in a coefficient, sd"}
    if any(row["smallest_effect"] is not None for row in rows):
        curves["smallest_effect"] = "smallest effect found, 9 times of 10"
    for name, label in curves.items():
        ax.plot([row["epsilon"] for row in rows], [_or_gap(row[name]) for row in rows], marker="o",
                label=label)  # fmt: skip
    ax.axvline(chosen["epsilon"], color="0.6", linewidth=0.8)
    names = planned.feature_names
    of = f"the coefficient of {_label(names[0])}" if names else "a coefficient"
    ax.set(xscale="log", yscale="log", xlabel="epsilon", ylabel=f"in units of {of}",
           title=f"{planned.solver}, {chosen['iterations']} iterations at epsilon "
                 f"{chosen['epsilon']:g}")  # fmt: skip
    ax.legend(fontsize="small")
    return ax


def statement(model: PrivateLinearModel, *, ax: Axes | None = None, most: int = 20) -> Axes:
    """Draw the coefficients against the privacy noise in them, under the guarantee.

    Full marks have a sign that this noise leaves; the error of sampling records is extra.

    Parameters
    ----------
    model : fitted estimator
        With one margin: a regression or two classes.
    ax : matplotlib axes, optional
        Made unless given.
    most : int
        So many coefficients, the largest.

    Returns
    -------
    matplotlib axes
    """
    _check_model(model)
    shown_at_most = _count("most", most)
    coef = np.atleast_2d(model.coef_)
    if len(coef) > 1:
        raise ValueError("model: given one of several classes, accepted are models of one margin")
    shown = np.argsort(-np.abs(coef[0]), kind="stable")[:shown_at_most]
    shown = shown[coef[0][shown] != 0][::-1]
    ax = _axes(ax, height=max(4.8, 1 + _ROW * len(shown)))
    values = coef[0][shown]
    sd = np.atleast_2d(model.coef_noise_)[0][shown]
    rows = np.arange(len(shown))
    known = np.isfinite(sd)
    signed = known & (np.abs(values) > _BAND * np.nan_to_num(sd))
    for of, marker, face, label in (
        (signed, "o", None, "sign determined"),
        (known & ~signed, "o", "none", "sign not determined"),
        (~known, "x", None, "noise not determined at this budget"),
    ):
        if of.any():
            ax.errorbar(values[of], rows[of], xerr=_BAND * np.nan_to_num(sd[of]), fmt=marker,
                        color="C0", markerfacecolor=face, capsize=3, label=label)  # fmt: skip
    if not signed.all():
        ax.legend(fontsize="small")
    ax.set_yticks(np.arange(len(shown)), [_name(model, int(j)) for j in shown])
    ax.axvline(0, color="0.6", linewidth=0.8)
    ax.margins(y=0.6 / max(len(shown), 1))  # as much room as a row has, however many there are
    # From the right: beside long names there may be less room than this has.
    ax.set_xlabel(
        f"{_coefficient(model)}, ± {_BAND} sd of its privacy noise (sampling error is extra)",
        loc="right",
    )
    ax.set(title=f"guarantee: {model.privacy_.guarantee}")
    return ax
