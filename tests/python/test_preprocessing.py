"""Records by themselves."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import southwell
from southwell.testing import expected_failed_checks


@pytest.mark.filterwarnings("ignore")
def test_scikit_learns_checks_pass() -> None:
    normalizer = southwell.RowNormalizer()
    expected = expected_failed_checks(normalizer)
    assert list(expected) == ["check_estimators_empty_data_messages"]
    check_estimator(normalizer, expected_failed_checks=expected, on_skip=None)


@pytest.mark.filterwarnings("error")
def test_each_record_has_a_root_mean_square_of_one() -> None:
    table = np.random.default_rng(1).normal(size=(50, 7)) * 10.0 ** np.arange(-25, 25)[:, None]
    dense = southwell.RowNormalizer().fit_transform(table)
    np.testing.assert_allclose((dense**2).mean(axis=1), 1)
    sparse = southwell.RowNormalizer().fit_transform(scipy.sparse.csr_array(table))
    assert isinstance(sparse, scipy.sparse.csr_array)
    np.testing.assert_allclose(sparse.toarray(), dense, rtol=1e-12)
    twice = scipy.sparse.csr_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(1, 9))
    assert southwell.RowNormalizer().fit_transform(twice).toarray()[0, 1] == 3


@pytest.mark.filterwarnings("error")
def test_no_value_raises_warns_or_reaches_another_record() -> None:
    table = np.random.default_rng(1).normal(size=(6, 3))
    wanted = southwell.RowNormalizer().fit_transform(table)
    for value in (np.nan, np.inf, -np.inf, 1e308, 5e-324, 0.0):
        changed = table.copy()
        changed[2] = value
        found = southwell.RowNormalizer().fit_transform(changed)
        np.testing.assert_array_equal(np.delete(found, 2, 0), np.delete(wanted, 2, 0))
    assert southwell.RowNormalizer().fit_transform(table[:0]).shape == (0, 3)


def test_a_fit_behind_it_keeps_its_guarantee() -> None:
    table = np.random.default_rng(1).normal(size=(200, 4)) * 1000
    pipeline = make_pipeline(
        southwell.RowNormalizer(), southwell.PrivateLasso(epsilon=1, delta=1e-6)
    )
    assert pipeline.fit(table, table[:, 0] / 1000)[-1].privacy_.private
