"""Runs the Python tests on the extension module of the preset asan-python.

Usage: asan_python.py [PYTEST ARGUMENT...]   Without arguments all of tests/python, but for what is
listed below. The command line that some tests start is that of the release build.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "asan-python"
PACKAGE = BUILD / "package"

# What says nothing about memory, each with the reason.
LEFT_OUT = {
    "test_check_layers.py": "looks at the source",
    "test_check_paper_map.py": "looks at the source",
    "test_check_proofs.py": "looks at the source",
    "test_clean.py": "looks at the source",
    "test_related.py": "looks at the documents",
    "test_stubs.py": "looks at the source",
    "test_paper_figures.py": "draws with matplotlib, calls no function of the module",
    "test_paper_report.py": "draws with matplotlib, calls no function of the module",
    "test_reference_commands.py": "starts the command line only",
    "test_shared_data.py": "starts the command line only",
}
# What waits a fixed time for another process.
TOO_SLOW = {
    "test_bindings.py::test_ctrl_c_stops_a_fit_between_iterations": "first draws 5e6 noises",
    "test_package.py::test_ctrl_c_stops_a_wait_for_a_pipe_and_a_long_generation": "two seconds are "
    "too few to start in",
}


def runtime(name: str) -> str:
    """A library that the compiler brings along, for the loader to take first."""
    found = subprocess.run(
        ["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()
    return str(Path(found).resolve(strict=True))


def assemble() -> None:
    """The package as a wheel has it: the Python files beside the module."""
    shutil.rmtree(PACKAGE, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "python/southwell", PACKAGE / "southwell", ignore=ignored)
    (module,) = (BUILD / "python/bindings").glob("_core*.so")
    shutil.copy2(module, PACKAGE / "southwell")


def environment() -> dict[str, str]:
    options = {
        # Python itself is not built for it: what it loads and does not free is no news.
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:detect_stack_use_after_return=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        # libstdc++ as well: what the sanitizer replaces in it is looked up when the program starts.
        "LD_PRELOAD": f"{runtime('libasan.so')} {runtime('libstdc++.so.6')}",
        # Every object of Python a block of its own, so that a step beyond its end is seen.
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": str(PACKAGE),
    }
    return os.environ | options


def main() -> int:
    assemble()
    given = sys.argv[1:]
    tests = given or ["tests/python", *(f"--ignore=tests/python/{name}" for name in LEFT_OUT)]
    tests += [f"--deselect=tests/python/{name}" for name in TOO_SLOW]
    # A module that was built without the sanitizer does not know this function.
    where = (
        "import ctypes, southwell._core as core; ctypes.CDLL(core.__file__).__asan_report_load8;"
        "print(core.__file__)"
    )
    found = subprocess.run(
        [sys.executable, "-c", where], cwd="/", env=environment(), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    if not found.stdout.startswith(str(PACKAGE)):
        print(f"the sanitized module is not the one that is imported: {found.stdout}{found.stderr}")
        return 1
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
