"""What scikit-learn's own checks cannot ask of a private estimator."""

from __future__ import annotations

from sklearn.base import is_classifier

from southwell.declared_scaler import DeclaredScaler
from southwell.estimators import PrivateLinearModel
from southwell.preprocessing import PooledScaler, RowNormalizer

_VALUES = "values inside records never raise: an error that depends on a record is an output"
_RECORDS = "how many records there are is a secret where one may be added or removed"
_GUESS = "so few records do not tell a scale from noise, and the refusal says it in other words"
_NOISE = (
    "compares two fits, and every fit draws fresh noise: one that repeats itself is not private"
)


def expected_failed_checks(
    estimator: PrivateLinearModel | RowNormalizer | DeclaredScaler | PooledScaler,
) -> dict[str, str]:
    """Checks that fail for the sake of privacy, each with its reason.

    One is about values: `check_supervised_y_no_nan`. It is all there is for an estimator with
    `seed_for_tests`, which is what to check: the rest is then checked too.

    Without a seed those that compare two fits of the same records fail as well, three for a
    classifier and four for a regressor: `check_fit_idempotent`, `check_supervised_y_2d`,
    `check_classifier_data_not_an_array` or `check_regressor_data_not_an_array`, and
    `check_regressors_int`. scikit-learn makes fits repeatable by `random_state`, which private
    estimators do not have, and its tag `non_deterministic`, which they have, takes out other checks
    that compare fits (`check_methods_sample_order_invariance`, `check_methods_subset_invariance`,
    `check_pipeline_consistency`) but not these.

    Parameters
    ----------
    estimator : PrivateLinearModel, RowNormalizer, DeclaredScaler or PooledScaler
        As it will be checked.

    Returns
    -------
    dict of str to str
        What `sklearn.utils.estimator_checks.check_estimator` takes as `expected_failed_checks`.

    Examples
    --------
    >>> from southwell import PrivateLasso
    >>> list(expected_failed_checks(PrivateLasso(epsilon=1, delta=1e-6, seed_for_tests=1)))
    ['check_supervised_y_no_nan']
    """
    if isinstance(estimator, RowNormalizer | DeclaredScaler):
        return {"check_estimators_empty_data_messages": _RECORDS}
    if isinstance(estimator, PooledScaler):
        return {"check_fit2d_1sample": _GUESS}
    failed = {"check_supervised_y_no_nan": _VALUES}
    if estimator.seed_for_tests is None:
        kind = (
            ["check_classifier_data_not_an_array"]
            if is_classifier(estimator)
            else ["check_regressor_data_not_an_array", "check_regressors_int"]
        )
        failed |= dict.fromkeys([*kind, "check_fit_idempotent", "check_supervised_y_2d"], _NOISE)
    return failed
