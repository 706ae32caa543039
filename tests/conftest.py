"""What every test shares: where things are, and how the command line is run."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def southwell_binary() -> Path:
    return ROOT / "build" / "southwell"


@pytest.fixture
def run(southwell_binary: Path, tmp_path: Path) -> Run:
    """Runs the command line in a scratch directory: run("generate", ...)."""

    def call(*arguments: object, timeout: float = 120) -> "subprocess.CompletedProcess[str]":
        command = [str(southwell_binary), *map(str, arguments)]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=timeout, check=False
        )

    return call


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The public data sets, which are not part of the repository."""
    directory = Path(os.environ.get("SOUTHWELL_DATA", ROOT.parent / "shared" / "data"))
    if not directory.is_dir():
        pytest.skip(
            f"the public data sets are not at {directory}; set SOUTHWELL_DATA to their place"
        )
    return directory
