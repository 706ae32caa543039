"""Every figure shows the CSV's numbers, and no panel is empty."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.container import BarContainer
from numpy.typing import NDArray

from southwell.paper import curves, overview, published, style
from southwell.paper.reading import Study
from tests.python.paper_study import rows

PROBLEM_OF = {published.problem_name(problem): problem for problem in published.PROBLEMS}
ALGORITHM_OF = {name: key for key, name in published.ALGORITHM_NAMES.items()}


def column(found: list[dict[str, str]], name: str) -> list[float]:
    return [float(row[name]) for row in found]


def title_of(axes: Axes) -> tuple[str, str]:
    return axes.get_title(loc="left"), axes.texts[0].get_text()


def lines(axes: Axes) -> Iterator[tuple[str, list[float], list[float]]]:
    for line in axes.lines:
        yield str(line.get_label()), list(line.get_xdata()), list(line.get_ydata())  # type: ignore[arg-type]


def bands(axes: Axes) -> list[set[tuple[float, float]]]:
    found = [c for c in axes.collections if isinstance(c, PolyCollection)]
    corners = [np.asarray(c.get_paths()[0].vertices, dtype=float) for c in found]
    return [{(float(x), float(y)) for x, y in band} for band in corners]


def assert_curves_are(axes: Axes, expected: dict[str, list[dict[str, str]]], x: str) -> None:
    """Each expected curve is there with its band, and there is no other."""
    names = {*published.ALGORITHM_NAMES.values(), *published.RULE_NAMES.values()}
    found = {label: (xs, ys) for label, xs, ys in lines(axes) if label in names}
    assert found.keys() == expected.keys()
    for label, csv_rows in expected.items():
        assert found[label] == (column(csv_rows, x), column(csv_rows, "error_mean"))
        if len(csv_rows) == 2:
            continue  # two ends have no band but a bar
        edge = {
            (float(row[x]), float(row[side]))
            for row in csv_rows
            for side in ("error_min", "error_max")
            if math.isfinite(float(row[side]))
        }
        assert any(edge <= band for band in bands(axes)), label


def test_a_run_that_diverged_takes_its_band_out_of_the_panel(
    folder: Path, drawn: dict[str, style.Drawn]
) -> None:
    axes = drawn["passes_paper"].figure.axes[0]
    assert title_of(axes)[0] == "log1"
    cell = {"problem": "log1", "algorithm": "cd", "mode": "paper"}
    place = float(rows(folder / "trajectories.csv", error_max="inf", **cell)[0]["passes"])
    top = max(y for band in bands(axes) for x, y in band if x == place)
    assert axes.get_ylim()[1] < top < math.inf


@pytest.mark.parametrize("mode", ["paper", "certified"])
@pytest.mark.parametrize(("kind", "x"), [("passes", "passes"), ("time", "seconds")])
def test_error_curves_are_the_csvs(
    folder: Path, drawn: dict[str, style.Drawn], mode: str, kind: str, x: str
) -> None:
    panels = drawn[f"{kind}_{mode}"].figure.axes
    assert [PROBLEM_OF[title_of(axes)[0]] for axes in panels] == list(published.PROBLEMS)
    for axes, problem in zip(panels, published.PROBLEMS):
        expected = {}
        for algorithm, name in published.ALGORITHM_NAMES.items():
            rule = "gs_s" if algorithm == "gcd" else ""
            cell = {"problem": problem, "algorithm": algorithm, "mode": mode, "rule": rule}
            if found := rows(folder / "trajectories.csv", **cell):
                expected[name] = found
        assert len(expected) == (3 if mode == "paper" else 2)
        assert_curves_are(axes, expected, x)


def test_published_errors_are_marked_as_shares_of_our_start(
    folder: Path, drawn: dict[str, style.Drawn]
) -> None:
    square = next(a for a in drawn["passes_paper"].figure.axes if title_of(a)[0] == "square")
    start = float(rows(folder / "winners.csv", problem="square")[0]["error_at_zero"])
    marks = [ys[0] for label, _, ys in lines(square) if label == "published"]
    assert marks == pytest.approx([0.35 / 0.75 * start, start, start])
    assert all(square.get_ylim()[0] < mark < square.get_ylim()[1] for mark in marks)


def test_two_points_are_drawn_as_two_ends(study: Study) -> None:
    points = study.trajectory("log1", "sgd", "paper")
    assert points is not None
    assert len(points) == 2
    with style.styled():
        _, (axes,) = style.panels(1, 1, 2)
        curves.curve(axes, points, curves.passes, style.ALGORITHM["sgd"], "DP-SGD")
    assert not bands(axes)
    bars = axes.containers[0]
    (segments,) = bars[2]
    assert segments.get_segments()[0][:, 1] == pytest.approx(
        [points[1].error_min, points[1].error_max]
    )


def test_rules_are_the_csvs(folder: Path, drawn: dict[str, style.Drawn]) -> None:
    panels = drawn["rules"].figure.axes
    names = {name: mode for mode, name in published.MODE_NAMES.items()}
    places = [(PROBLEM_OF[title_of(a)[0]], names[title_of(a)[1]]) for a in panels]
    assert places == [(p, m) for m in published.MODES for p in published.SPARSE]
    for axes, (problem, mode) in zip(panels, places):
        cell = {"problem": problem, "mode": mode}
        expected = {
            name: rows(folder / "trajectories.csv", algorithm="gcd", rule=rule, **cell)
            for rule, name in published.RULE_NAMES.items()
        }
        for algorithm in ("cd", "sgd"):
            if found := rows(folder / "trajectories.csv", algorithm=algorithm, **cell):
                expected[published.ALGORITHM_NAMES[algorithm]] = found
        assert_curves_are(axes, expected, "passes")


def test_histograms_count_every_feature(folder: Path, drawn: dict[str, style.Drawn]) -> None:
    for axes in drawn["solutions"].figure.axes:
        problem = PROBLEM_OF[axes.get_title(loc="left")]
        (row,) = rows(folder / "problems.csv", problem=problem)
        values = np.abs(column(rows(folder / "optimum.csv", problem=problem), "value"))
        values = np.append(values, np.zeros(int(row["features"]) - len(values)))
        (bars,) = [c for c in axes.containers if isinstance(c, BarContainer)]
        heights = [bar.get_height() for bar in bars]
        assert sum(heights) == int(row["features"])
        assert heights == list(np.histogram(values, 40, (0, values.max()))[0])
        alpha = float(row["quasi_sparsity"])
        assert [xs for _, xs, _ in lines(axes)] == [[alpha, alpha]]
        assert (values > alpha).sum() <= 5


def test_theory_shows_the_means_of_all_seeds(folder: Path, drawn: dict[str, style.Drawn]) -> None:
    panels = drawn["theory"].figure.axes
    assert len(panels) == 4
    for axes, (mode, truth) in zip(
        panels, [(m, t) for m in published.MODES for t in ("log_normal", "sparse")]
    ):
        shown = {label: (xs, ys) for label, xs, ys in lines(axes) if label in ALGORITHM_OF}
        assert len(shown) == (3 if mode == "paper" else 2)
        for label, (xs, ys) in shown.items():
            cell = {"truth": truth, "mode": mode, "algorithm": ALGORITHM_OF[label]}
            assert xs == [100, 1000, 10000]
            for p, mean in zip(xs, ys):
                here = rows(folder / "theory.csv", features=str(p), **cell)
                assert mean == pytest.approx(np.mean(column(here, "share")))
            (fit,) = rows(folder / "theory_fits.csv", **cell)
            legend = axes.get_legend()
            assert legend is not None
            words = [text.get_text() for text in legend.get_texts()]
            slope = f"{float(fit['slope']):+.2f} [{float(fit['slope_low']):+.2f}"
            assert any(label in text and slope in text for text in words)
            straight = [v for n, _, v in lines(axes) if n.startswith("_") and len(v) == 3]
            rise = [math.log(v[2] / v[0]) / math.log(100) for v in straight]
            assert any(r == pytest.approx(float(fit["slope"])) for r in rise)


def test_bounds_are_drawn_where_they_apply(folder: Path, drawn: dict[str, style.Drawn]) -> None:
    for axes, truth in zip(drawn["bounds"].figure.axes, ("log_normal", "sparse")):
        for theorem in ("convex", "quasi_sparse"):
            here = rows(folder / "theory_bounds.csv", truth=truth, theorem=theorem)
            here = [row for row in here if row["bound"]]
            shown = [(xs, ys) for label, xs, ys in lines(axes) if label == theorem]
            expected = [(column(here, "features"), column(here, "bound"))] if here else []
            assert shown == expected


def test_the_overview_shows_what_is_left(folder: Path, drawn: dict[str, style.Drawn]) -> None:
    (axes,) = drawn["overview"].figure.axes
    names = [PROBLEM_OF[text.get_text()] for text in axes.get_yticklabels()]
    assert sorted(names) == sorted(published.PROBLEMS)
    shown = {label: dict(zip(ys, xs)) for label, xs, ys in lines(axes)}
    for y, problem in enumerate(names):
        for mode, name in published.MODE_NAMES.items():
            cell = {"problem": problem, "algorithm": "gcd", "mode": mode, "rule": "gs_s"}
            (row,) = rows(folder / "winners.csv", **cell)
            left = float(row["fresh_mean"]) / float(row["error_at_zero"])
            assert shown[name][y] == pytest.approx(left)
        assert (y in shown["published"]) == (problem in published.SPARSE)


def rendered(figure: style.Drawn) -> NDArray[np.int_]:
    canvas = FigureCanvasAgg(figure.figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    return pixels[:, :, :3].astype(int)


def test_no_panel_is_empty(drawn: dict[str, style.Drawn]) -> None:
    """Something coloured is seen in every panel: in pixels, for an artist may draw nothing."""
    assert len(drawn) == 9
    for name, figure in drawn.items():
        pixels = rendered(figure)
        coloured = pixels.max(axis=2) - pixels.min(axis=2) > 60
        purple = (pixels[:, :, 2] > pixels[:, :, 0] + 20) & (pixels[:, :, 0] > pixels[:, :, 1] + 40)
        assert figure.figure.axes
        for axes in figure.figure.axes:
            (left, bottom), (right, top) = axes.get_window_extent().get_points().astype(int)
            inside = np.s_[len(pixels) - top : len(pixels) - bottom, left:right]
            seen = (coloured & ~purple)[inside].sum()  # alpha and bounds alone are no curve
            assert seen > 60, (name, axes.get_title(loc="left"), seen)


def test_text_does_not_leave_the_figure_nor_overlap_its_axis(
    drawn: dict[str, style.Drawn],
) -> None:
    for name, figure in drawn.items():
        rendered(figure)
        page_box = figure.figure.bbox
        for axes in figure.figure.axes:
            for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
                boxes = [t.get_window_extent() for t in labels if t.get_visible() and t.get_text()]
                inside = [b for b in boxes if page_box.x0 - 1 <= b.x0 and b.x1 <= page_box.x1 + 1]
                assert len(inside) >= 2, (name, title_of(axes))
                for one, other in pairwise(inside):
                    assert not one.overlaps(other), (name, axes.get_title(loc="left"))


def test_the_same_study_gives_the_same_bytes(study: Study) -> None:
    once, again = (overview.overview(study) for _ in range(2))
    assert once is not None
    assert again is not None
    assert once.svg == again.svg
