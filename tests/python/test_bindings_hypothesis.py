"""Whatever form numbers come in: no crash, the same bits, nothing read beyond the end."""

from typing import Any

import numpy as np
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

import southwell
from southwell import _core
from southwell._design import as_design

INPUTS: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "iterations": 3, "seed_for_tests": 1}
NUMBERS = st.floats(width=32, allow_nan=True, allow_infinity=True)


def slices(length: int) -> st.SearchStrategy[slice]:
    return st.builds(
        slice,
        st.one_of(st.none(), st.integers(-length, length)),
        st.one_of(st.none(), st.integers(-length, length)),
        st.sampled_from([None, 1, 2, 3, -1, -2]),
    )


@st.composite
def views(draw: st.DrawFn) -> NDArray[Any]:
    """A table that is a view of a larger one: any type, order, strides and values."""
    rows, columns = draw(st.integers(1, 12)), draw(st.integers(1, 6))
    whole = draw(hnp.arrays(np.float32, (rows, columns), elements=NUMBERS))
    table = np.array(whole, dtype=draw(st.sampled_from(["f4", "f8"])))
    table = np.array(table, order=draw(st.sampled_from(["C", "F"])))
    table = table[draw(slices(rows)), draw(slices(columns))]
    if draw(st.booleans()):
        table = table.T
    if draw(st.booleans()) and table.size:
        table = np.broadcast_to(table[:1], (draw(st.integers(1, 5)), table.shape[1]))
    return table


def fitted(table: Any) -> Any:
    sizes = {"feature_scale": 1, "target_scale": 1, "features": table.shape[1]}
    model = southwell.PrivateLasso(**INPUTS, **sizes, alpha=0.1)
    return model.fit(table, np.linspace(-1, 1, table.shape[0]))


@settings(max_examples=150, deadline=None)
@given(views())
def test_a_fit_sees_the_numbers_and_not_their_place_in_memory(table: NDArray[Any]) -> None:
    if 0 in table.shape:
        return
    plain = np.array(table, dtype=np.float64, order="C")
    wanted = fitted(plain)
    found = fitted(table)
    np.testing.assert_array_equal(found.coef_, wanted.coef_)
    np.testing.assert_array_equal(found.path_, wanted.path_)
    np.testing.assert_array_equal(found.predict(table), wanted.predict(plain))
    assert np.isfinite(found.coef_).all()


@settings(max_examples=150, deadline=None)
@given(views(), st.sampled_from(["csr", "csc"]), st.booleans(), st.booleans(), st.data())
def test_sparse_and_dense_agree(
    table: NDArray[Any], layout: str, long: bool, shuffled: bool, data: st.DataObject
) -> None:
    if 0 in table.shape:
        return
    plain = np.array(table, dtype=np.float64)
    sparse = scipy.sparse.csc_array(plain) if layout == "csc" else scipy.sparse.csr_array(plain)
    if long:
        sparse.indices = sparse.indices.astype(np.int64)
        sparse.indptr = sparse.indptr.astype(np.int64)
    if shuffled:
        for first, last in zip(sparse.indptr[:-1], sparse.indptr[1:]):
            order = data.draw(st.permutations(range(int(last - first))))
            sparse.indices[first:last] = sparse.indices[first:last][order]
            sparse.data[first:last] = sparse.data[first:last][order]
        sparse.has_sorted_indices = False
    np.testing.assert_array_equal(fitted(sparse).coef_, fitted(plain).coef_)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["csr", "csc"]),
    hnp.arrays(st.sampled_from([np.float64, np.float32]), st.integers(0, 5)),
    hnp.arrays(st.sampled_from([np.int64, np.int32]), st.integers(0, 5)),
    hnp.arrays(st.sampled_from([np.int64, np.int32]), st.integers(0, 5)),
    st.tuples(st.integers(0, 4), st.integers(0, 4)),
)
def test_any_three_lists_are_a_sparse_table_or_refused(
    layout: str, values: Any, indices: Any, offsets: Any, shape: tuple[int, int]
) -> None:
    try:
        design = _core.sparse_design(layout, values, indices, offsets, shape)
    except ValueError:
        return
    assert (design.records, design.features) == shape


@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(_core.fit_inputs()),
        st.one_of(
            st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4),
            st.lists(st.floats(), max_size=4), st.sampled_from(["auto", "l1", "sgd", "gaussian"]),
        ),
        max_size=4,
    )
)  # fmt: skip
def test_any_inputs_are_a_plan_or_refused_by_name(inputs: dict[str, Any]) -> None:
    design = as_design(np.zeros((4, 3)))
    base = {"loss": "squared", "epsilon": 1.0, "delta": 1e-6}
    try:
        said = _core.plan_for(design, base | inputs).privacy.guarantee
    except (TypeError, ValueError) as refused:
        said = str(refused)
    assert said
