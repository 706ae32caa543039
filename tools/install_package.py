"""Installs the Python package into the environment this runs in, if it has changed: the extension
module as the release build made it, and the sources beside it. Nothing is compiled."""

import hashlib
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAMP = ROOT / "build" / "python" / "installed"
MODULES = ROOT / "build" / "release" / "python" / "bindings"
WRAPPER = ROOT / "cmake" / "built_module"
SOURCES = ["CMakeLists.txt", "pyproject.toml", "README.md", "LICENSE", "cmake", "python/southwell"]


def built_module() -> Path:
    """For this interpreter: another's may be left from an earlier build."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for path in (MODULES / f"_core{suffix}", MODULES / "_core.abi3.so"):
        if path.exists():
            return path
    sys.exit(f"{MODULES}: no module for {sys.executable}; `make build` makes it")


def fingerprint(module: Path) -> str:
    digest = hashlib.sha256(sys.prefix.encode() + module.read_bytes())
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
    module = built_module()
    now = fingerprint(module)
    if STAMP.exists() and STAMP.read_text() == now and importable():
        return 0
    print("installing the Python package", flush=True)
    STAMP.parent.mkdir(parents=True, exist_ok=True)
    STAMP.unlink(missing_ok=True)
    log = STAMP.with_name("install.log")
    command = ["uv", "pip", "install", "-q", "--python", sys.executable, "--no-build-isolation"]
    command += ["--no-deps", "--reinstall-package", "southwell", "--offline"]
    settings = {
        "cmake.source-dir": WRAPPER,
        "cmake.define.SOUTHWELL_MODULE": module,
        "build-dir": STAMP.parent / "wrapper",
    }
    for name, value in settings.items():
        command += ["--config-settings", f"{name}={value}"]
    command += [str(ROOT)]
    with log.open("w") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        print(log.read_text())
        return 1
    STAMP.write_text(now)
    return 0


if __name__ == "__main__":
    sys.exit(main())
