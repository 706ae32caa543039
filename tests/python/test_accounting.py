"""Accounting and theory in Python: the same as on the command line."""

import json
import math
import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import ElasticNet, Lasso, Ridge

import southwell

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def flags(inputs: dict[str, Any]) -> list[object]:
    return [
        part for name, value in inputs.items() for part in ("--" + name.replace("_", "-"), value)
    ]


@pytest.mark.parametrize(
    "inputs",
    [
        {"iterations": 10, "delta": 1e-6},
        {"iterations": 3, "delta": 1e-6, "release": "gaussian", "share": 0.5},
        {"iterations": 7, "delta": 1e-6, "solver": "cd", "relation": "add_or_remove_one"},
        {"iterations": 20, "delta": 1e-6, "solver": "sgd", "batch_size": 10, "records": 1000},
    ],
)
def test_calibrate_and_account_are_those_of_the_command_line(
    run: Run, inputs: dict[str, Any]
) -> None:
    found = southwell.calibrate(epsilon=1, **inputs)
    assert found == json.loads(run("calibrate", "--epsilon", 1, *flags(inputs), "--json").stdout)
    names = ("selection_epsilon", "release_epsilon", "release_sigma")
    noise = {name: found[name] for name in names if name in found}
    inputs.pop("share", None)
    spent = southwell.account(**inputs, **noise)
    assert spent == json.loads(run("account", *flags(inputs | noise), "--json").stdout)
    assert spent["epsilon_spent"] == found["epsilon_spent"]


