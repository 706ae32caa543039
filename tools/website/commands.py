"""The pages on the command line: what every command says of itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tools.website.staging import ROOT, toctree

PROGRAM = ROOT / "build" / "southwell"


def help_of(command: list[str]) -> str:
    call = [str(PROGRAM), *command, "--help"]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout


def subcommands(text: str) -> dict[str, str]:
    """Of a help text: the commands below, with what each is for."""
    if "Subcommands:\n" not in text:
        return {}
    lines = text.split("Subcommands:\n")[1].split("\n\n")[0].splitlines()
    found: dict[str, str] = {}
    for line in lines:
        if line[:2] == "  " and line[2:3].strip():
            name, _, what = line.strip().partition(" ")
            found[name] = what.strip()
        else:
            name = list(found)[-1]
            found[name] = f"{found[name]} {line.strip()}".strip()
    return found


def walk(command: list[str]) -> list[list[str]]:
    """`command` and all below it that do something."""
    below = subcommands(help_of(command))
    found = [command] if command else []
    return found + [each for name in below for each in walk([*command, name])]


def section(command: list[str], level: int) -> str:
    name = " ".join(["southwell", *command])
    return f"{'#' * level} {name}\n\n```text\n{help_of(command).rstrip()}\n```\n"


def stage_commands(source: Path) -> None:
    """A page for each command, with the commands below it."""
    folder = source / "commands"
    folder.mkdir()
    top = help_of([])
    names = subcommands(top)
    for name in names:
        texts = [section(each, 1 if len(each) == 1 else 2) for each in walk([name])]
        (folder / f"{name}.md").write_text("\n".join(texts))
    rows = "\n".join(
        f"| [`southwell {name}`]({name}.md) | {what} |" for name, what in names.items()
    )
    text = (
        "# Commands\n\nEverything here is what the program prints with `--help`.\n\n"
        f"| command | what it does |\n|---|---|\n{rows}\n\n"
        f"## southwell\n\n```text\n{top.rstrip()}\n```\n"
    )
    (folder / "index.md").write_text(text + toctree(list(names)))
