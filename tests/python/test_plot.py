"""Figures show what the model holds."""

from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

import southwell
from southwell import plot

mpl.use("agg")
BUDGET: dict[str, Any] = {"epsilon": 5, "delta": 1e-6, "target_scale": 100}


@pytest.fixture
def model() -> southwell.PrivateLasso:
    data, _ = southwell.generate("square", records=1000, features=10, seed=1)
    return southwell.PrivateLasso(**BUDGET, iterations=20).fit(data.design, data.target)


def test_the_path_ends_at_the_coefficients_with_their_noise(model: southwell.PrivateLasso) -> None:
    ax = plot.path(model, most=99)
    ends = sorted(float(np.asarray(line.get_ydata())[-1]) for line in ax.get_lines()[:-1])
    moved = set(model.path_["feature"].tolist())
    wanted = [*model.coef_, float(model.intercept_)]
    assert ends == pytest.approx(sorted(wanted[j] for j in moved))
    assert len(ax.collections) == len(moved)
    assert ax.get_title() == f"guarantee: {model.privacy_.guarantee}"
    assert len(plot.path(model, most=2).get_lines()) == 3


def test_a_model_without_a_path_is_refused() -> None:
    data, _ = southwell.generate("square", records=100, features=3, seed=1)
    by_sgd = southwell.PrivateRidge(**BUDGET, solver="sgd").fit(data.design, data.target)
    with pytest.raises(ValueError, match="accepted are models by gcd and cd"):
        plot.path(by_sgd)


@pytest.mark.parametrize("release", ["laplace", "gaussian"])
def test_the_noise_is_what_calibrate_says(release: str) -> None:
    ax = plot.noise(epsilon=1, delta=1e-6, iterations=[1, 10], release=release)
    lines = {line.get_label(): np.asarray(line.get_ydata()) for line in ax.get_lines()}
    assert "rdp" in lines
    assert "paper" not in lines  # not valid
    found = southwell.calibrate(epsilon=1, delta=1e-6, iterations=10, release=release)
    assert ("hockey_stick" in lines) is (release == "gaussian")
    won = lines[found["accountant"]]
    assert won[-1] == pytest.approx(found["release_scale"], rel=1e-3)
    assert (won <= lines["rdp"]).all()


def test_the_statement_figure_shows_the_largest_coefficients(
    model: southwell.PrivateLasso,
) -> None:
    ax = plot.statement(model, most=3)
    shown = [label.get_text() for label in ax.get_yticklabels()]
    largest = np.argsort(-np.abs(model.coef_))[:3]
    assert shown == [f"x{j + 1}" for j in largest[::-1]]


def test_several_classes_have_no_single_figure() -> None:
    data, _ = southwell.generate("log1", records=100, features=3, seed=1)
    many = southwell.PrivateLinearSVC(epsilon=1, delta=1e-6, classes=[-1, 0, 1])
    with pytest.raises(ValueError, match="models of one margin"):
        plot.statement(many.fit(data.design, data.target))
    assert plot.path(many)


def test_a_plan_is_drawn_as_it_is() -> None:
    # At larger budgets auto would take the other solver, which selects nothing.
    planned = southwell.plan(
        records=5000, features=300, loss="logistic", solver="gcd", epsilon=1, delta=1e-7
    )
    lines = plot.plan(planned).get_lines()
    rows = [r for r in planned.plan_table if r["epsilon"] != 1]
    rows.append(planned.plan_table[planned.chosen])
    rows.sort(key=lambda row: row["epsilon"])
    for line, name in zip(lines, ("coef_noise_sd", "smallest_effect"), strict=False):
        np.testing.assert_allclose(
            np.asarray(line.get_xdata(), float), [row["epsilon"] for row in rows]
        )
        np.testing.assert_allclose(np.asarray(line.get_ydata(), float), [row[name] for row in rows])
    dense = southwell.plan(records=5000, features=10, loss="squared", penalty="l2", alpha=0.1,
                           solver="auto", epsilon=1, delta=1e-7)  # fmt: skip
    assert dense.solver == "sgd"
    assert len(plot.plan(dense).get_lines()) == 2  # one curve and the budget
