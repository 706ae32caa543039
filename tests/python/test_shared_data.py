"""Every public data set reads to the same numbers as pandas or scikit-learn gives."""

import gzip
import os
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.datasets import load_svmlight_file

import southwell

CSV = [
    "california/california.csv.gz",
    "colon_cancer/colon_cancer.csv.gz",
    "madelon/madelon.csv.gz",
    "mtp_meltingpoint/meltingpoint_4401.csv.gz",
]
LIBSVM = [
    "a9a/a9a.libsvm.gz",
    "a9a/a9a.t.libsvm.gz",
    "basehock/basehock.libsvm.gz",
    "dorothea/dorothea_train.libsvm.gz",
    "dorothea/dorothea_train_88119.libsvm.gz",
]


def test_the_lists_above_are_complete(shared_data: Path) -> None:
    found = {str(path.relative_to(shared_data)) for path in shared_data.rglob("*.gz")}
    # Raw tables, with text in them, are for schemas.
    assert {name for name in found if not name.startswith("external/")} == set(CSV + LIBSVM)


def through_a_pipe(source: Path, fifo: Path, chunk: int) -> threading.Thread:
    """Feeds the uncompressed bytes of `source` through a named pipe, `chunk` at a time."""
    os.mkfifo(fifo)

    def feed() -> None:
        with gzip.open(source) as file, fifo.open("wb", buffering=0) as out:
            while piece := file.read(chunk):
                out.write(piece)

    thread = threading.Thread(target=feed)
    thread.start()
    return thread


def assert_same(one: southwell.Dataset, other: southwell.Dataset) -> None:
    np.testing.assert_array_equal(one.target, other.target)
    assert one.feature_names == other.feature_names
    if isinstance(one.design, np.ndarray):
        np.testing.assert_array_equal(one.design, other.design)
    else:
        assert isinstance(other.design, scipy.sparse.csc_array)
        assert one.design.shape == other.design.shape
        for part in ("data", "indices", "indptr"):
            np.testing.assert_array_equal(getattr(one.design, part), getattr(other.design, part))


@pytest.mark.parametrize("name", CSV)
def test_csv_as_pandas_reads_it(shared_data: Path, tmp_path: Path, name: str) -> None:
    ours = southwell.read(shared_data / name, target="target")
    frame = pd.read_csv(shared_data / name)
    assert ours.feature_names == list(frame.columns[:-1])
    np.testing.assert_array_equal(ours.design, frame.iloc[:, :-1].to_numpy(dtype=float))
    np.testing.assert_array_equal(ours.target, frame["target"].to_numpy(dtype=float))
    for chunk in (997, 65536):
        fifo = tmp_path / f"pipe{chunk}.csv"
        thread = through_a_pipe(shared_data / name, fifo, chunk)
        piped = southwell.read(fifo, target="target")
        thread.join()
        assert_same(piped, ours)


@pytest.mark.parametrize("name", LIBSVM)
def test_libsvm_as_scikit_learn_reads_it(shared_data: Path, tmp_path: Path, name: str) -> None:
    ours = southwell.read(shared_data / name)
    design, target = load_svmlight_file(str(shared_data / name))
    assert ours.design.shape == design.shape
    by_record = scipy.sparse.csr_array(ours.design)
    for part in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(by_record, part), getattr(design, part))
    np.testing.assert_array_equal(ours.target, target)
    for chunk in (997, 65536):
        fifo = tmp_path / f"pipe{chunk}.svm"
        thread = through_a_pipe(shared_data / name, fifo, chunk)
        piped = southwell.read(fifo)
        thread.join()
        assert_same(piped, ours)


def test_sizes_are_those_of_the_data_sheet(shared_data: Path) -> None:
    sizes = {
        "california/california.csv.gz": (20640, 8),
        "madelon/madelon.csv.gz": (2600, 500),
        "mtp_meltingpoint/meltingpoint_4401.csv.gz": (4401, 202),
        "colon_cancer/colon_cancer.csv.gz": (62, 2000),
        "dorothea/dorothea_train_88119.libsvm.gz": (800, 88119),
        "basehock/basehock.libsvm.gz": (1993, 4862),
        "a9a/a9a.libsvm.gz": (32561, 123),
    }
    for name, size in sizes.items():
        target = "target" if ".csv" in name else None
        assert southwell.read(shared_data / name, target=target).design.shape == size
