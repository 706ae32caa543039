"""Doors and odd cells, all of them, as a table.

Usage: python -m tests.doors.survey [--all]

`--all` puts every estimator and every fit behind every door; without it they take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.doors import command_line, table_files
from tests.doors.command_line import CommandLine, Door

ROOT = Path(__file__).resolve().parent.parent.parent
BUILT = ROOT / "build" / "release" / "tests" / "doors"


@dataclass(frozen=True)
class Row:
    """One kind of cell at one door: how often it was tried, and what told it apart."""

    door: str
    behind: str
    cell: str
    runs: int
    difference: str


def package(folder: Path, source: Path = ROOT / "python" / "southwell") -> Path:
    """The Python package on the tapped module, made in `folder`."""
    shutil.copytree(source, folder / "southwell", ignore=shutil.ignore_patterns("__pycache__"))
    (module,) = BUILT.glob("_core*.so")
    shutil.copy(module, folder / "southwell")
    return folder


def python_rows(folder: Path, fits: int = 2, stop: bool = False, doors: str = "") -> list[Row]:
    """Every container with every cell, each behind `fits` estimators in turn (0: all of them)."""
    command = [sys.executable, "-m", "tests.doors.python_shell", str(folder)]
    command += ["--fits", str(fits), "--doors", doors]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*command, "--stop"] if stop else command,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=folder,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-3000:])
    return [Row(*row) for row in json.loads(done.stdout)]


def command_line_rows(fits: int = 2, leak: str = "", stop: bool = False) -> list[Row]:
    """Every file format with every cell, each through `fits` fits in turn (0: all of them)."""
    shell = CommandLine(BUILT / "southwell", leak)
    rows: list[Row] = []
    for door in command_line.DOORS:
        with ThreadPoolExecutor(2) as pool:
            for row in _rows_of(shell, door, fits, pool):
                rows.append(row)
                if stop and row.difference:
                    pool.shutdown(cancel_futures=True)
                    return rows
    return rows


def _rows_of(shell: CommandLine, door: Door, fits: int, pool: ThreadPoolExecutor) -> Iterator[Row]:
    names = list(command_line.FITS)
    bases = {fit: pool.submit(shell.run, door, fit, command_line.TABLE) for fit in names}
    tasks = []
    for turn, (cell, records) in enumerate(command_line.neighbours(door)):
        for k in range(fits or len(names)):
            fit = names[(turn * (fits or 1) + k) % len(names)]
            base = bases[fit].result()
            tasks.append((cell, fit, pool.submit(shell.run, door, fit, records, base.tap)))
    for cell, fit, run in tasks:
        base = bases[fit].result()
        if base.seen["exit code"] != 0:
            base.seen["model"] = "nothing was fitted"
        yield Row(door.name, fit, cell, 1, base.difference(run.result()))


def evaluation_rows() -> list[Row]:
    """Every file format with every cell, each in one private evaluation in turn."""
    shell = CommandLine(BUILT / "southwell")
    rows: list[Row] = []
    names = list(command_line.EVALUATIONS)
    first = command_line.DOORS[0]
    models = {
        fit: str(shell.run(first, fit, command_line.TABLE).seen["model"])
        for fit, _ in command_line.EVALUATIONS.values()
    }
    for door in command_line.DOORS:
        with ThreadPoolExecutor(2) as pool:
            bases = {}
            for name, (fit, budget) in command_line.EVALUATIONS.items():
                model = models[fit]
                base = shell.evaluate(door, model, budget, command_line.TABLE, "")
                if base.seen["exit code"] != 0 or not base.tap:
                    return [Row(door.name, name, "none", 1, f"nothing was found: {base.seen}")]
                bases[name] = (model, budget, base)
            tasks = []
            for turn, (cell, records) in enumerate(command_line.neighbours(door)):
                name = names[turn % len(names)]
                model, budget, base = bases[name]
                run = pool.submit(shell.evaluate, door, model, budget, records, base.tap)
                tasks.append((cell, name, base, run))
            rows += [
                Row(door.name, name, cell, 1, base.difference(run.result()))
                for cell, name, base, run in tasks
            ]
    return rows


def table_rows(turns: int = 3, leak: str = "", stop: bool = False) -> list[Row]:
    """Every way of a raw table and every fit with every cell; doors take turns (1: all of them)."""
    shell = CommandLine(BUILT / "southwell", leak)
    rows: list[Row] = []
    for k, fit in enumerate(table_files.FITS):
        with ThreadPoolExecutor(2) as pool:
            for row in _rows_of_table(shell, fit, (k, turns), pool):
                rows.append(row)
                if stop and row.difference:
                    pool.shutdown(cancel_futures=True)
                    return rows
    return rows


def _rows_of_table(
    shell: CommandLine, fit: table_files.Fit, turns: tuple[int, int], pool: ThreadPoolExecutor
) -> Iterator[Row]:
    run, base = table_files.run, table_files.table(fit)
    first, of = turns
    doors = [door for k, door in enumerate(table_files.DOORS) if (k + first) % of == 0]
    bases = {door: run(shell, door, fit, base) for door in doors}
    for door, seen in bases.items():
        if seen.seen["exit code"] != 0 or not seen.tap:
            yield Row(door.name, fit.name, "none", 1, f"nothing was fitted: {seen.seen}")
            return
    tasks = []
    for turn, (cell, records) in enumerate(table_files.neighbours(fit)):
        door = doors[turn % len(doors)]
        tasks.append((cell, door, pool.submit(run, shell, door, fit, records, bases[door].tap)))
    for cell, door, task in tasks:
        yield Row(door.name, fit.name, cell, 1, bases[door].difference(task.result()))


def as_table(rows: list[Row]) -> str:
    """A line for each door: how many runs, how many odd cells, and what told any of them apart."""
    lines = [f"{'door':36} {'cells':>6} {'behind':>7} {'runs':>7}  told apart"]
    for door in dict.fromkeys(row.door for row in rows):
        here = [row for row in rows if row.door == door]
        cells, behind = {row.cell for row in here}, {row.behind for row in here}
        bad = [row for row in here if row.difference]
        verdict = "never" if not bad else f"{len(bad)} cells"
        runs = sum(row.runs for row in here)
        lines.append(f"{door:36} {len(cells):6} {len(behind):7} {runs:7}  {verdict}")
        for row in bad[:3]:
            lines.append(f"    {row.cell}, {row.behind}: {row.difference[:200]}")
    total = sum(row.runs for row in rows)
    bad = [row for row in rows if row.difference]
    lines.append(f"{total} runs, {len(bad)} told apart")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    fits = 0 if parser.parse_args().all else 2
    with tempfile.TemporaryDirectory() as folder:
        rows = python_rows(package(Path(folder)), fits)
    rows += command_line_rows(fits)
    rows += evaluation_rows()
    rows += table_rows(3 if fits else 1)
    print(as_table(rows))
    return 1 if any(row.difference for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
