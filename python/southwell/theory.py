"""What theory says, and the exact optimum to compare with. Nothing here is private."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array

from southwell import _core
from southwell._design import as_design, as_target
from southwell._words import shown, unknown
from southwell.estimators._base import is_yes


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
    if "intercept" in objective:
        raise unknown("intercept", "reference_optimum", ["fit_intercept"])
    inputs = {"loss": loss, "intercept": is_yes("fit_intercept", fit_intercept), **objective}
    try:
        table = check_array(X, accept_sparse=("csr", "csc"), dtype=(np.float64, np.float32))
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"X: given {shown(X)}, accepted is a table of finite numbers, one row for each record"
        ) from error
    target = _numbers("y", y, "one finite number per record")
    return Optimum(*cast("Any", _core.reference_optimum(as_design(table), target, inputs, gap)))


def _numbers(name: str, given: Any, accepted: str) -> NDArray[np.float64]:
    """As a list of finite numbers, whatever form they were given in."""
    try:
        numbers = as_target(np.ravel(np.asarray(given)))
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: given {shown(given)}, accepted is {accepted}") from error
    if given is None or not np.isfinite(numbers).all():
        raise ValueError(f"{name}: given {shown(given)}, accepted is {accepted}")
    return numbers


def quasi_sparsity(coef: ArrayLike, tau: int) -> float:
    """Find the smallest alpha for which a vector is (alpha, tau)-quasi-sparse.

    At most `tau` of its entries are strictly larger than that in size.

    Examples
    --------
    >>> quasi_sparsity([3, 0.5, -0.1, 0], tau=1)
    0.5
    """
    numbers = _numbers("coef", coef, "a list of finite numbers")
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
    tau: int | None = None,
    alpha: float | None = None,
    sparsity: int | None = None,
    joint: float | None = None,
    iterations: int | None = None,
    **problem: Any,
) -> UtilityBound:
    """Evaluate the paper's bound on the error of DP-GCD (paper mode, not the certified fit).

    There are three: for a convex objective (`radius`), for a strongly convex one (`mu`), and for a
    strongly convex one whose solution is quasi-sparse (`mu` and `tau`), from a start at 0: the
    iterates are then sparse too, and the first of them come close fast.

    Parameters
    ----------
    radius : float, optional
        For a convex objective: the largest distance, in the M-weighted l1 norm, from a point no
        worse than the start to the nearest minimiser.
    mu : float, optional
        The constant of strong convexity: with respect to that norm, or with `tau` to the
        M-weighted l2 norm. Give one of `radius` and `mu`.
    tau : int, optional
        All but so many entries of the solution are at most `alpha` in size (`quasi_sparsity`).
    alpha : float, optional
        With `tau`; 0, a sparse solution, unless given.
    sparsity : int, optional
        With `tau`: no iterate has more entries that are not 0. Unless given, as many as there were
        iterations before, which always holds.
    joint : float, optional
        With `alpha`: the objective is at most ``joint / 2 |w - w*|^2`` above its minimum in the
        M-weighted l2 norm. 1 where the M are such constants of the objective as a whole, as in the
        paper; up to p where each of them bounds the curvature along its own coordinate alone.
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
    if (radius is None) == (mu is None):
        raise ValueError("radius, mu: given both or none, accepted is one of them")
    of_tau = {"alpha": alpha, "sparsity": sparsity, "joint": joint}
    stray = [name for name, value in of_tau.items() if value is not None] if tau is None else []
    if tau is not None and mu is None:
        stray = ["radius"]
    if stray:
        raise ValueError(
            f"{stray[0]}: given, but it does not go with the others; accepted are radius, or mu, "
            "or mu and tau with alpha, sparsity and joint"
        )
    known = {"radius": radius, "mu": mu, "tau": tau, **of_tau, "iterations": iterations}
    return UtilityBound(*_core.utility_bound({**known, **problem}))
