"""Runs what docs/reliability.md tells of, and writes that page.

Usage: reliability.py [--rows NAME,NAME | all] [--fuzz-seconds S]

Every cell comes from a command that is shown beside it. A row that is not run again keeps the
figure of its last run, with the version that it was run on (docs/reliability.json). A new row is an
entry in ROWS: a name, what it says, its command and the function that runs it.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "docs" / "reliability.json"
PAGE = ROOT / "docs" / "reliability.md"
BUILD = "build/release"


def output(*command: str, may_fail: bool = False) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0 and not may_fail:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout + done.stderr


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
    runs = crashes = 0
    targets = sorted((ROOT / "build/fuzz/tests/fuzz").glob("*_fuzz"))
    if not targets:
        raise SystemExit("build/fuzz has no fuzz targets; make build-fuzz makes them")
    for target in targets:
        corpus = ROOT / "tests/fuzz/corpus" / target.name.removesuffix("_fuzz")
        with tempfile.TemporaryDirectory() as found:
            limits = [f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048"]
            command = [str(target), *limits, "-print_final_stats=1", f"-artifact_prefix={found}/"]
            text = output(*command, found, str(corpus), may_fail=True)
            crashes += len(list(Path(found).glob("crash-*")) + list(Path(found).glob("timeout-*")))
        done = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
        runs += int(done[1]) if done else 0
    return f"{runs:.3g} executions of {len(targets)} readers, {seconds} s each / {crashes} crashes"


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
    "fuzz": Row("fuzz executions / crashes", "`make reliability ROWS=fuzz`", fuzzing),
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
    parser.add_argument("--fuzz-seconds", type=int, default=60)
    options = parser.parse_args()
    asked = list(ROWS) if options.rows == "all" else options.rows.split(",")
    unknown = set(asked) - set(ROWS)
    if unknown:
        parser.error(f"rows: given {', '.join(unknown)}, accepted is {', '.join(ROWS)}")
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    version = output(f"{BUILD}/cli/southwell", "--version").split()[-1]
    for name in asked:
        print(f"{name} ...", flush=True)
        record[name] = {"result": ROWS[name].run(options.fuzz_seconds), "version": version}
        print(f"  {record[name]['result']}", flush=True)
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(page(record), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
