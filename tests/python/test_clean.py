"""Formatters, linters and types are clean (clang-tidy is left to `make lint`)."""

import subprocess
import sys
from pathlib import Path


def test_formatters_and_linters_have_nothing_to_say(root: Path) -> None:
    command = [sys.executable, "tools/lint.py", "--fast"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
