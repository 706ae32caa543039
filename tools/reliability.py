"""Runs what docs/reliability.md tells of, and writes that page.

Usage: reliability.py [--rows NAME,NAME | all] [--fuzz-seconds S]

Every cell comes from a command that is shown beside it. A row that is not run again keeps the
figure of its last run, with the version that it was run on (docs/reliability.json). A new row is an
entry in ROWS: a name, what it says, its command and the function that runs it.
"""

import argparse
import functools
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import fuzz_runs  # type: ignore[import-not-found]

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "docs" / "reliability.json"
PAGE = ROOT / "docs" / "reliability.md"
BUILD = "build/release"


def output(*command: str, may_fail: bool = False) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0 and not may_fail:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout + done.stderr


@functools.cache
def version() -> str:
    return output(f"{BUILD}/cli/southwell", "--version").split()[-1]


def bad_inputs(seconds: int) -> str:
    files = ["tests/cli/test_bad_calls.py", "tests/cli/test_fit_refusals.py"]
    files += ["tests/python/test_bad_calls.py", "tests/python/test_inputs.py"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        output(sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *files, may_fail=True)
        cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    failed = [c for c in cases if c.find("failure") is not None or c.find("error") is not None]
    tried = json.loads(output(sys.executable, "-c", COUNT_BAD_CALLS))
    return f"{tried} calls / {len(failed)} of {len(cases)} tests failed"


COUNT_BAD_CALLS = """
import tests.cli.test_bad_calls as cli, tests.python.test_bad_calls as python
print(len(cli.TABLE) + len(python.ROWS))
"""


def fuzzing(seconds: int) -> str:
    """Runs for so many seconds more, and adds up all recorded runs of this version."""
    if seconds > 0:
        fuzz_runs.run(seconds, fuzz_runs.targets())
    counts = fuzz_runs.taken_over(version())
    runs, spent, crashes = (
        sum(of[what] for of in counts.values()) for what in ("executions", "seconds", "crashes")
    )
    each = ", ".join(f"{target} {of['executions']:.2g}" for target, of in counts.items())
    return f"{runs:.3g} in {spent / 3600:.1f} h ({each}) / {crashes} crashes"


def tested(*tests: str) -> tuple[dict[str, float], int]:
    """What these tests told of themselves, added up by name, and how many of them failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        output(sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *tests, may_fail=True)
        return told(report)


def told(report: Path) -> tuple[dict[str, float], int]:
    sums: dict[str, float] = {}
    root = ElementTree.parse(report).getroot()
    for told in root.iter("property"):
        name = str(told.get("name"))
        sums[name] = sums.get(name, 0.0) + float(str(told.get("value")))
    cases = list(root.iter("testcase"))
    if not cases or any(case.find("skipped") is not None for case in cases):
        raise SystemExit("tests that a row rests on were not run: is strace there?")
    broken = (case.find("failure") is not None or case.find("error") is not None for case in cases)
    return sums, sum(broken)


FAULTS = "tests/cli/test_ledger_faults.py"


def kills(seconds: int) -> str:
    sums, failed = tested(f"{FAULTS}::test_a_kill_at_any_system_call_leaves_no_look_uncharged")
    return f"{sums.get('killed', 0):.0f} system calls / {failed} under-counts"


def starvation(seconds: int) -> str:
    name = "test_memory_that_runs_out_after_the_reservation_is_charged_for"
    sums, failed = tested(f"{FAULTS}::{name}")
    return f"{sums.get('starved', 0):.0f} allocations that failed / {failed} under-counts"


def crowds(seconds: int) -> str:
    times = 20
    name = "test_of_many_at_once_exactly_as_many_run_as_there_is_budget_for"
    failed = sum(tested(f"{FAULTS}::{name}")[1] for _ in range(times))
    return f"exactly 10 of 64, {times - failed} of {times} times"


def attacks(seconds: int) -> str:
    sums, failed = tested("tests/cli/test_ledger_attacks.py")
    return (
        f"{sums.get('found', 0):.0f} changed, older, merged and forged ledgers / {failed} not found"
    )


def measured(room: str, tests: str) -> ElementTree.Element:
    """The report of C++ tests that have something to tell."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        output(
            f"{BUILD}/tests/{room}_test", f"--gtest_filter={tests}", f"--gtest_output=xml:{report}"
        )
        return ElementTree.parse(report).getroot()


def property_of(report: ElementTree.Element, name: str) -> str:
    (found,) = (told for told in report.iter("property") if told.get("name") == name)
    return str(found.get("value"))


def adversaries(seconds: int) -> str:
    report = measured("ledger", "LedgerGame.*")
    games, most = property_of(report, "games"), float(property_of(report, "closest"))
    return f"{games} games, the best of all adversaries reaches {most:.2f} δ"


def cost_of_a_charge(seconds: int) -> str:
    report = measured("ledger", "Ledger.CostsLittleBesideTheDisk")
    few, hundred = (float(property_of(report, name)) for name in ("few", "hundred"))
    return f"{few:.2f} ms with a few entries, {hundred:.2f} ms with a hundred (5 were allowed)"


def sanitizers(seconds: int) -> str:
    """What is built of the tests in build/asan, asan-gcc and tsan."""
    finding = re.compile(r"runtime error:|(ERROR|WARNING): \w+Sanitizer")
    told = []
    found = 0
    for preset in ("asan", "asan-gcc", "tsan"):
        programs = sorted((ROOT / "build" / preset / "tests").glob("*_test"))
        ran = 0
        for program in programs:
            text = output(str(program), may_fail=True)
            found += len(finding.findall(text))
            done = re.search(r"(\d+) tests? from \d+ test suites? ran", text)
            ran += int(done[1]) if done else 0
        if programs:
            rooms = ", ".join(program.name.removesuffix("_test") for program in programs)
            told.append(f"{preset}: {ran} tests of {rooms}")
    if not told:
        raise SystemExit("no tests are built with a sanitizer; make asan and make tsan build all")
    return f"{'; '.join(told)} / {found} findings"


