"""The report is whole, self-contained and honest; the paper's tables are transcribed rightly."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from southwell.paper import figures, published, report, study_tables, style, tables
from southwell.paper.__main__ import main
from southwell.paper.reading import Study, read_study
from tests.python.paper_study import rows

FILES = [
    "winners.csv", "trajectories.csv", "supports.csv", "problems.csv", "optimum.csv",
    "results.csv", "theory.csv", "theory_fits.csv", "theory_bounds.csv", "manifest.json",
]  # fmt: skip
BOUNDS = "truth,features,theorem,bound"


@pytest.fixture(scope="module")
def page(study: Study, drawn: dict[str, style.Drawn]) -> str:
    return report.render(study, list(drawn.values()))


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
    table = study_tables.searches(study)
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
