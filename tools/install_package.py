"""Installs the Python package into the environment this runs in, if its sources have changed."""

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAMP = ROOT / "build" / "python" / "installed"
SOURCES = ["CMakeLists.txt", "pyproject.toml", "README.md", "cmake", "src", "lab", "python"]


def fingerprint() -> str:
    digest = hashlib.sha256(sys.prefix.encode())
    for source in SOURCES:
        top = ROOT / source
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def importable() -> bool:
    check = [sys.executable, "-c", "import southwell"]
    return subprocess.run(check, cwd="/", capture_output=True, check=False).returncode == 0


def main() -> int:
    now = fingerprint()
    if STAMP.exists() and STAMP.read_text() == now and importable():
        return 0
    print("building the Python package", flush=True)
    STAMP.parent.mkdir(parents=True, exist_ok=True)
    STAMP.unlink(missing_ok=True)
    log = STAMP.with_name("install.log")
    command = ["uv", "pip", "install", "-q", "--python", sys.executable, "--no-build-isolation"]
    command += ["--no-deps", "--reinstall-package", "southwell", "--offline", str(ROOT)]
    with log.open("w") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        print(log.read_text())
        return 1
    STAMP.write_text(now)
    return 0


if __name__ == "__main__":
    sys.exit(main())
