"""The committed type stub is the one the module generates."""

import subprocess
import sys
from pathlib import Path


def test_the_stub_is_up_to_date(root: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "southwell._core"]
    command += ["-p", str(root / "python/bindings/stub_patterns.txt"), "-o", str(fresh)]
    subprocess.run(command, cwd=tmp_path, check=True)
    committed = root / "python/southwell/_core.pyi"
    assert fresh.read_text() == committed.read_text(), f"regenerate {committed.name} like this"
