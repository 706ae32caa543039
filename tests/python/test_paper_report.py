"""The figures show the CSV's numbers, and the report is whole, self-contained and honest."""

from __future__ import annotations

import csv
import math
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.container import BarContainer
from numpy.typing import NDArray

from southwell.paper import curves, figures, overview, published, report, style, tables
from southwell.paper.__main__ import main
from southwell.paper.reading import Study, read_study
from tests.python.paper_study import write_study

PROBLEM_OF = {published.problem_name(problem): problem for problem in published.PROBLEMS}
ALGORITHM_OF = {name: key for key, name in published.ALGORITHM_NAMES.items()}
RULE_OF = {name: key for key, name in published.RULE_NAMES.items()}
FILES = [
    "winners.csv", "trajectories.csv", "supports.csv", "problems.csv", "optimum.csv",
    "results.csv", "theory.csv", "theory_fits.csv", "theory_bounds.csv", "manifest.json",
]  # fmt: skip
BOUNDS = "truth,features,theorem,bound"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_study(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def study(folder: Path) -> Study:
    return read_study(folder)


@pytest.fixture(scope="module")
def drawn(study: Study) -> dict[str, style.Drawn]:
    return {figure.name: figure for figure in figures.draw(study)}


@pytest.fixture(scope="module")
def page(study: Study, drawn: dict[str, style.Drawn]) -> str:
    return report.render(study, list(drawn.values()))


def rows(path: Path, **wanted: str) -> list[dict[str, str]]:
    """The CSV's rows, read by other means than the report's."""
    with path.open(newline="") as file:
        found = list(csv.DictReader(file))
    return [row for row in found if all(row[name] == value for name, value in wanted.items())]


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
                assert mean == pytest.approx(np.mean(column(here, "error")))
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


def test_the_comparison_has_the_ratio_and_its_mean(study: Study) -> None:
    table = tables.comparison(study)
    assert table is not None
    assert len(table.rows) == 8
    assert {row[-1].text for row in table.rows} == {"2.00"}  # every certified error is half
    assert table.foot[-1].text == "2.00"
    square = next(row for row in table.rows if row[0].text == "square")
    assert (square[2].text, square[2].small) == ("0.35", "47 % left")
    assert square[3].small.startswith("50 % left")


def test_the_geometric_mean_is_one() -> None:
    assert tables.geometric_mean([0.5, 8.0]) == pytest.approx(2.0)


def test_hyperparameters_stand_beside_the_papers(study: Study) -> None:
    table = tables.hyperparameters(study)
    assert table is not None
    assert len(table.rows) == 24
    row = next(r for r in table.rows if (r[0].text, r[1].text) == ("DP-GCD", "madelon, l2"))
    assert row[2].text == "10 · 7.91 · 1"
    assert (row[3].text, row[3].small) == ("10 · 4.94 · 1", "0 / -1 / 0")
    assert row[4].small == "0 / -1 / 0, share 0.7"


def test_supports_stand_beside_the_papers(study: Study) -> None:
    table = tables.supports(study)
    assert table is not None
    assert len(table.rows) == 12
    square, rival = table.rows[:2]
    assert (square[2].text, square[2].small) == ("9", "paper 7")
    assert square[3].text == "2 / 0 (0.35)"
    assert square[4].text == "2.5 / 0 (0.36)"
    assert square[4].small == "0 of 3 runs with a false one"
    assert square[4].strong
    assert rival[4].small == "3 of 3 runs with a false one"
    assert not rival[4].strong


def test_a_search_on_a_part_of_the_grid_says_so(study: Study) -> None:
    table = tables.searches(study)
    assert table is not None
    assert table.rows[0][4].text == "3500 × 5"
    assert table.rows[0][4].small == "results.csv has 2"


def test_the_papers_tables_are_transcribed_rightly(root: Path) -> None:
    source = root.parent / "shared/paper/paper.tex"
    if not source.exists():
        pytest.skip(f"the paper's source is not at {source}")
    text = source.read_text().replace("$+$", "+")
    begin = text.index("Dataset,Loss,Algorithm")
    chosen = csv.DictReader(text[begin : text.index(r"\end{filecontents*}", begin)].splitlines())
    algorithms = {name: key for key, name in published.ALGORITHM_NAMES.items()}
    found = {}
    for row in chosen:
        problem = row["Dataset"]
        if problem == "madelon":
            problem += "_" + row["Loss"].split("+ ")[1].lower()
        setting = (row["Passes on data"], row["Clipping threshold"], row["Step size"])
        found[problem, algorithms[row["Algorithm"]]] = published.Setting(*map(float, setting))
    assert found == published.CHOSEN
    table = text[text.index("tab:finding-of-support") :]
    for algorithm, name in published.ALGORITHM_NAMES.items():
        line = re.search(rf"^\s*{name} & (.*?)\\\\", table, re.MULTILINE)
        assert line is not None
        for problem, cell in zip(published.SPARSE, line[1].split("&")):
            right, wrong, error = re.findall(r"[\d.]+", cell)
            entry = published.Found(int(right), int(wrong), float(error))
            assert published.SUPPORTS[problem, algorithm] == entry
    described = re.search(r"Records\s+&(.*?)\\\\\s*Features\s+&(.*?)\\\\", text, re.DOTALL)
    assert described is not None
    numbers = [re.findall(r"[\d,]+\d|\d+", part) for part in described.groups()]
    order = ["log1", "square", "mtp", "dorothea", "california", "madelon_l1"]
    for problem, records, features in zip(order, *numbers):
        ours = published.DATA_SETS[problem]
        sizes = int(records.replace(",", "")), int(features.replace(",", ""))
        assert (ours.records, ours.features) == sizes


class Page(HTMLParser):
    """What a browser would fetch, and all names and references of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.names: list[str] = []
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name == "id":
                self.names.append(value or "")
            elif name in ("href", "xlink:href") and (value or "").startswith("#"):
                self.links.append((value or "")[1:])
            elif name in ("src", "srcset", "href", "xlink:href", "data", "action"):
                self.fetched.append(value or "")


def test_the_report_is_self_contained(page: str) -> None:
    parsed = Page()
    parsed.feed(page)
    assert parsed.fetched == []
    assert "http" not in page
    assert "@import" not in page
    references = re.findall(r"url\(#?([^)]*)\)", page) + parsed.links
    names = Counter(parsed.names)
    assert set(references) <= names.keys()
    assert [name for name, count in names.items() if count > 1] == []
    assert parsed.tags["svg"] == parsed.tags["figure"] == 9
    assert parsed.tags["table"] == 8
    assert parsed.tags["script"] == 0


def test_figures_take_the_pages_colours(page: str) -> None:
    drawing = page[page.index("<svg") : page.rindex("</svg>")]
    assert not set(style.TINTS) & set(re.findall(r"#[0-9a-f]{6}", drawing))
    properties = set(re.findall(r"var\((--[a-z]+)\)", drawing))
    css = page[page.index("<style>") : page.index("</style>")]
    for name in properties:
        assert css.count(f"{name}:") >= 3, f"{name} is set for light, dark and print"


def test_a_whole_study_lacks_nothing(page: str, study: Study) -> None:
    assert study.missing == []
    # The synthetic study has no certified DP-SGD, as real ones.
    missing = page[page.index('id="missing"') :]
    assert re.findall(r"<li>(.*?)</li>", missing) == ["not searched: DP-SGD, certified"]


@pytest.mark.parametrize("error", ["inf", "nan", "0"])
def test_runs_that_diverged_or_arrived_are_no_reason_to_stop(
    folder: Path, tmp_path: Path, error: str
) -> None:
    """All errors of DP-CD and DP-SGD, and of every second point and seed of DP-GCD."""
    for name in ("winners.csv", "trajectories.csv", "theory.csv"):
        found = [r for r in rows(folder / name) if r.get("problem", "log1") in ("log1", "square")]
        for number, row in enumerate(found):
            if row["algorithm"] != "gcd" or (name != "winners.csv" and number % 2):
                columns = [c for c in row if re.match("error(?!_at)|search_m|fresh_m|share", c)]
                row.update(dict.fromkeys(columns, error))
        with (tmp_path / name).open("w", newline="") as file:
            writer = csv.DictWriter(file, list(found[0]))
            writer.writeheader()
            writer.writerows(found)
    odd = read_study(tmp_path)
    shown = figures.draw(odd)
    assert {"overview", "passes_paper", "time_paper", "rules", "theory"} <= {d.name for d in shown}
    assert "∞" in report.render(odd, shown) or error != "inf"


@pytest.mark.parametrize("name", FILES)
def test_a_report_without_a_file_says_so(folder: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(folder, tmp_path / "part")
    (tmp_path / "part" / name).unlink()
    part = read_study(tmp_path / "part")
    text = report.render(part, [])
    assert f"<li>{name} is not there</li>" in text


def test_older_output_of_one_algorithm_is_drawn(folder: Path, tmp_path: Path) -> None:
    """Four files, gcd alone with one rule, none of the newer columns."""
    for name, newer in (
        ("winners.csv", ["share", "good_steps", "bad_steps"]),
        ("trajectories.csv", ["seconds"]),
        ("supports.csv", []),
    ):
        old = rows(folder / name, algorithm="gcd", rule="gs_s")
        old = [row for row in old if row["problem"] in ("log1", "square", "california")]
        with (tmp_path / name).open("w", newline="") as file:
            writer = csv.DictWriter(
                file, [c for c in old[0] if c not in newer], extrasaction="ignore"
            )
            writer.writeheader()
            writer.writerows(old)
    assert main([str(tmp_path), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out/report.html").read_text()
    for line in (
        "winners.csv has no columns share, good_steps, bad_steps",
        "trajectories.csv has no column seconds",
        "good and bad steps: there is no good_steps and bad_steps in winners.csv",
        "not searched: log2, mtp, madelon, l2, dorothea, madelon, l1",
        "not searched: DP-CD, paper mode",
        "theory.csv is not there",
    ):
        assert f"<li>{line}</li>" in text
    for name in ("overview", "passes_paper", "passes_certified"):
        assert f'<figure id="figure-{name}">' in text
        starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
        for ending, start in starts.items():
            content = (tmp_path / f"out/figures/{name}.{ending}").read_bytes()
            assert content.startswith(start)
    assert len(list((tmp_path / "out/figures").iterdir())) == 9


def test_the_same_study_gives_the_same_bytes(study: Study) -> None:
    once, again = (overview.overview(study) for _ in range(2))
    assert once is not None
    assert again is not None
    assert once.svg == again.svg


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("theory_bounds.csv", f"{BOUNDS}\nsparse,9,convex,much", ":2: could not convert"),
        ("theory_bounds.csv", f"{BOUNDS}\nsparse,1.5,convex,1", ":2: features: '1.5' in the place"),
        ("theory_bounds.csv", f"{BOUNDS}\nsparse,0,convex,1", ":2: features: '0' where only a"),
        ("optimum.csv", "problem,index,value\nlog1,0", ":2: value: an empty field"),
        ("optimum.csv", "problem,index,value\nlog1,0,inf", ":2: value: 'inf' in the place of"),
        ("results.csv", "problem,algorithm,mode,rule\nlog1", ":2: a row of 1"),
        ("manifest.json", "{", "manifest.json: "),
        ("manifest.json", "[]", "manifest.json: not a JSON object"),
    ],
)  # fmt: skip
def test_a_broken_file_is_an_error_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: str, complaint: str
) -> None:
    (tmp_path / name).write_text(content)
    assert main([str(tmp_path)]) == 3
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(tmp_path / name) in said
    assert complaint in said


def test_nothing_to_draw_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 3
    assert "nothing to draw" in capsys.readouterr().err
    assert main([str(tmp_path / "nowhere")]) == 3
    assert "no directory" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main([])


def test_without_matplotlib_it_says_so_in_one_line(folder: Path) -> None:
    code = (
        "import runpy, sys; sys.modules['matplotlib'] = None; "
        f"sys.argv = ['paper', {str(folder)!r}]; "
        "runpy.run_module('southwell.paper', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: drawing needs matplotlib: pip install southwell[paper]\n"
