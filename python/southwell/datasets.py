"""Reading data files and generating the paper's synthetic problems."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from southwell import _core
from southwell._words import file_to_read, shown

Storage = Literal["as_given", "f64", "f32"]


@dataclass(frozen=True)
class Dataset:
    """A table of records.

    Attributes
    ----------
    design : ndarray or scipy.sparse.csc_array
        Records by features; dense arrays are column after column in memory.
    target : ndarray or None
        One number per record, None if the file has no target.
    feature_names : list of str
        As many as there are features; x1, x2, ... where the file does not name them.
    """

    design: NDArray[np.floating[Any]] | csc_array
    target: NDArray[np.float64] | None
    feature_names: list[str]


def _dataset(parts: tuple[Any, Any, list[str]]) -> Dataset:
    design, target, names = parts
    if isinstance(design, tuple):
        (values, indices, offsets), shape = design
        if len(values) <= np.iinfo(indices.dtype).max:
            offsets = offsets.astype(indices.dtype)  # of one type: scipy then copies nothing
        design = csc_array((values, indices, offsets), shape=shape)
    features = design.shape[1]
    return Dataset(design, target, names or [f"x{j + 1}" for j in range(features)])


def _read(
    reader: Callable[..., Any],
    file: str | os.PathLike[str],
    target: str | int | os.PathLike[str] | None,
    features: int | None,
    storage: Storage,
    threads: int,
    missing: Sequence[str] = (),
) -> Dataset:
    spelt = file_to_read("file", file)
    if not os.path.exists(spelt):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(file))
    if isinstance(target, bool) or not isinstance(target, str | int | os.PathLike | None):
        raise TypeError(f"target: given {shown(target)}, accepted are a name, a number and a path")
    return _dataset(
        reader(
            spelt,
            target=target if target is None else os.fspath(str(target)),
            features=features,
            missing=missing,
            storage=storage,
            threads=threads,
        )
    )


def read(
    file: str | os.PathLike[str],
    *,
    target: str | int | os.PathLike[str] | None = None,
    features: int | None = None,
    missing: Sequence[str] = (),
    storage: Storage = "as_given",
    threads: int = 0,
) -> Dataset:
    """Read a .csv, .libsvm, .svm or .npy file, each also compressed as .gz.

    Parameters
    ----------
    file : path
        A file or a pipe.
    target : str, int or path, optional
        CSV: the target column's name, or its number from 0. npy: its number, or a second .npy
        file. libsvm: not accepted, the first field is the target.
    features : int, optional
        libsvm: the declared number of features; entries beyond it are dropped. Without it the
        largest index counts, which is a fact about the records.
    missing : list of str, optional
        CSV: text that counts as a missing number where it is all that a number's field holds, such
        as ``["N/A", "null", "?"]``. Other text in a number's place is an error.
    storage : {"as_given", "f64", "f32"}
        How dense numbers are kept in memory.
    threads : int
        0 means all cores.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        With the file, the line and what is accepted.
    """
    return _read(_core.read, file, target, features, storage, threads, missing)


def read_csv(
    file: str | os.PathLike[str],
    *,
    target: str | int | None = None,
    missing: Sequence[str] = (),
    storage: Storage = "as_given",
    threads: int = 0,
) -> Dataset:
    """Read a CSV file whatever its name; see `read`."""
    return _read(_core.read_csv, file, target, None, storage, threads, missing)


def read_libsvm(
    file: str | os.PathLike[str], *, features: int | None = None, threads: int = 0
) -> Dataset:
    """Read a libsvm file whatever its name; see `read`."""
    return _read(_core.read_libsvm, file, None, features, "as_given", threads)


def read_npy(
    file: str | os.PathLike[str],
    *,
    target: int | os.PathLike[str] | str | None = None,
    storage: Storage = "as_given",
    threads: int = 0,
) -> Dataset:
    """Read an .npy file whatever its name; see `read`."""
    return _read(_core.read_npy, file, target, None, storage, threads)


def generate(
    problem: Literal["log1", "log2", "square"],
    *,
    records: int | None = None,
    features: int | None = None,
    seed: int,
    threads: int = 0,
) -> tuple[Dataset, NDArray[np.float64]]:
    """Generate one of the paper's synthetic problems.

    Parameters
    ----------
    problem : {"log1", "log2", "square"}
        Logistic with log-normal truth, or regression with 10 non-zero coefficients.
    records, features : int, optional
        Default to the paper's: 1000 by 100 (log1, log2) or 1000 by 1000 (square).
    seed : int
        The same seed gives the same bytes on every machine.
    threads : int
        0 means all cores.

    Returns
    -------
    Dataset, ndarray
        The data and the coefficients that made its target.

    Examples
    --------
    >>> data, truth = generate("square", records=50, features=20, seed=1)
    >>> data.design.shape, int((truth != 0).sum())
    ((50, 20), 10)
    """
    parts, truth = _core.generate(
        problem, records=records, features=features, seed=seed, threads=threads
    )
    return _dataset(parts), cast("NDArray[np.float64]", truth)
