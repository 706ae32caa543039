"""The classes of classifiers: their order, their names, and their place in the model file."""

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from numpy.typing import NDArray

import southwell
from southwell import _core
from tests.python.estimator_cases import BUDGET, CLASSIFIERS, made

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize("estimator", CLASSIFIERS)
@pytest.mark.parametrize("classes", [["low", "mid", "high"], [2, 0, 1], [True, False]])
def test_classes_are_what_was_declared_in_that_order(
    estimator: Any, classes: list[Any], table: NDArray[np.float64]
) -> None:
    labels = np.array(classes)
    y = labels[np.digitize(table[:, 0], [-0.4, 0.4]) % len(classes)]
    fitted = estimator(epsilon=50, delta=1e-6, classes=classes, seed_for_tests=1).fit(table, y)
    assert list(fitted.classes_) == classes
    predicted = fitted.predict(table)
    assert predicted.dtype == labels.dtype
    assert set(predicted) <= set(classes)
    margins = fitted.decision_function(table)
    if len(classes) > 2:
        assert margins.shape == (300, len(classes))
        np.testing.assert_array_equal(predicted, labels[np.argmax(margins, axis=1)])
        assert fitted.score(table, y) > 0.5
    else:
        np.testing.assert_array_equal(predicted, labels[(margins > 0).astype(int)])
    if hasattr(fitted, "predict_proba"):
        shares = fitted.predict_proba(table)
        assert shares.shape == (300, len(classes))
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        np.testing.assert_allclose(np.exp(fitted.predict_log_proba(table)), shares)
    plain = fitted.to_sklearn()
    np.testing.assert_array_equal(plain.predict(table), predicted)
    if hasattr(fitted, "predict_proba") and len(classes) > 2:
        order = [list(plain.classes_).index(c) for c in classes]
        np.testing.assert_allclose(plain.predict_proba(table)[:, order], shares)


@pytest.mark.parametrize("estimator", CLASSIFIERS)
@pytest.mark.parametrize("classes", [["no", "yes"], ["über", "", 'a "b", c\n']])
def test_names_of_classes_are_in_the_model_file(
    estimator: Any, classes: list[str], table: NDArray[np.float64], tmp_path: Path, run: Run
) -> None:
    labels = np.array(classes)
    place = np.digitize(table[:, 0], [-0.4, 0.4][: len(classes) - 1])
    fitted = estimator(epsilon=50, delta=1e-6, classes=classes, seed_for_tests=1)
    fitted.fit(table, labels[place])
    fitted.save(tmp_path / "model.json")
    back = estimator.load(tmp_path / "model.json")
    assert back.classes == classes
    assert back.classes_.dtype == fitted.classes_.dtype
    assert back.classes_.tolist() == classes
    predicted = fitted.predict(table)
    assert set(predicted) == set(classes)
    np.testing.assert_array_equal(back.predict(table), predicted)
    assert back.fit(table, labels[place]).model_.to_json() == fitted.model_.to_json()
    # The command line has the names too.
    pandas.DataFrame(table, columns=list("abcde")).to_csv(tmp_path / "data.csv", index=False)
    done = run("predict", "model.json", "data.csv", "--kind", "label", "--out", "out.csv")
    assert done.returncode == 0, done.stderr
    out = pandas.read_csv(tmp_path / "out.csv", keep_default_na=False, skip_blank_lines=False)
    words = out.iloc[:, -1]
    assert words.tolist() == predicted.tolist()
    shown = json.loads(run("inspect", "model.json", "--json").stdout)
    assert shown["class_names"] == classes
    assert run("inspect", "model.json", "--path").returncode == 0
    # Numbers need no names, and a file without names is as it was.
    plain = made(southwell.PrivateLinearSVC).fit(table, np.sign(table[:, 0]))
    assert "class_names" not in json.loads(plain.model_.to_json())


def test_names_of_classes_that_were_tampered_with_are_refused(
    table: NDArray[np.float64], tmp_path: Path
) -> None:
    fitted = southwell.PrivateLinearSVC(**BUDGET, classes=["no", "yes"])
    fitted.fit(table, np.where(table[:, 0] > 0, "yes", "no")).save(tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text()
    (tmp_path / "swapped.json").write_text(text.replace('["no","yes"]', '["yes","no"]'))
    assert (tmp_path / "swapped.json").read_text() != text
    with pytest.raises(southwell.DataError, match="checksum"):
        southwell.PrivateLinearSVC.load(tmp_path / "swapped.json")
    content = json.loads(text)
    for names, words in (
        (["no"], "class_names: 1 names for 2 classes"),
        (["no", "no"], "class_names: 'no' occurs twice"),
        (["no", 1], r"class_names\[1\]"),
        ([], "class_names: an empty list"),
        ("no", "class_names"),
        ({"no": "yes"}, "class_names: an object"),
    ):
        changed = {k: v for k, v in content.items() if k != "checksum"} | {"class_names": names}
        canonical = json.dumps(changed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        changed["checksum"] = hashlib.sha256(canonical.encode()).hexdigest()
        with pytest.raises(southwell.DataError, match=words):
            _core.Model.from_json(json.dumps(changed))


def test_equal_classes_are_refused(table: NDArray[np.float64]) -> None:
    for classes in (["a", "a"], [1, 1], [1, "1"], ["1", "1.0"], [True, 1], [True, "True"]):
        with pytest.raises(ValueError, match=r"classes: given .*, accepted is each class once"):
            southwell.PrivateLinearSVC(**BUDGET, classes=classes).fit(table, table[:, 0])
