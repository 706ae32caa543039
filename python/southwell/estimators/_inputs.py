"""The public inputs of a fit as parameters of estimators.

Written by tools/write_inputs.py from the rows of fit/input_rows.cpp: change them there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(kw_only=True, eq=False, repr=False)
class FitInputs:
    """What all estimators take.

    Everything here is public: it is declared, never read from the records. What is left
    out has its default; what does not apply to the solver or the mode is refused.

    Parameters
    ----------
    lower : float, optional
        No coefficient is below this; the intercept may be. Not with the penalty none.
        Default: -inf.
    upper : float, optional
        No coefficient is above this; the intercept may be. Not with the penalty none.
        Default: inf.
    epsilon : float
        The budget's epsilon: smaller is more private, and noisier. Yours to choose.
    delta : float
        The budget's delta, far below 1 / records; 0 means pure differential privacy.
    relation : {"replace_one", "add_or_remove_one"}, optional
        Which data sets must look alike. Default: replace_one.
    records : int, optional
        The public number of records to divide by, under add_or_remove_one. Default: those
        of the data.
    test_share : float, optional
        Share of the records that the fit leaves out, for private figures of the model on
        them within the same budget.
    features : int, optional
        The number of features of sparse data, declared. Default: those of the data;
        required of sparse data.
    feature_scale : float or array of shape (features,), optional
        Typical size of the features: one number, or one for each. Default: 1.
    record_norm : float or "private", optional
        Typical l2 norm of a record, in units of the declared scales: the noise of sgd
        follows it for the loss logistic, and for regressions where it is below
        sqrt(features)/2; private: found by a mechanism, at a part of the budget (logistic).
        Default: the schema's; else private from 1000 records, sqrt(features) below.
    target_center : float or "private", optional
        Where the intercept of a regression starts; private: found by releases. Default:
        private in a refined fit, else 0.
    unit : str, optional
        What a unit is called, such as patient, where the data say whose each record is: all
        of a unit's records are protected together. Default: id.
    solver : {"auto", "gcd", "cd", "sgd"}, optional
        Greedy coordinate descent, random coordinates, or gradient descent; auto chooses
        between the first and the last by a public rule.
    mode : {"certified", "paper"}, optional
        A certified fit, or the algorithm as published, which has no guarantee. Default:
        certified.
    iterations : int or "auto"
        How many iterations, exactly.
    start : estimator or array, optional
        Where to begin: a fitted model, whose cost is added, or public coefficients.
        Default: zero.
    threads : int, optional
        Number of threads; it changes no bit of the model. Default: all cores.
    rule : {"gs_s", "gs_r", "gs_q"}, optional
        How gcd scores coordinates. Default: gs_s.
    clip : float or "auto"
        The largest share of a record in a gradient (sgd: of all of it).
    step : float or "auto"
        Step length, in units of 1 / M_j (sgd: absolute).
    share : float or "auto"
        The part of the budget that gcd's selections get.
    selection : {"exponential", "permute_and_flip", "noisy_max"}, optional
        The mechanism by which gcd as printed selects. Default: exponential.
    release : {"laplace", "gaussian"}, optional
        The noise of a released gradient, of gcd as printed and of cd. Default: what has
        less noise for gcd, gaussian for cd.
    batch_size : int or "auto"
        Expected number of records in a step of sgd; auto takes all: gradient descent.
    sampling : {"poisson"}, optional
        How sgd draws its batches. Default: poisson.
    iterate : {"average", "last"}, optional
        Which iterate sgd returns; the average is that of the last half. Default: average,
        in paper mode last.
    refine : {"auto", "on", "off"}, optional
        Refinements of gcd and sgd; off is the algorithm as printed in the paper. auto is on
        unless something is given that only the algorithm as printed has.
    attenuation : bool or "auto"
        Correct for what clipping takes from a gradient.
    clip_tracking : bool or "auto"
        Let the clip follow the size of the residuals (squared loss).
    margin_correction : bool or "auto"
        Correct for what large margins do to gradients (logistic loss); auto is on without
        an l1 part in the penalty.
    polish : bool or "auto"
        Give most of the descents' budget to the last one.
    exclude_visited : bool or "auto"
        Choose no feature twice.
    second_moment : bool or "auto"
        Release how large the chosen features are, for clips and steps that fit features
        which are rare or smaller than declared.
    prune : bool or "auto"
        Set coefficients to 0 that are within twice the noise that features as declared and
        uncorrelated would have; classifiers with an l1 part in the penalty then descend
        once more on the others. auto is on with such a part.
    selections_per_gradient : int or "auto"
        How many features are chosen from one gradient.
    calibrate_probabilities : bool or "auto"
        Fit one factor for all margins at the end, by releases of their own, so that
        probabilities are neither too sure nor too unsure, nor a regression's predictions
        too far apart (sgd by the norm of a record). auto is on where there are enough
        records for it.
    select_iterate : bool or "auto"
        Choose privately between the fitted coefficients, parts of them and none, so that a
        fit that went wrong is not kept. auto is on where there are enough records for it
        and probabilities are not calibrated.
    seed_for_tests : int, optional
        Noise that can be foreseen: turns the guarantee off.
    allow_leaks : bool
        Accept what is read from the records: turns the guarantee off.
    """

    lower: float | None = None
    upper: float | None = None
    epsilon: float
    delta: float
    relation: str | None = None
    records: int | None = None
    test_share: float | None = None
    features: int | None = None
    feature_scale: Any = None
    record_norm: float | str | None = None
    target_center: float | str | None = None
    unit: str | None = None
    solver: str | None = None
    mode: str | None = None
    iterations: int | str = "auto"
    start: Any = None
    threads: int | None = None
    rule: str | None = None
    clip: float | str = "auto"
    step: float | str = "auto"
    share: float | str = "auto"
    selection: str | None = None
    release: str | None = None
    batch_size: int | str = "auto"
    sampling: str | None = None
    iterate: str | None = None
    refine: str | None = None
    attenuation: bool | str = "auto"
    clip_tracking: bool | str = "auto"
    margin_correction: bool | str = "auto"
    polish: bool | str = "auto"
    exclude_visited: bool | str = "auto"
    second_moment: bool | str = "auto"
    prune: bool | str = "auto"
    selections_per_gradient: int | str = "auto"
    calibrate_probabilities: bool | str = "auto"
    select_iterate: bool | str = "auto"
    seed_for_tests: int | None = None
    allow_leaks: bool = False
