"""The site is built, whole, and has what the program has and nothing else."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from southwell import _core
from tests.site.pages import ROOT, pages, text_of
from tools.website.checks import complaints
from tools.website.commands import help_of, walk

SITE = ROOT / "build" / "site" / "html"
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


@pytest.fixture(scope="module")
def site() -> Path:
    command = [sys.executable, "-m", "tools.website"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return SITE


@cache
def words_of(page: Path) -> str:
    """What a reader sees of it."""
    return html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))


@cache
def commands() -> dict[tuple[str, ...], str]:
    """Every command that does something, with its help."""
    return {tuple(command): help_of(command) for command in walk([])}


def flags_of(text: str) -> set[str]:
    return set(FLAG.findall(text))


def exit_codes() -> dict[int, str]:
    """As the program itself lists them."""
    listed = re.search(r"Exit codes: (.*?)\.\n", help_of([]), flags=re.DOTALL)
    assert listed
    parts = [part.strip() for part in listed[1].replace("\n", " ").split(",")]
    return {int(number): what for number, _, what in (part.partition(" ") for part in parts)}


def test_every_command_and_option_is_on_the_site(site: Path) -> None:
    for command, text in commands().items():
        words = words_of(site / "commands" / f"{command[0]}.html")
        assert " ".join(["southwell", *command]) in words
        assert text.strip() in words, command


def test_every_input_is_on_the_site(site: Path) -> None:
    words = words_of(site / "inputs.html")
    assert [row["name"] for row in _core.fit_input_rows() if str(row["name"]) not in words] == []


def test_exit_codes_on_the_site_are_those_of_the_program(site: Path) -> None:
    table = text_of("docs/errors.md").split("## Python and C++")[0]
    listed = [int(number) for number in re.findall(r"^\| (\d+) \|", table, flags=re.MULTILINE)]
    assert listed == list(exit_codes())
    assert all(str(code) in words_of(site / "errors.html") for code in listed)


def calls(text: str) -> list[list[str]]:
    """The calls of the command line in a page, in blocks and in sentences, as words."""
    joined = re.sub(r" *\\\n\s*", " ", text)
    quoted = re.findall(r"`(southwell [^`]+)`", joined)
    lines = re.findall(r"^(?:    |\$ )?(southwell [^`\n|]+)$", joined, flags=re.MULTILINE)
    found = []
    for call in [*quoted, *lines]:
        words = re.sub(r"\s#.*", "", call).split()[1:]
        found.append([word.rstrip(",.;:)") for word in words])
    return found


def unknown_calls(text: str) -> list[str]:
    """Those of a page that name an option which the command, or those below it, does not have."""
    known = commands()
    groups = {command[:k] for command in known for k in range(len(command) + 1)}
    found = []
    for words in calls(text):
        command: tuple[str, ...] = ()
        while len(command) < len(words) and (*command, words[len(command)]) in groups:
            command = (*command, words[len(command)])
        is_word = bool(words) and re.fullmatch(r"[a-z]{3,}", words[0])
        below = [text for name, text in known.items() if name[: len(command)] == command]
        asked = flags_of(" ".join(words)) - {"--help", "--version"}
        if (not command and is_word) or not asked <= flags_of("".join(below)):
            found.append(" ".join(["southwell", *words]))
    return found


@pytest.mark.parametrize("page", pages())
def test_what_pages_call_exists(page: str) -> None:
    assert unknown_calls(text_of(page)) == []


def test_a_call_that_does_not_exist_is_found() -> None:
    wrong = [
        "southwell fit a.csv --epsilom 1",
        "southwell fot a.csv",
        "southwell ledger show --out a",
    ]
    right = ["southwell fit a.csv --epsilon 1", "southwell ledger show a", "southwell --help"]
    text = "\n".join([f"Say `{call}`." for call in wrong] + [f"    {call}" for call in right])
    assert unknown_calls(text) == wrong


def test_nothing_is_asked_of_another_machine(site: Path) -> None:
    assert complaints(site) == []


def test_the_search_has_its_index_with_it(site: Path) -> None:
    assert "Search.setIndex(" in (site / "searchindex.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ('<img alt="a" src="https://example.org/a.png">', "asks"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "asks"),
        ('<a href="gone.html">a</a>', "no such page"),
        ('<a href="#gone">a</a>', "no such place"),
        ('<img src="data:image/png;base64,">', "without words"),
        ('<a href="https://example.org">a</a><a href="#b">c</a><p id="b">', ""),
    ],
)
def test_what_a_page_may_not_have_is_found(page: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(page)
    found = complaints(tmp_path)
    assert len(found) == bool(complaint)
    assert all(complaint in line for line in found)
