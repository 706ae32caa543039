"""southwell predict and southwell evaluate."""

import csv
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.fit_calls import BASE

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def fitted(run: Run, tmp_path: Path, loss: str = "squared", *flags: str) -> dict[str, Any]:
    """A model m.json on train.csv with features a, b, c; its coefficients are what they are."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 3))
    y = x @ [1.0, -2.0, 0.5]
    y = np.sign(y) if loss == "logistic" else y
    np.savetxt(
        tmp_path / "train.csv", np.column_stack([x, y]), delimiter=",", header="a,b,c,target",
        comments="", fmt="%.17g",
    )  # fmt: skip
    budget = ["--epsilon", "100", "--delta", "1e-6", "--iterations", "9", "--seed-for-tests", "1"]
    budget += ["--classes", "-1,1"] if loss == "logistic" else ["--target-scale", "1"]
    done = run("fit", "train.csv", "--loss", loss, *budget, *flags, "--out", "m.json")
    assert done.returncode == 0, done.stderr
    model: dict[str, Any] = json.loads((tmp_path / "m.json").read_text())
    return model


def margins(model: dict[str, Any], x: np.ndarray) -> np.ndarray:
    w = np.zeros(x.shape[1])
    for entry in model["coef"][0]:
        w[entry["index"]] = entry["value"]
    result: np.ndarray = x @ w + model["intercept"][0]
    return result


def test_columns_are_matched_by_name_and_the_rest_may_hold_anything(
    run: Run, tmp_path: Path
) -> None:
    model = fitted(run, tmp_path)
    lines = ['c,who,"note, long",b,a,target', '1,"Ann, B.",x,2,3,', "4,Bob,,3,2,7"]
    (tmp_path / "new.csv").write_text("\r\n".join(lines) + "\r\n")
    done = run("predict", "m.json", "new.csv", "--id", "who")
    assert done.returncode == 0, done.stderr
    header, first, second = done.stdout.splitlines()
    assert header == "who,prediction"
    assert first.startswith('"Ann, B.",')
    assert second.startswith("Bob,")
    got = [float(line.rsplit(",", 1)[1]) for line in (first, second)]
    np.testing.assert_allclose(got, margins(model, np.array([[3.0, 2, 1], [2, 3, 4]])), rtol=1e-12)


def test_predictions_go_to_a_file_and_are_the_same_for_every_format(
    run: Run, tmp_path: Path
) -> None:
    model = fitted(run, tmp_path)
    x = np.array([[1.0, 0, 2], [0, 0, 0], [3, 4, 0]])
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "xy.npy", np.column_stack([x, [9, 9, 9]]))
    rows = [" ".join(f"{j + 1}:{v}" for j, v in enumerate(row) if v) for row in x]
    (tmp_path / "x.svm").write_text("".join(f"0 {row} 9:5\n" for row in rows))
    (tmp_path / "x.csv").write_text("\n".join(",".join(map(str, row)) for row in x) + "\n")
    for data in (["x.npy"], ["xy.npy", "--target", "3"], ["x.svm"], ["x.csv"]):
        done = run("predict", "m.json", *data, "--out", "p.csv")
        assert done.returncode == 0, done.stderr
        got = np.loadtxt(tmp_path / "p.csv", skiprows=1)
        np.testing.assert_allclose(got, margins(model, x), rtol=1e-12)
    done = run("predict", "m.json", "xy.npy")
    assert (done.returncode, "is one of the columns the target?" in done.stderr) == (3, True)


def test_a_classifier_gives_labels_margins_and_probabilities(run: Run, tmp_path: Path) -> None:
    model = fitted(run, tmp_path, "logistic")
    (tmp_path / "new.csv").write_text("a,b,c\n1,0,0\n0,1,0\nnan,1,1\n")
    z = margins(model, np.array([[1.0, 0, 0], [0, 1, 0]]))
    label = run("predict", "m.json", "new.csv").stdout.splitlines()
    assert label[0] == "prediction"
    assert [float(v) for v in label[1:3]] == [1.0 if m > 0 else -1.0 for m in z]
    assert label[3] == "nan"
    both = run("predict", "m.json", "new.csv", "--kind", "probability").stdout.splitlines()
    assert both[0] == "probability_-1,probability_1"
    assert float(both[1].split(",")[1]) == pytest.approx(1 / (1 + np.exp(-z[0])), rel=1e-12)


def test_evaluation_agrees_with_scikit_learn(run: Run, tmp_path: Path) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    model = fitted(run, tmp_path)
    data = np.loadtxt(tmp_path / "train.csv", delimiter=",", skiprows=1)
    got = json.loads(run("evaluate", "m.json", "train.csv", "--json").stdout)
    z = margins(model, data[:, :3])
    assert got["records"] == 60
    assert got["private"] is False
    assert got["mse"] == pytest.approx(metrics.mean_squared_error(data[:, 3], z), rel=1e-12)
    assert got["r2"] == pytest.approx(metrics.r2_score(data[:, 3], z), rel=1e-12)
    assert "accuracy" not in got
    model = fitted(run, tmp_path, "logistic")
    data = np.loadtxt(tmp_path / "train.csv", delimiter=",", skiprows=1)
    got = json.loads(run("evaluate", "m.json", "train.csv", "--json").stdout)
    z = margins(model, data[:, :3])
    p = 1 / (1 + np.exp(-z))
    assert got["accuracy"] == metrics.accuracy_score(data[:, 3], np.where(z > 0, 1, -1))
    assert got["auc"] == pytest.approx(metrics.roc_auc_score(data[:, 3], z), rel=1e-12)
    assert got["log_loss"] == pytest.approx(metrics.log_loss(data[:, 3], p), rel=1e-9)
    assert "mse" not in got


def test_evaluate_says_that_its_figures_are_exact(run: Run, tmp_path: Path) -> None:
    fitted(run, tmp_path)
    (tmp_path / "new.csv").write_text("a,b,c,y\n1,0,0,2\n0,1,0,\n")
    done = run("evaluate", "m.json", "new.csv", "--target", "y")
    assert done.returncode == 0, done.stderr
    assert "not private: these are exact figures of the records given" in done.stdout
    assert re.search(r"left out +1 without a target or a value", done.stdout)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_a_missing_cell_leaves_out_its_record_and_nothing_else(
    run: Run, tmp_path: Path, loss: str
) -> None:
    fitted(run, tmp_path, loss)
    header, *lines = (tmp_path / "train.csv").read_text().splitlines()
    cut = [lines[0].split(",", 1)[1], lines[1].rsplit(",", 1)[0]]
    for words, gap in ([], ""), (["--missing", "N/A, ?"], "?"):
        holes = [f"{gap},{cut[0]}", f"{cut[1]},{gap}", *lines[2:]]
        (tmp_path / "holes.csv").write_text("\n".join([header, *holes]) + "\n")
        (tmp_path / "rest.csv").write_text("\n".join([header, *lines[2:]]) + "\n")
        got = json.loads(run("evaluate", "m.json", "holes.csv", "--json", *words).stdout)
        expected = json.loads(run("evaluate", "m.json", "rest.csv", "--json").stdout)
        assert (got.pop("left_out"), expected.pop("left_out")) == (2, 0)
        assert got == expected
        assert {"squared": {"mse", "r2"}, "logistic": {"auc", "log_loss"}}[loss] <= set(got)
        text = run("evaluate", "m.json", "holes.csv", *words).stdout
        assert re.search(r"records +58\n", text)
        assert re.search(r"left out +2 without", text)


def test_evaluate_says_so_where_no_record_can_be_predicted(run: Run, tmp_path: Path) -> None:
    fitted(run, tmp_path)
    (tmp_path / "new.csv").write_text("a,b,c,target\n1,0,0,\n,,,2\n")
    done = run("evaluate", "m.json", "new.csv")
    assert done.returncode == 0, done.stderr
    assert "no record can be predicted: there are no figures" in done.stdout
    got = json.loads(run("evaluate", "m.json", "new.csv", "--json").stdout)
    assert set(got) == {"southwell_version", "private", "records", "left_out"}
    assert (got["records"], got["left_out"]) == (0, 2)


def test_declared_words_are_missing_values_and_other_text_is_an_error(
    run: Run, tmp_path: Path
) -> None:
    fitted(run, tmp_path)
    (tmp_path / "new.csv").write_text('a,b,c\n1,N/A,3\n"null",1,2\n-999,0,0\n1,1,1\n')
    done = run("predict", "m.json", "new.csv", "--missing", "N/A,null,-999")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1:4] == ["nan", "nan", "nan"]
    assert done.stdout.split()[4] != "nan"
    done = run("predict", "m.json", "new.csv", "--missing", "null,-999")
    assert (done.returncode, "new.csv:2: column 1 ('b') holds text" in done.stderr) == (3, True)


def test_a_fit_with_declared_words_is_the_fit_with_empty_fields(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("a,b,target\n1,,1\n,1,\n2,0,3\n4,5,6\n")
    (tmp_path / "words.csv").write_text("a,b,target\n1,?,1\nN/A,1,?\n2,0,3\n4,5,6\n")
    budget = [*BASE, "--seed-for-tests", "1"]
    texts = []
    for data in (["empty.csv"], ["words.csv", "--missing", "?,N/A"]):
        done = run("fit", *data, *budget, "--out", "m.json")
        assert done.returncode == 0, done.stderr
        texts.append((tmp_path / "m.json").read_text())
    assert texts[0] == texts[1]


def test_ids_that_a_spreadsheet_would_run_are_marked_and_can_be_had_again(
    run: Run, tmp_path: Path
) -> None:
    fitted(run, tmp_path)
    ids = [
        "Ann",
        "=1+1",
        "+49 170",
        "-12.5",
        "@x",
        "'quoted'",
        '=HYPERLINK("u","v")',
        "-a",
        "\uff1dx",
    ]
    with (tmp_path / "new.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["=who", "a", "b", "c"])
        rows.writerows([name, 1, 2, 3] for name in ids)
    done = run("predict", "m.json", "new.csv", "--id", "=who")
    assert done.returncode == 0, done.stderr
    header, *lines = list(csv.reader(done.stdout.splitlines()))
    assert header == ["'=who", "prediction"]
    written = [line[0] for line in lines]
    assert [name[0] == "'" for name in written] == [name not in ("Ann", "-12.5") for name in ids]
    assert [name.removeprefix("'") for name in written] == ids
    assert "apostrophe" in run("predict", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["predict", "no.json", "train.csv"], 3, "no.json"),
        (["predict", "train.csv", "train.csv"], 3, "train.csv:1: not JSON"),
        (["predict", "m.json", "no.csv"], 3, "no.csv"),
        (["predict", "m.json", "other.csv"], 3, "missing: 'a', 'b', 'c'"),
        (["predict", "m.json", "train.csv", "--id", "nobody"], 2, "id: given 'nobody'"),
        (["predict", "m.json", "x.svm", "--id", "a"], 2, "id"),
        (["predict", "m.json", "train.csv", "--kind", "label"], 2, "regression"),
        (["predict", "m.json", "train.csv", "--kind", "probability"], 2, "squared"),
        (["predict", "m.json", "train.csv", "--kind", "odds"], 2, "odds"),
        (["predict", "m.json", "ragged.csv"], 3, "ragged.csv:3"),
        (["predict", "m.json", "text.csv"], 3, "text.csv:2: column 1 ('b') holds text"),
        (["predict", "m.json", "train.csv", "--out", "./train.csv"], 2, "--out"),
        (["predict", "m.json", "train.csv", "--out", "m.json"], 2, "--out"),
        (["evaluate", "m.json", "other.csv"], 2, "target"),
        (["evaluate", "m.json", "x.npy"], 2, "--target"),
        (["evaluate", "m.json"], 2, "DATA"),
    ],
)
def test_wrong_use_is_refused_with_a_reason(
    run: Run, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    fitted(run, tmp_path)
    (tmp_path / "other.csv").write_text("d,e\n1,2\n")
    (tmp_path / "ragged.csv").write_text("a,b,c,note\n1,2,3,x\n1,2,3\n")
    (tmp_path / "text.csv").write_text("a,b,c,note\n1,two,3,x\n")
    (tmp_path / "x.svm").write_text("1 1:1\n")
    np.save(tmp_path / "x.npy", np.zeros((2, 3)))
    before = sorted(tmp_path.iterdir())
    done = run(*arguments)
    assert done.returncode == code, done.stderr + done.stdout
    assert message in done.stderr
    assert sorted(tmp_path.iterdir()) == before
