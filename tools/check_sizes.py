"""Checks that no file has more than 350 lines and no function more than 60.

Usage: check_sizes.py [ROOT]   Prints each that has as path:line and exits 1 if there is one.

Rows of tables do not count: the files of TABLES, and within a function what stands between the
braces or brackets of an initialiser. C++ is read as clang-format sets it: a function ends at the
next brace that stands in the column of its first line.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MOST_LINES = 350
MOST_LINES_OF_A_FUNCTION = 60

# Files that are rows of a table and what reads them, with what a row is.
TABLES = {
    "src/southwell/fit/input_rows.cpp": "a public input",
}
CONTROL = re.compile(r"(?:if|else|for|while|switch|do|try|catch|return|case|default)\b|\}")
OUTER = re.compile(r"(?:template <.*> )?(?:inline )?(?:namespace|class|struct|enum|union|extern)\b")
TABLE = re.compile(r"(?:=|return|[>(,{\w]) ?\{$|\{\{|^\s*\{$")  # the brace of an initialiser opens
BODY = re.compile(r"(?:\)|\b(?:const|override|noexcept|else|do|try)|-> [^{}]+|\]) \{$")


def tracked(root: Path) -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(
        [*command, "*.cpp", "*.hpp", "*.py"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    return [name for name in names.split() if (root / name).is_file()]


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def first_line(lines: list[str], at: int) -> int:
    """Where the declaration begins whose brace opens at the end of line `at`."""
    while at > 0:
        before = lines[at - 1].strip()
        if not before or before[-1] in ";{}" or before.startswith(("//", "#")):
            break
        if before in ("public:", "private:", "protected:"):
            break
        at -= 1
    return at


def closing_line(lines: list[str], at: int, indent: int) -> int:
    for i in range(at + 1, len(lines)):
        if lines[i].startswith(" " * indent + "}"):
            return i
    return at


def rows_of_tables(lines: list[str], first: int, last: int) -> int:
    rows = 0
    at = first + 1
    while at < last:
        line = lines[at]
        if line.endswith("{") and not BODY.search(line) and TABLE.search(line):
            end = closing_line(lines, at, indent_of(line))
            rows += max(0, end - at - 1)
            at = max(end, at + 1)
        else:
            at += 1
    return rows


def functions_of_cpp(text: str) -> Iterator[tuple[int, int]]:
    """First line and number of lines of each; what stands inside a function belongs to it."""
    lines = text.split("\n")
    after = 0
    for at, line in enumerate(lines):
        if at < after or not BODY.search(line):
            continue
        first = first_line(lines, at)
        head = " ".join(part.strip() for part in lines[first : at + 1])
        if CONTROL.match(head) or OUTER.match(head):
            continue
        after = closing_line(lines, at, indent_of(lines[first]))
        yield first + 1, after - first + 1 - rows_of_tables(lines, at, after)


def functions_of_python(text: str) -> Iterator[tuple[int, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            tables = {
                line
                for part in ast.walk(node)
                if isinstance(part, ast.List | ast.Tuple | ast.Dict | ast.Set)
                for line in range(part.lineno + 1, part.end_lineno or part.lineno)
            }
            first = node.body[0] if ast.get_docstring(node) is None else node.body[0:2][-1]
            last = node.end_lineno or node.lineno
            head = node.body[0].lineno - node.lineno
            yield node.lineno, head + last - first.lineno + 1 - len(tables)


def too_long(root: Path) -> list[str]:
    found = []
    for name in tracked(root):
        text = (root / name).read_text(encoding="utf-8")
        lines = text.count("\n")
        if lines > MOST_LINES and name not in TABLES:
            found.append(f"{name}:1: {lines} lines, accepted are {MOST_LINES}")
        functions = functions_of_python if name.endswith(".py") else functions_of_cpp
        found += [
            f"{name}:{line}: a function of {size} lines, accepted are {MOST_LINES_OF_A_FUNCTION}"
            for line, size in functions(text)
            if size > MOST_LINES_OF_A_FUNCTION
        ]
    return found


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = too_long(root.resolve())
    print("\n".join(found) if found else "sizes: files and functions are short")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
