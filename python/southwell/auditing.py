"""What can be checked about the promise, on this machine."""

from __future__ import annotations

from collections.abc import Sequence

from sklearn.utils.validation import check_is_fitted

from southwell import _core
from southwell._words import shown
from southwell.estimators._base import PrivateLinearModel

_LEVELS = ("transcript", "mechanisms", "canaries")


def audit(
    model: PrivateLinearModel | None = None, *, level: str | Sequence[str] | None = None
) -> _core.AuditReport:
    """Look for evidence against the promise of a model, or of this library.

    No records are read: fits are on made-up ones. An audit can refute a promise and cannot prove
    it; the report says what each level can find and what it cannot. The level replay takes a
    program of its own: ``southwell audit --level replay``.

    Parameters
    ----------
    model : fitted estimator, optional
        Of this library, fitted or loaded: whose statement the level transcript looks at.
    level : {"transcript", "mechanisms", "canaries"} or list of these, optional
        All that apply where absent; transcript is for a model.

    Returns
    -------
    AuditReport
        ``flagged`` is whether anything was; ``str()``, ``to_json()`` and ``to_html()`` have it all.

    Examples
    --------
    >>> import southwell
    >>> data, truth = southwell.generate("square", seed=1, records=2000, features=5)
    >>> model = southwell.PrivateRidge(epsilon=1, delta=1e-6, feature_scale=1, target_scale=100)
    >>> report = southwell.audit(model.fit(data.design, data.target), level="transcript")
    >>> report.flagged
    False
    """
    if model is not None and not isinstance(model, PrivateLinearModel):
        raise TypeError(
            f"model: given {shown(model)}, accepted is a fitted estimator of this library, which "
            "load makes of a model file"
        )
    asked = _levels(level, model is not None)
    if model is not None:
        check_is_fitted(model)
    return _core.AuditReport(asked, None if model is None else model.model_)


def _levels(level: str | Sequence[str] | None, has_model: bool) -> list[str]:
    if level is None:
        return [name for name in _LEVELS if has_model or name != "transcript"]
    asked = [level] if isinstance(level, str) else list(level)
    for name in asked:
        if name not in _LEVELS:
            raise ValueError(
                f"level: given {shown(name)}, accepted is {', '.join(_LEVELS)} "
                "(replay is the command line's)"
            )
    if has_model != ("transcript" in asked):
        given = "a model" if has_model else "the level transcript without a model"
        raise ValueError(f"level: given {given}, accepted is a model with the level transcript")
    return asked
