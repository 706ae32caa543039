"""One HTML file with everything in it: words, tables and the figures as drawings."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from importlib import resources

from southwell.paper import published, style, tables
from southwell.paper.entries import Entry, Table
from southwell.paper.reading import Study
from southwell.paper.style import Drawn
from southwell.paper.summary import Headline, headlines

PAPER = (
    "High-Dimensional Private Empirical Risk Minimization by Greedy Coordinate Descent "
    "(Mangold, Bellet, Salmon, Tommasi)"
)
# Section, its title, its figures, its tables.
SECTIONS = [
    ("result", "The result", ["overview"], ["comparison", "rivals"]),
    ("passes", "Error against passes", ["passes_paper", "passes_certified"], []),
    ("time", "Error against run time", ["time_paper", "time_certified"], []),
    ("rules", "The three rules", ["rules"], ["steps"]),
    ("supports", "Recovery of the support", [], ["supports"]),
    ("theory", "Theory against practice", ["theory", "bounds"], ["slopes"]),
    ("data", "Problems and solutions", ["solutions"], ["data_sets"]),
    ("settings", "Settings and searches", [], ["hyperparameters", "searches"]),
]
# What a part is drawn from, for the list of what is missing.
SOURCES = {
    "overview": ("the overview", "winners of DP-GCD in winners.csv"),
    "passes_paper": ("error against passes, paper mode", "trajectories.csv in paper mode"),
    "passes_certified": ("error against passes, certified", "certified trajectories.csv"),
    "time_paper": ("error against run time, paper mode", "seconds in trajectories.csv"),
    "time_certified": ("error against run time, certified", "seconds in trajectories.csv"),
    "rules": ("the three rules", "trajectories of more than one rule (--rule gs_s gs_r gs_q)"),
    "solutions": ("histograms of |w*|", "problems.csv and optimum.csv"),
    "theory": ("theory against practice", "theory.csv (southwell lab theory)"),
    "bounds": ("the bounds of the theorems", "one that applies in theory_bounds.csv"),
    "comparison": ("the comparison", "winners of DP-GCD in winners.csv"),
    "rivals": ("all algorithms", "winners.csv of more than one algorithm"),
    "hyperparameters": ("chosen hyperparameters", "winners.csv"),
    "supports": ("recovery of the support", "winners of l1 problems in winners.csv"),
    "steps": ("good and bad steps", "good_steps and bad_steps in winners.csv"),
    "slopes": ("fitted slopes", "theory_fits.csv"),
    "searches": ("settings × runs", "winners.csv"),
}


def _text(words: str) -> str:
    return html.escape(words, quote=False)


def inline_svg(drawn: Drawn) -> str:
    """The figure as an element of the page: its own names, the page's colours, no background."""
    text = drawn.svg
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    width = re.search(r'width="([\d.]+)pt"', text)
    opening = f'<svg role="img" aria-label="{html.escape(drawn.title)}"'
    if width:  # drawn for paper; a screen has room for more
        opening += f' style="max-width: {float(width[1]) * 2:.0f}px"'
    text = re.sub(r'<svg [^>]*?(viewBox="[^"]*")[^>]*>', rf"{opening} \1>", text, count=1)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{drawn.name}-\1"', text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{drawn.name}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{drawn.name}-\1)", text)
    for colour, name in style.TINTS.items():
        text = text.replace(colour, f"var({name})")
    return text.strip()


def _figure(drawn: Drawn) -> str:
    return (
        f'<figure id="figure-{drawn.name}">\n<div class="plate">{inline_svg(drawn)}</div>\n'
        f"<figcaption><b>{_text(drawn.title)}.</b> {_text(drawn.caption)}</figcaption>\n</figure>"
    )


def _entry(entry: Entry, kind: str) -> str:
    text = f"<b>{_text(entry.text)}</b>" if entry.strong else _text(entry.text)
    small = f"<small>{_text(entry.small)}</small>" if entry.small else ""
    return f"<td{kind}>{text}{small}</td>"


def _row(table: Table, row: Sequence[Entry], above: Sequence[Entry] | None) -> str:
    cells = []
    same = above is not None
    for column, entry in enumerate(row):
        same = same and above is not None and above[column].text == entry.text
        names = [
            name
            for name, holds in (
                ("word", column in table.words),
                ("same", same and column in table.words),
                ("long", len(entry.text) > 40),
            )
            if holds
        ]
        cells.append(_entry(entry, f' class="{" ".join(names)}"' if names else ""))
    return f"<tr{' class=again' if above is not None else ''}>{''.join(cells)}</tr>"


