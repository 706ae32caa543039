"""Choosing the settings of a model privately: one budget for all fits and the choice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from southwell import _core
from southwell._words import ledger_file, shown
from southwell.estimators import _around
from southwell.estimators._base import PrivateLinearModel
from southwell.estimators._tuning import unless_chosen, warn_inside_cross_validation


def _has(name: str) -> Any:
    """A method is there where the estimator has it."""
    return available_if(lambda search: hasattr(search.estimator, name))


class PrivateSearch(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Fit a private model in several settings, and choose one of them by a mechanism.

    Settings are fitted on one random part of the records, and compared on another part, together
    with the model without features. One budget covers all fits and the choice: what comes out is
    one model whose statement says how it was chosen. Of the other models nothing is kept, so there
    is no `cv_results_`.

    There are two ways to pay for it. All settings are fitted, and their costs add up: each of 3
    has about half of epsilon, each of 20 about a fifth. Or runs, whose number is secret, fit
    settings drawn at random, and the one with the best noisy score is kept: a fit has about 0.4 of
    epsilon, however many settings there are, and one of the best fifth is tried nine times in ten.
    The way that leaves a fit more is taken, by public numbers. Where the automatic choice is nearly
    right, an untuned fit with the whole budget is better than either.

    Parameters
    ----------
    estimator : estimator of this library
        What is fitted. Its own `epsilon` and `delta` are not used.
    settings : dict of lists, or list of such dicts
        Parameters to try, as for GridSearchCV: all combinations of each dict. With `n_settings`
        values may be distributions with a method `rvs`, as for RandomizedSearchCV. They are public:
        do not choose them by looking at the records. They may not change what is fitted (loss,
        `classes`, `relation`, `target_scale`, ...). A private `target_scale` is found once, for all
        of them.
    epsilon, delta : float
        The budget of all of it.
    choice_share : float
        The part of the records that models are compared on.
    test_share : float, optional
        A third part, for private figures of the chosen model (`best_estimator_.evaluation_`) that
        cost nothing besides.
    way : {"auto", "all", "runs"}
        Which of the two ways to take; with a ledger auto is all, and runs are refused.
    n_settings : int, optional
        Draw so many settings from the lists and distributions, instead of all combinations.
    random_state : int, optional
        For these draws, which are public. It has nothing to do with the noise.
    ledger : Ledger or path, optional
        What all of it is charged to, before a record is used; that of the estimator where it is
        left out.

    Attributes
    ----------
    best_estimator_ : estimator
        The chosen one, fitted; `predict`, `score` and the like are its own.
    best_params_ : dict
        Its setting; empty where no setting did better than the model without features.
    privacy_ : Statement
        What all of it promises together: that of the chosen model.
    epsilon_of_each_ : float
        The budget's epsilon that each fit had.
    n_features_in_ : int
        Number of features.

    Examples
    --------
    >>> import numpy as np
    >>> from southwell import PrivateLogisticRegression, PrivateSearch
    >>> random = np.random.default_rng(1)
    >>> X = random.normal(size=(5000, 3))
    >>> y = (X[:, 0] + random.normal(size=5000) > 0).astype(int)
    >>> model = PrivateLogisticRegression(epsilon=1, delta=1e-6, classes=[0, 1], feature_scale=1)
    >>> search = PrivateSearch(model, {"alpha": [0.001, 10.0]}, epsilon=1, delta=1e-6).fit(X, y)
    >>> search.best_params_, search.privacy_.guarantee
    ({'alpha': 0.001}, '(1, 1e-06)-DP')
    """

    def __init__(
        self,
        estimator: Any,
        settings: Any,
        *,
        epsilon: float,
        delta: float,
        choice_share: float = 0.2,
        test_share: float | None = None,
        way: str = "auto",
        n_settings: int | None = None,
        random_state: int | None = None,
        ledger: Any = None,
    ) -> None:
        self.estimator = estimator
        self.settings = settings
        self.epsilon = epsilon
        self.delta = delta
        self.choice_share = choice_share
        self.test_share = test_share
        self.way = way
        self.n_settings = n_settings
        self.random_state = random_state
        self.ledger = ledger

    def fit(self, X: Any, y: Any = None, units: Any = None) -> PrivateSearch:  # noqa: N803
        """Fit all settings and choose one.

        Parameters
        ----------
        X, y, units
            As for the `fit` of the estimator.

        Returns
        -------
        self
        """
        within = _around.asked_within(self)
        warn_inside_cross_validation(self)
        of_estimator = getattr(self.estimator, "ledger", None)
        ledger = ledger_file(of_estimator if self.ledger is None else self.ledger)
        settings = self._checked_settings()
        budget: dict[str, object] = {"epsilon": self.epsilon, "delta": self.delta}
        if self.test_share is not None:
            budget["test_share"] = self.test_share
        candidates = [clone(self.estimator).set_params(**each, **budget) for each in settings]
        for candidate in candidates:
            candidate._check_parameters()
        first = candidates[0]
        records = (first._read_arrays if first.schema is None else first._read_table)(X, y, units)
        # Labels are matched with the target for each of them; of a raw table the schema says it.
        inputs = [
            each._inputs() if y is None else each._prepared(y, each._inputs())[1]
            for each in candidates
        ]
        names = [_name(each) for each in settings]
        # A ledger adds up lists of mechanisms, which a secret number of runs is not.
        way = "all" if ledger is not None and self.way == "auto" else self.way
        how = {**budget, "choice_share": self.choice_share, "way": way}
        tuning = _core.tuning(records.design, inputs, names, how, records.units)
        _around.warn_of(tuning.privacy)
        model = tuning.find(records.design, records.target, units=records.units, ledger=ledger)
        _around.warn_of(model.privacy, tuning.privacy)
        if records.not_covered:
            model = _core.model_with(_core.not_covering(model.privacy, records.not_covered))
        name = str(model.privacy.public_inputs["chosen_setting"]["value"])
        chosen = names.index(name) if name in names else None
        self._adopt(
            first if chosen is None else candidates[chosen],
            first,
            unless_chosen(self, _around.settled(self, within, model)),
        )
        self.best_params_ = {} if chosen is None else dict(settings[chosen])
        self.epsilon_of_each_ = tuning.epsilon_of_each
        return self

    def _adopt(self, best: Any, first: Any, model: _core.Model) -> None:
        for name in ("n_features_in_", "feature_names_in_"):
            if name in vars(first):
                setattr(best, name, getattr(first, name))
        best._adopt(model)
        self.best_estimator_ = best
        self.n_features_in_ = best.n_features_in_

    def _checked_settings(self) -> list[dict[str, Any]]:
        if not isinstance(self.estimator, PrivateLinearModel):
            raise TypeError(
                f"estimator: given {shown(self.estimator)}, accepted is an estimator of this "
                "library; what comes before it in a pipeline belongs before the search"
            )
        grid = self.settings
        if not isinstance(grid, Mapping) and not (
            isinstance(grid, Iterable) and all(isinstance(each, Mapping) for each in grid)
        ):
            raise TypeError(
                f"settings: given {shown(grid)}, accepted is a dict of lists, or a list of them"
            )
        settings = [dict(each) for each in self._drawn(grid)]
        for name in sorted({name for each in settings for name in each}):
            if name in ("epsilon", "delta", "test_share", "choice_share", "ledger"):
                raise ValueError(f"{name}: given as a setting, accepted beside the settings")
        if not settings:
            raise ValueError("settings: given none, accepted is at least one")
        return settings

    def _drawn(self, grid: Any) -> Iterable[Mapping[str, Any]]:
        """All combinations, or as many draws as were asked for; of equal ones the first."""
        if self.n_settings is None:
            return ParameterGrid(grid)  # type: ignore[no-any-return]
        if not isinstance(self.n_settings, int) or self.n_settings < 1:
            raise ValueError(
                f"n_settings: given {shown(self.n_settings)}, accepted is a whole number from 1, "
                "or None for all combinations"
            )
        drawn = ParameterSampler(grid, self.n_settings, random_state=self.random_state)
        return list({_name(each): each for each in drawn}.values())

    @property
    def privacy_(self) -> _core.Statement:
        """What the fits of all settings and the choice promise together."""
        check_is_fitted(self, "best_estimator_")
        statement: _core.Statement = self.best_estimator_.privacy_
        return statement

    def _best(self) -> Any:
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_

    @_has("predict")  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> Any:  # noqa: N803
        """Predict with the chosen model."""
        return self._best().predict(X)

    @_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        """Probabilities of the classes by the chosen model."""
        return self._best().predict_proba(X)

    @_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:  # noqa: N803
        """Margins of the chosen model."""
        return self._best().decision_function(X)

    @_has("score")  # type: ignore[untyped-decorator]
    def score(self, X: Any, y: Any = None) -> float:  # noqa: N803
        """The exact score of the chosen model on these records: not private."""
        return float(self._best().score(X, y))

    @property
    def classes_(self) -> Any:
        """Those of the chosen model."""
        return self._best().classes_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = self.estimator.__sklearn_tags__()
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = inner.classifier_tags
        tags.regressor_tags = inner.regressor_tags
        tags.input_tags = inner.input_tags
        tags.target_tags = inner.target_tags
        tags.non_deterministic = True
        return tags


def _name(setting: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in setting.items())
