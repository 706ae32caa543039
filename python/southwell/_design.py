"""Arrays, sparse arrays and frames as the C++ takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from southwell import _core


def refuse_other_than_numbers(name: str, given: object) -> None:
    """Refuse by type, which is public: conversion would look at the values."""
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError(f"{name}: given a masked array, accepted are arrays without a mask")
    dtype = getattr(given, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "USmMV":
        raise TypeError(f"{name}: given an array of {dtype}, accepted are numbers")


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
