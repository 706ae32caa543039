"""Accounting and theory in Python: the same as on the command line."""

import json
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
        ({"iterations": "many"}, TypeError, "incompatible"),
        ({"iteration": 1}, TypeError, "incompatible"),
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
