"""Draws the pictures of the pages: `python -m tools.website.pictures`.

What they show is computed here (epsilon.svg), read from a page's table (against_adassp.svg) or of a
fit that is made here (path.svg, with a seed, which only made-up records may have).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from tools.website.staging import ROOT

PICTURES = ROOT / "docs" / "pictures"
INK, DARK, LIGHT, FAINT, GRID = "#1c2430", "#173f6d", "#e0913a", "#b9c2cc", "#e3e7ec"
Point = tuple[float, float]


class Drawing:
    """An SVG on a white card, so that it reads on a dark page too."""

    def __init__(self, width: int, height: int, words: str) -> None:
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'aria-label="{words}" font-family="system-ui,sans-serif" font-size="13">',
            f'<rect width="{width}" height="{height}" rx="6" fill="#fff"/>',
        ]

    def text(
        self, x: float, y: float, words: str, *, anchor: str = "middle", more: str = ""
    ) -> None:
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{INK}"{more}>'
            f"{words}</text>"
        )

    def line(self, points: Sequence[Point], colour: str, width: float, more: str = "") -> None:
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(
            f'<polyline points="{places}" fill="none" stroke="{colour}" '
            f'stroke-width="{width:g}"{more}/>'
        )

    def area(self, points: Sequence[Point], colour: str) -> None:
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polygon points="{places}" fill="{colour}" fill-opacity=".18"/>')

    def dot(self, x: float, y: float, colour: str) -> None:
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')

    def svg(self) -> str:
        return "\n".join([*self.parts, "</svg>\n"])


def right_guesses(epsilon: float) -> str:
    """Of 100 at most, rounded up, as the statement page has them."""
    return f"{math.ceil(1e4 / (1 + math.exp(-epsilon))) / 100:.2f}"


def panel(drawing: Drawing, left: float, value: float) -> None:
    """The law of a noisy sum at one epsilon, with a record and with another in its place."""
    width, floor, height = 200.0, 160.0, 130.0

    def at(x: float, middle: float) -> Point:
        density = math.exp(-abs(x - middle) * value)  # Laplace noise; one record moves the sum by 1
        return left + width * (x + 4) / 8, floor - height * density

    steps = [i / 20 - 4 for i in range(161)]
    for middle, colour in ((-0.5, DARK), (0.5, LIGHT)):
        curve = [at(x, middle) for x in steps]
        drawing.area([(left, floor), *curve, (left + width, floor)], colour)
        drawing.line(curve, colour, 2)
    drawing.line([(left, floor), (left + width, floor)], FAINT, 1)
    drawing.text(left + width / 2, 185, f"ε = {value:g}", more=' font-weight="600"')
    drawing.text(left + width / 2, 205, f"guesses right: at most {right_guesses(value)} %")


def epsilon() -> str:
    drawing = Drawing(
        880, 230, "What an epsilon hides: the noisy sum of two neighbouring data sets"
    )
    for k, value in enumerate((0.3, 1.0, 3.0, 8.0)):
        panel(drawing, 15 + 215 * k, value)
    return drawing.svg()


def adassp_table() -> tuple[list[float], list[float], dict[str, list[float]]]:
    """Budgets, mean ratios and the ratios of each set, from the page of the study."""
    text = (ROOT / "docs/research/uci.md").read_text(encoding="utf-8")
    means = re.findall(r"^\| ([\d.]+) \| ([\d.]+) \| [\d.]+ \|", text, flags=re.MULTILINE)
    cells = text.split("Ratio to AdaSSP")[1].split("Excess.")[0]
    rows = re.findall(r"^\| (?!set )([a-z]+) \| (\d.*) \|$", cells, flags=re.MULTILINE)
    sets = {name: [float(cell.split()[0]) for cell in row.split(" | ")] for name, row in rows}
    budgets = [float(budget) for budget, _ in means]
    if not sets or any(len(values) != len(budgets) for values in sets.values()):
        raise SystemExit("docs/research/uci.md: its tables are not read any more")
    return budgets, [float(mean) for _, mean in means], sets


def against_adassp() -> str:
    """The error of the default over the error that AdaSSP published."""
    budgets, means, sets = adassp_table()
    drawing = Drawing(
        760,
        330,
        "Error of Southwell over the published error of AdaSSP, by epsilon: mostly below 1",
    )
    left, right, top, bottom = 60, 610, 40, 270
    low, high = 0.2, 1.3

    def at(budget: float, ratio: float) -> Point:
        across = math.log(budget / budgets[0]) / math.log(budgets[-1] / budgets[0])
        return left + (right - left) * across, bottom - (bottom - top) * (ratio - low) / (
            high - low
        )

    drawing.text(left, 22, f"Error of Southwell's default ÷ AdaSSP's published error, {len(sets)} "
                 "regression sets", anchor="start", more=' font-weight="600"')  # fmt: skip
    for ratio in (0.25, 0.5, 0.75, 1.25):
        drawing.line([at(budgets[0], ratio), at(budgets[-1], ratio)], GRID, 1)
        drawing.text(left - 8, at(1, ratio)[1] + 4, f"{ratio:g}", anchor="end")
    for values in sets.values():
        drawing.line([at(*pair) for pair in zip(budgets, values)], FAINT, 1)
    drawing.line([at(budgets[0], 1), at(budgets[-1], 1)], LIGHT, 2.5)
    drawing.text(left - 8, at(1, 1)[1] + 4, "1", anchor="end")
    drawing.line([at(*pair) for pair in zip(budgets, means)], DARK, 3)
    for pair in zip(budgets, means):
        drawing.dot(*at(*pair), DARK)
    for budget in budgets:
        drawing.text(at(budget, low)[0], bottom + 20, f"{budget:g}")
    drawing.text((left + right) / 2, bottom + 44, "ε  (δ = 1e-6)")
    drawing.text(right + 12, at(1, 1)[1] + 4, "AdaSSP", anchor="start")
    drawing.text(right + 12, at(1, means[-1])[1] + 16, "Southwell, mean", anchor="start")
    drawing.text(right + 12, bottom - 20, "grey: single sets", anchor="start")
    drawing.text(right + 12, bottom - 3, "below 1 is better", anchor="start")
    return drawing.svg()


def path() -> str:
    """The coefficients of a fit, release by release, beside the truth."""
    import numpy as np

    import southwell

    data, truth = southwell.generate("square", records=5000, features=100, seed=3)
    model = southwell.PrivateLasso(
        alpha=5, epsilon=2, delta=1e-6, feature_scale=1, target_scale=150, fit_intercept=False,
        seed_for_tests=1,
    ).fit(data.design, data.target)  # fmt: skip
    steps = model.path_
    moved = sorted({int(step["feature"]) for step in steps})
    ends = np.concatenate([[0.0], truth, steps["value"]])
    low, high = float(ends.min()), 1.05 * float(ends.max())
    drawing = Drawing(760, 330, "Coefficients of a greedy fit, release by release")
    left, right, top, bottom = 60, 620, 40, 280

    def at(step: float, value: float) -> Point:
        up = (bottom - top) * (value - low) / (high - low)
        return left + (right - left) * step / len(steps), bottom - up

    drawing.text(left, 22, "Coefficients after each release; dashed: the truth", anchor="start",
                 more=' font-weight="600"')  # fmt: skip
    drawing.line([at(0, 0), at(len(steps), 0)], FAINT, 1)
    for value in truth[truth != 0]:
        drawing.line([at(0, value), at(len(steps), value)], LIGHT, 1.2, ' stroke-dasharray="6 5"')
    for feature in moved:
        points, value = [at(0, 0)], 0.0
        for t, step in enumerate(steps):
            if int(step["feature"]) != feature:
                continue
            points += [at(t, value), at(t, float(step["value"]))]
            value = float(step["value"])
        points.append(at(len(steps), value))
        drawing.line(points, DARK if truth[feature] else FAINT, 1.8)
    drawing.text((left + right) / 2, bottom + 30, f"{len(steps)} steps of one coefficient each")
    return drawing.svg()


DRAWN: dict[str, Callable[[], str]] = {
    "epsilon.svg": epsilon,
    "against_adassp.svg": against_adassp,
    "path.svg": path,
}


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, draw in DRAWN.items():
        Path(PICTURES / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
