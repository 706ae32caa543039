"""What can be seen of a fitted model, in numbers and in the user's terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from southwell import _core
from southwell.schema import Schema

if TYPE_CHECKING:
    from southwell.evaluation import Evaluation

_MOST_TOGETHER = 10_000  # coefficients whose covariance is one matrix in memory

Numbers = NDArray[np.float64]


class FittedModel:
    """The public parts of a model: privacy covers all of them."""

    model_: _core.Model
    schema_: Schema

    @property
    def privacy_(self) -> _core.Statement:
        """What the model promises about the records, and all that the promise rests on."""
        return self.model_.privacy

    @property
    def evaluation_(self) -> Evaluation:
        """Private figures on the records that `test_share` held out of the fit.

        Their promise is the model's. There are none of a fit without a `test_share`.
        """
        from southwell.evaluation import evaluation_of  # which knows the estimators

        return evaluation_of(self.model_)

    @property
    def coef_(self) -> Numbers:
        """Coefficients: one list, or one for each class."""
        return self._shaped(self.model_.coef[0])

    @property
    def intercept_(self) -> Numbers:
        """The constant of each margin."""
        return self._shaped(self.model_.coef[1])

    @property
    def coef_noise_(self) -> Numbers:
        """Standard deviation of the privacy noise in each coefficient; the error of sampling
        records is extra.

        0 where the coefficient is 0; NaN where the noise is not determined at this budget.
        """
        return self._shaped(self.model_.noise_sd[0])

    @property
    def intercept_noise_(self) -> Numbers:
        """Standard deviation of the privacy noise in the constant; NaN as in `coef_noise_`."""
        return self._shaped(self.model_.noise_sd[1])

    @property
    def coef_covariance_(self) -> Numbers:
        """Covariance of the privacy noise in the coefficients: a matrix, or one for each class.

        Where features were whitened, noise goes together; elsewhere each coefficient has noise of
        its own. NaN in the rows and columns of those whose noise is not determined at this budget.
        """
        noise = np.atleast_2d(np.asarray(self.model_.noise_sd[0]))
        if noise.size > _MOST_TOGETHER:
            raise ValueError(
                f"coef_covariance_: given {noise.size} coefficients, accepted are "
                f"{_MOST_TOGETHER}; coef_noise_ has their standard deviations"
            )
        out = np.stack([np.diag(each**2) for each in noise])
        together = self.model_.noise_covariance
        if together is not None:
            index, matrix = (np.asarray(part) for part in together)
            own = index < noise.shape[1]
            out[0][np.ix_(index[own], index[own])] = matrix[np.ix_(own, own)]
        for head, unknown in enumerate(np.isnan(noise)):
            out[head][unknown, :] = np.nan
            out[head][:, unknown] = np.nan
        return out[0] if len(out) == 1 else out

    def _shaped(self, of_heads: object) -> Numbers:
        return cast("Numbers", of_heads)

    @property
    def path_(self) -> NDArray[np.void]:
        """Every step of the fit, with fields head, feature, gradient (as released; of features
        that move together, their part of it) and value.

        The feature of the intercept is the number of features. Privacy covers all of it. Empty
        for sgd, which moves every coefficient in every step.
        """
        parts = self.model_.path
        kinds = [("head", np.int64), ("feature", np.int64), ("gradient", float), ("value", float)]
        path = np.empty(len(cast("Numbers", parts[0])), dtype=kinds)
        for (name, _), part in zip(kinds, parts):
            path[name] = part
        return path

    @property
    def encoded_names_(self) -> NDArray[np.object_]:
        """What the features are called that a schema makes of the columns: those of `coef_`."""
        return np.array(self.schema_.feature_names, dtype=object)

    @property
    def coef_in_user_terms_(self) -> list[dict[str, Any]]:
        """Coefficients that are not 0 and the intercept, in the units of the raw table.

        One dict each: `name`, `coef`, `noise` (standard deviation of the privacy noise; NaN where
        it is not determined at this budget), `per` (per unit, per day, per level; empty for what
        is there or not) and, of more than two classes, `class`. The intercept is the margin where
        all numbers, transformed, are 0 and no level applies.
        """
        names = self.schema_.feature_names
        classes = self.model_.class_names or np.asarray(self.model_.classes).tolist()
        heads = self.model_.in_user_terms()
        rows: list[dict[str, Any]] = []
        for head, (intercept, noise, coef) in enumerate(heads):
            whose = {"class": classes[head]} if len(heads) > 1 else {}
            own = {"coef": intercept, "noise": noise, "per": ""}
            rows.append({"name": "(intercept)", **own, **whose})
            for index, value, sd, per in coef:
                rows.append({"name": names[index], "coef": value, "noise": sd, "per": per, **whose})
        return rows
