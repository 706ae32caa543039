"""Differentially private linear models for wide data."""

from southwell._core import CalibrationError, DataError, PrivacyLeakError
from southwell._core import version as __version__
from southwell.datasets import Dataset, generate, read, read_csv, read_libsvm, read_npy
from southwell.estimators import (
    PrivacyLeakWarning,
    PrivateElasticNet,
    PrivateHuber,
    PrivateLasso,
    PrivateLinearSVC,
    PrivateLogisticRegression,
    PrivateRidge,
    TuningWarning,
)
from southwell.planning import Plan, plan

__all__ = [
    "CalibrationError",
    "DataError",
    "Dataset",
    "Plan",
    "PrivacyLeakError",
    "PrivacyLeakWarning",
    "PrivateElasticNet",
    "PrivateHuber",
    "PrivateLasso",
    "PrivateLinearSVC",
    "PrivateLogisticRegression",
    "PrivateRidge",
    "TuningWarning",
    "__version__",
    "generate",
    "plan",
    "read",
    "read_csv",
    "read_libsvm",
    "read_npy",
]
