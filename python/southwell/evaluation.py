"""How good a model is on given records: private figures with a budget, exact ones without."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from sklearn.utils.validation import check_is_fitted

from southwell import _core
from southwell._ids import units_of
from southwell._words import ledger_file, shown
from southwell.estimators._around import warn_of
from southwell.estimators._base import PrivateLinearModel

_CURVES = ("roc", "calibration", "confusion_matrix", "errors")


@dataclass(frozen=True)
class Figure:
    """A figure from noisy sums, with its 95 % interval.

    Attributes
    ----------
    value : float or None
        The estimate; None where the budget does not determine it.
    low, high : float or None
        The ends of the interval, which has noise and sampling; None where it has no end.
    noise_sd : float or None
        Standard deviation by the noise that protects the records.
    sampling_sd : float or None
        Standard deviation by the records being a sample.
    """

    value: float | None
    low: float | None
    high: float | None
    noise_sd: float | None
    sampling_sd: float | None


class Evaluation(Mapping[str, Any]):
    """Figures by their names, as keys and as attributes; `evaluate` makes one.

    Attributes
    ----------
    privacy_ : Statement or None
        What the figures promise about the records they are of; None where they are exact.
    """

    def __init__(self, figures: dict[str, Any], released: _core.PrivateFigures | None) -> None:
        self._figures = figures
        self._released = released

    @property
    def privacy_(self) -> _core.Statement | None:
        """What the figures promise; None where they are exact."""
        return None if self._released is None else self._released.privacy

    def __getitem__(self, name: str) -> Any:
        return self._figures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def __getattr__(self, name: str) -> Any:
        figures: dict[str, Any] = self.__dict__.get("_figures", {})
        if name in figures:
            return figures[name]
        raise AttributeError(f"{name}: is no figure of this evaluation, which has {list(figures)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._figures]

    def __repr__(self) -> str:
        if self._released is not None:
            return f"guarantee: {self._released.privacy.guarantee}\n\n{self._released}"
        rows = [f"  {name:12} {value:.8g}" for name, value in self._figures.items()]
        return "\n".join([*rows, "", "not private: these are exact figures of the records given"])

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers: what the command line prints as JSON, without the statement."""
        if self._released is None:
            return dict(self._figures)
        return _read(self._released)

    def to_html(self) -> str:
        """A page with the figures drawn, and the statement."""
        if self._released is None:
            raise ValueError("to_html: given exact figures, accepted are private ones")
        return self._released.to_html()

    def _repr_html_(self) -> str | None:
        return None if self._released is None else self._released.to_html_part()


