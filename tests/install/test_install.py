"""The installed library serves a project that knows nothing of the source tree."""

import re
import subprocess
from pathlib import Path

CMAKE = "/usr/bin/cmake"


def call(*command: object, cwd: Path) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_consumer_builds_and_runs_against_the_installed_tree(root: Path, tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    call(CMAKE, "--install", root / "build/release", "--prefix", prefix, cwd=tmp_path)
    # Moved away: an installed tree may not point back at where it was built.
    moved = prefix.rename(tmp_path / "moved")
    configure = [CMAKE, "-G", "Ninja", "-S", root / "tests/install", "-B", "build"]
    call(*configure, f"-DCMAKE_PREFIX_PATH={moved}", "-DCMAKE_CXX_COMPILER=g++", cwd=tmp_path)
    call(CMAKE, "--build", "build", cwd=tmp_path)
    printed = call(tmp_path / "build/consumer", tmp_path / "log1.csv", cwd=tmp_path)
    assert re.fullmatch(r"southwell [0-9.]+: 20 x 5, exp\(0\) = 1\n", printed)
    version = call(moved / "bin/southwell", "--version", cwd=tmp_path)
    assert printed.startswith(version.strip())
    for file in moved.rglob("*.cmake"):
        assert str(root) not in file.read_text(), f"{file} names the source tree"
