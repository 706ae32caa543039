"""docs/related.md has every system that the paper's section on related work cites."""

import re
from pathlib import Path

import pytest


def rows(root: Path) -> list[list[str]]:
    lines = (root / "docs/related.md").read_text().splitlines()
    table = [line for line in lines if line.startswith("|") and set(line) - set("|- ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return [row for row in cells if row[0] != "system"]


def test_every_row_names_keys_and_a_verdict(root: Path) -> None:
    for row in rows(root):
        assert len(row) == 4, row
        assert re.fullmatch(r"`[\w-]+`(, `[\w-]+`)*", row[1]), row
        verdicts = (
            "**supported**",
            "**planned**",
            "**not**",
            "nothing to run",
            "the words",
            "a warn",
        )
        assert any(verdict in row[3] for verdict in verdicts), row


def test_every_citation_of_related_work_has_a_row(root: Path) -> None:
    source = root.parent / "shared/paper/paper.tex"
    if not source.exists():
        pytest.skip(f"the paper's source is not at {source}")
    text = source.read_text()
    begin = text.index(r"\label{sec:related-works}")
    section = text[begin : text.index(r"\section{", begin)]
    cited = re.findall(r"\\[Cc]ite[tp](?:\s*\[[^\]]*\])*\s*\{([^}]+)\}", section)
    keys = {key.strip() for group in cited for key in group.split(",")}
    assert len(keys) > 40
    named = {key for row in rows(root) for key in re.findall(r"`([^`]+)`", row[1])}
    assert keys - named == set()
    assert named - keys == set()
