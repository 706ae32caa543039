"""The leaks that were once found at the doors, by name; the survey finds them too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import southwell

SEEDED: dict[str, Any] = {"epsilon": 4, "delta": 1e-6, "seed_for_tests": 5}


@pytest.fixture
def table() -> Any:
    return np.random.default_rng(2).normal(size=(300, 3))


def fitted(labels: Any, table: Any) -> Any:
    model = southwell.PrivateLogisticRegression(classes=[0, 1], **SEEDED).fit(table, labels)
    return [*model.coef_.ravel(), *model.intercept_]


def test_one_text_label_changes_no_other(table: Any) -> None:
    labels = [int(x > 0) for x in table[:, 0]]
    odd: list[Any] = ["x", *labels[1:]]
    assert fitted(odd, table) == fitted([0, *labels[1:]], table)
    assert fitted(tuple(odd), table) == fitted(odd, table)
    assert abs(fitted(odd, table)[0]) > 0.5


@pytest.mark.parametrize("cell", ["x", pd.NA, 10**400, 1j, None])
def test_one_cell_of_another_type_raises_nothing(table: Any, cell: Any) -> None:
    rows = table.tolist()
    rows[7][1] = cell
    target = table[:, 0].tolist()
    target[3] = "1.5 or so"
    lasso = southwell.PrivateLasso(target_scale=1, **SEEDED).fit(rows, target)
    meant = table.copy()
    meant[7, 1] = np.inf if isinstance(cell, int) else np.nan
    numbers = table[:, 0].copy()
    numbers[3] = np.nan
    same = southwell.PrivateLasso(target_scale=1, **SEEDED).fit(meant, numbers)
    assert lasso.coef_.tolist() == same.coef_.tolist()
    scaler = southwell.PooledScaler(epsilon=1, seed_for_tests=1)
    assert scaler.fit(rows).scale_ == scaler.fit(meant).scale_


def test_a_vectorizer_with_the_users_own_analyzer_is_refused(table: Any) -> None:
    words = [f"word{int(x > 0)}" for x in table[:, 0]]
    ridge = southwell.PrivateRidge(epsilon=1, delta=1e-6, features=16)
    vectorizer = HashingVectorizer(n_features=16, analyzer=str.split)
    with pytest.raises(southwell.PrivacyLeakError, match="analyzer"):
        southwell.private_pipeline(vectorizer, ridge).fit(words, table[:, 0])
    learned = make_pipeline(vectorizer, ridge).fit(words, table[:, 0])
    with pytest.raises(southwell.PrivacyLeakError, match="analyzer"):
        southwell.privacy_of(learned)


def test_a_model_behind_a_step_that_learns_says_what_it_speaks_of(table: Any) -> None:
    ridge = southwell.PrivateRidge(epsilon=1, delta=1e-6)
    make_pipeline(StandardScaler(), ridge).fit(table, table[:, 0])
    assert str(ridge.privacy_).splitlines()[0].count("the fit on the matrix it was given") == 1
    ridge.fit(table, table[:, 0])
    assert ridge.privacy_.guarantee == "(1, 1e-06)-DP"


@pytest.mark.parametrize("epsilon", [0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 4.0])
def test_a_pooled_scale_spends_at_most_what_it_was_asked(table: Any, epsilon: float) -> None:
    rows = np.tile(table, (10, 1))
    statement = southwell.PooledScaler(epsilon=epsilon).fit(rows).privacy_
    assert statement.epsilon_spent <= epsilon
    (use,) = statement.mechanisms
    assert 4 / float(str(use["scale"])) + 1e-12 <= epsilon  # the range, and what rounding adds


def test_no_selection_can_end_a_fit(table: Any) -> None:
    """A box narrower than a unit of the scores: every feature has the score of none."""
    model = southwell.PrivateLogisticRegression(
        classes=[0, 1], penalty="box", lower=-1e-12, upper=1e-12, epsilon=1, delta=1e-6
    )
    assert model.fit(table, table[:, 0] > 0).privacy_.private
