"""What the tests of `southwell fit` call it with, and how they read what it wrote."""

import json
from pathlib import Path
from typing import Any

LOSS = ["--loss", "squared", "--epsilon", "1", "--delta", "1e-6"]
# With all sizes declared: of few records none could be found, and nothing is warned of.
BASE = [*LOSS, "--feature-scale", "1", "--target-scale", "1"]


def load(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text())
    return content


def table(tmp_path: Path, name: str = "a.csv") -> str:
    """Four records of two features."""
    (tmp_path / name).write_text("a,b,y\n1,2,1\n0,1,-1\n2,0,1\n1,1,-1\n")
    return name
