"""Histograms of |w*|, with the alpha for which the solution is (alpha, 5)-quasi-sparse."""

from __future__ import annotations

import numpy as np

from southwell.paper import published, style
from southwell.paper.reading import Study
from southwell.paper.style import Drawn

TAU = 5
BINS = 40


def magnitudes(study: Study, problem: str) -> np.ndarray:
    """|w*_j| of all features: optimum.csv has the non-zero ones."""
    values = np.abs(np.array(study.optima.get(problem, []), dtype=float))
    return np.concatenate(
        [values, np.zeros(max(0, study.problems[problem].features - len(values)))]
    )


def histograms(study: Study) -> Drawn | None:
    problems = [p for p in published.PROBLEMS if p in study.problems and p in study.optima]
    if not problems:
        return None
    with style.styled():
        figure, panel = style.panels(len(problems), 4, 1.7)
        for axes, problem in zip(panel, problems):
            values = magnitudes(study, problem)
            top = float(values.max()) or 1.0
            axes.hist(
                values, bins=BINS, range=(0, top), rwidth=0.92, edgecolor="none",
                color=style.ALGORITHM["gcd"].colour,
            )  # fmt: skip
            alpha = study.problems[problem].quasi_sparsity
            axes.axvline(alpha, color=style.PURPLE, linewidth=1.3, linestyle=(0, (4, 1.5)))
            axes.annotate(
                f"α = {alpha:.2g}", (alpha, 1), xycoords=("data", "axes fraction"), fontsize=7,
                xytext=(3, -2), textcoords="offset points", va="top", color=style.PURPLE,
            )  # fmt: skip
            style.log_axis(axes.yaxis, 0.7, float(len(values)), room=0.02, zero="clip")
            axes.set_xlim(-0.02 * top, 1.03 * top)
            axes.set_xlabel("|w*|")
            axes.grid(visible=False, axis="x")
            style.title(
                axes, published.problem_name(problem), published.OBJECTIVES.get(problem, "")
            )
        for axes in panel[::4]:
            axes.set_ylabel("coefficients")
    return Drawn.finish(
        "solutions",
        "How (quasi-)sparse the solutions are",
        "Histograms of |w*| over all features (counts logarithmic). The dashed line is the least "
        f"α for which w* is (α, {TAU})-quasi-sparse: at most {TAU} coefficients are larger.",
        figure,
    )
