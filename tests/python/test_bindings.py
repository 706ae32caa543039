"""The layer between Python and C++: arrays, names of inputs, errors, threads and signals."""

import signal
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from numpy.typing import NDArray

import southwell
from southwell import _core
from southwell._design import as_design, as_target

BASE: dict[str, object] = {
    "loss": "squared",
    "epsilon": 1,
    "delta": 1e-6,
    "target_scale": 1,
    "solver": "gcd",
    "seed_for_tests": 1,
    "iterations": 5,
}


def fitted(table: Any, target: NDArray[np.float64], **inputs: object) -> NDArray[np.float64]:
    design = as_design(table)
    features = {"features": design.features} if scipy.sparse.issparse(table) else {}
    model = _core.fit(_core.plan_for(design, BASE | features | inputs), design, target)
    coef, intercept = model.coef
    return np.append(np.asarray(coef)[0], np.asarray(intercept))


@pytest.fixture
def table() -> NDArray[np.float64]:
    return np.random.default_rng(1).normal(size=(40, 6)).round(2)


@pytest.fixture
def target() -> NDArray[np.float64]:
    return np.random.default_rng(2).normal(size=40)


def test_every_form_of_the_same_numbers_gives_the_same_bits(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    wanted = fitted(table, target)
    wide = np.zeros((40, 12), order="F")
    wide[:, ::2] = table
    read_only = np.asfortranarray(table)
    read_only.flags.writeable = False
    unaligned = np.frombuffer(b"\0" + table.tobytes(), np.uint8)[1:].view(np.float64)
    forms: dict[str, Any] = {
        "fortran": np.asfortranarray(table),
        "rows upside down": np.ascontiguousarray(table[::-1])[::-1],
        "every other column": wide[:, ::2],
        "a block of a larger table": np.pad(table, ((3, 2), (0, 0)))[3:-2],
        "a block in fortran order": np.asfortranarray(np.pad(table, ((3, 2), (0, 0))))[3:-2],
        "read only": read_only,
        "unaligned": unaligned.reshape(table.shape),
    }
    for sparse in (scipy.sparse.csr_array, scipy.sparse.csc_array, scipy.sparse.csr_matrix):
        forms[sparse.__name__] = sparse(table)
    long = scipy.sparse.csc_array(table)
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    forms["int64 indices"] = long
    for name, form in forms.items():
        np.testing.assert_array_equal(fitted(form, target), wanted, err_msg=name)


def test_float32_is_used_as_it_is(table: NDArray[np.float64], target: NDArray[np.float64]) -> None:
    single = table.astype(np.float32)
    wanted = fitted(single.astype(np.float64), target)
    np.testing.assert_array_equal(fitted(single, target), wanted)
    np.testing.assert_array_equal(fitted(np.asfortranarray(single), target), wanted)
    np.testing.assert_array_equal(fitted(scipy.sparse.csr_array(single), target), wanted)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_fortran_order_is_not_copied_and_c_order_is(dtype: type) -> None:
    shared: NDArray[Any] = np.zeros((5, 3), dtype=dtype, order="F")
    copied: NDArray[Any] = np.zeros((5, 3), dtype=dtype)
    for table, seen in ((shared, 7.0), (copied, 0.0)):
        design = as_design(table)
        table[...] = 7.0  # a design that shares the memory sees it
        model = _core.Model.from_json(one_coefficient())
        assert np.asarray(model.margins(design))[0, 0] == seen


def one_coefficient() -> str:
    inputs = BASE | {"start": [1.0, 0.0, 0.0], "iterations": 1, "intercept": False}
    inputs |= {"penalty": "box", "lower": 0.0, "upper": 1.0, "step": 1e-90}
    design = as_design(np.zeros((4, 3)))
    return _core.fit(_core.plan_for(design, inputs), design, np.zeros(4)).to_json()


def test_an_array_lives_as_long_as_its_design() -> None:
    designs = [as_design(np.full((1000, 3), float(k), order="F")) for k in range(20)]
    model = _core.Model.from_json(one_coefficient())
    for k, design in enumerate(designs):
        assert (np.asarray(model.margins(design)) == float(k)).all()


def test_sparse_arrays_are_put_in_order(target: NDArray[np.float64]) -> None:
    twice = scipy.sparse.csr_array(
        (np.array([1.0, 2.0, 3.0]), np.array([2, 0, 2]), np.array([0, 3])), shape=(1, 3)
    )
    model = _core.Model.from_json(one_coefficient())
    assert np.asarray(model.margins(as_design(twice)))[0, 0] == 2.0
    np.testing.assert_array_equal(
        fitted(twice, target[:1]), fitted(np.array([[2.0, 0.0, 4.0]]), target[:1])
    )


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (([1.0], [3], [0, 1], (1, 3)), "given index 3"),
        (([1.0], [-1], [0, 1], (1, 3)), "given index -1"),
        (([1.0], [2**40], [0, 1], (1, 3)), "given index 1099511627776"),
        (([1.0], [0], [0, 2], (1, 3)), "offsets that start at 0"),
        (([1.0], [0], [1, 1], (1, 3)), "offsets that start at 0"),
        (([1.0, 2.0], [0], [0, 1], (1, 3)), "1 indices and 2 values"),
        (([1.0], [0], [0, 1], (2, 3)), "2 offsets, accepted is one more than there are records"),
    ],
)
def test_broken_sparse_arrays_are_refused(parts: Any, words: str) -> None:
    values, indices, offsets, shape = parts
    with pytest.raises(ValueError, match=words):
        _core.sparse_design("csr", np.array(values), np.array(indices), np.array(offsets), shape)


