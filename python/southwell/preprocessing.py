"""What may be done to records before a fit without asking for a budget."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import validate_data

from southwell._design import refuse_other_than_numbers


class RowNormalizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Bring each record to a root mean square of 1, by itself.

    What happens to a record depends on no other, so it costs nothing: a fit on the result is as
    private as one on the records. Features are then on the scale that a fit expects unless it is
    told otherwise. Records of zeros stay as they are; a value that is missing or infinite makes no
    difference to the others of its record.

    Examples
    --------
    >>> import numpy as np
    >>> RowNormalizer().fit_transform(np.array([[3.0, 3.0], [0.0, 0.0]]))
    array([[1., 1.],
           [0., 0.]])
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.requires_fit = False
        return tags

    def fit(self, X: Any, y: object = None) -> RowNormalizer:  # noqa: N803
        """Learn the number and the names of the features, nothing else."""
        self._checked(X, reset=True)
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Divide each record by its root mean square."""
        table: Any = self._checked(X, reset=not hasattr(self, "n_features_in_"))
        with np.errstate(all="ignore"):  # whatever a record holds, nobody hears of it
            if not bool(issparse(table)):
                return table / _sizes(table)[:, np.newaxis]
            if not table.has_canonical_format:
                table = table.copy()
                table.sum_duplicates()
            entries = table.data / np.repeat(_sizes(table), np.diff(table.indptr))
            return type(table)((entries, table.indices, table.indptr), shape=table.shape)

    def _checked(self, X: Any, reset: bool) -> Any:  # noqa: N803
        refuse_other_than_numbers("X", X)
        return validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=(np.float64, np.float32),
            ensure_all_finite=False,
            ensure_min_samples=0,
        )


def _sizes(table: Any) -> Any:
    """Root mean square of each record's finite values; 1 where that is 0."""
    sparse = bool(issparse(table))
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
    return np.where(size > 0, size, 1)
