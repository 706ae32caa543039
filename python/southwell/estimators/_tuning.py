"""A word to whoever tunes on private data."""

from __future__ import annotations

import sys
import warnings
import weakref
from types import FrameType

_MESSAGE = (
    "cross-validation fits many models on the same people and compares their exact scores: epsilon "
    "speaks of one fit, and what is chosen this way is not covered. Tune on public data, or leave "
    "the automatic choices, which look at no record."
)
_warned: weakref.WeakSet[object] = weakref.WeakSet()


class TuningWarning(UserWarning):
    """A model is chosen by looking at private data, which no statement covers."""


def warn_inside_cross_validation() -> None:
    """Warn once for each search of scikit-learn's model selection that is asking for a fit."""
    outermost = None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("sklearn.model_selection."):
            outermost = frame
        frame = frame.f_back
    if outermost is None:
        return
    search = outermost.f_locals.get("self")
    if search is not None:
        if search in _warned:
            return
        _warned.add(search)
    warnings.warn(_MESSAGE, TuningWarning, stacklevel=3)
