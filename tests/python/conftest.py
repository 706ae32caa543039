"""A synthetic study of the paper's experiments and its figures, drawn once for all tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.python.paper_study import write_study

if TYPE_CHECKING:
    from southwell.paper.reading import Study
    from southwell.paper.style import Drawn


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_study(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="session")
def study(folder: Path) -> Study:
    from southwell.paper.reading import read_study

    return read_study(folder)


@pytest.fixture(scope="session")
def drawn(study: Study) -> dict[str, Drawn]:
    from southwell.paper import figures  # matplotlib takes a while

    return {figure.name: figure for figure in figures.draw(study)}
