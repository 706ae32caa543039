"""Writes down the public inputs of a fit where people read them, from fit/input_rows.cpp.

Usage: python tools/write_inputs.py [--check]

Writes docs/inputs.md, and the parameters that all estimators share with their documentation,
python/southwell/estimators/_inputs.py. With --check it writes nothing, names the files that are
not in step with the rows and exits with 1 if there is one.
"""

from __future__ import annotations

import importlib.util
import sys
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tools.install_package import built_module  # noqa: E402

DOCS = ROOT / "docs" / "inputs.md"
PYTHON = ROOT / "python" / "southwell" / "estimators" / "_inputs.py"

# What estimators fix, or have under another name or with a default of their own.
NOT_SHARED = {
    *("loss", "penalty", "alpha", "l1_ratio", "huber_width", "intercept"),
    *("target_scale", "classes", "class_names", "class_weight"),
}
Row = dict[str, Any]


def in_python(row: Row) -> str:
    """The type of a parameter as numpydoc writes it."""
    if row["words"]:
        return "{" + ", ".join(f'"{word}"' for word in row["words"]) + "}"
    return str(row["type"])


def annotation(row: Row) -> str:
    """Its field in a dataclass."""
    kind, default = str(row["type"]), str(row["default"])
    if default == "required":
        return "float"
    if kind.endswith('or "auto"'):
        return f'{kind.removesuffix(" or " + chr(34) + "auto" + chr(34))} | str = "auto"'
    if kind == "bool":
        return "bool = False"
    if kind in ("float", "int", "str"):
        return f"{kind} | None = None"
    if kind == 'float or "private"':
        return "float | str | None = None"
    return "Any = None"


def numpydoc(row: Row) -> list[str]:
    default = str(row["default"])
    takes_none = annotation(row).endswith("= None")
    wanted = default not in ("required", "auto", "off", "none")
    words = f"{row['help']} Default: {default}." if wanted else str(row["help"])
    head = f"{row['name']} : {in_python(row)}{', optional' if takes_none else ''}"
    return [head, *textwrap.wrap(words, 88, initial_indent="    ", subsequent_indent="    ")]


def python_source(rows: list[Row]) -> str:
    shared = [row for row in rows if row["name"] not in NOT_SHARED]
    lines = [
        '"""The public inputs of a fit as parameters of estimators.',
        "",
        "Written by tools/write_inputs.py from the rows of fit/input_rows.cpp: change them there.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from dataclasses import dataclass",
        "from typing import Any",
        "",
        "",
        "@dataclass(kw_only=True, eq=False, repr=False)",
        "class FitInputs:",
        '    """What all estimators take.',
        "",
        "    Everything here is public: it is declared, never read from the records. What is left",
        "    out has its default; what does not apply to the solver or the mode is refused.",
        "",
        "    Parameters",
        "    ----------",
    ]
    for row in shared:
        lines += [f"    {line}" for line in numpydoc(row)]
    lines += ['    """', ""]
    lines += [f"    {row['name']}: {annotation(row)}" for row in shared]
    return "\n".join(lines) + "\n"


def markdown(rows: list[Row]) -> str:
    lines = [
        "# The public inputs of a fit",
        "",
        "The same words everywhere: `FitSpec` in C++, keywords in Python (where `intercept` is",
        "scikit-learn's `fit_intercept`), flags of the command line (with `-` for `_`; labels are",
        "numbers there, so it has no `class_names`). All of them are public. What does not apply",
        "to the chosen solver or mode is refused, never ignored. This page is written by",
        "`tools/write_inputs.py` from the rows of `fit/input_rows.cpp`.",
    ]
    group = ""
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            lines += ["", f"## {group}", "", "| input | accepts | default | solvers | meaning |"]
            lines += ["|---|---|---|---|---|"]
        accepts = ", ".join(f"`{word}`" for word in row["words"]) or row["type"].replace('"', "`")
        every = {solver for each in rows for solver in each["solvers"]}
        solvers = "all" if set(row["solvers"]) == every else ", ".join(row["solvers"])
        cells = [f"`{row['name']}`", accepts, row["default"], solvers, row["help"]]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def rows_as_built() -> list[Row]:
    """From the module alone: the package may not be importable until its inputs are written."""
    spec = importlib.util.spec_from_file_location("_core", built_module())
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rows: list[Row] = module.fit_input_rows()
    return rows


def main() -> int:
    rows = rows_as_built()
    stale = []
    for path, text in ((DOCS, markdown(rows)), (PYTHON, python_source(rows))):
        if path.exists() and path.read_text() == text:
            continue
        stale.append(str(path.relative_to(ROOT)))
        if "--check" not in sys.argv:
            path.write_text(text)
    for name in stale:
        print(f"{name}: {'not in step with' if '--check' in sys.argv else 'written from'} the rows")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
