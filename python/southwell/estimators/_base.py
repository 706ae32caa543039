"""What all estimators share."""

from __future__ import annotations

import difflib
import inspect
import os
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from southwell import _core
from southwell._design import as_design, checked_table
from southwell._ids import checked_units
from southwell._words import file_to_read, path, shown
from southwell.estimators._around import asked_within, settled, warn_of_budget
from southwell.estimators._inputs import FitInputs
from southwell.estimators._tuning import warn_inside_cross_validation

Numbers = NDArray[np.float64]
Self = TypeVar("Self", bound="PrivateLinearModel")

_REFUSED = {
    "random_state": "noise that can be repeated protects nobody; seed_for_tests makes tests "
    "repeatable and turns the guarantee off",
    "sample_weight": "a record of weight w would count as w records, and the promise is about one",
}


class PrivacyLeakWarning(UserWarning):
    """Something was read from the records, as allow_leaks permits: there is no guarantee."""


def _refuse(given: dict[str, object]) -> None:
    for name, value in given.items():
        if name not in _REFUSED:
            raise TypeError(f"{name}: is no argument of fit, accepted are X, y and units")
        if value is not None:
            raise TypeError(f"{name}: not accepted: {_REFUSED[name]}")


def is_yes(name: str, value: object) -> bool:
    """Whether a switch is on; NumPy's True and False are as good as Python's."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}: given {shown(value)}, accepted is True or False")
    return bool(value)


class _InitSignature:
    """The signature of a class is that of its `__init__`, whatever `__new__` takes."""

    def __get__(self, instance: object, owner: type) -> inspect.Signature:
        whole = inspect.signature(owner.__init__)  # type: ignore[misc]
        return whole.replace(parameters=list(whole.parameters.values())[1:])


class _Bar:
    """How many of the iterations are done: t / T is all that a progress bar may tell."""

    def __init__(self) -> None:
        self.shown = -1

    def __call__(self, share: float) -> None:
        done = int(30 * share)
        if done == self.shown:
            return
        self.shown = done
        end = "\n" if done == 30 else ""
        print(f"\rfitting [{'#' * done}{'.' * (30 - done)}]", end=end, file=sys.stderr, flush=True)


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateLinearModel(FitInputs, BaseEstimator):  # type: ignore[misc]
    """What all estimators share: the public inputs of a fit, and the fit.

    Parameters
    ----------
    fit_intercept : bool
        Whether there is a constant, which no penalty touches.
    positive : bool
        No coefficient is negative: `lower=0`, and of the penalty none the box from 0.
    verbose : int
        1 shows a progress bar.
    **others
        The public inputs of a fit: see `FitInputs`.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        As in scikit-learn.
    """

    fit_intercept: bool = True
    positive: bool = False
    verbose: int = 0

    _objective: ClassVar[dict[str, str]]
    __signature__ = _InitSignature()

    def __new__(cls: type[Self], *_: object, **given: object) -> Self:
        if given.get("random_state") is not None:
            raise TypeError(f"random_state: not accepted: {_REFUSED['random_state']}")
        names = [field.name for field in fields(cls)]
        for name in given:
            close = difflib.get_close_matches(name, names, n=1)
            if close and name not in names:
                raise TypeError(
                    f"{cls.__name__}.__init__() got an unexpected keyword argument {shown(name)}. "
                    f"Did you mean {close[0]!r}?"
                )
        return cast("Self", super().__new__(cls))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True  # a value never raises: it is clipped
        tags.input_tags.string = True  # a cell that is no number is missing
        tags.target_tags.required = True
        tags.non_deterministic = self.seed_for_tests is None  # fresh noise in every fit
        return tags

    def fit(self: Self, X: Any, y: Any, units: Any = None, **refused: object) -> Self:  # noqa: N803
        """Fit with the noise that the budget asks for.

        Parameters
        ----------
        X : array, sparse array or frame of shape (records, features)
            Missing, infinite and huge values are clipped, never refused. In lists and arrays of
            objects each cell counts by itself, and is missing if it is no number.
        y : array, column or list of shape (records,)
            Targets, or labels: one that is not among `classes` counts as the first of them.
        units : array, column or list of shape (records,), optional
            Whose each record is: whole numbers or text, None where nobody is known. All records
            with one id are protected together and count as one; a record without an id counts
            nothing. Without it every record is somebody else's.
        **refused
            `sample_weight` is not accepted: a record of weight w would count as w records.

        Returns
        -------
        self

        Raises
        ------
        PrivacyLeakError
            Where something would be read from the records that was not declared.
        """
        _refuse(refused)
        within = asked_within(self)
        self._check_parameters()
        warn_inside_cross_validation(self)
        if y is None:
            raise ValueError(
                f"y: given None, accepted is one target for each record. This {type(self).__name__}"
                " estimator requires y to be passed, but the target y is None"
            )
        target, inputs = self._prepared(y, self._inputs())
        table = self._table(X, reset=True)
        persons = checked_units(units, table, target)
        design = self._design(table)
        plan = self._planned(design, inputs, persons)
        warn_of_budget(plan.privacy)
        bar = _Bar() if self.verbose else None
        model = _core.fit(plan, design, target, units=persons, progress=bar)
        self._adopt(settled(self, within, model))
        return self

    def _check_parameters(self) -> None:
        """Refuse what no parameter can be before the records are touched."""
        if not isinstance(self.verbose, int | np.integer | np.bool_):
            raise TypeError(f"verbose: given {shown(self.verbose)}, accepted is a whole number")
        _core.check_fit_inputs(self._inputs())

    def _adopt(self, model: _core.Model) -> None:
        self.model_ = model

    def _prepared(self, y: Any, inputs: dict[str, object]) -> tuple[Numbers, dict[str, object]]:
        raise NotImplementedError

    def _inputs(self) -> dict[str, object]:
        """The inputs of the fit by the names of all shells; what is None is left to its default."""
        mine = {field.name for field in fields(self)}
        inputs = {name: getattr(self, name) for name in _core.fit_inputs() if name in mine}
        inputs |= self._objective
        if is_yes("positive", self.positive):
            if self.lower is not None:
                raise ValueError(f"lower: given {shown(self.lower)} and positive, accepted is one")
            inputs["lower"] = 0.0
            if inputs["penalty"] == "none":
                inputs["penalty"] = "box"
        # What is on unless said otherwise is the statement's default, not the user's choice.
        inputs["intercept"] = None if is_yes("fit_intercept", self.fit_intercept) else False
        inputs["start"] = getattr(self.start, "model_", self.start)
        return inputs

    def _planned(
        self, design: _core.Design, inputs: dict[str, object], units: _core.Units | None
    ) -> _core.Plan:
        if not is_yes("allow_leaks", self.allow_leaks):
            return _core.plan_for(design, inputs, units)
        try:
            _core.plan_for(design, inputs | {"allow_leaks": False}, units)
        except _core.PrivacyLeakError as leak:
            warnings.warn(str(leak), PrivacyLeakWarning, stacklevel=3)
        return _core.plan_for(design, inputs, units)

    def _table(self, X: Any, reset: bool) -> Any:  # noqa: N803
        return checked_table(self, X, reset=reset, formats=("csr", "csc"))

    def _design(self, table: Any) -> _core.Design:
        return as_design(table, getattr(self, "feature_names_in_", ()), self.threads or 0)

    def _checked(self, X: Any) -> _core.Design:  # noqa: N803
        check_is_fitted(self)
        return self._design(self._table(X, reset=False))

    def _margins(self, X: Any) -> Numbers:  # noqa: N803
        design = self._checked(X)
        margins = cast("Numbers", self.model_.margins(design))
        return margins[:, 0] if margins.shape[1] == 1 else margins

    @property
    def privacy_(self) -> _core.Statement:
        """What the model promises about the records, and all that the promise rests on."""
        return self.model_.privacy

    @property
    def coef_(self) -> Numbers:
        """Coefficients: one list, or one for each class."""
        return self._shaped(self.model_.coef[0])

    @property
    def intercept_(self) -> Numbers:
        """The constant of each margin."""
        return self._shaped(self.model_.coef[1])

    @property
    def coef_noise_(self) -> Numbers:
        """Standard deviation of the noise in the last step of each coefficient; 0 where it is 0."""
        return self._shaped(self.model_.noise_sd[0])

    @property
    def intercept_noise_(self) -> Numbers:
        """Standard deviation of the noise in the last step of the constant."""
        return self._shaped(self.model_.noise_sd[1])

    def _shaped(self, of_heads: object) -> Numbers:
        return cast("Numbers", of_heads)

    @property
    def path_(self) -> NDArray[np.void]:
        """Every step of the fit, with fields head, feature, gradient (as released; of features
        that move together, their part of it) and value.

        The feature of the intercept is the number of features. Privacy covers all of it. Empty
        for sgd, which moves every coefficient in every step.
        """
        parts = self.model_.path
        kinds = [("head", np.int64), ("feature", np.int64), ("gradient", float), ("value", float)]
        path = np.empty(len(cast("Numbers", parts[0])), dtype=kinds)
        for (name, _), part in zip(kinds, parts):
            path[name] = part
        return path

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the model file that the command line reads and writes."""
        check_is_fitted(self)
        self.model_.save(path("file", file))

    @classmethod
    def load(cls: type[Self], file: str | os.PathLike[str]) -> Self:
        """Read a model file; the parameters are those that its statement names."""
        model = _core.Model.load(file_to_read("file", file))
        made = {"loss": model.loss, "penalty": model.penalty}
        if {name: made[name] for name in cls._objective} != cls._objective:
            raise ValueError(
                f"{os.fspath(file)}: given is a model of loss {model.loss} and penalty "
                f"{model.penalty}, accepted by {cls.__name__} is {cls._objective}"
            )
        estimator = cls(**_parameters(model, {field.name for field in fields(cls)}))
        estimator.n_features_in_ = model.features
        if model.feature_names:
            estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
        estimator._adopt(model)
        return estimator

    def to_sklearn(self) -> Any:
        """The same predictions from an estimator of scikit-learn, for converters.

        It says nothing of privacy: keep the model file, which does.
        """
        check_is_fitted(self)
        plain = self._plain()
        plain.n_features_in_ = self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            plain.feature_names_in_ = self.feature_names_in_
        return plain

    def _plain(self) -> Any:
        raise NotImplementedError


