"""What a budget would buy, before any data."""

from __future__ import annotations

import json
import warnings
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from southwell import _core
from southwell._words import shown, unknown
from southwell.estimators._base import is_yes
from southwell.schema import schema_of


class Plan:
    """A fit decided to the last number; no record was used.

    Attributes
    ----------
    privacy_ : Statement
        What a model fitted like this would promise.
    solver, why : str
        Which solver a fit would take, and the reason.
    plan_table : list of dict
        What other numbers of iterations and other budgets would buy: `epsilon`, `iterations`, the
        events and their noise, `coef_noise_sd`, and `smallest_effect`, the coefficient that one
        selection finds with probability 0.9 (None: none is large enough). As `southwell plan`
        prints them.
    chosen : int
        Which of them this plan is.
    figures : dict
        With a `test_share`, how wide the 95 % intervals of private figures would be in a made-up
        case: `half_width`, `noise_sd` and `sampling_sd` of each. Empty without.
    tuning : dict
        With `settings`, what a private choice among so many would leave each fit
        (`epsilon_of_each_fit`), by which `way`, and the `expectation`: whether an untuned fit with
        the whole budget is likely to be better. Empty without.
    gradient_noise_, coef_noise_ : ndarray
        Standard deviation of the privacy noise in a released gradient, and in a coefficient, were
        features as large as declared and uncorrelated: one for each feature, then the intercept if
        there is one.
    feature_names : list of str
        What a schema calls the features; empty without one.
    """

    def __init__(
        self, plan: _core.Plan, plan_table: dict[str, Any], feature_names: list[str]
    ) -> None:
        self.privacy_ = plan.privacy
        self.solver = cast("str", plan_table["solver"])
        self.why = cast("str", plan_table["why"])
        self.plan_table = cast("list[dict[str, Any]]", plan_table["rows"])
        self.chosen = cast("int", plan_table["chosen"])
        self.figures = cast("dict[str, dict[str, float]]", plan_table.get("figures", {}))
        self.tuning = cast("dict[str, Any]", plan_table.get("tuning", {}))
        gradient, step = plan.noise_sd
        self.gradient_noise_ = cast("NDArray[np.float64]", gradient)
        self.coef_noise_ = cast("NDArray[np.float64]", step)
        self.feature_names = feature_names

    def __str__(self) -> str:
        return str(self.privacy_)


def _number_of(settings: Any) -> int | None:
    if settings is None:
        return None
    if isinstance(settings, bool) or not isinstance(settings, (int, np.integer)):
        raise TypeError(f"settings: given {shown(settings)}, accepted is a whole number")
    if settings < 1:
        raise ValueError(f"settings: given {settings}, accepted is a whole number from 1")
    return int(settings)


def plan(
    *,
    records: int,
    features: int | None = None,
    fit_intercept: bool = True,
    schema: Any = None,
    settings: int | None = None,
    **inputs: Any,
) -> Plan:
    """Plan a fit from public numbers alone.

    Parameters
    ----------
    records, features : int
        The form of the data; under add_or_remove_one `records` is the public divisor.
    fit_intercept : bool
        Whether there is a constant.
    schema : Schema, dict or path, optional
        Of a raw table, which says what its features are: `features` is not needed then.
    settings : int, optional
        How many a private choice (`PrivateSearch`) would be among, to say what it would leave.
    **inputs
        `loss`, `epsilon`, `delta` and every other input of a fit by its name: those of
        `PrivateLinearModel` and of the estimators. Without `classes` there are two of them.

    Returns
    -------
    Plan

    Examples
    --------
    >>> fit = plan(
    ...     records=1000, features=100, loss="squared", epsilon=1, delta=1e-6, feature_scale=1
    ... )
    >>> fit.privacy_.guarantee, len(fit.coef_noise_)
    ('(1, 1e-06)-DP', 101)
    >>> fit.plan_table[fit.chosen]["epsilon"], fit.solver
    (1.0, 'gcd')
    """
    for name, meant in (
        ("intercept", "fit_intercept"),
        ("class_names", "classes"),
        ("classes_from_data", "classes"),
    ):
        if name in inputs:
            raise unknown(name, "plan", [meant])
    relation = inputs.get("relation")
    if isinstance(relation, str) and relation == "add_or_remove_one":
        inputs["records"] = records
    inputs["intercept"] = None if is_yes("fit_intercept", fit_intercept) else False
    table = None if schema is None else schema_of(schema)
    inputs["schema"] = table and table._core
    planned = _core.plan(records, features, inputs)
    for words in planned.privacy.warnings:
        warnings.warn(words, UserWarning, stacklevel=2)
    rows = json.loads(_core.plan_table(records, features, inputs, _number_of(settings)))
    return Plan(planned, rows, table.feature_names if table else [])
