"""What may be done to records before a fit, for free or for a part of the budget."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from southwell import _core
from southwell._design import checked_table
from southwell._ids import units_of
from southwell._words import ledger_file
from southwell.estimators import PrivacyLeakWarning
from southwell.estimators._around import asked_within, warn_of


class _RecordScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Divides records by something; whatever they hold, nobody hears of it."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True  # a cell that is no number is missing
        return tags

    def _checked(self, X: Any, reset: bool) -> Any:  # noqa: N803
        table = checked_table(self, X, reset=reset, formats=("csr",))
        if bool(issparse(table)) and not table.has_canonical_format:
            table = table.copy()
            table.sum_duplicates()
        return table


class RowNormalizer(_RecordScaler):
    """Bring each record to a root mean square of 1, or to a norm, by itself.

    What happens to a record depends on no other, so it costs nothing: a fit on the result is as
    private as one on the records. Features are then on the scale that a fit expects unless it is
    told otherwise. Records of zeros stay as they are; a value that is missing or infinite makes no
    difference to the others of its record.

    Parameters
    ----------
    record_norm : float, optional
        The l2 norm that records get instead, such as 1 for text. A model behind it in a pipeline
        is told so; elsewhere tell it: ``PrivateLogisticRegression(record_norm=1, ...)``.

    Attributes
    ----------
    record_norm_ : float
        The norm that records have: `record_norm`, or the square root of the number of features.

    Examples
    --------
    >>> import numpy as np
    >>> RowNormalizer().fit_transform(np.array([[3.0, 3.0], [0.0, 0.0]]))
    array([[1., 1.],
           [0., 0.]])
    >>> RowNormalizer(record_norm=1).fit_transform(np.array([[3.0, 4.0]]))
    array([[0.6, 0.8]])
    """

    def __init__(self, record_norm: float | None = None) -> None:
        self.record_norm = record_norm

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def fit(self, X: Any, y: object = None) -> RowNormalizer:  # noqa: N803
        """Learn the number and the names of the features, nothing else."""
        self._checked(X, reset=True)
        return self

    @property
    def record_norm_(self) -> float:
        """The norm of a record that was normalised."""
        norm = self.record_norm
        if norm is None:
            return float(np.sqrt(self.n_features_in_))
        if not isinstance(norm, int | float | np.number) or not 1e-100 <= norm <= 1e100:
            raise ValueError(
                f"record_norm: given {norm!r}, accepted is a number from 1e-100 to 1e100"
            )
        return float(norm)

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Divide each record by its root mean square."""
        table: Any = self._checked(X, reset=not hasattr(self, "n_features_in_"))
        with np.errstate(all="ignore"):
            size = _sizes(table)
            if self.record_norm is not None:
                size = size * (np.sqrt(table.shape[1]) / self.record_norm_)
            size = np.where(size > 0, size, 1)
            if not bool(issparse(table)):
                return table / size[:, np.newaxis]
            entries = table.data / np.repeat(size, np.diff(table.indptr))
            return type(table)((entries, table.indices, table.indptr), shape=table.shape)


