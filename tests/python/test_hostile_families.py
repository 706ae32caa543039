"""Hostile families are what their names say, and what goes wrong in them is told."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from bench.defaults.hostile import Fit, Objective, fitted, margins, run_of
from bench.defaults.hostile_families import Cell, cells
from bench.defaults.hostile_verdict import Outcome, comparison, report, violations
from bench.defaults.zeros import is_useless, targets

CELLS = {cell.name: cell for cell in cells()}


def _drawn(name: str) -> tuple[Any, Any]:
    return CELLS[name].draw(3)


def test_sizes_losses_and_groups_are_those_that_are_promised() -> None:
    records = {cell.records for cell in CELLS.values()}
    assert min(records) == 50
    assert max(records) == 50_000
    assert {cell.features for cell in CELLS.values()} >= {5, 50_000}
    dense = [c for c in CELLS.values() if c.shape.group not in ("text", "rare 0/1")]
    assert max(c.records * c.features for c in dense) <= 2e8
    assert all(c.is_small == (c.records < 500) for c in CELLS.values())
    for group in {cell.shape.group for cell in CELLS.values()} - {"heavy noise", "text"}:
        assert {c.loss for c in CELLS.values() if c.shape.group == group} == {"squared", "logistic"}


@pytest.mark.parametrize("rho", [0.5, 0.9, 0.99])
def test_correlations_are_as_named(rho: float) -> None:
    for name, pair in (
        ("equicorrelated", (0, 40)),
        ("autoregressive", (7, 8)),
        ("in groups", (0, 4)),
    ):
        design, _ = _drawn(f"{name} {rho:g}, 2000×50, squared")
        assert np.corrcoef(design[:, pair].T)[0, 1] == pytest.approx(rho, abs=0.05), name
    design, _ = _drawn(f"in groups {rho:g}, 2000×50, squared")
    assert abs(np.corrcoef(design[:, (4, 5)].T)[0, 1]) < 0.1


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.8, 0.9])
def test_targets_have_the_named_share_of_zeros(share: float) -> None:
    _, target = _drawn(f"{share:.0%} zeros, 2000×50, squared")
    assert np.mean(target == 0.0) == pytest.approx(share, abs=0.002)


@pytest.mark.parametrize("factor", [0.01, 0.1, 10.0, 100.0])
def test_features_are_as_much_larger_than_declared_as_named(factor: float) -> None:
    design, _ = _drawn(f"all features ×{factor:g}, 2000×50, squared")
    assert design.std(axis=0) == pytest.approx(np.full(50, factor), rel=0.1)
    design, _ = _drawn(f"three features ×{factor:g}, 2000×50, squared")
    assert design.std(axis=0) == pytest.approx(np.r_[[factor] * 3, [1.0] * 47], rel=0.1)


def test_the_others_are_as_named_too() -> None:
    design, _ = _drawn("five cells of 1e6, 2000×50, squared")
    assert np.sum(design == 1e6) == 5
    design, _ = _drawn("mean 10 sd, 2000×50, squared")
    assert design.mean() == pytest.approx(10.0, abs=0.1)
    design, _ = _drawn("percent 0..100, 2000×50, squared")
    assert 0.0 <= design.min() < 5.0 < 95.0 < design.max() <= 100.0
    design, _ = _drawn("Likert 1..5, 2000×50, squared")
    assert set(np.unique(design)) == {1.0, 2.0, 3.0, 4.0, 5.0}
    design, _ = _drawn("0/1 in 1 %, 2000×50, squared")
    assert design.mean() == pytest.approx(0.01, abs=0.002)
    design, _ = _drawn("t(2.2) features, 2000×50, squared")
    assert np.abs(design).max() > 15.0
    design, _ = _drawn("text, 2000×5000, logistic")
    assert isinstance(design, scipy.sparse.csr_matrix)
    assert np.square(design.toarray()).sum(axis=1) == pytest.approx(1.0)
    _, labels = _drawn("90% zeros, 2000×50, logistic")
    assert np.mean(labels == -1.0) == pytest.approx(0.95, abs=0.01)


def test_margins_have_a_standard_deviation_of_two_whatever_the_features() -> None:
    for name in ("independent", "all features ×100", "equicorrelated 0.99", "no effects"):
        _, target = _drawn(f"{name}, 2000×50, squared")
        assert target.std() == pytest.approx(1.0 if name == "no effects" else 5.0**0.5, rel=0.1)


def test_f_is_that_of_the_model_and_f_of_nothing_one() -> None:
    cell = Cell(CELLS["independent, 500×20, squared"].shape, 500, 20, "squared", (100.0,))
    (row,) = run_of(cell, [1], ("gcd",))
    design, target = cell.draw(1)
    best = np.linalg.lstsq(design, target, rcond=None)[0]
    least = Objective("squared", target)
    part = least.at(design @ best, best) / least.of_constant(0.0)
    assert part < row["f"] < 1.3 * part
    logistic = Objective("logistic", np.array([1.0, 1.0, 1.0, -1.0]))
    assert logistic.of_constant(0.0) == pytest.approx(np.log(2.0))
    assert logistic.of_best_constant() == pytest.approx(-0.75 * np.log(0.75) - 0.25 * np.log(0.25))


def test_auto_is_not_fitted_again_because_it_is_the_same_model() -> None:
    cell = CELLS["independent, 500×20, logistic"]
    design, target = cell.draw(1)
    auto = fitted(cell, design, target, Fit("auto", 1.0, 7))
    named = fitted(cell, design, target, Fit(auto.privacy_.solver, 1.0, 7))
    np.testing.assert_array_equal(
        margins(auto, design, "logistic"), margins(named, design, "logistic")
    )


GOOD = Outcome("ideal", "a cell", "squared", "gcd", 1.0, False, 5, 0.8, 1.1, 0.9, 1.0)


def test_what_breaks_a_criterion_is_reported_worst_first() -> None:
    assert violations([GOOD]) == []
    bad = replace(GOOD, cell="a bad cell", mean=1.021)
    worse = replace(GOOD, cell="a worse cell", mean=float("inf"), worst=float("inf"))
    one_fit = replace(GOOD, cell="one fit", worst=2.01)
    found = violations([GOOD, bad, one_fit, worse])
    assert [each.outcome.cell for each in found] == ["a worse cell", "a bad cell", "one fit"]
    text = report([GOOD, bad, worse, one_fit])
    assert "a bad cell, gcd, ε = 1: mean above 1.02" in text
    assert "one fit, gcd, ε = 1: a fit above 2" in text
    assert "by group: ideal 3/4" in text
    assert "3 of 4 violate" in text


def test_criteria_depend_on_epsilon_and_on_few_records() -> None:
    assert violations([replace(GOOD, epsilon=0.1, mean=1.04)]) == []
    assert len(violations([replace(GOOD, epsilon=0.1, mean=1.06)])) == 1
    assert violations([replace(GOOD, is_small=True, mean=1.09)]) == []
    assert len(violations([replace(GOOD, is_small=True, mean=1.11)])) == 1
    rising = [replace(GOOD, epsilon=4.0, mean=0.91), replace(GOOD, mean=0.8)]
    (found,) = violations(rising)
    assert found.reasons == ("0.8 at a smaller ε",)
    assert violations([replace(GOOD, epsilon=4.0, mean=0.89), GOOD]) == []
    assert violations([replace(rising[0], solver="sgd"), GOOD]) == []


def test_two_runs_are_compared_by_group() -> None:
    text = comparison([replace(GOOD, mean=0.4)], [GOOD])
    assert "ideal                      0.5000 in geometric mean" in text
    assert "0 violated before, 0 now" in text


def test_useless_is_a_scale_eight_times_off_the_targets_that_are_not_zero() -> None:
    target = targets("amounts", 1000, 0.6, 1)
    assert np.mean(target == 0.0) == 0.6
    assert not is_useless(1024.0, target)
    assert is_useless(2.0**-60, target)
    assert is_useless(16384.0, target)
