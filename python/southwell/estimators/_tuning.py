"""A word to whoever tunes on private data."""

from __future__ import annotations

import warnings
import weakref
from types import FrameType

from southwell import _core
from southwell.estimators._around import frames_around

_MESSAGE = (
    "cross-validation fits many models on the same people and compares their exact scores: epsilon "
    "speaks of one fit, and what is chosen this way is not covered. PrivateSearch chooses within "
    "one budget; or tune on public data, or leave the automatic choices, which look at no record."
)
CHOSEN = "chosen by cross-validation on the same records"
SELECTED = "features chosen by other fits on the same records"
_warned: weakref.WeakSet[object] = weakref.WeakSet()


class TuningWarning(UserWarning):
    """A model is chosen by looking at private data, which no statement covers."""


def warn_inside_cross_validation(estimator: object) -> None:
    """Warn once for each search of scikit-learn's model selection that is asking for a fit."""
    choosing = _choosing(estimator)
    if not choosing:
        return
    search = choosing[-1].f_locals.get("self")
    if search is not None:
        if search in _warned:
            return
        _warned.add(search)
    warnings.warn(_MESSAGE, TuningWarning, stacklevel=3)


def _choosing(estimator: object) -> list[FrameType]:
    """What of scikit-learn's model selection is asking for a fit, the innermost first."""
    return [
        frame
        for frame in frames_around(estimator)
        if frame.f_globals.get("__name__", "").startswith("sklearn.model_selection.")
    ]


def _eliminates(estimator: object) -> bool:
    """Whether scikit-learn asks for this fit to learn which features to leave out next."""
    return any(
        frame.f_globals.get("__name__") == "sklearn.feature_selection._rfe"
        for frame in frames_around(estimator)
    )


def unless_chosen(estimator: object, model: _core.Model) -> _core.Model:
    """The model of a fit; it promises nothing where a search refits what it has chosen.

    A search that is done comparing asks for one more fit, by its own `fit` and not by the functions
    that fit on folds. Which setting that is was learnt from exact scores on the same records. So
    were the features that an elimination has left, from scores or from other fits.
    """
    if _eliminates(estimator) and model.privacy.private:
        return _core.model_with(_core.without_guarantee(model.privacy, SELECTED))
    choosing = _choosing(estimator)
    is_refit = (
        bool(choosing)
        and choosing[0].f_code.co_name == "fit"
        and choosing[0].f_globals["__name__"] == "sklearn.model_selection._search"
    )
    if not is_refit or not model.privacy.private:
        return model
    return _core.model_with(_core.without_guarantee(model.privacy, CHOSEN))
