"""Private linear models on the conventions of scikit-learn."""

from southwell.estimators._base import PrivacyLeakWarning, PrivateLinearModel
from southwell.estimators._classifiers import PrivateLinearSVC, PrivateLogisticRegression
from southwell.estimators._inputs import FitInputs
from southwell.estimators._load import load
from southwell.estimators._regressors import (
    PrivateElasticNet,
    PrivateHuber,
    PrivateLasso,
    PrivateRidge,
)
from southwell.estimators._tuning import TuningWarning

__all__ = [
    "FitInputs",
    "PrivacyLeakWarning",
    "PrivateElasticNet",
    "PrivateHuber",
    "PrivateLasso",
    "PrivateLinearModel",
    "PrivateLinearSVC",
    "PrivateLogisticRegression",
    "PrivateRidge",
    "TuningWarning",
    "load",
]
