"""The examples run, and show what they are there to show."""

import runpy
from pathlib import Path
from typing import Any

import pytest


def main_of(root: Path, name: str) -> Any:
    return runpy.run_path(str(root / "examples" / name))["main"]


def test_census(root: Path, shared_data: Path) -> None:
    tables = shared_data / "external" / "tables"
    if not tables.is_dir():
        pytest.skip("the raw tables are not here")
    auc = main_of(root, "census.py")(tables / "adult.csv.gz", tables / "adult_test.csv.gz")
    assert auc["epsilon 1.0"] > auc["not private"] - 0.01
    assert auc["not private"] > 0.89


def test_census_without_the_files(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    auc = main_of(root, "census.py")()
    assert all(0.4 < value < 0.6 for value in auc.values())
    assert "(1, 1e-06)-DP" in capsys.readouterr().out


def test_insurance(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = main_of(root, "insurance.py")()
    assert found["without privacy"] == pytest.approx(0.8955, abs=2e-4)
    assert found["epsilon 3"] > 0.89
    assert found["epsilon 1"] > 0.87
    assert capsys.readouterr().out.count("R2 ") == 4


def test_genes(root: Path) -> None:
    truth, chosen = main_of(root, "genes.py")()
    assert len(set(truth) & set(chosen)) >= 4
    assert len(chosen) <= 30  # of ten thousand


def test_text(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = main_of(root, "text.py")()
    assert found["epsilon 4"] > 0.8  # of two groups
    assert found["epsilon 1"] > 0.6
    assert "hockey" in capsys.readouterr().out


def test_text_of_real_posts(root: Path, shared_data: Path) -> None:
    found = main_of(root, "text.py")(str(shared_data / "basehock" / "basehock.libsvm.gz"))
    assert found["epsilon 4"] > 0.7
