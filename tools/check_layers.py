"""Checks that each room includes only what architecture allows: data flows one way.

Usage: check_layers.py [ROOT]   Prints each violation as file:line and exits 1 if there is one.
"""

import re
import sys
from pathlib import Path

ROOMS: dict[str, set[str]] = {
    "core": set(),
    "data": {"core"},
    "problem": {"core", "data"},
    "privacy": {"core"},  # it sees numbers, never records, so it can be audited alone
    "solvers": {"core", "problem", "privacy"},
    "model": {"core", "data", "problem", "privacy"},
    "ledger": {"core", "privacy", "model"},
    "fit": {"core", "data", "problem", "privacy", "solvers", "model", "ledger"},
    "assess": {"core", "data", "problem", "privacy", "solvers", "model", "ledger", "fit"},
    "audit": {"core", "data", "problem", "privacy", "model", "fit"},  # it uses what users use
    "lab": {"core", "data", "problem", "privacy", "solvers", "model", "fit"},
    "cli": {"core", "data", "problem", "privacy", "model", "ledger", "fit", "assess", "audit"},
    "bindings": {"core", "data", "privacy", "model", "ledger", "fit", "assess", "audit", "lab"},
}
# CLI11 costs a compiler ten seconds in every file that uses it: the commands use cli/command.hpp.
PARSER = re.compile(r"^\s*#\s*include\s+<CLI/")
PARSER_FILES = {"cli/command.cpp", "cli/refusals.cpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<](?:southwell/([^/">]+)|(lab))/')


def room_of(path: Path, root: Path) -> str | None:
    parts = path.relative_to(root).parts
    if parts[:2] == ("src", "southwell") and len(parts) > 3:
        return parts[2]
    if parts[0] in ("lab", "cli"):
        return parts[0]
    if parts[:2] == ("python", "bindings"):
        return "bindings"
    return None


def allowed(room: str, path: Path) -> set[str]:
    # Research tools are not private: only the commands under `lab` may reach them.
    extra = {"lab"} if room == "cli" and path.name.startswith("lab_") else set()
    return ROOMS[room] | {room} | extra


def violations(root: Path) -> list[str]:
    found = []
    for path in sorted(root.rglob("*.[ch]pp")):
        if "build" in path.relative_to(root).parts[:1]:
            continue
        room = room_of(path, root)
        if room is None:
            continue
        where = path.relative_to(root)
        if room not in ROOMS:
            found.append(f"{where}:1: '{room}' is not a room; rooms are {', '.join(ROOMS)}")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            used = match and (match[1] or match[2])
            if used and used not in allowed(room, path):
                found.append(f"{where}:{number}: {room} may not include {used}")
            if PARSER.match(line) and where.as_posix() not in PARSER_FILES:
                found.append(f"{where}:{number}: CLI11 is included by cli/command.cpp")
    return found


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = violations(root.resolve())
    print("\n".join(found) if found else "layers: in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
