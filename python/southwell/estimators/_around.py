"""Who asked for a fit: its user, or another estimator that may have done something before it."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from sklearn.base import BaseEstimator

from southwell import _core


def frames_around(estimator: object) -> list[FrameType]:
    """What of scikit-learn, or of another estimator, is running around a fit of this one.

    The innermost comes first. None of it is there where the user asked for the fit.
    """
    found = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        owner = _owner(frame)
        module = frame.f_globals.get("__name__") or ""
        if owner is not estimator and (owner is not None or module.split(".")[0] == "sklearn"):
            found.append(frame)
        frame = frame.f_back
    return found


def _owner(frame: FrameType) -> object:
    """The estimator whose method this is, if it is one's."""
    # scikit-learn's decorator of `fit` calls it `estimator`; other functions are given any.
    decorates = frame.f_globals.get("__name__") == "sklearn.base"
    names = ("self", "estimator") if decorates else ("self",)
    for name in names:
        if isinstance(owner := frame.f_locals.get(name), BaseEstimator):
            return owner
    return None


def asked_within(estimator: Any) -> str | None:
    """What is around a fit of this estimator that begins now, which forgets what was around before.

    None where its user asked for it. The signature of the whole pipeline if every step of that is
    known to be charged or free as it stands now, before anybody can change it; "" if not.
    """
    vars(estimator).pop("_within", None)
    frames = frames_around(estimator)
    if not frames:
        return None
    from southwell import composition  # which knows the estimators

    return composition.signature_if_known(_owner(frames[-1]))


def settled(estimator: Any, within: str | None, model: _core.Model) -> _core.Model:
    """The model of a fit that succeeded; it says so where something else was around the fit."""
    if within is None:
        return model
    estimator._within = within
    return _core.model_with(_core.of_the_fit_alone(model.privacy))
