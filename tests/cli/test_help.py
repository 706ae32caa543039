"""Every command explains itself."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import southwell

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def commands(run: Run, *prefix: str) -> list[list[str]]:
    """All commands below `prefix`, from the help texts themselves."""
    text = run(*prefix, "--help").stdout
    if "Subcommands:" not in text:
        return [list(prefix)]
    lines = text.split("Subcommands:\n")[1].split("\n\n")[0].splitlines()
    names = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    assert names
    return [command for name in names for command in commands(run, *prefix, name)]


def test_every_command_has_a_help_with_examples(run: Run) -> None:
    found = commands(run)
    assert ["generate"] in found
    assert ["lab", "standardize"] in found
    for command in found:
        done = run(*command, "--help")
        assert done.returncode == 0
        assert f"  southwell {' '.join(command)} " in done.stdout.split("Examples:")[1], command


def test_the_version_is_the_packages(run: Run) -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout == f"southwell {southwell.__version__}\n"


@pytest.mark.parametrize(
    "arguments", [[], ["nonsense"], ["lab"], ["lab", "nonsense"], ["--nonsense"]]
)
def test_wrong_use_is_exit_code_2(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr
    if "nonsense" in arguments:
        where = " ".join(["southwell", *arguments[:-1]])
        said = f"'nonsense' is not understood; accepted is what {where} --help lists"
        assert said in done.stderr


def test_help_that_cannot_be_printed_is_an_error(southwell_binary: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([southwell_binary, "--help"], stdout=full, check=False)
    assert done.returncode == 3
