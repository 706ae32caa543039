"""Runs the fuzz targets for as long as one likes, and keeps count of what they did.

Usage: fuzz_runs.py [--seconds S] [--targets NAME,NAME | all]

The targets take turns, a minute each, in build/fuzz; what they find new is kept there and is where
the next turn begins. Counts go to build/fuzz/runs.json after each turn, so a run may be stopped at
any time and another one adds to it; `make reliability ROWS=fuzz` takes them over into
docs/fuzz_runs.json, which has the sums of each version. What crashes is in build/fuzz/found.
"""

import argparse
import json
import re
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "fuzz"
COUNTS = PLACE / "runs.json"
RECORD = ROOT / "docs" / "fuzz_runs.json"
SEEDS = ROOT / "tests" / "fuzz" / "corpus"
TURN = 60  # seconds
# As in tests/fuzz/CMakeLists.txt; a quarter of a kilobyte for all others.
LENGTHS = {"model": 4096, "ledger": 4096, "schema": 1024, "fit": 32}

Counts = dict[str, dict[str, int]]  # by target: executions, seconds, crashes


def targets() -> list[str]:
    found = sorted((PLACE / "tests" / "fuzz").glob("*_fuzz"))
    if not found:
        raise SystemExit("build/fuzz has no fuzz targets; make build-fuzz makes them")
    return [path.name.removesuffix("_fuzz") for path in found]


def read(path: Path) -> Counts:
    counts: Counts = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return counts


def write(path: Path, counts: object) -> None:
    path.write_text(json.dumps(counts, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def add(to: Counts, more: Counts) -> None:
    for target, counts in more.items():
        for what, count in counts.items():
            of = to.setdefault(target, {})
            of[what] = of.get(what, 0) + count


def take_turn(target: str, seconds: int) -> dict[str, int]:
    """One process of libFuzzer; a crash ends it."""
    corpus, found = (PLACE / kind / target for kind in ("corpus", "found"))
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(found.iterdir())
    command = [str(PLACE / "tests" / "fuzz" / f"{target}_fuzz"), f"-max_total_time={seconds}"]
    command += [f"-max_len={LENGTHS.get(target, 256)}", "-timeout=10", "-rss_limit_mb=2048"]
    command += ["-print_final_stats=1", "-verbosity=0", f"-artifact_prefix={found}/"]
    from_now = time.monotonic()
    done = subprocess.run(
        [*command, str(corpus), str(SEEDS / target)],
        capture_output=True,
        text=True,
        errors="replace",
        env={"ASAN_OPTIONS": "detect_stack_use_after_return=0", "PATH": "/usr/bin:/bin"},
        check=False,
    )
    ran = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    crashes = len([path for path in set(found.iterdir()) - before if "slow" not in path.name])
    if done.returncode != 0 and crashes == 0:
        raise SystemExit(f"{target}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return {
        "executions": int(ran[1]) if ran else 0,
        "seconds": round(time.monotonic() - from_now),
        "crashes": crashes,
    }


def run(seconds: int, names: list[str]) -> None:
    end = time.monotonic() + seconds
    while True:
        for target in names:
            left = end - time.monotonic()
            if left < 1:
                return
            done = take_turn(target, min(TURN, max(1, int(left))))
            counts = read(COUNTS)
            add(counts, {target: done})
            write(COUNTS, counts)
            print(
                f"{target}: {done['executions']} executions, {done['crashes']} crashes", flush=True
            )


def taken_over(version: str) -> Counts:
    """The sums of all recorded runs of this version, with those that were not recorded yet."""
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    add(record.setdefault(version, {}), read(COUNTS))
    write(RECORD, record)
    COUNTS.unlink(missing_ok=True)
    counts: Counts = record[version]
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--targets", default="all")
    options = parser.parse_args()
    known = targets()
    asked = known if options.targets == "all" else options.targets.split(",")
    if unknown := set(asked) - set(known):
        parser.error(f"targets: given {', '.join(unknown)}, accepted is {', '.join(known)}")
    run(options.seconds, asked)


if __name__ == "__main__":
    main()
