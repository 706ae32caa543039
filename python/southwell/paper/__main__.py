"""Draws the figures and the report of a study: python -m southwell.paper DIR [--out DIR]."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from southwell.paper.reading import ReadError, read_study

USAGE, FILE = 2, 3  # exit codes, as those of the command line


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m southwell.paper",
        description="Draws the figures (PNG, SVG, PDF) and report.html of a study.",
    )
    made.add_argument("study", metavar="DIR", type=Path, help="output of southwell lab paper")
    made.add_argument("--out", metavar="DIR", type=Path, help="where to write [the study itself]")
    return made


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    if importlib.util.find_spec("matplotlib") is None:
        print("error: drawing needs matplotlib: pip install southwell[paper]", file=sys.stderr)
        return USAGE
    from southwell.paper import figures, report, style  # they import matplotlib

    if not options.study.is_dir():
        print(f"error: no directory {options.study}", file=sys.stderr)
        return FILE
    try:
        study = read_study(options.study)
        drawn = figures.draw(study)
        if not drawn:
            raise ReadError(f"nothing to draw in {options.study}: {'; '.join(study.missing)}")
        out = options.out or options.study
        for figure in drawn:
            style.save(figure, out / "figures")
        page = out / "report.html"
        page.write_text(report.render(study, drawn), encoding="utf-8")
    except (ReadError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FILE
    print(f"{len(drawn)} figures in {out / 'figures'}, report in {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
