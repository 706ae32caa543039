"""A record's value decides nothing but the model, and neither does its type (privacy.md, 11)."""

from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest
import scipy.sparse

import southwell
from tests.python.cell_cases import (
    CELLS,
    COLUMNS,
    MISSING_CELLS,
    NO_LABELS,
    RECORDS,
    TABLES,
    fitted,
    holding,
    objects,
    records,
    rows,
)
from tests.python.estimator_cases import BUDGET, CLASSIFIERS, REGRESSORS, made

pytestmark = pytest.mark.filterwarnings("error")  # nobody hears of a cell


@pytest.mark.parametrize("estimator", REGRESSORS + CLASSIFIERS)
@pytest.mark.parametrize("container", ["objects", "lists", "pandas"])
@pytest.mark.parametrize("name", ["a person", "NA", "complex", "huge", "hostile object", "dict"])
def test_leak_a_cell_of_another_type_is_missing(name: str, container: str, estimator: Any) -> None:
    cell, number = CELLS[name]
    table, target = records()
    y = np.sign(target) if estimator in CLASSIFIERS else target
    wanted = table.copy()
    wanted[3, 0] = number
    given, plain = (TABLES[container](t) for t in (holding(table, (3, 0), cell), objects(wanted)))
    model = fitted(estimator, given, y)
    assert model == fitted(estimator, plain, y)
    assert model != fitted(estimator, TABLES[container](objects(table)), y)
    if container != "pandas":  # which has names
        assert model == fitted(estimator, wanted, y)


@pytest.mark.parametrize("estimator", REGRESSORS)
@pytest.mark.parametrize("container", list(COLUMNS))
def test_leak_a_target_of_another_type_is_missing(container: str, estimator: Any) -> None:
    table, target = records()
    wanted = target.copy()
    wanted[3] = np.nan
    for name in ("a person", "NA", "complex", "hostile object"):
        cells: list[Any] = target.tolist()
        cells[3] = MISSING_CELLS[name]
        model = fitted(estimator, table, COLUMNS[container](cells))
        assert model == fitted(estimator, table, wanted) != fitted(estimator, table, target)


@pytest.mark.parametrize("estimator", CLASSIFIERS)
@pytest.mark.parametrize("classes", [[-1, 1], [-1.0, 1.0], ["-1", "1"], ["no", "yes"]])
@pytest.mark.parametrize("container", list(COLUMNS))
def test_leak_one_label_of_another_type_is_the_first_class(
    container: str, classes: list[Any], estimator: Any
) -> None:
    table, target = records()
    labels = [classes[int(t > 0)] for t in target]
    place = labels.index(classes[1])
    plain = list(labels)
    plain[place] = classes[0]
    wanted = fitted(estimator, table, plain, classes=classes)
    assert wanted != fitted(estimator, table, labels, classes=classes)
    for name in NO_LABELS:
        given = list(labels)
        given[place] = MISSING_CELLS[name]
        found = fitted(estimator, table, COLUMNS[container](given), classes=classes)
        assert found == wanted, name


@pytest.mark.parametrize("estimator", CLASSIFIERS)
@pytest.mark.parametrize("dtype", ["string", "string[pyarrow]", "str", "category", object])
def test_leak_missing_labels_of_pandas_are_the_first_class(dtype: Any, estimator: Any) -> None:
    table, target = records()
    labels = ["yes" if t > 0 else "no" for t in target]
    place = labels.index("yes")
    given = pandas.Series(labels, dtype=dtype)
    given[place] = pandas.NA
    labels[place] = "no"
    classes = ["no", "yes"]
    wanted = fitted(estimator, table, labels, classes=classes)
    assert fitted(estimator, table, given, classes=classes) == wanted


@pytest.mark.parametrize("scaler", ["pooled", "row"])
@pytest.mark.parametrize("container", ["objects", "lists", "pandas", "polars"])
def test_leak_scalers_take_cells_one_by_one(container: str, scaler: str) -> None:
    table, _ = records()
    for name, (cell, number) in CELLS.items():
        made = (
            southwell.PooledScaler(epsilon=1, seed_for_tests=1)
            if scaler == "pooled"
            else southwell.RowNormalizer()
        )
        wanted = table.copy()
        wanted[3, 1] = number
        given = TABLES[container](holding(table, (3, 1), cell))
        found = made.fit(given).transform(given)
        np.testing.assert_array_equal(found, made.fit(wanted).transform(wanted), err_msg=name)


def test_a_list_without_records_has_the_declared_features() -> None:
    inputs: dict[str, Any] = {"relation": "add_or_remove_one", "records": 50, "features": 3}
    for estimator in REGRESSORS + CLASSIFIERS:
        model = made(estimator, **inputs).fit([], [])
        assert model.n_features_in_ == 3
        assert model.predict([]).shape == (0,)
    with pytest.raises(ValueError, match="accepted is a list of rows"):
        made(southwell.PrivateLasso).fit([], [])


def test_declared_classes_are_checked_before_the_data() -> None:
    class Unread:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError("the data were looked at")

    for classes, words in (
        ([1, "1"], "given '1' and the same class before it, accepted is each class once"),
        ([True, 1], "accepted is each class once"),
        ([None, 1], "given None as a class, accepted is at least two labels, none of them missing"),
        ([np.nan, 1], "given nan as a class, accepted is at least two labels"),
        (5, "given 5, accepted is at least two labels, .*, in order, in a list"),
        ([[1], [2]], "accepted are numbers and text"),
    ):
        model = southwell.PrivateLinearSVC(**BUDGET, classes=classes)
        with pytest.raises((TypeError, ValueError), match=f"^classes: .*{words}"):
            model.fit(Unread(), Unread())


