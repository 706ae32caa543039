"""Checks that no proof of a privacy claim has lost touch with the code it covers.

Usage: check_proofs.py [ROOT] [--update]

The first line of each src/southwell/**/*.md reads
    <!-- covers FILE... code sha256:HEX proof sha256:HEX -->
with files relative to the proof, the first hash over those files and the second over the rest of
the proof. If code or proof moved alone, or together but unread, the check fails. --update writes
the hashes of that one line and nothing else: run it after reading the proof against the code, and
say so in the commit. Every friend in core/sensitive.hpp must be a class that a proof covers; if it
is one class of a template, `Mechanism<Law>`, a proof that covers the template must name it.
Every source of the privacy room, and what it rests on in core, must be covered by a proof or be on
the list UNPROVED with the reason why.
"""

import argparse
import hashlib
import re
import sys
from pathlib import Path

PIN = re.compile(
    r"<!-- covers (?P<files>\S+(?: \S+)*) code sha256:(?P<code>\S+) proof sha256:(?P<proof>\S+) -->"
)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
FRIEND = re.compile(r"friend\b[^;]*;?")
PROVED = re.compile(r"friend class (privacy::(?:\w+::)*|problem::)(\w+)(?:<privacy::(\w+)>)?;")

# Sources of the room that no proof has to cover.
UNPROVED = {
    "privacy/tap.hpp": "not in the library that users install",
    "privacy/tap.cpp": "empty in the library that users install",
}
# What the proofs of the room rest on outside it.
BASIS = ("core/sensitive.hpp", "core/float_environment.hpp")


def digest(parts: list[tuple[str, str]]) -> str:
    total = hashlib.sha256()
    for name, text in parts:
        total.update(f"{name}\0{len(text)}\0{text}\0".encode())
    return total.hexdigest()


def pinned(proof: Path, files: list[str], body: str) -> tuple[str, str]:
    code = [(name, (proof.parent / name).read_text(encoding="utf-8")) for name in files]
    return digest(code), digest([("proof", body)])


def check(proof: Path, update: bool) -> tuple[list[str], set[Path]]:
    """What is wrong with a proof, and the files it covers."""
    first, _, body = proof.read_text(encoding="utf-8").partition("\n")
    match = PIN.fullmatch(first)
    if match is None:
        return ["the first line does not say what it covers"], set()
    files = match["files"].split()
    missing = [name for name in files if not (proof.parent / name).is_file()]
    if missing:
        return [f"covers {name}, which does not exist" for name in missing], set()
    covered = {(proof.parent / name).resolve() for name in files}
    code, text = pinned(proof, files, body)
    if update:
        line = f"<!-- covers {' '.join(files)} code sha256:{code} proof sha256:{text} -->"
        proof.write_text(f"{line}\n{body}", encoding="utf-8")
        return [], covered
    moved = [what for what, now in (("code", code), ("proof", text)) if match[what] != now]
    problems = {
        "code": "the code moved and the proof did not",
        "proof": "the proof moved and the code did not",
        "code proof": "code and proof moved; read one against the other",
    }
    return ([problems[" ".join(moved)]] if moved else []), covered


def header_of(library: Path, namespaces: str, name: str) -> Path:
    """Where the class is: in the room of its namespace, or in a room inside it."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower() + ".hpp"
    room, *inner = namespaces.removesuffix("::").split("::")
    found = [
        path
        for path in (library / room).rglob(snake)
        if list(path.parts[-1 - len(inner) : -1]) == inner
    ]
    return found[0] if len(found) == 1 else library / room / snake


def problems(root: Path, update: bool) -> list[str]:
    found: list[str] = []
    covered: dict[Path, str] = {}  # a source, and the words of the proofs that cover it
    for proof in sorted((root / "src/southwell").rglob("*.md")):
        wrong, files = check(proof, update)
        found += [f"{proof.relative_to(root)}: {problem}" for problem in wrong]
        for file in files:
            covered[file] = covered.get(file, "") + proof.read_text(encoding="utf-8")
    return found + uncovered_friends(root, covered) + uncovered_sources(root, covered)


def uncovered_friends(root: Path, covered: dict[Path, str]) -> list[str]:
    header = (root / "src/southwell/core/sensitive.hpp").read_text(encoding="utf-8")
    found = []
    for friend in FRIEND.findall(COMMENT.sub("", header)):
        named = PROVED.fullmatch(friend)
        if named is None:
            found.append(f"core/sensitive.hpp: '{friend}' does not name a mechanism's class")
            continue
        namespaces, name, law = named.groups()
        proved = header_of(root / "src/southwell", namespaces, name)
        words = covered.get(proved.resolve())
        if words is None:
            found.append(f"{name} may read sensitive values, but no proof covers {proved.name}")
        elif law is not None and f"`{name}<{law}>`" not in words:
            found.append(f"{name}<{law}> may read sensitive values, but no proof names it")
    return found


def uncovered_sources(root: Path, covered: dict[Path, str]) -> list[str]:
    library = root / "src/southwell"
    room = (path for path in (library / "privacy").rglob("*") if path.suffix in (".hpp", ".cpp"))
    found = []
    for path in sorted([*room, *(library / name for name in BASIS)]):
        name = path.relative_to(library).as_posix()
        if name not in UNPROVED and path.resolve() not in covered:
            found.append(f"{name}: no proof covers it, and it is not on the list UNPROVED")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "root", nargs="?", default=Path(__file__).resolve().parent.parent, type=Path
    )
    parser.add_argument("--update", action="store_true", help="pin code and proofs as they are now")
    options = parser.parse_args()
    found = problems(options.root.resolve(), options.update)
    print("\n".join(found) if found else "proofs: in step with the code")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
