"""What people read about the public inputs is what their rows say."""

from __future__ import annotations

import dataclasses
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import southwell
from southwell import _core
from southwell.estimators._base import PrivateLinearModel

ROOT = Path(__file__).resolve().parent.parent.parent
ROWS: dict[str, Any] = {str(row["name"]): row for row in _core.fit_input_rows()}
ESTIMATORS = [getattr(southwell, name) for name in southwell.__all__ if name.startswith("Private")]
MODELS = [each for each in ESTIMATORS if issubclass(each, PrivateLinearModel)]


def test_docs_and_parameters_are_written_from_the_rows() -> None:
    command = [sys.executable, str(ROOT / "tools" / "write_inputs.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + "run: make inputs"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_parameter_is_an_input_or_the_shells_own(model: type) -> None:
    own = {"fit_intercept", "positive", "verbose", "schema", "ledger"}
    names = {field.name for field in dataclasses.fields(model)}
    assert names - own <= set(ROWS)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_words_in_documentation_are_those_of_the_row(model: type) -> None:
    text = inspect.getdoc(model) or ""
    listed = re.findall(r"^(\w+) : \{([^}]*)\}", text, flags=re.MULTILINE)
    for name, words in listed:
        assert {word.strip(' "') for word in words.split(",")} == set(ROWS[name]["words"]), name


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_parameter_of_its_own_is_documented(model: type) -> None:
    shared = {field.name for field in dataclasses.fields(PrivateLinearModel)}
    own = {field.name for field in dataclasses.fields(model)} - shared
    text = inspect.getdoc(model) or ""
    assert all(re.search(rf"^{name}\b.* : ", text, flags=re.MULTILINE) for name in own)


def test_every_flag_of_a_fit_is_in_the_table() -> None:
    done = subprocess.run(
        [str(ROOT / "build" / "southwell"), "fit", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    flags = set(re.findall(r"--([a-z][a-z0-9-]+)", done.stdout))
    missing = {name.replace("_", "-") for name in ROWS} - flags - {"class-names"}
    assert not missing
    # Help shows what users need first, and refinements under a heading of their own.
    headings = re.findall(r"^([A-Z][^:\n]*):$", done.stdout, flags=re.MULTILINE)
    groups = list(dict.fromkeys(row["group"] for row in ROWS.values()))
    assert [heading for heading in headings if heading in groups] == groups
