"""southwell.Ledger, ledger= of whatever looks at records, and southwell.compose."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import southwell
from southwell import (
    BudgetError,
    Ledger,
    PooledScaler,
    PrivateLogisticRegression,
    PrivateRidge,
    PrivateSearch,
    RowNormalizer,
    compose,
    evaluate,
    privacy_of,
    private_pipeline,
)

RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(1000, 3))
Y = X[:, 0] + RANDOM.normal(size=1000)
LABELS = (Y > 0).astype(int)
DECLARED: dict[str, Any] = {"feature_scale": 1, "target_scale": 2, "delta": 1e-6}


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger.create(tmp_path / "people.jsonl", epsilon=1, delta=1e-6)


def ridge(ledger: Any, epsilon: float = 0.2, **more: Any) -> PrivateRidge:
    return PrivateRidge(epsilon=epsilon, ledger=ledger, **DECLARED, **more).fit(X, Y)


def test_everything_that_looks_at_records_is_charged(ledger: Ledger) -> None:
    model = ridge(ledger)
    classifier = PrivateLogisticRegression(
        epsilon=0.1, delta=1e-6, classes=[0, 1], feature_scale=1, ledger=ledger.file
    ).fit(X, LABELS)
    held_out = ridge(ledger, 0.1, test_share=0.3)
    estimator = PrivateRidge(epsilon=9, **DECLARED)
    search = PrivateSearch(
        estimator, {"alpha": [0.01, 1.0]}, epsilon=0.1, delta=1e-6, ledger=ledger
    ).fit(X, Y)
    figures = evaluate(model, X, Y, epsilon=0.1, delta=1e-6, ledger=ledger)
    names = [entry["looks"][0]["name"] for entry in ledger.entries]
    assert names == ["fit", "fit", "fit", "tune", "evaluate"]
    assert all(entry["committed"] for entry in ledger.entries)
    made: list[Any] = [model, classifier, held_out, search, figures]
    assert all(ledger.id in each.privacy_.ledger for each in made)
    ledger.verify(model, classifier, held_out, search)


def test_a_search_is_charged_to_the_ledger_of_its_estimator(ledger: Ledger) -> None:
    estimator = PrivateRidge(epsilon=9, ledger=ledger, **DECLARED)
    PrivateSearch(estimator, {"alpha": [0.01, 1.0]}, epsilon=0.1, delta=1e-6).fit(X, Y)
    assert [entry["looks"][0]["name"] for entry in ledger.entries] == ["tune"]
    with pytest.raises(ValueError, match="ledger: given as a setting"):
        PrivateSearch(estimator, {"ledger": [ledger]}, epsilon=0.1, delta=1e-6).fit(X, Y)


def test_what_it_has_no_room_for_is_refused_and_costs_nothing(ledger: Ledger) -> None:
    ridge(ledger)
    left = ledger.left
    with pytest.raises(BudgetError, match="left is"):
        ridge(ledger, 0.95)
    assert ledger.left == left
    with pytest.raises(BudgetError):
        evaluate(ridge(None), X, Y, epsilon=0.95, delta=1e-6, ledger=ledger)
    assert ledger.left == left
    assert issubclass(BudgetError, ValueError)


def test_wrong_shapes_are_refused_before_it_is_touched(ledger: Ledger) -> None:
    for wrong in (Y[:-1], None):
        with pytest.raises(ValueError, match=r"y: given|numbers of samples"):
            PrivateRidge(epsilon=0.2, ledger=ledger, **DECLARED).fit(X, wrong)
    model = ridge(None)
    with pytest.raises(ValueError, match=r"features|X has"):
        evaluate(model, X[:, :2], Y, epsilon=0.1, delta=1e-6, ledger=ledger)
    with pytest.raises(ValueError, match="guarantee"):
        ridge(ledger, seed_for_tests=1)
    with pytest.raises(ValueError, match="replace_one"):
        ridge(ledger, relation="add_or_remove_one", records=1000)
    with pytest.raises(ValueError, match="ledger: given without a budget"):
        evaluate(model, X, Y, ledger=ledger)
    with pytest.raises(TypeError, match="ledger"):
        ridge(3)
    assert ledger.entries == []


def test_values_of_records_change_no_charge(tmp_path: Path) -> None:
    lines = []
    for k, value in enumerate((0.0, np.nan, 1e308)):
        file = tmp_path / f"{k}.jsonl"
        ledger = Ledger.create(file, epsilon=1, delta=1e-6)
        other = X.copy()
        other[0] = value
        PrivateRidge(epsilon=0.2, ledger=ledger, **DECLARED).fit(other, Y)
        lines.append([{**entry, "nonce": 0} for entry in ledger.entries])
    assert lines[0] == lines[1] == lines[2]


def test_a_ledger_that_is_closed_is_not_charged(ledger: Ledger) -> None:
    with ledger as opened:
        model = ridge(opened)
    with pytest.raises(ValueError, match="closed"):
        ridge(ledger)
    Ledger(ledger.file).verify(model)


def test_its_copies_are_itself(ledger: Ledger) -> None:
    estimator = PrivateRidge(epsilon=0.2, ledger=ledger, **DECLARED)
    assert clone(estimator).ledger is ledger
    assert copy.copy(ledger) is ledger
    assert copy.deepcopy(ledger) is ledger
    assert pickle.loads(pickle.dumps(ledger)).id == ledger.id


def test_a_pipeline_names_what_is_charged(ledger: Ledger) -> None:
    free = make_pipeline(RowNormalizer(), PrivateRidge(epsilon=0.2, ledger=ledger, **DECLARED))
    free.fit(X, Y)
    ridge_behind = PrivateRidge(epsilon=0.2, ledger=ledger, target_scale=2, delta=1e-6)
    scaled = make_pipeline(PooledScaler(epsilon=0.1), ridge_behind).fit(X, Y)
    statement = privacy_of(scaled)
    assert "pooledscaler: none" in statement.ledger
    assert ledger.id in statement.ledger
    assert len(ledger.entries) == 2


def test_a_private_pipeline_is_charged_as_a_whole(ledger: Ledger) -> None:
    behind = PrivateRidge(epsilon=0.2, ledger=ledger, target_scale=2, delta=1e-6)
    with pytest.raises(ValueError, match="ledger: given to some steps and not to 'pooledscaler'"):
        private_pipeline(PooledScaler(epsilon=0.1), behind).fit(X, Y)
    assert ledger.entries == []
    scaled = private_pipeline(PooledScaler(epsilon=0.1, ledger=ledger.file), behind).fit(X, Y)
    assert [entry["looks"][0]["name"] for entry in ledger.entries] == ["scale", "fit"]
    assert all(entry["committed"] for entry in ledger.entries)
    for number in (1, 3):  # each is followed by its commit
        assert f"entry {number} of ledger {ledger.id}" in scaled.privacy_.ledger
    ledger.verify(scaled)


def test_a_scale_is_charged_before_it_looks_at_a_record(ledger: Ledger) -> None:
    scaler = PooledScaler(epsilon=0.1, ledger=ledger).fit(X)
    assert ledger.id in scaler.privacy_.ledger
    assert "outside the ledger" in " ".join(scaler.privacy_.not_covered)
    assert pickle.loads(pickle.dumps(scaler)).privacy_.to_json() == scaler.privacy_.to_json()
    scaler.set_params(ledger=None)
    assert ledger.id in privacy_of(scaler).ledger, "what was charged stays charged"
    spent = ledger.spent
    with pytest.raises(BudgetError):
        PooledScaler(epsilon=2, ledger=ledger).fit(X)
    with pytest.raises(ValueError, match="guarantee"):
        PooledScaler(epsilon=0.1, ledger=ledger, seed_for_tests=1).fit(X)
    with pytest.raises(TypeError, match="ledger: given 3"):
        PooledScaler(epsilon=0.1, ledger=3).fit(X)
    assert ledger.spent == spent
    assert [entry["committed"] for entry in ledger.entries] == [True]
    assert compose(scaler).epsilon_as_filter <= 0.1


def test_a_plan_has_room_for_its_members_once(ledger: Ledger) -> None:
    planned = southwell.plan(
        records=1000, features=3, loss="squared", penalty="l2", epsilon=0.68, **DECLARED
    )
    ledger.plan({"spring": planned, "autumn": planned})
    assert ledger.closed_by_one
    models = [ridge(ledger, 0.68) for _ in range(2)]
    with pytest.raises(BudgetError):
        ridge(ledger, 0.68)
    ledger.verify(*models)


def test_an_older_copy_is_found(ledger: Ledger) -> None:
    older = Path(ledger.file).read_bytes()
    model = ridge(ledger)
    Path(ledger.file).write_bytes(older)
    with pytest.raises(southwell.DataError, match="older copy"):
        ledger.verify(model)
    with pytest.raises(southwell.DataError, match="no ledger"):
        ledger.verify(ridge(None))


def test_it_says_what_is_left(ledger: Ledger) -> None:
    assert ledger.left["pure_epsilon"] == ledger.epsilon == 1
    assert ledger.still_admitted()["whole_epsilon"] == 1
    before = ledger.admitted_fits(0.1)
    ridge(ledger)
    assert ledger.admitted_fits(0.1) < before
    assert ledger.spent["pure_epsilon"] is None, "Gaussian noise has none"
    assert ledger.reserved == {"pure_epsilon": 0.0, "renyi": 0.0}
    assert 0 < ledger.left["renyi"] < 0.5354
    assert (ledger.delta, ledger.relation, ledger.unit) == (1e-6, "replace_one", "one record")
    assert ledger.order == pytest.approx(21.98, abs=0.01)
    assert "still admitted" in str(ledger)
    assert "people.jsonl" in repr(ledger)
    assert ledger.events()["entries"][0]["event"]["class_name"] == "ComposedDpEvent"


@pytest.mark.parametrize(
    "asked",
    [
        {"epsilon": 0, "delta": 1e-6},
        {"epsilon": float("nan"), "delta": 1e-6},
        {"epsilon": 1, "delta": 1},
        {"epsilon": 1, "delta": 1e-6, "relation": "swap"},
        {"epsilon": 1, "delta": 1e-6, "unit": ""},
    ],
)
def test_terms_that_are_none_make_no_file(tmp_path: Path, asked: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="accepted"):
        Ledger.create(tmp_path / "no.jsonl", **asked)
    assert not (tmp_path / "no.jsonl").exists()
    with pytest.raises(southwell.DataError):
        Ledger(tmp_path / "no.jsonl")


def test_compose_says_what_models_promise_together() -> None:
    models = [ridge(None, 0.3) for _ in range(3)]
    together = compose(*models)
    assert 0.3 < together.epsilon_as_plan < together.epsilon_as_filter < 0.9
    assert compose(*models, delta=1e-5).epsilon_as_plan < together.epsilon_as_plan
    for other, words in (
        (ridge(None, seed_for_tests=1), "guarantee"),
        (ridge(None, relation="add_or_remove_one", records=1000), "relation"),
        (PrivateRidge(epsilon=0.2, **DECLARED).fit(X, Y, units=np.arange(1000) // 2), "unit"),
    ):
        with pytest.raises(ValueError, match=words):
            compose(models[0], other)
    with pytest.raises(TypeError, match="accepted is"):
        compose(models[0], 3)
