"""The library's answers to questions about exact laws (privacy_oracle.cpp)."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SOUTHWELL_BUILD", ROOT / "build" / "release"))


def ask(questions: list[str]) -> list[str]:
    """One answer per question, in order."""
    program = BUILD / "tests" / "privacy_oracle"
    run = subprocess.run(
        [program],
        input="\n".join(questions),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = run.stdout.splitlines()
    assert len(answers) == len(questions)
    return answers


def ask_numbers(questions: list[str]) -> list[list[int]]:
    return [[int(number) for number in answer.split()] for answer in ask(questions)]
