"""What all estimators share."""

from __future__ import annotations

import difflib
import os
import warnings
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import check_is_fitted

from southwell import _core
from southwell._design import as_design, checked_table
from southwell._ids import checked_units, units_of
from southwell._tables import Use, read_table
from southwell._words import file_to_read, ledger_file, path, shown
from southwell.estimators import _around
from southwell.estimators._bar import Bar
from southwell.estimators._fitted import FittedModel, Numbers
from southwell.estimators._inputs import FitInputs
from southwell.estimators._loading import holding
from southwell.estimators._refused import REFUSED, refuse_keywords
from southwell.estimators._signature import InitSignature
from southwell.estimators._tuning import unless_chosen, warn_inside_cross_validation
from southwell.schema import Schema, schema_of
from southwell.table_encoder import TableEncoder

Self = TypeVar("Self", bound="PrivateLinearModel")


class PrivacyLeakWarning(UserWarning):
    """Something was read from the records, as allow_leaks permits: there is no guarantee."""


def is_yes(name: str, value: object) -> bool:
    """Whether a switch is on; NumPy's True and False are as good as Python's."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}: given {shown(value)}, accepted is True or False")
    return bool(value)


@dataclass(frozen=True)
class _Records:
    """What a fit is given, after it was read."""

    design: _core.Design
    target: Numbers
    units: _core.Units | None
    inputs: dict[str, object]
    not_covered: list[str]


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateLinearModel(FitInputs, FittedModel, BaseEstimator):  # type: ignore[misc]
    """What all estimators share: the public inputs of a fit, and the fit.

    Parameters
    ----------
    fit_intercept : bool
        Whether there is a constant, which no penalty touches.
    positive : bool
        No coefficient is negative: `lower=0`, and of the penalty none the box from 0.
    verbose : int
        1 shows a progress bar.
    schema : Schema, dict or path, optional
        What the columns of a raw table are. X is then such a table wherever it is asked for, and
        target, classes, scales and units are as the schema says.
    ledger : Ledger or path, optional
        What the whole cost is charged to before a record is used. Where it has no room, `fit`
        raises BudgetError.
    **others
        The public inputs of a fit: see `FitInputs`.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        As in scikit-learn; with a schema the columns that features are made of.
    schema_ : Schema
        That of the fit, if there was one. `encoded_names_` and `coef_in_user_terms_` speak its
        language.
    """

    fit_intercept: bool = True
    positive: bool = False
    verbose: int = 0
    schema: Any = None
    ledger: Any = None

    _objective: ClassVar[dict[str, str]]
    __signature__ = InitSignature()

    def __new__(cls: type[Self], *_: object, **given: object) -> Self:
        if given.get("random_state") is not None:
            raise TypeError(f"random_state: not accepted: {REFUSED['random_state']}")
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
        tags.target_tags.required = self.schema is None
        tags.non_deterministic = self.seed_for_tests is None  # fresh noise in every fit
        return tags

    def fit(
        self: Self,
        X: Any,  # noqa: N803
        y: Any = None,
        units: Any = None,
        **refused: object,
    ) -> Self:
        """Fit with the noise that the budget asks for.

        Parameters
        ----------
        X : array, sparse array or frame of shape (records, features)
            Missing, infinite and huge values are clipped, never refused. In lists and arrays of
            objects each cell counts by itself, and is missing if it is no number. With a `schema`
            a raw table: a frame, an Arrow table or stream, a DuckDB relation, a dict of columns,
            the path of a .csv, .parquet or .arrow file, or a CsvFile.
        y : array, column or list of shape (records,)
            Targets, or labels: one that is not among `classes` counts as the first of them. Not
            with a schema that has a target.
        units : array, column or list of shape (records,), optional
            Whose each record is: whole numbers or text, None where nobody is known. All records
            with one id are protected together and count as one; a record without an id counts
            nothing. Without it every record is somebody else's. Not with a schema that has a unit.
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
        refuse_keywords(refused)
        within = _around.asked_within(self)
        self._check_parameters()
        warn_inside_cross_validation(self)
        read = self._read_arrays if self.schema is None else self._read_table
        records = read(X, y, units)
        plan = self._planned(records)
        _around.warn_of(plan.privacy)
        bar = Bar() if self.verbose else None
        model = _core.fit(
            plan,
            records.design,
            records.target,
            units=records.units,
            progress=bar,
            ledger=ledger_file(self.ledger),
        )
        _around.warn_of(model.privacy, plan.privacy)
        if records.not_covered:
            model = _core.model_with(_core.not_covering(model.privacy, records.not_covered))
        self._adopt(unless_chosen(self, _around.settled(self, within, model)))
        return self

    def _read_arrays(self, X: Any, y: Any, units: Any) -> _Records:  # noqa: N803
        if y is None:
            raise self._no_target()
        target, inputs = self._prepared(y, self._inputs())
        table = self._table(X, reset=True)
        persons = checked_units(units, table, target)
        return _Records(self._design(table), target, persons, inputs, [])

    def _read_table(self, X: Any, y: Any, units: Any) -> _Records:  # noqa: N803
        schema = schema_of(self.schema)
        for name, given, declared in (("y", y, schema.target), ("units", units, schema.unit)):
            if given is not None and declared is not None:
                raise ValueError(
                    f"{name}: given beside {shown(declared)} of the schema, accepted is one of them"
                )
        if y is not None:
            target, inputs = self._prepared(y, self._inputs())
        elif schema.target is not None:
            target, inputs = np.empty(0), self._inputs()
        else:
            raise self._no_target()
        read = read_table(X, schema._core, "fit", threads=self.threads or 0)
        persons = None if units is None else units_of(units, read.design.records)
        if y is None:
            target = cast("Numbers", read.design.target)
        elif len(target) != read.design.records:
            raise ValueError("y: given another number of targets than there are records")
        self.feature_names_in_ = np.array(schema.columns, dtype=object)
        self.n_features_in_ = len(schema.columns)
        return _Records(read.design, target, persons, inputs, read.not_covered)

    def _no_target(self) -> ValueError:
        return ValueError(
            f"y: given None, accepted is one target for each record. This {type(self).__name__}"
            " estimator requires y to be passed, but the target y is None"
        )

    def _check_parameters(self) -> None:
        """Refuse what no parameter can be before the records are touched."""
        if not isinstance(self.verbose, int | np.integer | np.bool_):
            raise TypeError(f"verbose: given {shown(self.verbose)}, accepted is a whole number")
        ledger_file(self.ledger)
        _core.check_fit_inputs(self._inputs())

    def _adopt(self, model: _core.Model) -> None:
        self.model_ = model
        if hasattr(self, "schema_"):
            del self.schema_
        if model.schema:
            self.schema_ = Schema(model.schema, "model")

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
        inputs["schema"] = None if self.schema is None else schema_of(self.schema)._core
        if self.schema is None:
            _around.add_declared(self, inputs)
        return inputs

    def _planned(self, records: _Records) -> _core.Plan:
        design, inputs, units = records.design, records.inputs, records.units
        if not is_yes("allow_leaks", self.allow_leaks):
            return _core.plan_for(design, inputs, units)
        try:
            _core.plan_for(
                design, inputs | {"allow_leaks": False, "classes_from_data": False}, units
            )
        except _core.PrivacyLeakError as leak:
            warnings.warn(str(leak), PrivacyLeakWarning, stacklevel=3)
        return _core.plan_for(design, inputs, units)

    def _table(self, X: Any, reset: bool) -> Any:  # noqa: N803
        return checked_table(self, X, reset=reset, formats=("csr", "csc"))

    def _design(self, table: Any) -> _core.Design:
        return as_design(table, getattr(self, "feature_names_in_", ()), self.threads or 0)

    def _checked(self, X: Any, use: Use = "predict") -> _core.Design:  # noqa: N803
        return self._checked_with_cover(X, use)[0]

    def _checked_with_cover(self, X: Any, use: Use) -> tuple[_core.Design, list[str]]:  # noqa: N803
        """Records for a fitted model, and what no statement about them can cover."""
        check_is_fitted(self)
        if not hasattr(self, "schema_"):
            return self._design(self._table(X, reset=False)), []
        read = read_table(X, self.schema_._core, use, threads=self.threads or 0)
        return read.design, read.not_covered

    def _evaluated(self, X: Any) -> _core.Design:  # noqa: N803
        """A raw table with its own target."""
        check_is_fitted(self)
        if not hasattr(self, "schema_") or self.schema_.target is None:
            raise self._no_target()
        return self._checked(X, "evaluate")

    def _target_values(self, y: Any) -> Numbers:
        """Targets as the model has them: NaN for what is missing."""
        raise NotImplementedError

    def _margins(self, design: _core.Design) -> Numbers:
        margins = cast("Numbers", self.model_.margins(design))
        return margins[:, 0] if margins.shape[1] == 1 else margins

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write the model file that the command line reads and writes."""
        check_is_fitted(self)
        self.model_.save(path("file", file))

    @classmethod
    def load(cls: type[Self], file: str | os.PathLike[str]) -> Self:
        """Read a model file; the parameters are those that its statement names."""
        model = _core.Model.load(file_to_read("file", file))
        if not cls._can_hold(model):
            raise ValueError(
                f"{os.fspath(file)}: given is a model of loss {model.loss} and penalty "
                f"{model.penalty}, which is no {cls.__name__}; southwell.load takes any model file"
            )
        return holding(cls, model)

    @classmethod
    def _can_hold(cls, model: _core.Model) -> bool:
        """Whether this is the estimator of such a model."""
        made = {"loss": model.loss, "penalty": model.penalty}
        return {name: made[name] for name in cls._objective} == cls._objective

    def to_sklearn(self) -> Any:
        """The same predictions from an estimator of scikit-learn, for converters.

        With a schema it is a pipeline that takes the raw table. It says nothing of privacy: keep
        the model file, which does. It is linear throughout, so it warns where the model shortens
        long records first: of those its predictions differ.
        """
        check_is_fitted(self)
        if self.model_.limit_text:
            message = f"to_sklearn: not so what it gives: {self.model_.limit_text}"
            warnings.warn(message, UserWarning, stacklevel=2)
        plain = self._plain()
        if hasattr(self, "schema_"):
            plain.n_features_in_ = self.model_.features
            return make_pipeline(TableEncoder(self.schema_), plain)
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
    alpha: float | str = "auto"
    l1_ratio: float | None = None
