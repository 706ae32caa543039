"""Budget to noise and noise to budget, without a fit."""

from __future__ import annotations

import json
from typing import Any

from southwell import _core


def calibrate(*, epsilon: float, share: float | None = None, **mechanisms: Any) -> dict[str, Any]:
    """Find the least noise that keeps a fit within (epsilon, delta).

    Parameters
    ----------
    epsilon : float
        The budget.
    share : float, optional
        gcd: selection's part of an iteration's budget, 0.8 unless given.
    **mechanisms
        `iterations`, and where they are not the default `delta`, `solver`, `relation`,
        `selection`, `release`; for sgd `batch_size` and `records`.

    Returns
    -------
    dict
        What `southwell calibrate --json` prints: the noise, and what each accountant alone would
        have allowed.

    Examples
    --------
    >>> found = calibrate(epsilon=1, delta=1e-6, iterations=10)
    >>> round(found["selection_epsilon"], 4), found["accountant"]
    (0.1316, 'rdp')
    """
    text = _core.calibrate({"epsilon": epsilon, "share": share, **mechanisms})
    found: dict[str, Any] = json.loads(text)
    return found


def account(
    *,
    selection_epsilon: float | None = None,
    release_epsilon: float | None = None,
    release_sigma: float | None = None,
    **mechanisms: Any,
) -> dict[str, Any]:
    """Find the epsilon that given noise spends.

    Parameters
    ----------
    selection_epsilon, release_epsilon, release_sigma : float, optional
        The noise of one use: exactly those that the solver has.
    **mechanisms
        As for `calibrate`.

    Returns
    -------
    dict
        What `southwell account --json` prints.

    Examples
    --------
    >>> found = account(iterations=3, selection_epsilon=0.2, release_epsilon=0.1)
    >>> round(found["epsilon_spent"], 6), found["accountant"]
    (0.9, 'basic')
    """
    noise = {
        "selection_epsilon": selection_epsilon,
        "release_epsilon": release_epsilon,
        "release_sigma": release_sigma,
    }
    found: dict[str, Any] = json.loads(_core.account({**noise, **mechanisms}))
    return found
