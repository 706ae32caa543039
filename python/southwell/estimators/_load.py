"""The estimator of a model file, whoever wrote it."""

from __future__ import annotations

import os

from southwell import _core
from southwell._words import file_to_read
from southwell.estimators._base import PrivateLinearModel
from southwell.estimators._classifiers import PrivateLinearSVC, PrivateLogisticRegression
from southwell.estimators._loading import holding
from southwell.estimators._regressors import (
    PrivateElasticNet,
    PrivateHuber,
    PrivateLasso,
    PrivateRidge,
)

_ESTIMATORS: tuple[type[PrivateLinearModel], ...] = (
    PrivateLasso,
    PrivateRidge,
    PrivateElasticNet,
    PrivateHuber,
    PrivateLogisticRegression,
    PrivateLinearSVC,
)


def load(file: str | os.PathLike[str]) -> PrivateLinearModel:
    """Read any model file as the estimator that fits such models.

    The command line's models are read as well as those that `save` wrote. Parameters are those
    that the statement names, so that `fit` makes such a model again.

    Parameters
    ----------
    file : str or path
        A model file, plain or gzip.

    Returns
    -------
    PrivateLasso, PrivateRidge, PrivateElasticNet, PrivateHuber, PrivateLogisticRegression or \
PrivateLinearSVC
        Fitted. Least squares without a penalty, which the command line fits by default, is a
        PrivateRidge with `penalty="none"`.

    Examples
    --------
    >>> import os, tempfile
    >>> import southwell
    >>> data, truth = southwell.generate("log1", records=2000, features=5, seed=1)
    >>> model = southwell.PrivateLogisticRegression(epsilon=1, delta=1e-6, classes=[-1, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.fit(data.design, data.target).save(os.path.join(folder, "model.json"))
    ...     again = southwell.load(os.path.join(folder, "model.json"))
    >>> type(again).__name__, again.privacy_.guarantee
    ('PrivateLogisticRegression', '(1, 1e-06)-DP')
    """
    model = _core.Model.load(file_to_read("file", file))
    estimator = next(each for each in _ESTIMATORS if each._can_hold(model))
    return holding(estimator, model)
