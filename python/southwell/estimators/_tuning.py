"""A word to whoever tunes on private data."""

from __future__ import annotations

import warnings
import weakref

from southwell.estimators._around import frames_around

_MESSAGE = (
    "cross-validation fits many models on the same people and compares their exact scores: epsilon "
    "speaks of one fit, and what is chosen this way is not covered. Tune on public data, or leave "
    "the automatic choices, which look at no record."
)
_warned: weakref.WeakSet[object] = weakref.WeakSet()


class TuningWarning(UserWarning):
    """A model is chosen by looking at private data, which no statement covers."""


def warn_inside_cross_validation(estimator: object) -> None:
    """Warn once for each search of scikit-learn's model selection that is asking for a fit."""
    choosing = [
        frame
        for frame in frames_around(estimator)
        if frame.f_globals.get("__name__", "").startswith("sklearn.model_selection.")
    ]
    if not choosing:
        return
    search = choosing[-1].f_locals.get("self")
    if search is not None:
        if search in _warned:
            return
        _warned.add(search)
    warnings.warn(_MESSAGE, TuningWarning, stacklevel=3)
