"""southwell.evaluate: private figures with a budget, exact ones without."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import southwell
from southwell import PrivateLogisticRegression, PrivateRidge, evaluate
from southwell._tables import INFERRED

BUDGET: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6}


def classes(seed: int, n: int = 5000) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 2))
    return x, np.where(x[:, 0] + random.normal(size=n) > 0, "yes", "no")


def classifier() -> PrivateLogisticRegression:
    return PrivateLogisticRegression(
        epsilon=8.0, delta=1e-6, classes=["no", "yes"], feature_scale=1.0
    ).fit(*classes(1))


def regression() -> tuple[PrivateRidge, Any, Any]:
    random = np.random.default_rng(1)
    x = random.normal(size=(5000, 2))
    y = 3.0 * x[:, 0] + random.normal(size=5000)
    model = PrivateRidge(epsilon=8.0, delta=1e-6, feature_scale=1.0, target_scale=3.0)
    return model.fit(x, y), x, y


def test_figures_are_attributes_and_keys() -> None:
    figures = evaluate(classifier(), *classes(2), **BUDGET)
    assert figures.auc is figures["auc"]
    assert figures.auc.low < figures.auc.value < figures.auc.high
    assert figures.privacy_ is not None
    assert figures.privacy_.guarantee == "(1, 1e-06)-DP"
    assert {"accuracy", "auc", "brier", "log_loss", "roc"} <= set(figures)
    assert json.dumps(figures.to_dict())
    assert "guarantee: (1, 1e-06)-DP" in repr(figures)
    assert "<svg" in (figures._repr_html_() or "")
    assert figures.to_html().startswith("<!doctype html>")
    with pytest.raises(AttributeError, match="is no figure"):
        _ = figures.mse


def test_without_a_budget_they_are_exact_and_say_so() -> None:
    model = classifier()
    x, y = classes(2)
    figures = evaluate(model, x, y)
    assert figures.accuracy == pytest.approx(model.score(x, y))
    assert figures.privacy_ is None
    assert "not private" in repr(figures)


def test_regressions_have_errors() -> None:
    model, x, y = regression()
    figures = evaluate(model, x, y, **BUDGET)
    assert figures.r2.low < model.score(x, y) + 0.05
    assert figures.mae.value == pytest.approx(np.abs(y - model.predict(x)).mean(), rel=0.2)
    assert evaluate(model, x, y, **BUDGET, target_scale=4.0).mse.value is not None


def test_containers_and_loaded_models_give_the_same(tmp_path: Path) -> None:
    model, x, y = regression()
    seeded: dict[str, Any] = {**BUDGET, "seed_for_tests": 4}
    expected = evaluate(model, x, y, **seeded).to_dict()
    assert evaluate(model, scipy.sparse.csr_array(x), y, **seeded).to_dict() == expected
    assert evaluate(model, x.tolist(), y.tolist(), **seeded).to_dict() == expected
    model.save(tmp_path / "m.json")
    loaded = PrivateRidge.load(tmp_path / "m.json")
    assert evaluate(loaded, x, y, **seeded).to_dict() == expected


def test_units_and_the_other_relation_show_no_number_of_records() -> None:
    model, x, y = regression()
    figures = evaluate(model, x, y, **BUDGET, units=np.arange(5000) // 2, unit="patient")
    assert figures.privacy_ is not None
    assert figures.privacy_.unit == "all records with one patient"
    assert figures.privacy_.records == 2500
    figures = evaluate(model, x, y, **BUDGET, relation="add_or_remove_one", records=4000)
    assert figures.privacy_ is not None
    assert figures.privacy_.records == 4000
    assert "5000" not in str(figures.privacy_)


def test_figures_that_protect_less_than_the_model_say_so() -> None:
    _, x, y = regression()
    who = np.arange(5000) // 2
    model = southwell.PrivateRidge(**BUDGET, feature_scale=1, target_scale=1).fit(x, y, units=who)
    with pytest.warns(UserWarning, match="fitted to protect all records with one id, and these"):
        evaluate(model, x, y, **BUDGET)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate(model, x, y, **BUDGET, units=who)
        evaluate(model, x, y)


def test_a_raw_table_with_units_is_read_as_its_schema_says() -> None:
    schema = {
        "fields": [
            {"name": "age", "type": "number", "constraints": {"minimum": 0, "maximum": 100}},
            {"name": "who", "type": "string", "southwell": {"role": "unit"}},
            {
                "name": "cost",
                "type": "number",
                "constraints": {"minimum": 0, "maximum": 100},
                "southwell": {"role": "target"},
            },
        ]
    }
    declared = southwell.Schema(json.dumps(schema), "schema")
    random = np.random.default_rng(3)
    age = random.uniform(0, 100, size=3000)
    table = {
        "age": age.tolist(),
        "who": [str(i // 3) for i in range(3000)],
        "cost": (age / 2 + random.uniform(0, 50, size=3000)).tolist(),
    }
    model = PrivateRidge(epsilon=8.0, delta=1e-6, schema=declared).fit(table)
    figures = evaluate(model, table, **BUDGET)
    assert figures.privacy_ is not None
    assert figures.privacy_.unit == "all records with one who"
    assert figures.privacy_.records == 1000
    assert "mse" in evaluate(model, table)
    with pytest.raises(ValueError, match="units: given beside"):
        evaluate(model, table, **BUDGET, units=table["who"])
    assert INFERRED not in figures.privacy_.not_covered
    typed = evaluate(model, pd.DataFrame(table), **BUDGET).privacy_
    assert typed is not None
    assert INFERRED in typed.not_covered


def test_the_page_of_their_statement_speaks_of_figures() -> None:
    statement = evaluate(classifier(), *classes(2), **BUDGET).privacy_
    assert statement is not None
    assert "What anybody can learn about any one record from these figures" in statement.to_html()
    assert "this model" not in statement.to_html()


def test_targets_are_as_many_as_records() -> None:
    model, x, y = regression()
    design = model._checked(x)
    planned = southwell._core.private_evaluation(model.model_, design, BUDGET)
    for given in (y[:5], np.concatenate([y, y])):
        with pytest.raises(southwell.DataError, match="one number per record"):
            planned.find(design, given)
        with pytest.raises(southwell.DataError, match="one number per record"):
            southwell._core.exact_figures(model.model_, design, given)


def test_one_odd_record_changes_nothing_but_figures() -> None:
    model = classifier()
    x, y = classes(2, 300)
    odd = x.astype(object)
    odd[7] = [None, "text"]
    labels = y.astype(object)
    labels[7] = 3.5
    first = evaluate(model, x, y, **BUDGET)
    second = evaluate(model, odd, labels, **BUDGET)
    assert list(first) == list(second)
    assert str(first.privacy_) == str(second.privacy_)


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"epsilon": 1.0}, ValueError, "delta: given nothing"),
        ({"delta": 1e-6}, ValueError, "epsilon: given nothing"),
        ({"epsilon": "x", "delta": 1e-6}, TypeError, "epsilon: given 'x'"),
        ({"epsilon": 0.0, "delta": 1e-6}, ValueError, "epsilon"),
        ({"epsilon": 1.0, "delta": 0.0}, ValueError, "delta: given 0"),
        ({"relation": "replace_one"}, ValueError, "relation: given without a budget"),
        ({"units": [1, 2]}, ValueError, "units: given without a budget"),
        ({**BUDGET, "relation": "other"}, ValueError, "relation"),
        ({**BUDGET, "records": 5}, ValueError, "records: given 5"),
        ({**BUDGET, "relation": "add_or_remove_one"}, ValueError, "records: given nothing"),
        ({**BUDGET, "target_scale": 2.0}, ValueError, "target_scale: given 2"),
        ({**BUDGET, "target_scale": "private"}, ValueError, "target_scale: given private"),
        ({**BUDGET, "units": [1, 2]}, ValueError, "units: given another number"),
        ({**BUDGET, "unit": "patient"}, ValueError, "unit: given"),
        ({**BUDGET, "seed_for_tests": 1.5}, TypeError, "seed_for_tests: given 1.5"),
    ],
)
def test_wrong_calls_are_refused(given: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        evaluate(classifier(), *classes(2, 50), **given)


def test_wrong_models_and_data_are_refused() -> None:
    x, y = classes(2, 50)
    for wrong in (None, "m.json", object()):
        with pytest.raises(TypeError, match="model: given"):
            evaluate(wrong, x, y)
    with pytest.raises(ValueError, match="not fitted"):
        evaluate(PrivateRidge(epsilon=1.0, delta=1e-6), x, y)
    with pytest.raises(ValueError, match="y: given None"):
        evaluate(classifier(), x, **BUDGET)
    with pytest.raises(ValueError, match="y: given another number"):
        evaluate(classifier(), x, y[:-1], **BUDGET)


def test_the_example_of_the_documents_runs(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (root / "docs" / "evaluate.md").read_text()
    example = text.split("```python\n")[1].split("```")[0]
    exec(example, {})
    assert "(1, 1e-06)-DP" in capsys.readouterr().out