def _table(table: Table) -> str:
    head = "".join(
        f'<th scope="col"{" class=word" if column in table.words else ""}>{_text(name)}</th>'
        for column, name in enumerate(table.header)
    )
    rows = [_row(table, row, table.rows[i - 1] if i else None) for i, row in enumerate(table.rows)]
    dense = " class=dense" if len(rows) > 12 else ""
    foot = f"<tfoot>{_row(table, table.foot, None)}</tfoot>" if table.foot else ""
    return (
        f'<div class="scroll" id="table-{table.name}"><table{dense}>\n'
        f"<caption><b>{_text(table.title)}.</b> {_text(table.caption)}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + f"\n</tbody>{foot}"
        "</table></div>"
    )


def _card(headline: Headline) -> str:
    small = f"<small>{_text(headline.small)}</small>" if headline.small else ""
    kind = "good" if headline.good else "poor"
    return (
        f'<div class="card {kind}"><b>{_text(headline.figure)}</b>'
        f"<span>{_text(headline.text)}</span>{small}</div>"
    )


def missing_parts(study: Study, names: Iterable[str]) -> list[str]:
    """What the report would show and cannot, and what it would take."""
    have = set(names)
    absent = [(part, source) for name, (part, source) in SOURCES.items() if name not in have]
    found = [f"{part}: there is no {source}" for part, source in absent]
    lacking = [
        published.problem_name(problem)
        for problem in published.PROBLEMS
        if not any(winner.problem == problem for winner in study.winners)
    ]
    if lacking and study.winners:
        found.append(f"not searched: {', '.join(lacking)}")
    for mode in study.modes():
        for algorithm in published.ALGORITHMS:
            if not any((w.mode, w.algorithm) == (mode, algorithm) for w in study.winners):
                names_of = published.ALGORITHM_NAMES[algorithm], published.MODE_NAMES[mode]
                found.append(f"not searched: {names_of[0]}, {names_of[1]}")
    return found + study.missing


def _provenance(study: Study) -> str:
    rows = {
        "southwell": study.manifest.get("southwell_version"),
        "compiler": study.manifest.get("compiler"),
    }
    cells = study.manifest.get("cells")
    hashes: dict[str, str] = {}
    for cell in cells if isinstance(cells, list) else []:
        inputs, winner = cell.get("inputs", {}), cell.get("winner", {})
        if rows["southwell"] is None:
            rows["southwell"] = inputs.get("southwell_version")
        if "data_sha256" in inputs and "problem" in winner:
            hashes[str(winner["problem"])] = str(inputs["data_sha256"])
        for name, label in (
            ("search_seeds", "seeds of the search"),
            ("fresh_seeds", "fresh seeds"),
        ):
            if isinstance(inputs.get(name), list) and len(inputs[name]) == 2:
                rows[label] = "{} to {}".format(*inputs[name])
    lines = [f"<dt>{_text(k)}</dt><dd>{_text(str(v))}</dd>" for k, v in rows.items() if v]
    lines += [
        f"<dt>{_text(published.problem_name(problem))}</dt>"
        f"<dd><code>sha256 {_text(value)}</code></dd>"
        for problem, value in hashes.items()
    ]
    return f"<dl>{''.join(lines)}</dl>" if lines else ""


def render(study: Study, figures: Sequence[Drawn]) -> str:
    """The whole page."""
    drawn = {figure.name: figure for figure in figures}
    made = tables.all_tables(study)
    sections, links = [], []
    for anchor, title, figure_names, table_names in SECTIONS:
        parts = [_figure(drawn[name]) for name in figure_names if name in drawn]
        parts += [_table(made[name]) for name in table_names if name in made]
        if parts:
            sections.append(f'<h2 id="{anchor}">{_text(title)}</h2>\n' + "\n".join(parts))
            links.append(f'<a href="#{anchor}">{_text(title)}</a>')
    absent = missing_parts(study, [*drawn, *made])
    if absent:
        items = "".join(f"<li>{_text(line)}</li>" for line in absent)
        sections.append(
            f'<h2 id="missing">What is missing</h2>\n<div class="missing"><ul>{items}</ul></div>'
        )
        links.append('<a href="#missing">What is missing</a>')
    provenance = _provenance(study)
    if provenance:
        sections.append(f'<h2 id="made-of">What it was made of</h2>\n{provenance}')
    cards = "\n".join(_card(headline) for headline in headlines(study))
    css = resources.files("southwell.paper").joinpath("report.css").read_text(encoding="utf-8")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The paper, reproduced – Southwell</title>
<style>
{css}</style>
</head>
<body>
<header><div>
<div class="kicker">Southwell</div>
<h1>The paper, reproduced</h1>
<p>{_text(PAPER)}: its experiments run again at (ε, δ) = (1, 1/n²), once as published
(paper mode) and once with mechanisms and accounting that keep what they promise (certified).
Research on the records themselves: nothing on this page is private.</p>
<nav>{"".join(links)}</nav>
</div></header>
<main>
<div class="cards">
{cards}
</div>
{chr(10).join(sections)}
</main>
<footer>Drawn by <code>python -m southwell.paper</code>. Errors are (f(w) − f*)/f*.</footer>
</body>
</html>
"""
