"""Scales that are declared: free, because nothing is learned."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import diags_array, issparse

from southwell.preprocessing import _RecordScaler


class DeclaredScaler(_RecordScaler):
    """Subtract and divide by numbers that are known without the records.

    What happens to a record depends on no other and on nothing that was learned, so it costs
    nothing: a fit on the result is as private as one on the records. It takes the place of
    `StandardScaler`, whose means and deviations are those of the records.

    Parameters
    ----------
    center : float or array of shape (features,)
        A typical value, which becomes 0. Sparse data keep their zeros: only 0 is accepted.
    scale : float or array of shape (features,)
        How far from it others typically are, which becomes 1.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> ages_and_hours = np.array([[65.0, 35.0], [45.0, 50.0]])
    >>> DeclaredScaler(center=[45, 35], scale=[20, 15]).fit_transform(ages_and_hours)
    array([[1., 0.],
           [0., 1.]])
    """

    def __init__(self, *, center: ArrayLike = 0.0, scale: ArrayLike = 1.0) -> None:
        self.center = center
        self.scale = scale

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def fit(self, X: Any, y: object = None) -> DeclaredScaler:  # noqa: N803
        """Learn the number and the names of the features, nothing else."""
        table = self._checked(X, reset=True)
        self._numbers("center", table)
        self._numbers("scale", table)
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Subtract the center and divide by the scale."""
        table: Any = self._checked(X, reset=not hasattr(self, "n_features_in_"))
        center, scale = self._numbers("center", table), self._numbers("scale", table)
        with np.errstate(all="ignore"):
            if not bool(issparse(table)):
                return (table - center) / scale
            return type(table)(table @ diags_array(1 / scale, dtype=table.dtype))

    def _numbers(self, name: str, table: Any) -> Any:
        """The parameter, one number for each feature of the table."""
        given = getattr(self, name)
        features = table.shape[1]
        accepted = f"a number or {features} numbers, one for each feature"
        try:
            numbers = np.asarray(given, dtype=table.dtype)
        except (TypeError, ValueError):
            raise TypeError(f"{name}: given {given!r}, accepted is {accepted}") from None
        if numbers.shape not in ((), (features,)):
            raise ValueError(f"{name}: given the shape {numbers.shape}, accepted is {accepted}")
        if name == "scale" and not (np.isfinite(numbers) & (numbers > 0)).all():
            raise ValueError(f"scale: given {given!r}, accepted are finite numbers above 0")
        if not np.isfinite(numbers).all():
            raise ValueError(f"center: given {given!r}, accepted are finite numbers")
        if name == "center" and bool(issparse(table)) and (numbers != 0).any():
            raise ValueError(f"center: given {given!r}, accepted is 0 for sparse data")
        return np.broadcast_to(numbers, (features,))