def test_no_refusal_of_a_shape_shows_a_value() -> None:
    value = 918273.645
    lasso = southwell.PrivateLasso(**BUDGET)
    one = np.ones((1, 1))
    for X, y in (  # noqa: N806
        (np.full(3, value), np.ones(3)),
        (np.array(value), np.ones(1)),
        (np.full((2, 2, 2), value), np.ones(2)),
        (pandas.Series([value]), np.ones(1)),
        (value, np.ones(1)),
        (str(value), np.ones(1)),
        ({"a": [value]}, np.ones(1)),
        ([value], np.ones(1)),
        (scipy.sparse.coo_array(np.full(3, value)), np.ones(3)),
        (one, np.full((1, 2), value)),
        (one, np.array(value)),
        (one, str(value)),
        (one, value),
        (one, {value: 1}),
        (one, np.array([value * 1j])),
        (one, np.array([str(value)])),
        (one, scipy.sparse.csr_array([[value]])),
        (one, np.full(2, value)),
        (one, None),
    ):
        with pytest.raises((TypeError, ValueError)) as refused:
            lasso.fit(X, y)
        assert "918273" not in str(refused.value)
        assert refused.value.__context__ is None


def test_a_target_in_a_column_is_a_target() -> None:
    table, target = records()
    lasso = southwell.PrivateLasso
    wanted = fitted(lasso, table, target)
    frame = {"y": target}
    for column in (target[:, None], *(f(frame) for f in
                   (pandas.DataFrame, polars.DataFrame, pyarrow.table))):  # fmt: skip
        with pytest.warns(UserWarning, match="column-vector y was passed when a 1d array was"):
            assert fitted(lasso, table, column) == wanted
    assert fitted(lasso, table, target[:, None].tolist()) == wanted


def test_scores_leave_out_what_cannot_be_predicted() -> None:
    table, target = records()
    inputs: dict[str, Any] = {"epsilon": 8, "alpha": 0.01}
    lasso = made(southwell.PrivateLasso, **inputs).fit(table, target)
    classes = ["no", "yes"]
    labels = np.where(target > 0, "yes", "no")
    svc = made(southwell.PrivateLinearSVC, **inputs, classes=classes).fit(table, labels)
    X, y, words = objects(table), objects(target), labels.astype(object)  # noqa: N806
    X[4, :], X[7, :] = pandas.NA, "a person"
    y[9] = words[9] = None
    kept = np.delete(np.arange(RECORDS), [4, 7, 9])
    weight = np.arange(1.0, RECORDS + 1)
    said = "score: 3 of 60 records miss a value that the model uses, or a target, and are left out"
    for model, wrong, right in ((lasso, y, target), (svc, words, labels)):
        with pytest.warns(UserWarning, match=said):
            found = model.score(X, wrong)
        assert found == model.score(table[kept], right[kept]) > 0.5
        with pytest.warns(UserWarning, match=said):
            found = model.score(X, wrong, sample_weight=weight)
        assert found == model.score(table[kept], right[kept], sample_weight=weight[kept])
        with pytest.warns(UserWarning, match=r"score: 2 of 2 records"):
            assert np.isnan(model.score(X[[4, 7]], wrong[:2]))
        assert "not private" in (type(model).score.__doc__ or "")
    everywhere = labels.astype(object)
    everywhere[:6] = "maybe"  # known to nobody, so it is wrong
    assert svc.score(table, everywhere) == pytest.approx(
        ((svc.predict(table) == labels)[6:]).sum() / RECORDS
    )
    infinite = table.copy()
    infinite[0, 0] = np.inf
    assert lasso.score(infinite, target) > 0.5  # its record is limited to one without features
    assert np.isnan(lasso.score(table, np.where(np.arange(RECORDS) == 0, np.inf, target)))


def test_predictions_take_cells_one_by_one() -> None:
    table, target = records()
    logistic = made(southwell.PrivateLogisticRegression, epsilon=8).fit(table, np.sign(target))
    given = holding(table, (3, 0), "a person")
    wanted = table.copy()
    wanted[3, 0] = np.nan
    for predict in (logistic.decision_function, logistic.predict_proba):
        np.testing.assert_array_equal(predict(given), predict(wanted))
        np.testing.assert_array_equal(predict(rows(given)), predict(wanted))
    with pytest.warns(UserWarning, match="1 records miss a value that the model uses"):
        assert logistic.predict(given)[3] == -1


def test_leaks_that_are_allowed_still_read_the_classes() -> None:
    table, target = records()
    labels = ["yes" if t > 0 else "no" for t in target]
    for given in (
        labels,
        np.array(labels),
        pandas.Series(labels),
        pandas.Series(labels, dtype="O"),
    ):
        model = made(southwell.PrivateLinearSVC, classes=None, allow_leaks=True)
        with pytest.warns(southwell.PrivacyLeakWarning, match="classes: given nothing"):
            model.fit(table, given)
        assert list(model.classes_) == ["no", "yes"]
