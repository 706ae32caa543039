"""The paper map names what exists, and the check can fail."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def check(root: Path, tree: Path) -> "subprocess.CompletedProcess[str]":
    paper = root.parent / "shared/paper/paper.tex"
    command = [sys.executable, str(root / "tools/check_paper_map.py"), str(tree), str(paper)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_map_is_right(root: Path) -> None:
    done = check(root, root)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("`paper_closed_form`", "`paper_open_form`", "no 'paper_open_form' in"),
        ("`privacy/advanced.hpp`", "`privacy/backward.hpp`", "no file src/southwell/privacy/back"),
        ("`Rule.GsQOfL1MatchesItsClosedForm`", "`Rule.Nothing`", "no test 'Rule.Nothing'"),
    ],
)
def test_a_seeded_fault_is_found(
    root: Path, tmp_path: Path, right: str, wrong: str, complaint: str
) -> None:
    for folder in ("src", "tests", "docs"):
        shutil.copytree(root / folder, tmp_path / folder)
    page = tmp_path / "docs/paper_map.md"
    text = page.read_text()
    assert right in text
    page.write_text(text.replace(right, wrong, 1))
    done = check(root, tmp_path)
    assert done.returncode == 1
    assert complaint in done.stdout