class PooledScaler(_RecordScaler):
    """Divide all features by one scale, which a mechanism finds in the records.

    The scale is the power of two next above the typical (median) root mean square of a record, so
    features are then on the scale that a fit expects unless it is told otherwise. It is charged:
    in a `private_pipeline` the model behind it, and its file, state the cost of both. Where
    features differ in scale, declare `feature_scale` instead.

    Parameters
    ----------
    epsilon : float
        What the scale may cost; with 1000 records 0.05 is enough, with more records less.
    relation : {"replace_one", "add_or_remove_one"}, optional
        Which data sets must look alike: that of the model behind it.
    records : int, optional
        The public number of records under add_or_remove_one.
    features : int, optional
        The number of features of sparse data, declared.
    unit : str, optional
        What a unit is called, where `fit` is told whose each record is: as in the model behind it.
    seed_for_tests : int, optional
        Noise that can be foreseen: turns the guarantee off.
    allow_leaks : bool
        Accept, with a warning, what is read from the records: turns the guarantee off.
    ledger : Ledger or path, optional
        Which the scale is charged to before a record is used: that of the model behind it.

    Attributes
    ----------
    scale_ : float
        What all features are divided by.
    ledger_ : str
        What the statement says of the ledger.
    records_ : int
        The public number of records, of units where there are some.
    has_units_ : bool
        Whether there were.
    inputs_ : dict
        What the scale was found with: later changes of parameters change no promise.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> scaler = PooledScaler(epsilon=0.2).fit(np.full((1000, 3), 100.0))
    >>> scaler.scale_
    128.0
    >>> scaler.privacy_.guarantee
    '(0.2, 0)-DP'
    """

    def __init__(
        self,
        *,
        epsilon: float,
        relation: str | None = None,
        records: int | None = None,
        features: int | None = None,
        unit: str | None = None,
        seed_for_tests: int | None = None,
        allow_leaks: bool = False,
        ledger: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.unit = unit
        self.relation = relation
        self.records = records
        self.features = features
        self.seed_for_tests = seed_for_tests
        self.allow_leaks = allow_leaks
        self.ledger = ledger

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.non_deterministic = self.seed_for_tests is None
        return tags

    def fit(self, X: Any, y: object = None, units: Any = None) -> PooledScaler:  # noqa: N803
        """Find the scale of these records, which spends `epsilon`.

        `units` are those of the model behind it: each of them counts once.
        """
        found = {"scale_", "ledger_", "records_", "has_units_", "inputs_"}
        for old in found & vars(self).keys():
            delattr(self, old)
        within = asked_within(self)
        inputs = self._inputs()
        _core.check_fit_inputs(inputs)
        ledger = ledger_file(self.ledger)
        table = self._checked(X, reset=True)
        # A mean over all features: how many there are must not depend on a record.
        if self.features is None and bool(issparse(table)):
            leak = _core.PrivacyLeakError(
                "features: given nothing, accepted is the number of features of sparse data: "
                "counting them in the records would be a release of its own"
            )
            if not self.allow_leaks:
                raise leak
            warnings.warn(str(leak), PrivacyLeakWarning, stacklevel=2)
        if self.features not in (None, table.shape[1]):
            raise ValueError(
                f"features: given {self.features!r}, accepted is {table.shape[1]} for these data"
            )
        with np.errstate(all="ignore"):
            sizes = np.ascontiguousarray(_sizes(table), dtype=np.float64)
        persons = None if units is None else units_of(units, len(sizes))
        count = len(sizes) if persons is None else persons.count
        planned = _core.pooled_scale(count, inputs, persons is not None)
        warn_of(planned.statement(1.0))  # whatever is found
        self.scale_, self.ledger_ = planned.find(sizes, persons, ledger)
        self.has_units_ = persons is not None
        self.records_ = count if self.records is None else self.records
        self.inputs_ = inputs
        if within is not None:
            self._within = within
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Divide by the scale, a power of two: nothing is rounded."""
        check_is_fitted(self, "scale_")
        table = self._checked(X, reset=False)
        with np.errstate(all="ignore"):
            return table * table.dtype.type(1 / self.scale_)

    def _inputs(self) -> dict[str, object]:
        """What the scale is found with."""
        return {name: getattr(self, name) for name in self._get_param_names() if name != "ledger"}

    @property
    def privacy_(self) -> _core.Statement:
        """What the scale promises about the records."""
        check_is_fitted(self, "scale_")
        planned = _core.pooled_scale(self.records_, self.inputs_, self.has_units_)
        statement = planned.statement(self.scale_, self.ledger_)
        return _core.of_the_fit_alone(statement) if hasattr(self, "_within") else statement


def _sizes(table: Any) -> Any:
    """Root mean square of each record's finite values, whatever other records there are."""
    sparse = bool(issparse(table))
    if not sparse:
        # Along a row that is not contiguous, NumPy's order of summation depends on their number.
        table = np.ascontiguousarray(table)
    entries: Any = table.data if sparse else table
    finite = np.where(np.isfinite(entries), np.abs(entries), 0)
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr)) if sparse else None

    def over_records(gather: Any, values: Any) -> Any:
        if rows is None:
            return gather.reduce(values, axis=1, initial=0)
        out = np.zeros(table.shape[0])
        gather.at(out, rows, values)
        return out

    largest = over_records(np.maximum, finite)
    largest = np.where(largest > 0, largest, 1)  # so that no square overflows
    scaled = finite / (largest[:, np.newaxis] if rows is None else largest[rows])
    size = largest * np.sqrt(over_records(np.add, scaled * scaled) / table.shape[1])
    return np.where(size > 0, size, 0)
