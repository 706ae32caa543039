"""Runs every test suite and adds up what their own reports say.

The last line is `N passed, N failed, N skipped`. Exits 1 if a test failed or a suite broke.
"""

import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "build" / "reports"


def ctest(preset: str) -> list[str]:
    report = REPORTS / f"{preset}.xml"
    command = ["/usr/bin/ctest", "--test-dir", f"build/{preset}", "--output-on-failure"]
    return [*command, "--no-tests=error", "--progress", "-j2", "--output-junit", str(report)]


# Files of tests side by side, so that what a file sets up is set up once.
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n2", "--dist=loadfile"]
SUITES = {
    "release": ("C++ tests, g++", ctest("release")),
    "clang": ("C++ tests, clang", ctest("clang")),
    "fuzz": ("fuzzing, clang with sanitizers", ctest("fuzz")),
    "python": (
        "Python tests",
        [*PYTEST, f"--junitxml={REPORTS / 'python.xml'}"],
    ),
}


def count(report: Path) -> tuple[int, int, int]:
    passed = failed = skipped = 0
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def main() -> int:
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir(parents=True)
    total = [0, 0, 0]
    broken = []
    for name, (title, command) in SUITES.items():
        print(f"\n== {title}", flush=True)
        start = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        report = REPORTS / f"{name}.xml"
        counts = count(report) if report.exists() else (0, 0, 0)
        total = [a + b for a, b in zip(total, counts, strict=True)]
        print(f"{title}: {counts[0]} passed in {time.monotonic() - start:.0f} s", flush=True)
        if (code != 0 and counts[1] == 0) or sum(counts) == 0:
            broken.append(f"{title} ended with exit code {code} and {sum(counts)} tests reported")
    print()
    for line in broken:
        print(f"broken: {line}")
    print(f"{total[0]} passed, {total[1] + len(broken)} failed, {total[2]} skipped")
    return 1 if total[1] or broken else 0


if __name__ == "__main__":
    sys.exit(main())