@pytest.mark.parametrize(
    ("inputs", "error", "words"),
    [
        ({"iterations": 0, "delta": 1e-6}, ValueError, "iterations: given 0"),
        ({"iterations": 1, "delta": 1.0}, ValueError, "delta"),
        ({"iterations": 1, "solver": "newton"}, ValueError, "solver: given 'newton'"),
        ({"iterations": 1, "solver": "cd", "share": 0.5}, ValueError, "share: does not apply"),
        ({"iterations": 1, "solver": "sgd"}, ValueError, "batch_size and records: sgd needs both"),
        ({"iterations": 1, "release": "gaussian"}, southwell.CalibrationError, "delta"),
        ({"iterations": "many"}, TypeError, "iterations: given 'many', accepted is a whole"),
        ({"iteration": 1}, TypeError, "iteration: is no input of calibrate, accepted is iter"),
    ],
)
def test_refusals_say_what_is_wrong(
    inputs: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        southwell.calibrate(epsilon=1, **inputs)


@pytest.mark.parametrize("form", [np.asarray, np.asfortranarray, scipy.sparse.csr_array])
def test_the_reference_optimum_is_that_of_scikit_learn(form: Any) -> None:
    data, _ = southwell.generate("square", records=200, features=30, seed=1)
    best = southwell.reference_optimum(
        form(data.design), np.asarray(data.target), loss="squared", penalty="l1", alpha=5.0
    )
    lasso = Lasso(alpha=5.0, tol=1e-12, max_iter=100_000).fit(data.design, data.target)
    np.testing.assert_allclose(best.coef, lasso.coef_, atol=1e-6)
    assert best.intercept == pytest.approx(lasso.intercept_, abs=1e-6)
    assert best.reached
    assert best.objective < best.objective_at_zero
    with pytest.raises(ValueError, match="one number per record"):
        southwell.reference_optimum(form(data.design), [1.0], loss="squared")


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_the_positive_reference_optimum_is_that_of_scikit_learn(form: Any) -> None:
    data, _ = southwell.generate("square", records=200, features=30, seed=1)
    design, target = np.asarray(data.design), np.asarray(data.target)
    tight: dict[str, Any] = {"positive": True, "tol": 1e-12, "max_iter": 100_000}
    pairs: list[tuple[dict[str, Any], Any]] = [
        ({"penalty": "l1", "alpha": 5.0}, Lasso(alpha=5.0, **tight)),
        ({"penalty": "elastic_net", "alpha": 5.0, "l1_ratio": 0.3},
         ElasticNet(alpha=5.0, l1_ratio=0.3, **tight)),
        ({"penalty": "l2", "alpha": 0.1}, Ridge(alpha=0.1 * 200, **tight)),
    ]  # fmt: skip
    for penalty, plain in pairs:
        best = southwell.reference_optimum(form(design), target, loss="squared", lower=0, **penalty)
        plain.fit(design, target)
        np.testing.assert_allclose(best.coef, plain.coef_, atol=1e-4)
        assert best.reached
        assert best.certificate == "duality gap"
        assert (best.coef >= 0).all()
        assert (best.coef > 0).any()


def test_quasi_sparsity_counts_what_is_strictly_larger() -> None:
    coef = [5.0, -3.0, 3.0, 0.25, 0.0]
    assert [southwell.quasi_sparsity(coef, tau) for tau in range(6)] == [5, 3, 3, 0.25, 0, 0]
    with pytest.raises(ValueError, match="finite"):
        southwell.quasi_sparsity([1.0, np.nan], 1)


PROBLEM: dict[str, Any] = {
    "records": 1e6, "features": 10, "epsilon": 1, "delta": 1e-6, "lipschitz_max": 1,
    "smoothness_min": 1, "smoothness_max": 1, "initial_gap": 1, "failure": 0.1,
}  # fmt: skip


def test_the_utility_bound_falls_with_records_and_names_what_fails() -> None:
    best = southwell.utility_bound(mu=0.1, **PROBLEM)
    assert southwell.utility_bound(mu=0.1, iterations=best.iterations, **PROBLEM) == best
    assert southwell.utility_bound(mu=0.1, iterations=1, **PROBLEM).gap > best.gap
    more = southwell.utility_bound(mu=0.1, **PROBLEM | {"records": 1e8})
    assert more.gap < best.gap
    assert southwell.utility_bound(radius=1.0, **PROBLEM).gap > 0
    with pytest.raises(ValueError, match="radius, mu: given both or none"):
        southwell.utility_bound(**PROBLEM)
    with pytest.raises(ValueError, match="utility_bound: "):
        southwell.utility_bound(mu=0.1, **PROBLEM | {"epsilon": 3.0})


def test_the_utility_bound_of_a_quasi_sparse_solution_has_its_figures() -> None:
    # By hand: n = 1e6, p = 100, epsilon 1, delta 1e-6, T = 3. The paper's epsilon' is
    # 1 / (4 sqrt(3 log(1/delta))), the scale 2 / (n epsilon'), and 2 scale^2 log^2(8 T p / zeta)
    # is beta. From a gap of 1, with m_t = mu / (t + tau): three times (1 - m_t / 4) x + beta.
    problem = PROBLEM | {"features": 100}
    found = southwell.utility_bound(mu=0.8, tau=2, iterations=3, **problem)
    query = 1 / (4 * math.sqrt(3 * math.log(1e6)))
    scale = 2 / (1e6 * query)
    beta = 2 * scale**2 * math.log(8 * 3 * 100 / 0.1) ** 2
    gap = 1.0
    for sparsity in (2, 3, 4):
        gap = (1 - 0.8 / (4 * sparsity)) * gap + beta
    assert found.noise_scale == pytest.approx(scale, rel=1e-12)
    assert found.step_noise == pytest.approx(beta, rel=1e-12)
    assert found.gap == pytest.approx(gap, rel=1e-12)
    assert gap == pytest.approx(0.79800153, abs=1e-8)

    # Iterates of one entry each are never slower than 0.8 / (4 * 3).
    def after_three(gap: float) -> float:
        for rate in (0.1, 0.2 / 3, 0.2 / 3):
            gap = (1 - rate) * gap + beta
        return gap

    sparse = southwell.utility_bound(mu=0.8, tau=2, sparsity=1, iterations=3, **problem)
    assert sparse.gap == pytest.approx(after_three(1), rel=1e-12)
    # Entries of 1e-2 beyond the two: it settles joint M_max (p - tau) alpha^2 / 2 higher.
    for joint in (1, 7):
        settled = joint * 98 * 1e-4 / 2
        nearly = southwell.utility_bound(
            mu=0.8, tau=2, alpha=1e-2, joint=joint, iterations=3, sparsity=1, **problem
        )
        assert nearly.gap == pytest.approx(settled + after_three(1 - settled), rel=1e-12)
    best = southwell.utility_bound(mu=0.8, tau=2, sparsity=5, **problem)
    assert best.iterations > 3
    assert best.gap < found.gap


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"tau": 2}, "radius, mu: given both or none"),
        ({"radius": 1.0, "tau": 2}, "radius: given, but it does not go with the others"),
        ({"mu": 0.5, "alpha": 0.1}, "alpha: given, but it does not go with the others"),
        ({"mu": 0.5, "sparsity": 3}, "sparsity: given, but it does not go with the others"),
        ({"mu": 0.5, "tau": 2, "alpha": 0.1}, "utility_bound: f jointly smooth"),
        ({"mu": 0.5, "tau": 11}, "utility_bound: tau <= p"),
        ({"mu": 1.5, "tau": 1}, "utility_bound: 0 < mu <= 1"),
        ({"mu": 0.5, "tau": 1, "alpha": -1.0}, "utility_bound: alpha >= 0"),
    ],
)
def test_what_the_quasi_sparse_bound_asks_for_is_named(known: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        southwell.utility_bound(**known, **PROBLEM)


def test_numpys_numbers_are_numbers_to_theory_and_accounting() -> None:
    plain = southwell.calibrate(epsilon=1, delta=2**-20, iterations=10, share=0.5)
    kinds: list[tuple[Any, Any]] = [
        (np.int64, np.float32),
        (np.int32, np.float64),
        (np.uint8, np.float16),
    ]
    yes: Any = np.True_
    for whole, real in kinds:
        found = southwell.calibrate(
            epsilon=whole(1), delta=real(2**-20), iterations=whole(10), share=real(0.5)
        )
        assert found == plain
        assert southwell.quasi_sparsity([3, 0.5, 0], tau=whole(1)) == 0.5
        assert southwell.utility_bound(
            mu=real(0.5), tau=whole(2), iterations=whole(3), **PROBLEM
        ) == southwell.utility_bound(mu=0.5, tau=2, iterations=3, **PROBLEM)
        data, _ = southwell.generate("log1", records=whole(20), features=whole(3), seed=whole(1))
        assert data.design.shape == (20, 3)
        with pytest.raises(TypeError, match=r"records: given .*, accepted is a whole number"):
            southwell.generate("log1", records=yes, seed=1)
