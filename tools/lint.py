"""Formatters in check mode, linters, types and the order of the rooms. Prints what is wrong.

Usage: lint.py [--fast]   --fast leaves out clang-tidy.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tracked(*patterns: str) -> list[str]:
    # Also what is not committed yet: an unclean new file should not pass until it is.
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in out.split() if (ROOT / name).exists()]


def main() -> int:
    cpp = tracked("*.cpp", "*.hpp")
    checks = {
        "clang-format": ["clang-format", "--dry-run", "-Werror", *cpp],
        "ruff format": ["ruff", "format", "--check", "-q", "."],
        "ruff": ["ruff", "check", "-q", "."],
        "mypy": [sys.executable, "-m", "mypy"],
        "layers": [sys.executable, "tools/check_layers.py"],
    }
    if "--fast" not in sys.argv:
        built = [f for f in cpp if f.endswith(".cpp") and f.split("/")[0] in ("src", "cli", "lab")]
        checks["clang-tidy"] = ["clang-tidy", "-p", "build/clang", "--quiet", *built]
    failed = []
    for name, command in checks.items():
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        print(f"{name}: {'clean' if done.returncode == 0 else 'NOT CLEAN'}", flush=True)
        if done.returncode != 0:
            failed.append(name)
            print(done.stdout + done.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