def test_arrays_of_another_kind_are_type_errors() -> None:
    with pytest.raises(TypeError):
        _core.dense_design(np.zeros(3))
    with pytest.raises(TypeError, match="float64 and float32"):
        _core.dense_design(np.zeros((3, 3), dtype=int))
    with pytest.raises(TypeError):
        _core.dense_design("text")
    with pytest.raises(ValueError, match="feature_names: given 1, accepted is one for each of 3"):
        _core.dense_design(np.zeros((3, 3)), feature_names=["a"])
    with pytest.raises(ValueError, match="threads: given -1"):
        _core.dense_design(np.zeros((3, 3)), threads=-1)


@pytest.mark.parametrize(
    ("inputs", "error", "words"),
    [
        ({"alpha": "a"}, TypeError, "alpha: given 'a', accepted is a number"),
        ({"alpha": True}, TypeError, "alpha: given True, accepted is a number"),
        ({"epsilon": -1}, ValueError, "epsilon: given is -1, accepted are positive finite numbers"),
        ({"epsilon": float("nan")}, ValueError, "epsilon: given is nan"),
        ({"epsilon": "auto"}, TypeError, "epsilon: given 'auto'"),
        ({"delta": 1}, ValueError, "delta: given is 1"),
        ({"iterations": 1.5}, TypeError, "iterations: given 1.5, accepted is a whole number"),
        ({"iterations": 0}, ValueError, "iterations: given 0, accepted is a whole number from 1"),
        ({"iterations": -1}, ValueError, "iterations: given -1, accepted is a whole number from 0"),
        ({"iterations": 2**64}, ValueError, "iterations: given 18446744073709551616"),
        ({"clip": 0}, ValueError, "clip: given 0, accepted is a number > 0"),
        ({"step": -1.0}, ValueError, "step: given -1, accepted is a number > 0"),
        ({"solver": "newton"}, ValueError, "solver: given 'newton', accepted are auto, gcd"),
        ({"solver": 1}, TypeError, "solver: given 1, accepted is a word"),
        ({"solver": "cd", "rule": "gs_s"}, ValueError, "rule"),
        ({"feature_scale": [1.0]}, None, ""),
        ({"feature_scale": [1.0, 2.0]}, ValueError, "feature_scale: given 2 numbers"),
        ({"feature_scale": "wide"}, TypeError, "feature_scale: given 'wide', accepted is numbers"),
        ({"feature_scale": "from_data"}, southwell.PrivacyLeakError, "from_data"),
        ({"target_scale": "secret"}, TypeError, "target_scale: given 'secret'"),
        ({"classes": [0, 1]}, ValueError, "classes: given some, which is only valid with"),
        ({"classes": "ab"}, TypeError, "classes: given 'ab', accepted is numbers"),
        ({"class_names": "ab"}, TypeError, "class_names: given 'ab', accepted is a list of words"),
        ({"class_names": [1, 2]}, TypeError, "class_names: given"),
        ({"class_names": ["a", "b"]}, ValueError, "classes: given some, which is only valid with"),
        ({"start": [1.0, 2.0]}, ValueError, "start: given start, accepted is coefficients"),
        ({"start": "zero"}, TypeError, "start: given 'zero'"),
        ({"records": 10}, ValueError, "records: given 10, which is only valid with"),
        ({"features": 2}, ValueError, "features: given 2, accepted is 6 for these data"),
        (
            {"threads": 5000},
            ValueError,
            "threads: given 5000, accepted is a whole number from 0 to",
        ),
        ({"intercept": 1}, TypeError, "intercept: given 1, accepted is True or False"),
        ({"lambda": 1}, TypeError, "lambda: is no input of a fit, accepted are loss, penalty"),
    ],
)
def test_inputs_are_refused_in_the_words_of_every_shell(
    table: NDArray[np.float64], inputs: dict[str, object], error: type[Exception] | None, words: str
) -> None:
    design = as_design(table)
    if error is None:
        _core.plan_for(design, BASE | inputs)
        return
    with pytest.raises(error, match=words):
        _core.plan_for(design, BASE | inputs)


