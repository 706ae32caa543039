"""Formatters in check mode, linters, types and the order of the rooms. Prints what is wrong.

Usage: lint.py [--fast]   --fast leaves out clang-tidy.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tracked(*patterns: str) -> list[str]:
    # Also what is not committed yet: an unclean new file should not pass until it is.
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in out.split() if (ROOT / name).exists()]


def run(command: list[str]) -> tuple[bool, str]:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def clang_tidy(files: list[str]) -> tuple[bool, str]:
    """One process per file, as many at once as there are cores."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tidy = ["clang-tidy", "-p", "build/clang", "--quiet"]
        results = list(pool.map(lambda file: run([*tidy, file]), files))
    return all(ok for ok, _ in results), "".join(text for ok, text in results if not ok)


def main() -> int:
    cpp = tracked("*.cpp", "*.hpp")
    built = [f for f in cpp if f.endswith(".cpp") and f.split("/")[0] in ("src", "cli", "lab")]
    checks: dict[str, Callable[[], tuple[bool, str]]] = {
        "clang-format": lambda: run(["clang-format", "--dry-run", "-Werror", *cpp]),
        "ruff format": lambda: run(["ruff", "format", "--check", "-q", "."]),
        "ruff": lambda: run(["ruff", "check", "-q", "."]),
        "mypy": lambda: run([sys.executable, "-m", "mypy"]),
        "layers": lambda: run([sys.executable, "tools/check_layers.py"]),
        "proofs": lambda: run([sys.executable, "tools/check_proofs.py"]),
        "paper map": lambda: run([sys.executable, "tools/check_paper_map.py"]),
        "sizes": lambda: run([sys.executable, "tools/check_sizes.py"]),
    }
    if "--fast" not in sys.argv:
        checks["clang-tidy"] = lambda: clang_tidy(built)
    failed = 0
    for name, check in checks.items():
        ok, text = check()
        print(f"{name}: {'clean' if ok else 'NOT CLEAN'}", flush=True)
        if not ok:
            failed += 1
            print(text, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