def evaluate(
    model: Any,
    X: Any,  # noqa: N803
    y: Any = None,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    relation: str | None = None,
    records: int | None = None,
    units: Any = None,
    unit: str | None = None,
    target_scale: float | None = None,
    ledger: Any = None,
    seed_for_tests: int | None = None,
) -> Evaluation:
    """Say how well a model predicts given records.

    With a budget the records are protected: all figures come from one or two noisy sums. Its cost
    adds to that of everything else done with the same people, so take records that the fit has not
    seen. Without a budget the figures are exact, and not private. With `units` each unit counts
    once in private figures; exact ones count records.

    Parameters
    ----------
    model : fitted estimator
        Of this library, fitted or loaded.
    X : array, sparse array, frame, or raw table where the model has a schema
        As for `predict`.
    y : array, column or list of shape (records,), optional
        Targets or labels. Not where the schema has a target.
    epsilon, delta : float, optional
        The budget, both or none; delta is above 0.
    relation : {"replace_one", "add_or_remove_one"}, optional
        Which data sets must look alike.
    records : int, optional
        The public number of records under add_or_remove_one.
    units : array, column or list of shape (records,), optional
        Whose each record is, as in `fit`. Not where the schema has a unit.
    unit : str, optional
        What a unit is called.
    target_scale : float, optional
        Of a regression: what errors are counted in, up to four of it; that of the fit.
    ledger : Ledger or path, optional
        What the whole cost is charged to before a record is used.
    seed_for_tests : int, optional
        Noise that can be foreseen: turns the guarantee off.

    Returns
    -------
    Evaluation
        With a budget each figure is a `Figure`; without one a number.

    Examples
    --------
    >>> import numpy as np
    >>> from southwell import PrivateLogisticRegression, evaluate
    >>> random = np.random.default_rng(1)
    >>> X = random.normal(size=(20000, 3))
    >>> y = (X[:, 0] + random.normal(size=20000) > 0).astype(int)
    >>> model = PrivateLogisticRegression(
    ...     epsilon=1, delta=1e-6, classes=[0, 1], feature_scale=1
    ... ).fit(X[:10000], y[:10000])
    >>> figures = evaluate(model, X[10000:], y[10000:], epsilon=1, delta=1e-6)
    >>> 0.6 < figures.auc.low < figures.auc.high < 1.0
    True
    >>> figures.privacy_.guarantee
    '(1, 1e-06)-DP'
    """
    if not isinstance(model, PrivateLinearModel):
        raise TypeError(
            f"model: given {shown(model)}, accepted is a fitted estimator of this library, which "
            "southwell.load makes of a model file"
        )
    check_is_fitted(model)
    inputs: dict[str, object] = {
        "epsilon": epsilon,
        "delta": delta,
        "relation": relation,
        "records": records,
        "unit": unit,
        "target_scale": target_scale,
        "seed_for_tests": seed_for_tests,
    }
    is_private = epsilon is not None or delta is not None
    for name, given in {**inputs, "units": units, "ledger": ledger}.items():
        if given is not None and not is_private:
            raise ValueError(f"{name}: given without a budget, only valid with epsilon and delta")
    inputs = {name: given for name, given in inputs.items() if given is not None}
    if is_private:
        _core.check_evaluation_inputs(inputs)
    read = _read_records(model, X, y, "assess" if is_private else "evaluate")
    if not is_private:
        exact = _core.exact_figures(model.model_, read.design, read.target)
        return Evaluation(dict(exact), None)
    return _private(model, read, units, inputs, ledger_file(ledger))


@dataclass(frozen=True)
class _Records:
    """What an evaluation is given, after it was read."""

    design: _core.Design
    target: Any
    not_covered: list[str]


def _read_records(
    model: PrivateLinearModel,
    X: Any,  # noqa: N803
    y: Any,
    use: Any,
) -> _Records:
    schema = getattr(model, "schema_", None)
    if schema is not None and schema.target is not None:
        if y is not None:
            raise ValueError(
                f"y: given beside {shown(schema.target)} of the schema, accepted is one of them"
            )
        design, not_covered = model._checked_with_cover(X, use)
        target = np.ascontiguousarray(cast("Any", design.target), dtype=np.float64)
        return _Records(design, target, not_covered)
    if y is None:
        raise model._no_target()
    design, not_covered = model._checked_with_cover(X, use)
    target = model._target_values(y)
    if len(target) != design.records:
        raise ValueError("y: given another number of targets than there are records")
    return _Records(design, target, not_covered)


def _private(
    model: PrivateLinearModel,
    records: _Records,
    units: Any,
    inputs: dict[str, object],
    ledger: str | None,
) -> Evaluation:
    schema = getattr(model, "schema_", None)
    declared = None if schema is None else schema.unit
    if declared is not None:
        for name, given in (("units", units), ("unit", inputs.get("unit"))):
            if given is not None:
                raise ValueError(
                    f"{name}: given beside {shown(declared)} of the schema, accepted is one of them"
                )
        inputs["unit"] = declared
    persons = None if units is None else units_of(units, records.design.records)
    planned = _core.private_evaluation(
        model.model_, records.design, inputs, persons, records.not_covered
    )
    warn_of(planned.privacy)
    return _with_figures(planned.find(records.design, records.target, persons, ledger))


def evaluation_of(model: _core.Model) -> Evaluation:
    """The figures that a model carries, of the records that its fit held out."""
    released = _core.figures_of(model)
    if released is None:
        raise AttributeError("evaluation_: this fit held no records out; test_share does")
    return _with_figures(released)


def _with_figures(released: _core.PrivateFigures) -> Evaluation:
    figures = _read(released)
    for name, entry in figures.items():
        if name not in _CURVES:
            figures[name] = Figure(**entry)
    return Evaluation(figures, released)


def _read(released: _core.PrivateFigures) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(released.to_json())
    for name in ("southwell_version", "private", "privacy"):
        del figures[name]
    return figures