def test_auto_and_none_are_the_absence_of_an_input(table: NDArray[np.float64]) -> None:
    design = as_design(table)
    absent = {"loss": "squared", "epsilon": 1.0, "delta": 1e-6, "target_scale": 1}
    names = ["solver", "iterations", "clip", "step", "share"]
    named = dict.fromkeys(names, "auto") | {"rule": None}
    plans = [_core.plan_for(design, absent | more).privacy.to_json() for more in ({}, named)]
    assert plans[0] == plans[1]


def test_what_does_not_fit_together_is_refused(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    plan = _core.plan_for(as_design(table), BASE)
    with pytest.raises(southwell.DataError, match="one number per record"):
        _core.fit(plan, as_design(table), target[:-1])
    with pytest.raises(southwell.DataError, match="3 features; the fit was planned for 6"):
        _core.fit(plan, as_design(table[:, :3]), target)
    with pytest.raises(TypeError):
        _core.fit(plan, as_design(table), target.astype(np.float32))
    assert as_target(target[::-1]).flags.c_contiguous


def test_progress_tells_shares_and_may_stop_the_fit(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    design = as_design(table)
    plan = _core.plan_for(design, BASE)
    shares: list[float] = []
    _core.fit(plan, design, target, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) >= 5

    def stop(share: float) -> None:
        raise RuntimeError(f"at {share:.1f}")

    with pytest.raises(RuntimeError, match=r"at 0\.[02]"):
        _core.fit(plan, design, target, progress=stop)


LONG_FIT = """
import signal, numpy as np, southwell
signal.signal(signal.SIGINT, signal.default_int_handler)
X = np.asfortranarray(np.random.default_rng(1).normal(size=(1000, 200)))
model = southwell.PrivateRidge(alpha=1, epsilon=1, delta=1e-6, iterations=2_500_000, solver="cd")
print("fitting", flush=True)
model.fit(X, X[:, 0])
"""


def test_ctrl_c_stops_a_fit_between_iterations() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", LONG_FIT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "fitting\n"
    timer = threading.Timer(1.0, lambda: process.send_signal(signal.SIGINT))
    timer.start()
    _, message = process.communicate(timeout=60)
    timer.join()
    assert process.returncode != 0
    assert "KeyboardInterrupt" in message


def test_other_threads_run_while_a_model_is_fitted() -> None:
    table = np.ones((4000, 2000), order="F")
    design = as_design(table)
    plan = _core.plan_for(design, BASE | {"iterations": 10, "threads": 1})
    target = table[:, 0].copy()

    def ticks_of_a_fit() -> int:
        over = threading.Event()
        ticks = []

        def tick() -> None:
            while not over.wait(0.0005):
                ticks.append(1)

        clock = threading.Thread(target=tick)
        clock.start()
        _core.fit(plan, design, target)
        over.set()
        clock.join()
        return len(ticks)

    # A fit that kept the interpreter would let the clock run between iterations at most. Other
    # programs may keep the processor from one fit, hardly from ten.
    assert any(ticks_of_a_fit() > 30 for _ in range(10))


def test_a_model_file_and_a_pickle_hold_the_same(
    table: NDArray[np.float64], target: NDArray[np.float64]
) -> None:
    design = as_design(table)
    model = _core.fit(_core.plan_for(design, BASE), design, target)
    again = _core.Model.from_json(model.to_json())
    assert again.to_json() == model.to_json()
    np.testing.assert_array_equal(again.margins(design), model.margins(design))
    with pytest.raises(southwell.DataError, match="checksum"):
        _core.Model.from_json(model.to_json().replace('"squared"', '"huber"'))
