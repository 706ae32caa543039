"""Arrays, sparse arrays and frames as the C++ takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.validation import check_array, validate_data

from southwell import _core
from southwell._containers import is_frame, table_of
from southwell._words import shown


def checked_table(
    estimator: Any,
    X: Any,  # noqa: N803
    *,
    reset: bool,
    formats: Sequence[str],
) -> Any:
    """The numbers of X, after scikit-learn's checks of its form: names, shape and storage."""
    declared = getattr(estimator, "features", None) if reset else None
    if not reset and isinstance(X, list | tuple) and not len(X):
        declared = estimator.n_features_in_  # a list without rows has no length of its own
    if is_frame(X):
        _refuse_names_given_twice(getattr(X, "column_names", None) or X.columns)
    table = table_of(X, declared)
    validate_data(estimator, X if is_frame(X) else table, reset=reset, skip_check_array=True)
    return check_array(
        table,
        accept_sparse=formats,
        dtype=(np.float64, np.float32),
        ensure_all_finite=False,
        ensure_min_samples=0,
        estimator=estimator,
        input_name="X",
    )


def _refuse_names_given_twice(names: Iterable[Any]) -> None:
    seen: set[str] = set()
    for name in map(str, names):
        if name in seen:
            raise ValueError(
                f"X: given a frame with two columns called {shown(name)}, accepted are columns "
                "with different names"
            )
        seen.add(name)


def as_design(table: Any, feature_names: Sequence[str] = (), threads: int = 0) -> _core.Design:
    """A design that shares the numbers of float64 and float32 in Fortran order.

    Every other array is copied once; sparse arrays are put in order, which copies them.
    """
    names = [str(name) for name in feature_names]
    sparse: Any = table
    if issparse(table):
        return _core.sparse_design(
            sparse.format,
            sparse.data,
            sparse.indices,
            sparse.indptr,
            sparse.shape,
            feature_names=names,
            threads=threads,
        )
    aligned = np.require(table, requirements="A")
    return _core.dense_design(aligned, feature_names=names, threads=threads)


def as_target(values: Any) -> NDArray[np.float64]:
    """One number per record, side by side."""
    return cast("NDArray[np.float64]", np.ascontiguousarray(values, dtype=np.float64))
