"""The guides list the files that adding a part takes: those, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
# What the guide's example is called in the sources, and where it may be mentioned besides: in the
# parts that are about this very example.
EXAMPLES: dict[str, tuple[str, set[str] | None]] = {
    "add_a_loss.md": (r"\bHuber\b|losses/huber\.hpp", set()),
    "add_a_solver.md": (r"\bCd\b|fit/cd\.hpp|solvers/cd\.hpp", set()),
    "add_a_mechanism.md": (
        r"\bPermuteAndFlip\b|mechanisms/permute_and_flip\.hpp",
        set(),
    ),
    "add_a_penalty.md": (r"\bElasticNet\b|penalties/elastic_net\.hpp", set()),
    "add_an_input.md": (r"\bsecond_moment\b", None),
}


def listed(guide: str) -> set[str]:
    text = (ROOT / "docs" / guide).read_text()
    found = re.search(r"<!-- files -->\n(.*?)<!-- /files -->", text, flags=re.DOTALL)
    assert found, guide
    return set(re.findall(r"`([^`]+)`", found[1]))


@pytest.mark.parametrize("guide", EXAMPLES)
def test_listed_files_exist(guide: str) -> None:
    assert [name for name in listed(guide) if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("guide", [name for name in EXAMPLES if EXAMPLES[name][0]])
def test_nothing_else_names_the_example(guide: str) -> None:
    pattern, besides = EXAMPLES[guide]
    assert pattern
    rooms = [ROOT / room for room in ("src", "cli", "lab", "python")]
    sources = [path for room in rooms for end in ("*.?pp", "*.py") for path in room.rglob(end)]
    named = {
        str(path.relative_to(ROOT)) for path in sources if re.search(pattern, path.read_text())
    }
    if besides is None:  # of an input: its logic is in the algorithm that has it
        besides = {"src/southwell/fit/gcd_rounds.cpp"}
    assert named - listed(guide) - besides == set()
