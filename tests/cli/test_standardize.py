"""southwell lab standardize."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import southwell

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_columns_become_standard_and_the_target_stays(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    table = np.column_stack([rng.normal(5, 3, (50, 3)), np.full(50, 0.1), rng.normal(7, 2, 50)])
    names = "a,b,c,constant,y"
    np.savetxt(tmp_path / "in.csv", table, delimiter=",", header=names, comments="", fmt="%.17g")
    done = run("lab", "standardize", "in.csv", "--target", "y", "--out", "out.csv")
    assert done.returncode == 0, done.stderr
    assert "not private" in done.stdout
    out = southwell.read(tmp_path / "out.csv", target="y")
    assert out.feature_names == ["a", "b", "c", "constant"]
    np.testing.assert_array_equal(out.target, table[:, 4])
    expected = (table[:, :3] - table[:, :3].mean(0)) / table[:, :3].std(0)
    assert isinstance(out.design, np.ndarray)
    np.testing.assert_allclose(out.design[:, :3], expected, rtol=0, atol=1e-13)
    np.testing.assert_array_equal(out.design[:, 3], np.zeros(50))


def test_missing_values_stay_and_do_not_count(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("a,big,target\n1,1e200,1\n,-1e200,2\n3,0,3\ninf,0,4\n")
    done = run("lab", "standardize", "in.csv", "--out", "out.csv")
    assert done.returncode == 0, done.stderr
    out = southwell.read(tmp_path / "out.csv", target="target").design
    assert isinstance(out, np.ndarray)
    np.testing.assert_array_equal(out[:, 0], [-1, np.nan, 1, np.inf])
    np.testing.assert_allclose(out[:, 1], [2**0.5, -(2**0.5), 0, 0])


def test_a_replaced_file_keeps_its_permissions_and_a_link_its_place(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "in.csv").write_text("a,target\n1,2\n3,4\n")
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "real.csv").chmod(0o600)
    (tmp_path / "link.csv").symlink_to("real.csv")
    done = run("lab", "standardize", "in.csv", "--out", "link.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "real.csv").read_text() == "a,target\n-1,2\n1,4\n"
    assert len(list(tmp_path.iterdir())) == 3


def test_the_target_keeps_its_name_and_an_empty_table_its_columns(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("target,y\n")
    done = run("lab", "standardize", "in.csv", "--target", "y", "--out", "out.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.csv").read_text() == "target,y\n"


def test_sparse_input_becomes_dense(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.svm").write_text("1 1:1\n-1 2:4\n1 1:3 2:2\n")
    done = run("lab", "standardize", "in.svm", "--features", 2, "--out", "out.npy")
    assert done.returncode == 0, done.stderr
    out = np.load(tmp_path / "out.npy")
    dense = np.array([[1.0, 0], [0, 4], [3, 2]])
    np.testing.assert_allclose(out[:, :2], (dense - dense.mean(0)) / dense.std(0), atol=1e-15)
    np.testing.assert_array_equal(out[:, 2], [1, -1, 1])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing.csv", "--out", "b.csv"], 3, "missing.csv"),
        (["a.csv", "--out", "b.txt"], 3, "accepted are"),
        (["a.csv", "--out", "b.csv", "--target", "nothing"], 2, "nothing"),
        (["a.csv"], 2, "--out is required"),
    ],
)
def test_wrong_use_is_refused_with_a_reason(
    run: Run, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    (tmp_path / "a.csv").write_text("a,target\n1,2\n")
    done = run("lab", "standardize", *arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr + done.stdout