@dataclass(kw_only=True, eq=False, repr=False)
class AnyPenalty(PrivateLinearModel):
    """A penalty to choose."""

    penalty: str = "l2"
    alpha: float | None = None
    l1_ratio: float | None = None

    def _inputs(self) -> dict[str, object]:
        inputs = super()._inputs()
        penalty = self.penalty if isinstance(self.penalty, str) else ""
        if self.alpha is None and penalty in ("l1", "l2", "elastic_net"):
            inputs["alpha"] = 1e-4
        return inputs


def _parameters(model: _core.Model, names: set[str]) -> dict[str, Any]:
    """What the statement of a model says that its user chose."""
    read: dict[str, Callable[[Any], Any]] = {"lower": float, "upper": float}
    read |= {str(row["name"]): int for row in _core.fit_input_rows() if "int" in str(row["type"])}
    chosen: dict[str, Any] = {"penalty": model.penalty} if "penalty" in names else {}
    if "classes" in names and model.class_names:
        chosen["classes"] = model.class_names
        names = names - {"classes"}
    inputs = model.privacy.public_inputs
    # Inputs of a pipeline carry the name of their step; the model is what has a loss.
    step = next((name for name in inputs if name.endswith(".loss")), "loss").removesuffix("loss")
    for full_name, entry in inputs.items():
        if not full_name.startswith(step):
            continue
        name = full_name.removeprefix(step)
        python_name = "fit_intercept" if name == "intercept" else name
        if entry["source"] == "user" and python_name in names - {"start"}:
            chosen[python_name] = read.get(name, lambda value: value)(entry["value"])
        if name == "target_scale" and entry["source"] == "mechanism" and name in names:
            chosen[name] = "private"
    return chosen
