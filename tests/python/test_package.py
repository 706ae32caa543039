"""The Python package: version, generators and readers."""

import hashlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import southwell


def test_the_version_is_the_projects(root: Path) -> None:
    found = re.search(
        r"project\(southwell VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text()
    )
    assert found
    assert southwell.__version__ == found[1]


@pytest.mark.parametrize("problem", ["log1", "log2"])
def test_generates_the_logistic_problems(problem: str) -> None:
    data, truth = southwell.generate(problem, seed=1)  # type: ignore[arg-type]
    assert isinstance(data.design, np.ndarray)
    assert data.design.shape == (1000, 100)
    assert data.design.flags.f_contiguous
    assert data.feature_names[:2] == ["x1", "x2"]
    assert data.target is not None
    assert set(data.target) == {-1.0, 1.0}
    assert (truth > 0).all()


def test_generates_square_with_the_bytes_of_every_other_shell() -> None:
    data, truth = southwell.generate("square", seed=1)
    assert isinstance(data.design, np.ndarray)
    assert data.target is not None
    parts = (data.design.tobytes(order="F"), data.target.tobytes(), truth.tobytes())
    digest = hashlib.sha256(b"".join(parts)).hexdigest()
    # The same golden value as in tests/cpp/data/generate_test.cpp.
    assert digest == "4a625b78768bcd6093cab3be899b3fe901afa5d280af0410a918cbcc36a635dc"


def test_refusals_are_value_errors_that_say_what_is_accepted() -> None:
    with pytest.raises(ValueError, match="accepted are log1, log2 and square"):
        southwell.generate("log3", seed=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="records: given 0"):
        southwell.generate("log1", records=0, seed=1)
    with pytest.raises(ValueError, match=r"records: given -1, accepted is a whole number from 1"):
        southwell.generate("log1", records=-1, seed=1)
    with pytest.raises(ValueError, match=r"seed: given .*, accepted is a whole number from 0"):
        southwell.generate("log1", seed=2**64)
    with pytest.raises(TypeError, match=r"seed: given 1.5, accepted is a whole number"):
        southwell.generate("log1", seed=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"threads: given -1"):
        southwell.generate("log1", seed=1, threads=-1)
    with pytest.raises(TypeError, match=r"target: given True"):
        southwell.read(__file__, target=True)
    with pytest.raises(FileNotFoundError):
        southwell.read("no_such_file.csv")
    with pytest.raises(ValueError, match="storage: given 'f16'"):
        southwell.read(__file__, storage="f16")  # type: ignore[arg-type]
    with pytest.raises(southwell.DataError, match="the name does not say the format"):
        southwell.read(__file__)
    assert issubclass(southwell.DataError, ValueError)


def test_reads_csv_with_and_without_a_target(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("age,dose,target\n1,2.5,3\n4,NA,6\n")
    with_target = southwell.read(file, target="target")
    assert with_target.feature_names == ["age", "dose"]
    np.testing.assert_array_equal(with_target.design, [[1, 2.5], [4, np.nan]])
    np.testing.assert_array_equal(with_target.target, [3, 6])
    assert southwell.read(file, target=2).feature_names == ["age", "dose"]
    without = southwell.read_csv(file)
    assert without.target is None
    assert without.design.shape == (2, 3)
    single = southwell.read(file, target="target", storage="f32").design
    assert isinstance(single, np.ndarray)
    assert single.dtype == np.float32


def test_reads_libsvm_as_a_sparse_array(tmp_path: Path) -> None:
    file = tmp_path / "a.svm"
    file.write_text("1 1:0.5 3:2\n-1 2:1 9:7\n")
    data = southwell.read_libsvm(file, features=4)
    assert isinstance(data.design, scipy.sparse.csc_array)
    assert data.design.shape == (2, 4)
    np.testing.assert_array_equal(data.design.toarray(), [[0.5, 0, 2, 0], [0, 1, 0, 0]])
    np.testing.assert_array_equal(data.target, [1, -1])
    assert southwell.read(file).design.shape == (2, 9)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", "<f2", "i4", "?"])
def test_reads_npy_in_both_orders(tmp_path: Path, order: str, dtype: str) -> None:
    table = np.array(np.arange(12).reshape(4, 3) % 5, dtype=dtype, order=order)  # type: ignore[call-overload]
    np.save(tmp_path / "x.npy", table)
    np.save(tmp_path / "y.npy", np.arange(4.0))
    data = southwell.read(tmp_path / "x.npy", target=tmp_path / "y.npy")
    np.testing.assert_array_equal(data.design, table.astype(float))
    np.testing.assert_array_equal(data.target, np.arange(4.0))
    last = southwell.read_npy(tmp_path / "x.npy", target=2)
    np.testing.assert_array_equal(last.target, table[:, 2].astype(float))
    assert last.design.shape == (4, 2)


def test_arrays_outlive_what_they_came_from() -> None:
    designs = [
        southwell.generate("log1", records=50, features=3, seed=s)[0].design for s in range(50)
    ]
    again = [
        southwell.generate("log1", records=50, features=3, seed=s)[0].design for s in range(50)
    ]
    for one, other in zip(designs, again, strict=True):
        np.testing.assert_array_equal(one, other)


def test_names_need_not_be_text(tmp_path: Path) -> None:
    file = os.fsencode(tmp_path) + b"/bad\xff.csv"
    Path(os.fsdecode(file)).write_text("a,b\n1,2\n")
    assert southwell.read(os.fsdecode(file)).design.shape == (1, 2)


def test_ctrl_c_stops_a_wait_for_a_pipe_and_a_long_generation(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "nobody.csv")
    for call in ("southwell.read('nobody.csv')", "southwell.generate('log1', **big)"):
        # A shell that runs tests in the background has Ctrl-C ignored, and a child inherits that.
        code = (
            "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
            f"import southwell; big = dict(records=20000, features=20000, seed=1); {call}"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        )
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=20)
        assert "KeyboardInterrupt" in message


def test_sparse_indices_are_not_copied(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text("1 1:0.5 3:2\n")
    design = southwell.read(tmp_path / "a.svm").design
    assert isinstance(design, scipy.sparse.csc_array)
    assert design.indices.dtype == np.int32
    assert design.indices.base is not None


def test_other_threads_run_while_a_file_is_read(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe.csv"
    os.mkfifo(fifo)

    def feed() -> None:
        with fifo.open("w") as out:
            out.write("a,b\n1,2\n")

    # The writer can only run if the reader, which waits for it, has let go of the interpreter.
    writer = threading.Thread(target=feed)
    writer.start()
    data = southwell.read(fifo)
    writer.join()
    assert data.design.shape == (1, 2)
