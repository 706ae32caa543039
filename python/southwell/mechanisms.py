"""The mechanisms of a fit as functions, for whoever wants to audit them.

Whole numbers go in and out. Bits come from the operating system. Nothing here keeps a budget or
writes a statement: that is what fits are for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from southwell import _core


def _whole(data: Any) -> list[int]:
    return [int(number) for number in data]


def exponential_mechanism(data: Sequence[int], sensitivity: int, scale: int) -> int:
    """Choose an index with probability proportional to exp(score / scale).

    Its range, and so its epsilon, is 2 sensitivity / scale.
    """
    return _core.exponential_mechanism(_whole(data), sensitivity, scale)


def permute_and_flip(data: Sequence[int], sensitivity: int, scale: int) -> int:
    """Choose an index by coins thrown in random order; epsilon is 2 sensitivity / scale."""
    return _core.permute_and_flip(_whole(data), sensitivity, scale)


def noisy_max(data: Sequence[int], sensitivity: int, scale: int) -> int:
    """Choose the largest score with discrete Laplace noise; epsilon is 2 sensitivity / scale."""
    return _core.noisy_max(_whole(data), sensitivity, scale)


def discrete_laplace(data: Sequence[int], sensitivity: int, scale: int) -> list[int]:
    """Add discrete Laplace noise; epsilon is sensitivity / scale, of the l1 norm."""
    return _core.discrete_laplace(_whole(data), sensitivity, scale)


def discrete_gaussian(data: Sequence[int], sensitivity: int, scale: int) -> list[int]:
    """Add discrete Gaussian noise of standard deviation `scale`; sensitivity of the l2 norm."""
    return _core.discrete_gaussian(_whole(data), sensitivity, scale)


def _apart(one: Any, other: Any) -> list[int]:
    return [abs(a - b) for a, b in zip(_whole(one), _whole(other), strict=True)]


def _largest(one: Any, other: Any) -> float:
    return float(max(_apart(one, other)))


def _sum(one: Any, other: Any) -> float:
    return float(sum(_apart(one, other)))


def _norm(one: Any, other: Any) -> float:
    return math.sqrt(sum(a * a for a in _apart(one, other)))


_DISTANCES: dict[Callable[..., Any], Callable[[Any, Any], float]] = {
    exponential_mechanism: _largest,
    permute_and_flip: _largest,
    noisy_max: _largest,
    discrete_laplace: _sum,
    discrete_gaussian: _norm,
}


def audited(audit_spec: Callable[..., Any]) -> SimpleNamespace:
    """All mechanisms, each wrapped by the decorator of an auditor that records and replays.

    Parameters
    ----------
    audit_spec : callable
        As dp-recorder's: called with ``kind``, ``input_arg``, ``sensitivity_arg`` and ``metric_fn``
        it returns a decorator.

    Returns
    -------
    types.SimpleNamespace
        The functions of this module by their names.
    """
    return SimpleNamespace(
        **{
            mechanism.__name__: audit_spec(
                kind=mechanism.__name__,
                input_arg="data",
                sensitivity_arg="sensitivity",
                metric_fn=distance,
            )(mechanism)
            for mechanism, distance in _DISTANCES.items()
        }
    )
