"""Differentially private linear models for wide data."""

from southwell import mechanisms, plot
from southwell._core import BudgetError, CalibrationError, DataError, PrivacyLeakError
from southwell._core import version as __version__
from southwell._tables import CsvFile
from southwell.accounting import account, calibrate
from southwell.auditing import audit
from southwell.composition import PrivatePipeline, privacy_of, private_pipeline
from southwell.datasets import Dataset, generate, read, read_csv, read_libsvm, read_npy
from southwell.declared_scaler import DeclaredScaler
from southwell.estimators import (
    PrivacyLeakWarning,
    PrivateElasticNet,
    PrivateHuber,
    PrivateLasso,
    PrivateLinearSVC,
    PrivateLogisticRegression,
    PrivateRidge,
    TuningWarning,
    load,
)
from southwell.evaluation import Evaluation, Figure, evaluate
from southwell.ledger import Composed, Ledger, compose
from southwell.planning import Plan, plan
from southwell.preprocessing import PooledScaler, RowNormalizer
from southwell.schema import Schema
from southwell.table_encoder import TableEncoder
from southwell.theory import (
    Optimum,
    UtilityBound,
    quasi_sparsity,
    reference_optimum,
    utility_bound,
)
from southwell.tuning import PrivateSearch

__all__ = [
    "BudgetError",
    "CalibrationError",
    "Composed",
    "CsvFile",
    "DataError",
    "Dataset",
    "DeclaredScaler",
    "Evaluation",
    "Figure",
    "Ledger",
    "Optimum",
    "Plan",
    "PooledScaler",
    "PrivacyLeakError",
    "PrivacyLeakWarning",
    "PrivateElasticNet",
    "PrivateHuber",
    "PrivateLasso",
    "PrivateLinearSVC",
    "PrivateLogisticRegression",
    "PrivatePipeline",
    "PrivateRidge",
    "PrivateSearch",
    "RowNormalizer",
    "Schema",
    "TableEncoder",
    "TuningWarning",
    "UtilityBound",
    "__version__",
    "account",
    "audit",
    "calibrate",
    "compose",
    "evaluate",
    "generate",
    "load",
    "mechanisms",
    "plan",
    "plot",
    "privacy_of",
    "private_pipeline",
    "quasi_sparsity",
    "read",
    "read_csv",
    "read_libsvm",
    "read_npy",
    "reference_optimum",
    "utility_bound",
]
