"""Every block of Python and of shell on every page runs as it stands, page by page, in order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

from tests.site.pages import PREPARED, ROOT, Prepared, blocks, pages

mpl.use("agg")
PATH = [str(ROOT / "build"), str(Path(sys.executable).parent), "/usr/bin", "/bin"]


def run_shell(lines: str, dots: str, folder: Path) -> None:
    script = lines.replace(" ... ", f" {dots} ") if dots else lines
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": ":".join(PATH)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", [page for page in pages() if blocks(page)])
def test_the_code_of_a_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = PREPARED.get(page, Prepared())
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    if prepared.files:
        prepared.files(tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = prepared.names()
    for number, (language, lines) in enumerate(blocks(page)):
        if number in prepared.before:
            run_shell(prepared.before[number], "", tmp_path)
        if language == "sh":
            run_shell(lines, prepared.dots, tmp_path)
        else:
            exec(compile(lines, page, "exec"), names)


def test_a_block_that_fails_is_found(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="no-such-command"):
        run_shell("southwell --version\nsouthwell no-such-command\n", "", tmp_path)
