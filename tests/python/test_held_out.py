"""test_share: a model and its private figures on records that it was not fitted on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import southwell
from southwell import (
    PooledScaler,
    PrivateLogisticRegression,
    PrivateRidge,
    RowNormalizer,
    privacy_of,
)

BUDGET: dict[str, Any] = {"epsilon": 2.0, "delta": 1e-6}


def classes(seed: int, n: int = 6000) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 3))
    return x, np.where(x[:, 0] + 0.5 * random.normal(size=n) > 0, "yes", "no")


def classifier(**more: Any) -> PrivateLogisticRegression:
    inputs = {"classes": ["no", "yes"], "feature_scale": 1.0, "test_share": 0.25, **BUDGET, **more}
    return PrivateLogisticRegression(**inputs)


def test_a_fit_brings_figures_within_its_own_promise() -> None:
    model = classifier().fit(*classes(1))
    assert model.privacy_.guarantee == "(2, 1e-06)-DP"
    figures = model.evaluation_
    assert figures.privacy_ is not None
    assert figures.privacy_.guarantee == "(2, 1e-06)-DP"
    x, y = classes(2, 20_000)
    exact = model.score(x, y)
    assert figures.accuracy.low - 0.02 < exact < figures.accuracy.high + 0.02
    assert {"accuracy", "auc", "log_loss", "roc"} <= set(figures)
    statement = str(model.privacy_)
    assert "fit: 4500, test: 1500" in statement
    assert "histogram (test)" in statement
    assert "How well it predicts" in model.privacy_.to_html()


def test_without_a_test_share_there_are_none() -> None:
    model = classifier(test_share=None).fit(*classes(1, 500))
    assert not hasattr(model, "evaluation_")
    with pytest.raises(AttributeError, match="held no records out"):
        _ = model.evaluation_


@pytest.mark.parametrize("form", ["csr", "f32", "frame"])
def test_every_container_can_be_split(form: str) -> None:
    x, y = classes(1, 800)
    forms: dict[str, Any] = {
        "csr": scipy.sparse.csr_array(x),
        "f32": x.astype(np.float32),
        "frame": pd.DataFrame(x, columns=["a", "b", "c"]),
    }
    more = {"features": 3} if form == "csr" else {}
    model = classifier(**more).fit(forms[form], y)
    assert model.evaluation_.accuracy.value is not None


def test_units_are_held_out_whole() -> None:
    x, y = classes(1, 3000)
    who = [f"p{k // 3}" for k in range(3000)]
    model = classifier(unit="person").fit(x, y, units=who)
    statement = str(model.privacy_)
    assert "fit: 750 units, test: 250 units" in statement
    assert "3000" not in statement


def test_raw_tables_are_split_as_well() -> None:
    random = np.random.default_rng(3)
    n = 3000
    table = pd.DataFrame(
        {
            "age": random.uniform(20, 60, n),
            "kind": random.choice(["a", "b"], n),
        }
    )
    table["ill"] = np.where(table["age"] + random.normal(0, 5, n) > 40, "yes", "no")
    schema = {
        "fields": [
            {"name": "age", "type": "number", "constraints": {"minimum": 20, "maximum": 60}},
            {"name": "kind", "type": "string", "constraints": {"enum": ["a", "b"]}},
            {
                "name": "ill",
                "type": "string",
                "constraints": {"enum": ["no", "yes"]},
                "southwell": {"role": "target"},
            },
        ]
    }
    model = PrivateLogisticRegression(schema=schema, test_share=0.2, **BUDGET).fit(table)
    assert model.evaluation_.auc.value > 0.8


def test_a_model_file_keeps_the_figures(tmp_path: Path) -> None:
    model = classifier().fit(*classes(1, 2000))
    model.save(tmp_path / "m.json")
    read = PrivateLogisticRegression.load(tmp_path / "m.json")
    assert read.evaluation_.to_dict() == model.evaluation_.to_dict()
    assert read.test_share == 0.25
    content = json.loads((tmp_path / "m.json").read_text())
    assert [part["records"] for part in content["parts"]] == [1500, 500]
    assert "accuracy" in content["evaluation"]


def test_a_pipeline_counts_what_ran_on_all_records_in_both_parts() -> None:
    x, y = classes(1, 4000)
    steps = make_pipeline(PooledScaler(epsilon=0.5), classifier(feature_scale=None)).fit(x, y)
    statement = privacy_of(steps)
    alone = steps[-1].model_.privacy
    assert statement.epsilon_spent > alone.epsilon_spent
    assert "privatelogisticregression.fit: 3000" in str(statement)
    free = make_pipeline(RowNormalizer(), classifier(feature_scale=None)).fit(x, y)
    assert privacy_of(free).guarantee == "(2, 1e-06)-DP"


def test_a_plan_says_the_parts() -> None:
    planned = southwell.plan(
        records=1000, features=3, loss="squared", feature_scale=1, test_share=0.2, **BUDGET
    )
    assert "fit: 800, test: 200" in str(planned.privacy_)


def test_regressions_and_add_or_remove_one() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=(4000, 2))
    y = 3.0 * x[:, 0] + random.normal(size=4000)
    model = PrivateRidge(
        feature_scale=1.0, test_share=0.25, relation="add_or_remove_one", records=4000, **BUDGET
    ).fit(x, y)
    assert model.evaluation_.r2.high > 0.8
    # How many records were held out is nowhere.
    assert [part["records"] for part in json.loads(model.model_.to_json())["parts"]] == [3000, 1000]


def test_it_is_a_parameter_as_any_other() -> None:
    assert clone(classifier()).test_share == 0.25
    with pytest.raises(ValueError, match=r"test_share: given 1\.5"):
        classifier(test_share=1.5).fit(*classes(1, 100))
    with pytest.raises(ValueError, match="delta: given 0, and a test_share"):
        classifier(delta=0).fit(*classes(1, 100))
