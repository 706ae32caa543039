"""Private classification."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import LabelBinarizer
from sklearn.svm import LinearSVC
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, column_or_1d

from southwell import _core
from southwell._cells import MISSING, Levels
from southwell._containers import places_of
from southwell._words import check_classes, class_weights, shown
from southwell.estimators._base import AnyPenalty, PrivacyLeakWarning, is_yes
from southwell.estimators._fitted import Numbers
from southwell.estimators._score import accuracy
from southwell.schema import Schema, labels_of, schema_of


def _filled(plain: Any, classes: NDArray[Any], coef: Numbers, intercept: Numbers) -> Any:
    plain.classes_, plain.coef_, plain.intercept_ = classes, coef, intercept
    plain.n_features_in_ = coef.shape[1]
    return plain


def _class_values(labels: NDArray[Any]) -> Numbers:
    """What the model calls each class: its own number, or its place where it is none."""
    if labels.ndim == 1 and labels.dtype.kind in "biuf":
        return labels.astype(np.float64)
    names = labels.tolist()
    return np.array([names.index(name) for name in names], dtype=np.float64)


def _class_names(labels: NDArray[Any]) -> list[str] | None:
    """What the model file calls the classes, where they are words."""
    names = labels.tolist()
    return names if all(isinstance(name, str) for name in names) else None


@dataclass(kw_only=True, eq=False, repr=False)
class _PrivateClassifier(ClassifierMixin, AnyPenalty):  # type: ignore[misc]
    classes: Any = None
    class_weight: Any = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # on the few records of a check, noise wins
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.classes is not None:
            check_classes(self.classes)
            class_weights(self.class_weight, list(self.classes))

    def _inputs(self) -> dict[str, object]:
        # Labels are numbers to the fit when they have been matched with the target's.
        by_label = isinstance(self.class_weight, Mapping)
        return super()._inputs() | {"classes": None} | ({"class_weight": None} if by_label else {})

    def _prepared(self, y: Any, inputs: dict[str, object]) -> tuple[Numbers, dict[str, object]]:
        labels = self._declared(y)
        levels = Levels(labels.tolist())
        values = _class_values(labels)
        places = places_of(y, levels)
        # A label that was not declared counts as the first, as in every shell.
        target = values[np.maximum(places, 0)] if len(values) else np.zeros(len(places))
        self.classes_ = labels
        weights = class_weights(self.class_weight, labels.tolist())
        names = _class_names(labels)
        return target, inputs | {
            "classes": values,
            "classes_from_data": self.classes is None,
            "class_names": names,
            "class_weight": weights,
        }

    def _declared(self, y: Any) -> NDArray[Any]:
        if self.classes is not None:
            labels = np.asarray(self.classes)
            if labels.ndim != 1 or labels.dtype.kind not in "biufUSTO":
                raise TypeError(
                    f"classes: given {self.classes!r}, accepted is a list of numbers or text"
                )
            return labels
        leak = f"classes: given nothing, accepted is {_core.CLASSES_ACCEPTED}"
        if not is_yes("allow_leaks", self.allow_leaks):
            raise _core.PrivacyLeakError(leak)
        warnings.warn(leak, PrivacyLeakWarning, stacklevel=4)
        found = check_array(
            y, dtype=None, ensure_2d=False, ensure_all_finite=False, ensure_min_samples=0
        )
        check_classification_targets(column_or_1d(found))
        return np.unique(found)

    def _read_table(self, X: Any, y: Any, units: Any) -> Any:  # noqa: N803
        schema = schema_of(self.schema)
        if schema.target is not None and schema.classes is not None:
            self._check_with(schema)
        return super()._read_table(X, y, units)

    def _check_with(self, schema: Schema) -> None:
        """What the schema declares may be given again, if it is the same."""
        if self.classes is not None and list(map(str, self.classes)) != schema.classes:
            raise ValueError(
                f"classes: given {shown(self.classes)}, and the schema says something else; "
                "accepted is one of them"
            )

    def _adopt(self, model: _core.Model) -> None:
        super()._adopt(model)
        if hasattr(self, "schema_") and self.schema_.target is not None:
            self.classes_ = labels_of(self.schema_)
        if not hasattr(self, "classes_"):  # from a file, which knows words and numbers only
            self.classes_ = np.asarray(model.class_names or model.classes)

    def decision_function(self, X: Any) -> Numbers:  # noqa: N803
        """Margin of each record: of the second class, or one for each of more than two."""
        return self._margins(self._checked(X))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:  # noqa: N803
        """The share of right classes: an exact figure of these records, and not private.

        Without `y` the labels are those of the raw table.

        A label that the model does not know is a wrong prediction. Records without a label, or
        without a value that the model uses, are left out, and a warning says how many; NaN if none
        is left.
        """
        if y is None:
            design = self._evaluated(X)
            labels = cast("Numbers", design.target)
            return accuracy(self._places_of(labels), self._places(design), sample_weight)
        predicted = self._places(self._checked(X))
        places = places_of(y, Levels(self.classes_.tolist()))
        return accuracy(np.where(places == MISSING, np.nan, places), predicted, sample_weight)

    def _target_values(self, y: Any) -> Numbers:
        """The numbers that stand for labels: no class has infinity, and NaN is missing."""
        places = places_of(y, Levels(self.classes_.tolist()))
        values = np.append(cast("Numbers", self.model_.classes), np.inf)
        return np.where(places == MISSING, np.nan, values[np.where(places < 0, -1, places)])

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Predict the class of each record."""
        places = self._places(self._checked(X))
        missing = np.isnan(places)
        if missing.any():
            warnings.warn(
                f"X: {missing.sum()} records miss a value that the model uses; predicted is the "
                "first class, while decision_function gives NaN",
                UserWarning,
                stacklevel=2,
            )
        return self.classes_[np.where(missing, 0, places).astype(np.intp)]

    def _places(self, design: _core.Design) -> Numbers:
        """The place of each record's predicted class among `classes_`, or NaN."""
        return self._places_of(cast("Numbers", self.model_.labels(design)))

    def _places_of(self, labels: Numbers) -> Numbers:
        """The places of numbers that stand for classes: NaN for NaN, -1 for what is none."""
        values = cast("Numbers", self.model_.classes)
        order = np.argsort(values)
        at = np.minimum(np.searchsorted(values, labels, sorter=order), len(values) - 1)
        places = np.where(values[order[at]] == labels, order[at], -1)
        return np.where(np.isnan(labels), np.nan, places)


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateLogisticRegression(_PrivateClassifier):
    """Logistic regression: mean log(1 + exp(-y Xw)) and a penalty to choose.

    Parameters
    ----------
    epsilon, delta : float
        The budget; no default.
    penalty : {"l2", "l1", "elastic_net", "box", "none"}
        elastic_net needs `l1_ratio`; box has `lower`, `upper` or both, as the others but none may.
    alpha : float or "auto"
        Strength of l1, l2 and elastic_net; 1 / (n C) in the words of scikit-learn. "auto" is 1 / n
        for l2, and for l1 a part of what chance alone can do (docs/settings.md).
    l1_ratio : float, optional
        Of elastic_net: the share of l1.
    classes : array
        The labels in order, the first negative; others in the data count as the first. Reading
        them from the target would be a leak.
    class_weight : dict or list of float, optional
        What a record counts by its class: {label: weight}, where a class that is not named counts
        1, or one number for each of `classes`. Only the ratios matter. "balanced" is refused: it
        would count the labels.
    **others
        See `FitInputs` and `PrivateLinearModel`.

    Examples
    --------
    >>> import southwell
    >>> data, truth = southwell.generate("log1", records=2000, features=10, seed=1)
    >>> model = southwell.PrivateLogisticRegression(epsilon=1, delta=1e-6, classes=[-1, 1])
    >>> model.fit(data.design, data.target).predict_proba(data.design[:3]).shape
    (3, 2)
    """

    _objective: ClassVar[dict[str, str]] = {"loss": "logistic"}

    def predict_proba(self, X: Any) -> Numbers:  # noqa: N803
        """Probability of each class, in the order of `classes_`."""
        design = self._checked(X)
        return cast("Numbers", self.model_.probabilities(design))

    def predict_log_proba(self, X: Any) -> Numbers:  # noqa: N803
        """Logarithm of the probability of each class."""
        with np.errstate(divide="ignore"):  # a probability may be too small for a number
            return cast("Numbers", np.log(self.predict_proba(X)))

    def _plain(self) -> Any:
        if len(self.classes_) == 2 or self.model_.is_softmax:
            return _filled(LogisticRegression(), self.classes_, self.coef_, self.intercept_)
        # Probabilities of the classes are those of one against the rest, divided by their sum.
        plain = OneVsRestClassifier(LogisticRegression())
        plain.label_binarizer_ = LabelBinarizer().fit(self.classes_)
        plain.classes_ = plain.label_binarizer_.classes_
        plain.estimators_ = [
            _filled(LogisticRegression(), np.array([0, 1]), self.coef_[[k]], self.intercept_[[k]])
            for k in np.argsort(self.classes_)
        ]
        return plain


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateLinearSVC(_PrivateClassifier):
    """Support vector classification: mean max(0, 1 - y Xw)^2 / 2 and a penalty to choose.

    Parameters
    ----------
    epsilon, delta : float
        The budget; no default.
    penalty : {"l2", "l1", "elastic_net", "box", "none"}
        elastic_net needs `l1_ratio`; box has `lower`, `upper` or both, as the others but none may.
    alpha : float or "auto"
        Strength of l1, l2 and elastic_net; 1 / (2 n C) in the words of scikit-learn. "auto" is
        1 / n for l2, and for l1 a part of what chance alone can do (docs/settings.md).
    l1_ratio : float, optional
        Of elastic_net: the share of l1.
    classes : array
        The labels in order, the first negative; others in the data count as the first. Reading
        them from the target would be a leak.
    class_weight : dict or list of float, optional
        What a record counts by its class: {label: weight}, where a class that is not named counts
        1, or one number for each of `classes`. Only the ratios matter. "balanced" is refused: it
        would count the labels.
    **others
        See `FitInputs` and `PrivateLinearModel`.

    Examples
    --------
    >>> import southwell
    >>> data, truth = southwell.generate("log1", records=2000, features=10, seed=1)
    >>> model = southwell.PrivateLinearSVC(epsilon=1, delta=1e-6, classes=[-1, 1])
    >>> sorted(set(model.fit(data.design, data.target).predict(data.design).tolist()))
    [-1, 1]
    """

    _objective: ClassVar[dict[str, str]] = {"loss": "squared_hinge"}

    def _plain(self) -> Any:
        return _filled(LinearSVC(), self.classes_, self.coef_, self.intercept_)
