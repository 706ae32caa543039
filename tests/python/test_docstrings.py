"""The examples in docstrings run and show what they say."""

import doctest
import importlib
import pkgutil

import pytest

import southwell

MODULES = sorted(m.name for m in pkgutil.walk_packages(southwell.__path__, "southwell."))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", [n for n in southwell.__all__ if n[0] != "_"])
def test_everything_public_says_what_it_is(name: str) -> None:
    assert (getattr(southwell, name).__doc__ or "").strip()
