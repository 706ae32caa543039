"""A synthetic study of the paper's experiments and its figures, drawn once; a small table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.python.paper_study import write_study

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


@pytest.fixture
def table() -> NDArray[np.float64]:
    return np.random.default_rng(1).normal(size=(300, 5))


@pytest.fixture
def target(table: NDArray[np.float64]) -> NDArray[np.float64]:
    return 2 * table[:, 0] - table[:, 3]