def mutants(seconds: int) -> str:
    text = output(sys.executable, "tools/mutants.py", f"{BUILD}/tests/instrumented_test")
    rows = [line for line in text.splitlines() if " | " in line]
    return f"{sum('| killed' in row for row in rows)} of {len(rows)} killed"


def audits(seconds: int) -> str:
    programs = (f"{BUILD}/tests/instrumented_test", f"{BUILD}/cli/southwell-replay")
    return output(sys.executable, "tools/audited_faults.py", *programs).splitlines()[-1]


def findings(level: str) -> list[dict[str, object]]:
    text = output(f"{BUILD}/cli/southwell", "audit", "--level", level, "--json")
    found: list[dict[str, object]] = json.loads(text)["levels"][0]["findings"]
    return found


def replays(seconds: int) -> str:
    rows = [row for row in findings("replay") if row["unit"] == "pairs told apart"]
    pairs = sum(int(str(row["words"]).split()[0]) for row in rows)
    apart = sum(int(float(str(row["found"]))) for row in rows)
    return f"{pairs} pairs of neighbours / {apart} told apart"


def mechanisms(seconds: int) -> str:
    rows = [row for row in findings("mechanisms") if row["unit"] == "epsilon" and row["claimed"]]
    shares = [f"{row['subject']} {row['found']:.2f} of {row['claimed']:.2f}" for row in rows]
    return "; ".join(shares)


def canaries(seconds: int) -> str:
    rows = findings("canaries")
    return "; ".join(f"{row['subject']}: {row['found']:.2f} found" for row in rows)


@dataclass
class Row:
    says: str
    command: str
    run: Callable[[int], str]


ROWS = {
    "bad_inputs": Row(
        "bad calls tried / tests of them that failed",
        "`pytest tests/{cli,python}/test_bad_calls.py …`",
        bad_inputs,
    ),
    "fuzz": Row(
        "fuzz executions, over all recorded runs / crashes",
        "`tools/fuzz_runs.py`, then `make reliability ROWS=fuzz`",
        fuzzing,
    ),
    "kills": Row(
        "fits, tunes and evaluations killed at each of their system calls / under-counts",
        "`pytest tests/cli/test_ledger_faults.py -k kill`",
        kills,
    ),
    "starvation": Row(
        "memory that runs out after the reservation / under-counts",
        "`pytest tests/cli/test_ledger_faults.py -k memory_that_runs_out`",
        starvation,
    ),
    "crowds": Row(
        "fits at the same time on a budget for ten: admitted",
        "`pytest tests/cli/test_ledger_faults.py -k many_at_once`, 20 times",
        crowds,
    ),
    "attacks": Row(
        "attacks on a ledger / not found by `ledger verify`",
        "`pytest tests/cli/test_ledger_attacks.py`",
        attacks,
    ),
    "adversaries": Row(
        "adaptive adversaries against a ledger, by enumeration: δ reached, of δ promised",
        "`ctest --preset release -R LedgerGame`",
        adversaries,
    ),
    "cost": Row(
        "reserve and commit, without the wait for `fsync`",
        "`ctest --preset release -R Ledger.CostsLittle`",
        cost_of_a_charge,
    ),
    "sanitizers": Row("tests under sanitizers / findings", "`make asan`, `make tsan`", sanitizers),
    "mutants": Row("faults switched on, and caught by the test named", "`make mutants`", mutants),
    "replay": Row("fits replayed on a neighbour", "`southwell audit --level replay`", replays),
    "mechanisms": Row(
        "ε found, of ε claimed, by mechanism",
        "`southwell audit --level mechanisms`",
        mechanisms,
    ),
    "canaries": Row(
        "ε that canaries show in whole fits", "`southwell audit --level canaries`", canaries
    ),
    "audits": Row(
        "audits of sound and broken builds", "`ctest --preset release -R audited_faults`", audits
    ),
}

HEAD = """# What was tried, and what came of it

Each cell is what the command beside it printed last, on the version named. `make reliability` runs
them all and writes this page; `make reliability ROWS=canaries` runs one. An ε found is a lower
bound on what a fit gives away: below the claim is as it should be, and no proof
([audit.md](audit.md)).

| what | result | by | version |
|---|---|---|---|
"""


def page(record: dict[str, dict[str, str]]) -> str:
    lines = [
        f"| {row.says} | {record[name]['result']} | {row.command} | {record[name]['version']} |"
        for name, row in ROWS.items()
        if name in record
    ]
    missing = [row.says for name, row in ROWS.items() if name not in record]
    text = HEAD + "\n".join(lines) + "\n"
    return text + (f"\nNot run yet: {'; '.join(missing)}.\n" if missing else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default="all")
    parser.add_argument("--fuzz-seconds", type=int, default=480)
    options = parser.parse_args()
    asked = list(ROWS) if options.rows == "all" else options.rows.split(",")
    unknown = set(asked) - set(ROWS)
    if unknown:
        parser.error(f"rows: given {', '.join(unknown)}, accepted is {', '.join(ROWS)}")
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    for name in asked:
        print(f"{name} ...", flush=True)
        record[name] = {"result": ROWS[name].run(options.fuzz_seconds), "version": version()}
        print(f"  {record[name]['result']}", flush=True)
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(page(record), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
