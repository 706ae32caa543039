"""What Python may tell a reader, and the names that no file can have."""

from pathlib import Path

import numpy as np
import pytest

import southwell


def test_declared_words_are_missing_numbers(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text('a,b,y\n1,N/A,3\n"?",-999,null\n4,5,6\n')
    words = ["N/A", "?", "null", "-999"]
    for read in (southwell.read, southwell.read_csv):
        data = read(file, target="y", missing=words)
        np.testing.assert_array_equal(data.design, [[1, np.nan], [np.nan, np.nan], [4, 5]])
        np.testing.assert_array_equal(data.target, [3, np.nan, 6])
        with pytest.raises(southwell.DataError, match=r"a\.csv:2: column 1 \('b'\) holds text"):
            read(file, target="y", missing=words[1:])
        with pytest.raises(southwell.DataError, match="holds text"):
            read(file, target="y")


@pytest.mark.parametrize("words", ["N/A", [1], [None], [b"x"]])
def test_words_are_a_list_of_text(tmp_path: Path, words: object) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    with pytest.raises(TypeError, match=r"missing: given .*, accepted is a list of words"):
        southwell.read(tmp_path / "a.csv", missing=words)  # type: ignore[arg-type]


def test_words_are_refused_where_there_is_no_text(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.ones((2, 2)))
    (tmp_path / "x.svm").write_text("1 1:1\n")
    for name in ("x.npy", "x.svm"):
        with pytest.raises(ValueError, match=r"missing: given '\?', but .* accepted for a CSV"):
            southwell.read(tmp_path / name, missing=["?"])
    (tmp_path / "a.csv").write_text("a\n1\n")
    with pytest.raises(ValueError, match="missing: given '', accepted is text"):
        southwell.read(tmp_path / "a.csv", missing=[""])


@pytest.mark.parametrize("name", ["", "a\0b.csv"])
def test_names_that_no_file_can_have_are_refused(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").write_text("what the system would take for the file")
    fitted = southwell.PrivateLogisticRegression(epsilon=1, delta=1e-6, classes=[0, 1])
    fitted.fit(np.ones((8, 2)), [0, 1] * 4)
    refusal = r"file: given .*, accepted is a path that can be a file's"
    with pytest.raises(ValueError, match=refusal):
        southwell.read(name)
    with pytest.raises(ValueError, match=refusal):
        fitted.save(name)
    assert [file.name for file in tmp_path.iterdir()] == ["a"]


def test_a_negative_column_of_an_array_file_is_refused_by_name(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"target: given '-1', .* a column number from 0 or a sec"):
        southwell.read(tmp_path / "x.npy", target=-1)
