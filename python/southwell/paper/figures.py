"""All figures of a study, in the order of the report; those it has no numbers for are left out."""

from __future__ import annotations

from southwell.paper import curves, overview, published, solutions, theory
from southwell.paper.reading import Study
from southwell.paper.style import Drawn


def draw(study: Study) -> list[Drawn]:
    made = [
        overview.overview(study),
        *(curves.error_against_passes(study, mode) for mode in published.MODES),
        *(curves.error_against_time(study, mode) for mode in published.MODES),
        curves.rules(study),
        theory.slopes(study),
        theory.bounds(study),
        solutions.histograms(study),
    ]
    return [figure for figure in made if figure is not None]
