"""Checks docs/paper_map.md: every symbol stands in the file it is said to be in, every test exists,
and, where the paper's source is at hand, every key is a label of it and every label that is not a
section's is a key: algorithms and their lines, theorems, lemmas, definitions, remarks, equations,
tables, figures and their parts.

Usage: check_paper_map.py [ROOT [PAPER]]   PAPER defaults to ../shared/paper/paper.tex beside ROOT.
Prints each fault as docs/paper_map.md:line and exits 1 if there is one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

CODE = re.compile(r"`([^`]+)`")
FILE = re.compile(r"^[\w/]+\.(?:hpp|cpp|py)$")
LABEL = re.compile(r"\\label\{([^}]+)\}")
OTHER_ROOTS = ("lab", "python")  # files elsewhere than under src/southwell/
HEADER = ["key", "printed name", "symbol in code", "test"]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tests_of(root: Path) -> str:
    return "\n".join(
        path.read_text(encoding="utf-8")
        for pattern in ("*_test.cpp", "test_*.py")
        for path in sorted((root / "tests").rglob(pattern))
    )


def has_test(tests: str, name: str) -> bool:
    if "." not in name:
        return f"def {name}(" in tests
    suite, case = name.split(".", 1)
    return re.search(rf"TEST(?:_F|_P)?\(\s*{suite},\s*{case}\s*\)", tests) is not None


def place(file: str) -> str:
    return file if file.split("/")[0] in OTHER_ROOTS else f"src/southwell/{file}"


def faults_of_row(row: list[str], default_file: str, root: Path, tests: str) -> list[str]:
    found = []
    file = default_file
    for word in CODE.findall(row[2]):
        if FILE.match(word):
            file = word
            if not (root / place(file)).exists():
                found.append(f"no file {place(file)}")
            continue
        path = root / place(file)
        if not path.is_file() or not re.search(rf"\b{re.escape(word)}\b", path.read_text()):
            found.append(f"no '{word}' in {place(file)}")
    names = CODE.findall(row[3])
    if not names:
        found.append("no test is named")
    found += [f"no test '{name}'" for name in names if not has_test(tests, name)]
    return found


def faults(root: Path, paper: Path) -> list[str]:
    tests = tests_of(root)
    labels = LABEL.findall(paper.read_text()) if paper.exists() else []
    missing = [label for label in labels if not label.startswith("sec")]
    found = []
    inside = False
    default_file = ""
    lines = (root / "docs/paper_map.md").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if match := re.match(r"All in `([^`]+)`", line):
            default_file = match[1]
        if not line.startswith("|"):
            inside = False
            continue
        row = cells(line)
        if row == HEADER:
            inside = True
            continue
        if not inside or set(line) <= set("|-: "):
            continue
        complaints = faults_of_row(row, default_file, root, tests) if len(row) == 4 else ["4 cells"]
        keys = CODE.findall(row[0])
        if labels:
            complaints += [f"no label '{key}' in the paper" for key in keys if key not in labels]
        missing = [label for label in missing if label not in keys]
        found += [f"docs/paper_map.md:{number}: {complaint}" for complaint in complaints]
    return found + [f"docs/paper_map.md: no row for '{label}'" for label in missing]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    paper = Path(sys.argv[2]) if len(sys.argv) > 2 else root.parent / "shared/paper/paper.tex"
    found = faults(root.resolve(), paper)
    print("\n".join(found) if found else "paper map: all there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
