"""Differentially private linear models for wide data."""

from southwell._core import DataError
from southwell._core import version as __version__
from southwell.datasets import Dataset, generate, read, read_csv, read_libsvm, read_npy

__all__ = [
    "DataError",
    "Dataset",
    "__version__",
    "generate",
    "read",
    "read_csv",
    "read_libsvm",
    "read_npy",
]
