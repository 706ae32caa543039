"""Who asked for a fit: its user, or another estimator that may have done something before it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from southwell import _core

# Whoever runs in a thread or process of its own was sent by somebody who cannot be seen from there.
_ON_BEHALF_OF_OTHERS = {"sklearn", "joblib", "threading", "multiprocessing", "concurrent"}
# Whether a pipeline is at work that will speak of the budget of all its steps.
_composing: ContextVar[bool] = ContextVar("composing", default=False)


@contextmanager
def composing() -> Iterator[None]:
    """Steps that are fitted inside say nothing of their own budgets."""
    token = _composing.set(True)
    try:
        yield
    finally:
        _composing.reset(token)


def warn_of(statement: _core.Statement, planned: _core.Statement | None = None) -> None:
    """What a statement has to warn of, once for all steps of a pipeline.

    Of what its plan had to warn of already, nothing is said again.
    """
    if _composing.get():
        return
    told = [] if planned is None else planned.warnings
    for words in statement.warnings:
        if words not in told:
            warnings.warn(words, UserWarning, stacklevel=3)


def is_brought_to_scale(estimator: Any) -> bool:
    """Whether a pipeline that is fitting this estimator has a step that scales features."""
    from southwell import _steps  # which knows the steps

    pipelines = [_owner(frame) for frame in frames_around(estimator)]
    return any(
        _steps.brings_to_scale(step)
        for pipeline in pipelines
        if isinstance(pipeline, Pipeline)
        for _, step in pipeline.steps[:-1]
    )


def add_declared(estimator: Any, inputs: dict[str, object]) -> None:
    """Adds what the steps of a pipeline around declare of the records that they hand on."""
    if inputs["feature_scale"] is None and is_brought_to_scale(estimator):
        inputs["feature_scale"] = 1.0  # who puts a scaler before the model has declared it
    if inputs["record_norm"] is None and _is_by_norm(inputs):
        inputs["record_norm"] = norm_passed_on(estimator)


def _is_by_norm(inputs: dict[str, object]) -> bool:
    """Whether a fit with these inputs has a use for the norm of a record."""
    printed = ("clip", "step", "batch_size", "sampling", "iterate", "start")
    delta = inputs["delta"]
    return (
        (inputs["loss"] == "logistic" or _regresses_without_zeros(inputs))
        and _is_left_or(inputs["solver"], "auto", "sgd")
        and _is_left_or(inputs["mode"], "certified")
        and _is_left_or(inputs["refine"], "auto", "on")
        and isinstance(delta, (int, float))
        and delta > 0
        and all(_is_left_or(inputs[name], "auto") for name in printed)
    )


def _regresses_without_zeros(inputs: dict[str, object]) -> bool:
    """Whether it is a regression whose penalty has no l1 part."""
    penalty = inputs["penalty"]  # whatever was given: it is checked elsewhere
    is_without = isinstance(penalty, str) and penalty in ("none", "l2", "box")
    return inputs["loss"] in ("squared", "huber") and is_without


def _is_left_or(value: object, *words: str) -> bool:
    """Whether an input was not given, or is one of these words; it may be anything."""
    return value is None or (isinstance(value, str) and value in words)


def norm_passed_on(estimator: Any) -> float | None:
    """The norm of records that the steps before this estimator declare, in the pipeline around it.

    The innermost pipeline is the one whose steps end with it.
    """
    from southwell import _steps  # which knows the steps

    for frame in frames_around(estimator):
        pipeline = _owner(frame)
        if isinstance(pipeline, Pipeline):
            before = [step for _, step in pipeline.steps[:-1]]
            return _steps.norm_behind(Pipeline([("", step) for step in before])) if before else None
    return None


def frames_around(estimator: object) -> list[FrameType]:
    """What of scikit-learn, or of another estimator, is running around a fit of this one.

    The innermost comes first. None of it is there where the user asked for the fit.
    """
    found = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        owner = _owner(frame)
        package = (frame.f_globals.get("__name__") or "").split(".")[0]
        # A class that inherits from the estimator may do anything before it calls on.
        own = owner is estimator and package in ("southwell", "sklearn")
        if not own and (owner is not None or package in _ON_BEHALF_OF_OTHERS):
            found.append(frame)
        frame = frame.f_back
    return found


def _owner(frame: FrameType) -> object:
    """The estimator whose method this is, if it is one's."""
    # scikit-learn's decorator of `fit` calls it `estimator`; other functions are given any.
    decorates = frame.f_globals.get("__name__") == "sklearn.base"
    names = ("self", "estimator") if decorates else ("self",)
    for name in names:
        owner = frame.f_locals.get(name)
        if isinstance(owner, BaseEstimator) or callable(getattr(type(owner), "fit", None)):
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
