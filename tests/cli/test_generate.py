"""southwell generate."""

import contextlib
import gzip
import hashlib
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import southwell

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_csv_has_a_header_and_reads_back_to_the_same_bits(run: Run, tmp_path: Path) -> None:
    done = run(
        "generate", "square", "--records", 30, "--features", 12, "--seed", 7, "--out", "a.csv"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "a.csv: square with 30 records, 12 features, seed 7\n"
    header = (tmp_path / "a.csv").read_text().splitlines()[0]
    assert header == ",".join([f"x{j}" for j in range(1, 13)] + ["target"])
    made, _ = southwell.generate("square", records=30, features=12, seed=7)
    back = southwell.read(tmp_path / "a.csv", target="target")
    np.testing.assert_array_equal(back.design, made.design)
    np.testing.assert_array_equal(back.target, made.target)


@pytest.mark.parametrize("ending", ["csv", "libsvm", "svm", "npy"])
@pytest.mark.parametrize("gz", ["", ".gz", ".GZ"])
def test_every_kind_of_file_reads_back_to_the_same_bits(
    run: Run, tmp_path: Path, ending: str, gz: str
) -> None:
    file = f"a.{ending}{gz}"
    done = run("generate", "log2", "--records", 40, "--features", 9, "--seed", 3, "--out", file)
    assert done.returncode == 0, done.stderr
    made, _ = southwell.generate("log2", records=40, features=9, seed=3)
    target = {"csv": "target", "npy": "9"}.get(ending)
    back = southwell.read(tmp_path / file, target=target)
    design = back.design if isinstance(back.design, np.ndarray) else back.design.toarray()
    np.testing.assert_array_equal(design, made.design)
    np.testing.assert_array_equal(back.target, made.target)
    is_gzip = (tmp_path / file).read_bytes()[:2] == b"\x1f\x8b"
    assert is_gzip == bool(gz)


def test_the_bytes_are_the_golden_ones_for_any_number_of_threads(run: Run, tmp_path: Path) -> None:
    for threads in (1, 2, 7):
        out = f"a{threads}.csv"
        run("generate", "log1", "--seed", 1, "--threads", threads, "--out", out)
        digest = hashlib.sha256((tmp_path / out).read_bytes()).hexdigest()
        assert digest == "7877ae0e7d0703ae84ed2ad3a75c47f1597a9f17bfa9bf7fc49ee3d50f96905e", threads


def test_numbers_have_seventeen_digits(run: Run, tmp_path: Path) -> None:
    run("generate", "log1", "--records", 200, "--features", 5, "--seed", 1, "--out", "a.csv.gz")
    with gzip.open(tmp_path / "a.csv.gz", "rt") as file:
        fields = [field for line in file.readlines()[1:] for field in line.split(",")[:-1]]
    longest = max(len(f.lstrip("-0.").replace(".", "").split("e")[0]) for f in fields)
    assert longest == 17
    assert all(f == f"{float(f):.17g}" for f in fields)


def test_the_truth_is_written_on_request(run: Run, tmp_path: Path) -> None:
    done = run(
        "generate", "square", "--seed", 2, "--records", 20, "--out", "a.npy", "--truth", "truth.csv"
    )
    assert done.returncode == 0, done.stderr
    _, truth = southwell.generate("square", seed=2, records=20)
    lines = (tmp_path / "truth.csv").read_text().splitlines()
    assert lines[0] == "feature,coef"
    written = {line.split(",")[0]: float(line.split(",")[1]) for line in lines[1:]}
    assert written == {f"x{j + 1}": w for j, w in enumerate(truth) if w != 0}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["square", "--out", "a.csv"], 2, "--seed is required"),
        (["square", "--seed", "1"], 2, "--out is required"),
        (["cube", "--seed", "1", "--out", "a.csv"], 2, "cube"),
        (["square", "--seed", "-1", "--out", "a.csv"], 2, "--seed"),
        (["square", "--seed", "x", "--out", "a.csv"], 2, "given 'x', accepted is a whole number"),
        (["square", "--seed", "18446744073709551616", "--out", "a.csv"], 2, "accepted is a whole"),
        (["square", "--seed", "1", "--out", "a.csv", "--truth", "a.csv"], 2, "--truth"),
        (["square", "--seed", "1", "--out", "a.csv", "--truth", "no/such.csv"], 3, "no/such.csv"),
        (["square", "--seed", "1", "--out", "a.csv", "--threads", "100000"], 2, "--threads"),
        (["square", "--seed", "1", "--records", "0", "--out", "a.csv"], 2, "--records"),
        (["square", "--seed", "1", "--records", "1.5", "--out", "a.csv"], 2, "--records"),
        (["square", "--seed", "1", "--threads", "0", "--out", "a.csv"], 2, "--threads"),
        (
            ["square", "--seed", "1", "--out", "a.txt"],
            3,
            "accepted are .csv, .libsvm, .svm and .npy",
        ),
        (["square", "--seed", "1", "--out", "no/such/a.csv"], 3, "No such file or directory"),
        (["square", "--seed", "1", "--out", "."], 3, "accepted"),
        (["square", "--seed", "1", "--out", "a.csv", "--records", "99999999999999999999"], 2, ""),
        (["square", "--seed", "1", "--out", "a.csv", "--records", "9999999999999999"], 2, "2^50"),
    ],
)
def test_wrong_use_is_refused_with_a_reason(
    run: Run, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    done = run("generate", *arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr + done.stdout
    assert list(tmp_path.iterdir()) == [], "something was left behind"


@pytest.mark.parametrize("word", ["SIGINT", "SIGTERM"])
def test_work_without_a_file_stops_at_once(
    southwell_binary: Path, tmp_path: Path, word: str
) -> None:
    os.mkfifo(tmp_path / "nobody.csv")
    command = [southwell_binary, "lab", "standardize", "nobody.csv", "--out", "b.csv"]
    process = subprocess.Popen(list(map(str, command)), cwd=tmp_path, stderr=subprocess.PIPE)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=0.5)
    process.send_signal(getattr(signal, word))
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert not (tmp_path / "b.csv").exists()


def test_a_full_disk_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "full.csv").symlink_to("/dev/full")
    done = run("generate", "log1", "--seed", 1, "--out", "full.csv")
    assert done.returncode == 3
    assert "full.csv: cannot be written: No space left on device" in done.stderr


def test_ctrl_c_stops_with_130_and_leaves_nothing(southwell_binary: Path, tmp_path: Path) -> None:
    command = [southwell_binary, "generate", "square", "--records", "20000", "--features", "2000"]
    process = subprocess.Popen(
        [*map(str, command), "--seed", "1", "--out", "big.csv"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(tmp_path.glob("*.part-*")):
        assert process.poll() is None, "ended before it could be interrupted"
    os.kill(process.pid, signal.SIGINT)
    _, message = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in message
    assert list(tmp_path.iterdir()) == []
