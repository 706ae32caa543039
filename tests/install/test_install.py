"""The installed library serves a project that knows nothing of the source tree."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

CMAKE = "/usr/bin/cmake"


def call(*command: object, cwd: Path) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed tree, moved away: it may not point back at where it was built."""
    prefix = tmp_path_factory.mktemp("install") / "prefix"
    call(CMAKE, "--install", root / "build/release", "--prefix", prefix, cwd=prefix.parent)
    return prefix.rename(prefix.parent / "moved")


def test_every_installed_header_compiles_alone(installed: Path) -> None:
    headers = sorted((installed / "include").rglob("*.hpp"))
    assert len(headers) > 20

    def compile_alone(header: Path) -> str:
        name = header.relative_to(installed / "include")
        command = ["g++", "-std=c++20", "-ffp-contract=off", "-fsyntax-only", "-x", "c++", "-"]
        done = subprocess.run(
            [*command, f"-I{installed / 'include'}"],
            input=f"#include <{name}>\n",
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stderr if done.returncode != 0 else ""

    with ThreadPoolExecutor(2) as pool:
        complaints = [text for text in pool.map(compile_alone, headers) if text]
    assert not complaints, "\n".join(complaints)


def test_the_page_on_cpp_has_the_lines_of_the_first_fit(root: Path) -> None:
    (lines,) = re.findall(r"```cpp\n(.*?)```", (root / "docs/cpp.md").read_text(), re.DOTALL)
    assert lines == (root / "tests/install/first_fit.cpp").read_text()


def test_a_consumer_builds_and_runs_against_the_installed_tree(
    root: Path, installed: Path, tmp_path: Path
) -> None:
    version = call(installed / "bin/southwell", "--version", cwd=tmp_path)
    wanted = version.split()[1].rpartition(".")[0]  # as a consumer asks: 0.2 of 0.2.0
    configure = [CMAKE, "-G", "Ninja", "-S", root / "tests/install", "-B", "build"]
    configure += [f"-DWANTED={wanted}"]
    call(*configure, f"-DCMAKE_PREFIX_PATH={installed}", "-DCMAKE_CXX_COMPILER=g++", cwd=tmp_path)
    call(CMAKE, "--build", "build", cwd=tmp_path)
    printed = call(tmp_path / "build/consumer", tmp_path / "log1.csv", cwd=tmp_path)
    assert re.fullmatch(r"southwell [0-9.]+: 20 x 5, exp\(0\) = 1\n", printed)
    southwell = installed / "bin/southwell"
    call(southwell, "generate", "square", "--seed", 1, "--out", "square.csv", cwd=tmp_path)
    fitted = call(tmp_path / "build/first_fit", cwd=tmp_path)
    assert fitted.startswith("guarantee       (1, 1e-06)-DP\n")
    predictions = call(southwell, "predict", "model.json", "square.csv", cwd=tmp_path)
    assert fitted.splitlines()[-1] == f"{float(predictions.splitlines()[-1]):g}"
    assert printed.startswith(version.strip())
    for file in installed.rglob("*.cmake"):
        assert str(root) not in file.read_text(), f"{file} names the source tree"
