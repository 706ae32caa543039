"""What theory says, and the exact optimum to compare with. Nothing here is private."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array

from southwell import _core
from southwell._design import as_design, as_target


@dataclass(frozen=True)
class Optimum:
    """The exact minimum of an objective, with a proof of how good it is.

    Attributes
    ----------
    coef, intercept : ndarray and float
        Where it is.
    objective, objective_at_zero : float
        Its value, and that of no coefficients.
    gap : float
        The relative duality gap: how far the objective can be from the least there is.
    certificate : str
        Against what that holds.
    reached : bool
        Whether the gap that was asked for is there.
    """

    coef: NDArray[np.float64]
    intercept: float
    objective: float
    objective_at_zero: float
    gap: float
    certificate: str
    reached: bool


def reference_optimum(
    X: Any,  # noqa: N803
    y: ArrayLike,
    *,
    loss: str,
    gap: float = 1e-10,
    fit_intercept: bool = True,
    **objective: Any,
) -> Optimum:
    """Minimise an objective exactly, without noise: **not private**.

    Parameters
    ----------
    X, y : array
        Numbers; for logistic and squared_hinge the target is -1 or 1.
    loss : {"squared", "logistic", "huber", "squared_hinge"}
        As in a fit.
    gap : float
        The relative duality gap to reach.
    fit_intercept : bool
        Whether there is a constant, which no penalty touches.
    **objective
        `penalty`, `alpha`, `l1_ratio`, `lower`, `upper`, `huber_width`; `threads`.

    Returns
    -------
    Optimum

    Examples
    --------
    >>> import southwell
    >>> data, truth = southwell.generate("square", records=100, features=5, seed=1)
    >>> best = reference_optimum(data.design, data.target, loss="squared", penalty="l2", alpha=1)
    >>> best.reached, best.coef.shape
    (True, (5,))
    """
    inputs = {"loss": loss, "intercept": fit_intercept, **objective}
    table = check_array(X, accept_sparse=("csr", "csc"), dtype=(np.float64, np.float32))
    return Optimum(
        *cast("Any", _core.reference_optimum(as_design(table), as_target(y), inputs, gap))
    )


def quasi_sparsity(coef: ArrayLike, tau: int) -> float:
    """Find the smallest alpha for which a vector is (alpha, tau)-quasi-sparse.

    At most `tau` of its entries are strictly larger than that in size.

    Examples
    --------
    >>> quasi_sparsity([3, 0.5, -0.1, 0], tau=1)
    0.5
    """
    numbers = as_target(np.ravel(np.asarray(coef)))
    if not np.isfinite(numbers).all():
        raise ValueError("coef: accepted are finite numbers")
    return _core.quasi_sparsity_alpha(numbers.tolist(), tau)


@dataclass(frozen=True)
class UtilityBound:
    """What the paper's theorem promises of its own algorithm.

    Attributes
    ----------
    iterations : int
        T, as given or the best.
    noise_scale : float
        The largest scale of its noise at this T.
    step_noise : float
        No step adds more than this, with the probability that was asked for.
    gap : float
        The objective is at most so far above its minimum, with that probability.
    """

    iterations: int
    noise_scale: float
    step_noise: float
    gap: float


def utility_bound(
    *,
    radius: float | None = None,
    mu: float | None = None,
    iterations: int | None = None,
    **problem: Any,
) -> UtilityBound:
    """Evaluate the paper's bound on the error of DP-GCD (paper mode, not the certified fit).

    Parameters
    ----------
    radius : float, optional
        For a convex objective: the largest distance, in the M-weighted l1 norm, from a point no
        worse than the start to the nearest minimiser.
    mu : float, optional
        For a strongly convex one: its constant with respect to that norm. Give one of the two.
    iterations : int, optional
        The best number unless given.
    **problem
        `records`, `features`, `epsilon`, `delta`, `lipschitz_max`, `smoothness_min`,
        `smoothness_max`, `initial_gap`, `failure`.

    Returns
    -------
    UtilityBound

    Examples
    --------
    >>> bound = utility_bound(
    ...     mu=0.1, records=1e6, features=10, epsilon=1, delta=1e-6, lipschitz_max=1,
    ...     smoothness_min=1, smoothness_max=1, initial_gap=1, failure=0.1,
    ... )
    >>> bound.gap > 0
    True
    """
    made = _core.TheoryProblem(**problem)
    return UtilityBound(*_core.utility_bound(made, radius=radius, mu=mu, iterations=iterations))
