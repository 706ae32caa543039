"""Gathers the pages of the site in one folder. Most are those of docs/ as they are; a link out of
docs/ is made to point at where its target stands on the site."""

from __future__ import annotations

import os
import posixpath
import re
import shutil
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent.parent
AT_THE_TOP = {"CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"}
LIBRARY = PurePosixPath("src/southwell")
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
LISTED = re.compile(r"^- \[[^\]]+\]\(([^)#]+)\.md\)", re.MULTILINE)


def place_of(name: str) -> str:
    """Where a file of the repository stands on the site."""
    path = PurePosixPath(name)
    if name in AT_THE_TOP:
        return name.lower()
    if name == "README.md":
        return "index.md"
    if path.parts[:1] == ("docs",):
        return str(path.relative_to("docs"))
    if path.parts[:1] == ("examples",):
        return "examples.md"
    if path.suffix == ".md" and path.is_relative_to(LIBRARY):
        return str("proofs" / path.relative_to(LIBRARY))
    return str("files" / path)


def with_links(text: str, name: str, source: Path) -> str:
    """The text of the page `name`, with its links as they have to be on the site."""

    def moved(match: re.Match[str]) -> str:
        opening, target, anchor, closing = match.groups()
        if "://" in target:
            return match[0]
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        if name.startswith("docs/") and wanted.startswith("docs/"):
            return match[0]  # they keep their places among each other
        if not (ROOT / wanted).exists():
            raise SystemExit(f"{name}: no such file: {target}")
        place = place_of(wanted)
        if place.startswith("files/"):
            (source / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / wanted, source / place)
        moved_to = os.path.relpath(place, posixpath.dirname(place_of(name)) or ".")
        return f"{opening}{moved_to}{anchor or ''}{closing}"

    return LINK.sub(moved, text)


def stage(name: str, source: Path) -> None:
    page = source / place_of(name)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(with_links((ROOT / name).read_text(encoding="utf-8"), name, source))


def toctree(pages: list[str], caption: str = "") -> str:
    heading = f":caption: {caption}\n" if caption else ""
    return f"\n```{{toctree}}\n:hidden:\n{heading}\n" + "\n".join(pages) + "\n```\n"


def contents(index: str) -> str:
    """What the first page lists under its headings is the table of contents of the site."""
    parts = re.split(r"^## (.+)\n", index, flags=re.MULTILINE)[1:]
    sections = zip(parts[::2], parts[1::2])
    return "".join(toctree(LISTED.findall(text), caption) for caption, text in sections)


def stage_pages(source: Path) -> None:
    docs = ROOT / "docs"
    for path in sorted(docs.rglob("*")):
        if path.is_dir() or path.suffix == ".py" or "_static" in path.parts:
            continue
        if path.suffix == ".md":
            stage(str(path.relative_to(ROOT)), source)
        else:
            copy = source / path.relative_to(docs)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    for name in AT_THE_TOP:
        stage(name, source)
    index = source / "index.md"
    index.write_text(index.read_text() + contents(index.read_text()))


def stage_proofs(source: Path) -> None:
    names = sorted(str(p.relative_to(ROOT)) for p in (ROOT / LIBRARY).rglob("*.md"))
    rows = []
    for name in names:
        stage(name, source)
        place = PurePosixPath(place_of(name)).relative_to("proofs")
        title = (ROOT / name).read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
        rows.append(f"| [{title}]({place}) | `{PurePosixPath(name).parent}` |")
    text = (
        "# Proofs\n\nEach stands beside the code that it speaks of, and is pinned to it: a check"
        " fails when the code\nchanges, until somebody has read one against the other. Paths are"
        " those of the repository.\n\n| proof | beside |\n|---|---|\n" + "\n".join(rows) + "\n"
    )
    places = [place_of(name).removeprefix("proofs/").removesuffix(".md") for name in names]
    (source / "proofs" / "index.md").write_text(text + toctree(places))


def stage_examples(source: Path) -> None:
    """The programs of examples/ and their schemas, whole."""
    text = ["# Examples\n\nWhole programs, as they stand in `examples/`; tests run them.\n"]
    for path in sorted((ROOT / "examples").glob("*.py")):
        what = path.read_text().split('"""')[1].strip().split("\n\n")[0].replace("\n", " ")
        text.append(f"## {path.name}\n\n{what}\n\n```python\n{path.read_text()}```\n")
    text.append("## Schemas\n\nThe public schemas of the tables that pages and examples use.\n")
    for path in sorted((ROOT / "examples" / "schemas").glob("*.json")):
        text.append(f"### {path.name}\n\n```json\n{path.read_text().strip()}\n```\n")
    (source / "examples.md").write_text("\n".join(text))
