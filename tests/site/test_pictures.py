"""The pictures of the pages show what the pages say."""

from __future__ import annotations

import pytest

from tests.site.pages import ROOT
from tools.website.pictures import DRAWN, PICTURES, adassp_table, right_guesses


@pytest.mark.parametrize("name", ["epsilon.svg", "against_adassp.svg"])
def test_a_picture_is_as_it_would_be_drawn_now(name: str) -> None:
    drawn = (PICTURES / name).read_text(encoding="utf-8")
    assert drawn == DRAWN[name](), "run: .venv/bin/python -m tools.website.pictures"


def test_the_table_behind_the_figure_is_read_whole() -> None:
    budgets, means, sets = adassp_table()
    assert len(budgets) == len(means) == 10
    assert len(sets) == 13
    for k, mean in enumerate(means):
        product = 1.0
        for values in sets.values():
            product *= values[k]
        assert product ** (1 / len(sets)) == pytest.approx(mean, abs=0.002)


def test_guesses_on_the_page_are_those_of_the_bound() -> None:
    text = (ROOT / "docs/epsilon.md").read_text(encoding="utf-8")
    for epsilon in (0.1, 0.5, 1, 3, 8):
        assert f"{right_guesses(epsilon)} %" in text
