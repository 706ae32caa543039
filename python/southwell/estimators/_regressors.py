"""Private regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.linear_model import LinearRegression

from southwell import _core
from southwell._containers import target_of
from southwell._design import as_target
from southwell._words import shown
from southwell.estimators._base import AnyPenalty, PrivateLinearModel
from southwell.estimators._fitted import Numbers
from southwell.estimators._score import r_squared

_WITHOUT_L1 = ("l2", "none", "box")


@dataclass(kw_only=True, eq=False, repr=False)
class _PrivateRegressor(RegressorMixin, PrivateLinearModel):  # type: ignore[misc]
    target_scale: float | str | None = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # on the few records of a check, noise wins
        return tags

    def _prepared(self, y: Any, inputs: dict[str, object]) -> tuple[Numbers, dict[str, object]]:
        return as_target(target_of(y)), inputs

    def _target_values(self, y: Any) -> Numbers:
        return as_target(target_of(y))

    def predict(self, X: Any) -> Numbers:  # noqa: N803
        """Predict a number for each record; NaN where a value that the model uses is missing."""
        return self._margins(self._checked(X))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:  # noqa: N803
        """R^2 of the predictions: an exact figure of these records, and not private.

        Without `y` the target is that of the raw table, within the bounds of the schema.

        Records without a target, or without a value that the model uses, are left out, and a
        warning says how many; NaN if none is left.
        """
        if y is not None:
            return r_squared(target_of(y), self.predict(X), sample_weight)
        design = self._evaluated(X)
        target = cast("Numbers", design.target)
        return r_squared(target, self._margins(design), sample_weight)

    def _shaped(self, of_heads: object) -> Numbers:
        return cast("Numbers", np.asarray(of_heads)[0])

    def _plain(self) -> Any:
        plain = LinearRegression(fit_intercept=bool(self.fit_intercept))
        plain.coef_, plain.intercept_ = self.coef_, self.intercept_
        return plain


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateLasso(_PrivateRegressor):
    """Least squares with an l1 penalty: ``(1 / 2n) |y - Xw|^2 + alpha |w|_1``.

    Parameters
    ----------
    epsilon, delta : float
        The budget; no default.
    alpha : float or "auto"
        Strength of the penalty; the loss is a mean over records, as in scikit-learn's Lasso. "auto"
        is a part of what chance alone can do (docs/settings.md).
    target_scale : float or "private", optional
        Typical size of the target. "private", the default, finds it at a part of the budget.
    **others
        See `FitInputs` and `PrivateLinearModel`.

    Examples
    --------
    >>> import southwell
    >>> data, truth = southwell.generate("square", records=2000, features=50, seed=1)
    >>> lasso = southwell.PrivateLasso(
    ...     alpha=1, epsilon=1, delta=1e-6, target_scale=100, fit_intercept=False
    ... ).fit(data.design, data.target)
    >>> lasso.privacy_.guarantee
    '(1, 1e-06)-DP'
    >>> lasso.predict(data.design[:3]).shape
    (3,)
    """

    alpha: float | str = "auto"
    _objective: ClassVar[dict[str, str]] = {"loss": "squared", "penalty": "l1"}


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateRidge(_PrivateRegressor):
    """Least squares with an l2 penalty, or none: ``(1 / 2n) |y - Xw|^2 + (alpha / 2) |w|^2``.

    Parameters
    ----------
    epsilon, delta : float
        The budget; no default.
    penalty : str
        "l2"; "none" for least squares as it is, the command line's default; "box", which has
        `lower`, `upper` or both and nothing else. The last two have no `alpha`.
    alpha : float or "auto"
        Strength of the penalty. The loss is a mean: scikit-learn's Ridge calls n alpha what is
        alpha here. "auto" is 1 / n, its default.
    target_scale : float or "private", optional
        Typical size of the target. "private", the default, finds it at a part of the budget.
    **others
        See `FitInputs` and `PrivateLinearModel`.

    Examples
    --------
    >>> import southwell
    >>> data, truth = southwell.generate("square", records=500, features=8, seed=1)
    >>> ridge = southwell.PrivateRidge(
    ...     alpha=0.1, epsilon=1, delta=1e-6, solver="sgd", target_scale=100
    ... ).fit(data.design, data.target)
    >>> ridge.coef_.shape, ridge.privacy_.solver
    ((8,), 'sgd')
    """

    penalty: str = "l2"
    alpha: float | str = "auto"
    _objective: ClassVar[dict[str, str]] = {"loss": "squared"}

    def _check_parameters(self) -> None:
        if not isinstance(self.penalty, str) or self.penalty not in _WITHOUT_L1:
            raise ValueError(
                f"penalty: given {shown(self.penalty)}, accepted are {', '.join(_WITHOUT_L1)} "
                "(PrivateLasso has l1, PrivateElasticNet has both)"
            )
        super()._check_parameters()

    @classmethod
    def _can_hold(cls, model: _core.Model) -> bool:
        return super()._can_hold(model) and model.penalty in _WITHOUT_L1


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateElasticNet(_PrivateRegressor):
    """Least squares with both: ``alpha (l1_ratio |w|_1 + (1 - l1_ratio) / 2 |w|^2)``.

    Parameters
    ----------
    epsilon, delta : float
        The budget; no default.
    alpha : float or "auto"
        Strength of the penalty. "auto" takes `l1_ratio` of PrivateLasso's and the rest of
        PrivateRidge's.
    l1_ratio : float
        Share of l1 in it, from 0 to 1.
    target_scale : float or "private", optional
        Typical size of the target. "private", the default, finds it at a part of the budget.
    **others
        See `FitInputs` and `PrivateLinearModel`.

    Examples
    --------
    >>> import southwell
    >>> data, truth = southwell.generate("square", records=500, features=8, seed=1)
    >>> net = southwell.PrivateElasticNet(alpha=0.1, epsilon=1, delta=1e-6, target_scale=100)
    >>> net.fit(data.design, data.target).path_.dtype.names
    ('head', 'feature', 'gradient', 'value')
    """

    alpha: float | str = "auto"
    l1_ratio: float = 0.5
    _objective: ClassVar[dict[str, str]] = {"loss": "squared", "penalty": "elastic_net"}


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateHuber(_PrivateRegressor, AnyPenalty):
    """Regression that large residuals enter linearly, with a penalty to choose.

    Parameters
    ----------
    epsilon, delta : float
        The budget; no default.
    huber_width : float
        The residual from which on the loss is linear.
    penalty : {"l2", "l1", "elastic_net", "box", "none"}
        elastic_net needs `l1_ratio`; box has `lower`, `upper` or both, as the others but none may.
    alpha : float or "auto"
        Strength of l1, l2 and elastic_net; the loss is a mean over records. "auto" is 1 / n for
        l2, and for l1 a part of what chance alone can do (docs/settings.md).
    l1_ratio : float, optional
        Of elastic_net: the share of l1.
    target_scale : float or "private", optional
        Typical size of the target. "private", the default, finds it at a part of the budget.
    **others
        See `FitInputs` and `PrivateLinearModel`.

    Examples
    --------
    >>> import southwell
    >>> data, truth = southwell.generate("square", records=500, features=8, seed=1)
    >>> huber = southwell.PrivateHuber(
    ...     huber_width=100, penalty="l1", positive=True, epsilon=1, delta=1e-6, target_scale=100
    ... ).fit(data.design, data.target)
    >>> bool((huber.coef_ >= 0).all())
    True
    """

    huber_width: float = 1.35
    _objective: ClassVar[dict[str, str]] = {"loss": "huber"}
