"""What several steps on the same records promise together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from sklearn.compose import ColumnTransformer
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from southwell import _core, _pipelines, _steps, estimators
from southwell.estimators._around import asked_within, composing, warn_of
from southwell.preprocessing import PooledScaler
from southwell.tuning import PrivateSearch

# These very classes: what inherits from them may do anything.
_MODELS: set[type] = {
    estimators.PrivateElasticNet,
    estimators.PrivateHuber,
    estimators.PrivateLasso,
    estimators.PrivateLinearSVC,
    estimators.PrivateLogisticRegression,
    estimators.PrivateRidge,
}
_FOREIGN = [
    "errors and warnings of steps that are not of this library: some depend on values of records",
    "types that such steps find in lists and in columns of objects: one text among numbers can "
    "make all of them text",
]


class PrivatePipeline(Pipeline):  # type: ignore[misc]
    """A pipeline of which every step is charged or free; `private_pipeline` makes one.

    Before it fits, it refuses steps that may learn from the records without a mechanism (see
    `privacy_of` for what is accepted). Once it is fitted, its last model and the file of that
    state what all steps promise together.

    Parameters
    ----------
    steps : list of (str, step)
        As in scikit-learn.
    transform_input, memory : None
        Not accepted: what a cache holds was left by fits that nobody knows here.
    verbose : bool
        Whether to print the time that each step takes.

    Examples
    --------
    >>> import numpy as np
    >>> from southwell import PooledScaler, PrivateRidge
    >>> steps = [("scale", PooledScaler(epsilon=0.1)), ("fit", PrivateRidge(epsilon=1, delta=1e-6))]
    >>> X = np.random.default_rng(1).normal(size=(1000, 5)) * 300
    >>> pipeline = PrivatePipeline(steps).fit(X, X[:, 0] / 300)
    >>> pipeline.privacy_.guarantee == pipeline[-1].privacy_.guarantee
    True
    """

    def fit(self, X: Any, y: Any = None, **params: Any) -> PrivatePipeline:  # noqa: N803
        """Check every step, then fit them one after the other.

        Parameters
        ----------
        X : array or frame of shape (records, features)
            What the first step takes.
        y : array of shape (records,), optional
            Targets or labels.
        **params
            As in scikit-learn. `units` go to every step that is charged: `STEP__units`.

        Returns
        -------
        self

        Raises
        ------
        PrivacyLeakError
            Where a step may learn from the records without a mechanism. No record was used then.
        """
        before = list(_leaves(self, fitted=False))
        _check_charges(self, before)
        _check_given_alike(before, params)
        within = asked_within(self)
        self.__dict__.pop("_composed", None)
        for _, step in before:
            vars(step).pop("_within", None)  # a fit that fails leaves no promise behind
        with composing():
            super().fit(X, y, **params)
        steps = list(_leaves(self, fitted=True))
        for _, step in steps:
            if _is_charged(step):
                step._within = _pipelines.signature(self)
        statement = _composed(self, steps)
        if within is not None:
            self._within = within
            statement = _core.of_the_fit_alone(statement)
        if (model := self._model()) is not None:
            model._adopt(_core.model_with(statement))
        self._composed = True  # not where somebody called the fit of the class above
        warn_of(statement)
        return self

    @available_if(lambda self: self._model() is None)  # type: ignore[untyped-decorator]
    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Any:  # noqa: N803
        """Fit, then transform the same records."""
        return self.fit(X, y, **params).transform(X)

    def _model(self) -> Any:
        """The model at the end, also of a pipeline at the end; None where there is none."""
        last = self.steps[-1][1]
        while type(last) in (Pipeline, PrivatePipeline):
            last = last.steps[-1][1]
        return last if type(last) in _MODELS else None

    @property
    def privacy_(self) -> _core.Statement:
        """What all steps promise together about the records."""
        check_is_fitted(self)
        if not hasattr(self, "_composed"):
            _pipelines.refuse(
                "",
                "a PrivatePipeline that was not fitted by this pipeline's own fit to its end",
                "so that the costs of its steps were never composed",
            )
        steps = list(_leaves(self, fitted=True))
        _check_fitted_together(self, steps)
        if (model := self._model()) is not None:
            return cast("_core.Statement", model.privacy_)
        statement = _composed(self, steps)
        return _core.of_the_fit_alone(statement) if hasattr(self, "_within") else statement


def private_pipeline(*steps: Any, verbose: bool = False) -> PrivatePipeline:
    """A pipeline that checks before it fits that every step is charged or free.

    Parameters
    ----------
    *steps
        Transformers, then a private model; `privacy_of` says which are accepted.
    verbose : bool
        Whether to print the time that each step takes.

    Returns
    -------
    PrivatePipeline
        Like `make_pipeline` of scikit-learn, with a statement `privacy_` of all steps together,
        which the last model and its file carry too.

    Examples
    --------
    >>> import numpy as np
    >>> from southwell import DeclaredScaler, PrivateRidge
    >>> X = np.random.default_rng(1).normal(size=(1000, 5)) * 300
    >>> scaler = DeclaredScaler(scale=300)
    >>> pipeline = private_pipeline(scaler, PrivateRidge(epsilon=1, delta=1e-6))
    >>> pipeline.fit(X, X[:, 0] / 300).privacy_.guarantee
    '(1, 1e-06)-DP'
    """
    return PrivatePipeline(make_pipeline(*steps).steps, verbose=verbose)


def privacy_of(pipeline: Any) -> _core.Statement:
    """What a fitted pipeline promises about the records: the costs of all its steps.

    A step is a private model or `PooledScaler`, which are charged, or treats each record by
    itself, which is free: `RowNormalizer`, `DeclaredScaler` and `TableEncoder` (of a schema without
    a unit), and of scikit-learn

    - `Normalizer`, `Binarizer`, `PolynomialFeatures` and `FeatureHasher`,
    - `HashingVectorizer` without functions of your own,
    - `OneHotEncoder` with declared `categories` and `handle_unknown="ignore"`, which drops none,
      and `OrdinalEncoder` with declared `categories` and `handle_unknown="use_encoded_value"`,
    - `SimpleImputer(strategy="constant", fill_value=..., keep_empty_features=True)`,
    - `FunctionTransformer` of a NumPy ufunc of one argument.

    Steps may be nested in `Pipeline`, `FeatureUnion` and `ColumnTransformer`, the last with
    `sparse_threshold=0` and columns that are named, not computed. All charged steps must have the
    same `relation`, and none may `start` from another model, whose own steps are not known here.
    `private_pipeline` checks the same before it fits.

    Parameters
    ----------
    pipeline : Pipeline, ColumnTransformer, FeatureUnion, PrivateSearch or a step
        Fitted as a whole, and not changed since.

    Returns
    -------
    Statement
        Public inputs carry the name of their step. Epsilon is that of all mechanisms together,
        computed once at the delta of the model: less than the sum of what they were asked. That of
        a single step is its own.

    Raises
    ------
    PrivacyLeakError
        Where a step may learn from the records without a mechanism, was changed after the fit, or
        was fitted elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from southwell import PooledScaler, PrivateRidge
    >>> X = np.random.default_rng(1).normal(size=(1000, 5)) * 300
    >>> pipeline = make_pipeline(PooledScaler(epsilon=0.1), PrivateRidge(epsilon=1, delta=1e-6))
    >>> statement = privacy_of(pipeline.fit(X, X[:, 0] / 300))
    >>> [use["step"] for use in statement.mechanisms][0]
    'feature_scale'
    >>> bool(1 < statement.epsilon < 1.1)
    True
    """
    if type(pipeline) is PrivateSearch:
        statement = pipeline.privacy_
        _check_charged("best_estimator_", pipeline.best_estimator_, fitted=True)
        return statement
    if type(pipeline).__module__.startswith("sklearn.model_selection."):
        _pipelines.refuse(
            "",
            f"{type(pipeline).__name__}, which compares exact scores of many fits on the same "
            "records",
            "so that no statement covers what it chose; PrivateSearch chooses within one budget",
        )
    if _is_charged(pipeline):
        _check_charged("", pipeline, fitted=True)
        return cast("_core.Statement", pipeline.privacy_)
    steps = list(_leaves(pipeline, fitted=True))
    _check_charges(pipeline, steps)
    _check_fitted_together(pipeline, steps)
    return _composed(pipeline, steps)


def signature_if_known(pipeline: Any) -> str:
    """The signature of a pipeline that is being fitted, or "" where it would be refused."""
    try:
        _check_charges(pipeline, list(_leaves(pipeline, fitted=False)))
    except (_core.PrivacyLeakError, ValueError, TypeError, AttributeError):
        return ""  # also of what is no pipeline at all: that is for its own fit to say
    return _pipelines.signature(pipeline)


def _is_charged(step: Any) -> bool:
    return type(step) in _MODELS | {PooledScaler, PrivatePipeline}


def _composed(pipeline: Any, steps: list[tuple[str, Any]]) -> _core.Statement:
    spent = [(name, step.privacy_) for name, step in steps if _is_charged(step)]
    foreign = any(not _is_charged(step) and not _steps.is_ours(step) for _, step in steps)
    return _core.composed(spent, _FOREIGN if foreign else [])


def _check_given_alike(steps: list[tuple[str, Any]], params: dict[str, Any]) -> None:
    """Whose records are whose, and who is to be charged, is told to all or to none."""
    charged = [(name, step) for name, step in steps if _is_charged(step)]
    told = {name for name, given in params.items() if given is not None}
    units = {name: f"{name.replace('.', '__')}__units" in told for name, _ in charged}
    _pipelines.check_given_to_all("units", units)
    # A private pipeline inside has seen to its own.
    with_ledger = [(name, step) for name, step in charged if hasattr(step, "ledger")]
    ledgers = {name: step.ledger is not None for name, step in with_ledger}
    _pipelines.check_given_to_all("ledger", ledgers)


def _check_charges(pipeline: Any, steps: list[tuple[str, Any]]) -> None:
    """There is something to promise, about the same records throughout."""
    charged = [(name, step) for name, step in steps if _is_charged(step)]
    if not charged:
        raise ValueError(
            f"pipeline: given {type(pipeline).__name__} without a step that spends a budget, "
            "accepted is a fitted one with a private model or PooledScaler"
        )
    # Of a private pipeline inside, which has composed its own, the accounting says it.
    relations = [(name, _relation(step)) for name, step in charged if hasattr(step, "relation")]
    for name, relation in relations:
        if relation != relations[-1][1]:
            raise ValueError(
                f"relation: given {relation} to '{name}', accepted is what the last step has, "
                f"{relations[-1][1]}"
            )
    for name, step in charged:
        if getattr(step, "start", None) is not None:
            raise ValueError(
                f"start: given to '{name}', accepted is none in a pipeline: what the steps before "
                "that model cost is not known here"
            )


def _relation(step: Any) -> str:
    relation = step.relation or "replace_one"
    return relation if relation == "replace_one" else f"{relation} of {step.records} records"


def _check_fitted_together(pipeline: Any, steps: list[tuple[str, Any]]) -> None:
    """Whoever was fitted elsewhere may have seen anything before."""
    known = _pipelines.signature(pipeline)
    for name, step in steps:
        if _is_charged(step) and vars(step).get("_within") != known:
            _pipelines.refuse(
                name,
                f"{type(step).__name__} that was not fitted by this pipeline as it stands",
                "so that nobody knows what was done to its records before; fit it as a whole, in "
                "one process",
            )


def _leaves(pipeline: Any, fitted: bool) -> Iterator[tuple[str, Any]]:
    """The steps that do something to records, all of them known to be charged or free.

    As they will be fitted, or as they were.
    """
    if type(pipeline) is PrivatePipeline:
        yield from _leaves_inside("", pipeline, fitted)
    else:
        yield from _leaves_below("", pipeline, fitted)


def _leaves_below(name: str, step: Any, fitted: bool) -> Iterator[tuple[str, Any]]:
    # A private pipeline that was fitted has composed what is inside.
    if _is_charged(step) and (fitted or type(step) is not PrivatePipeline):
        _check_charged(name, step, fitted)
        yield name, step
    elif type(step) in (Pipeline, PrivatePipeline, FeatureUnion, ColumnTransformer):
        yield from _leaves_inside(name, step, fitted)
    elif step is None or (type(step) is str and step in ("passthrough", "drop")):
        return
    else:
        problem = _steps.why_not_free(step) or (_steps.why_altered(step) if fitted else "")
        if problem:
            _pipelines.refuse(name, problem, "which may learn from the records")
        yield name, step


def _leaves_inside(name: str, step: Any, fitted: bool) -> Iterator[tuple[str, Any]]:
    _pipelines.check_container(name, step)
    for inner, part in _pipelines.parts(step, fitted):
        yield from _leaves_below(f"{name}.{inner}" if name else inner, part, fitted)


def _check_charged(name: str, step: Any, fitted: bool) -> None:
    changed = _steps.tampered(step)
    if fitted:
        check_is_fitted(step)
        if type(step) is PooledScaler and step.inputs_ != step._inputs():
            changed = "PooledScaler with parameters other than those it was fitted with"
    if changed:
        _pipelines.refuse(name, changed, "so that its statement may not be that of its fit")
