"""The paper map names what exists, and the check can fail."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def check(root: Path, tree: Path, paper: Path | None = None) -> "subprocess.CompletedProcess[str]":
    paper = paper or root.parent / "shared/paper/paper.tex"
    command = [sys.executable, str(root / "tools/check_paper_map.py"), str(tree), str(paper)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_map_is_right(root: Path) -> None:
    done = check(root, root)
    assert done.returncode == 0, done.stdout


def copy(root: Path, tree: Path) -> None:
    for folder in ("src", "lab", "python", "tests", "docs"):
        shutil.copytree(root / folder, tree / folder, ignore=shutil.ignore_patterns("*.so"))


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("`paper_closed_form`", "`paper_open_form`", "no 'paper_open_form' in"),
        ("accounting/advanced.hpp`", "accounting/backward.hpp`", "accounting/backward.hpp"),
        ("`Rule.GsQOfL1MatchesItsClosedForm`", "`Rule.Nothing`", "no test 'Rule.Nothing'"),
        ("`test_no_panel_is_empty`", "`test_nothing`", "no test 'test_nothing'"),
        ("`paper_grid`", "`paper_net`", "no 'paper_net' in lab/paper_grid.hpp"),
    ],
)
def test_a_seeded_fault_is_found(
    root: Path, tmp_path: Path, right: str, wrong: str, complaint: str
) -> None:
    copy(root, tmp_path)
    page = tmp_path / "docs/paper_map.md"
    text = page.read_text()
    assert right in text
    page.write_text(text.replace(right, wrong, 1))
    done = check(root, tmp_path)
    assert done.returncode == 1
    assert complaint in done.stdout


def test_every_label_of_the_paper_but_those_of_sections_needs_a_row(
    root: Path, tmp_path: Path
) -> None:
    page = (root / "docs/paper_map.md").read_text()
    first = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    keys = {key for cell in first for key in re.findall(r"`([^`]+)`", cell)}
    paper = tmp_path / "paper.tex"
    labels = "".join(f"\\label{{{key}}}\n" for key in keys)
    paper.write_text(labels + "\\label{sec:of-its-own}\n")
    assert check(root, root, paper).returncode == 0
    paper.write_text(labels + "\\begin{figure}\\label{fig:new}\\end{figure}\n")
    done = check(root, root, paper)
    assert done.returncode == 1
    assert done.stdout == "docs/paper_map.md: no row for 'fig:new'\n"


def test_a_row_that_is_gone_is_missed(root: Path, tmp_path: Path) -> None:
    if not (root.parent / "shared/paper/paper.tex").exists():
        pytest.skip("the paper's source is not at hand")
    copy(root, tmp_path)
    page = tmp_path / "docs/paper_map.md"
    lines = page.read_text().splitlines(keepends=True)
    page.write_text("".join(line for line in lines if "`tab:hyperparameter-grid`" not in line))
    done = check(root, tmp_path)
    assert done.returncode == 1
    assert done.stdout == "docs/paper_map.md: no row for 'tab:hyperparameter-grid'\n"
