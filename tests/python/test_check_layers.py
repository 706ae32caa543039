"""The order of the rooms is checked, and the check can fail."""

import subprocess
import sys
from pathlib import Path

import pytest


def check(root: Path, tree: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(root / "tools/check_layers.py"), str(tree)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_repository_is_in_order(root: Path) -> None:
    done = check(root, root)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("file", "include", "complaint"),
    [
        (
            "src/southwell/privacy/bad.hpp",
            "southwell/data/design.hpp",
            "privacy may not include data",
        ),
        ("src/southwell/core/bad.cpp", "southwell/data/read.hpp", "core may not include data"),
        ("src/southwell/model/bad.cpp", "lab/standardize.hpp", "model may not include lab"),
        ("cli/fit.cpp", "lab/standardize.hpp", "cli may not include lab"),
        ("src/southwell/kitchen/bad.hpp", "vector", "'kitchen' is not a room"),
    ],
)
def test_a_seeded_violation_is_found(
    root: Path, tmp_path: Path, file: str, include: str, complaint: str
) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(f'#pragma once\n\n#include "{include}"\n')
    done = check(root, tmp_path)
    assert done.returncode == 1
    line = 1 if "room" in complaint else 3
    assert f"{file}:{line}: {complaint}" in done.stdout


def test_a_command_that_includes_the_parser_is_found(root: Path, tmp_path: Path) -> None:
    (tmp_path / "cli").mkdir()
    for name in ("command.cpp", "fit.cpp"):
        (tmp_path / "cli" / name).write_text("#include <CLI/CLI.hpp>\n")
    done = check(root, tmp_path)
    assert done.returncode == 1
    assert done.stdout == "cli/fit.cpp:1: CLI11 is included by cli/command.cpp\n"


def test_what_is_allowed_passes(root: Path, tmp_path: Path) -> None:
    for file, include in [
        ("cli/lab_greedy.cpp", "lab/standardize.hpp"),
        ("src/southwell/solvers/gcd.hpp", "southwell/privacy/budget.hpp"),
        ("lab/paper.cpp", "southwell/model/fit.hpp"),
    ]:
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#include "{include}"\n')
    done = check(root, tmp_path)
    assert done.returncode == 0, done.stdout
