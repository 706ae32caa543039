"""southwell fit: from a file to a private model with its statement."""

import hashlib
import json
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.cli.fit_calls import BASE, LOSS, load, table

Run = Callable[..., "subprocess.CompletedProcess[str]"]
SCALES = BASE[len(LOSS) :]
SQUARE = [*BASE, "--penalty", "l1", "--alpha", "30", "--no-intercept"]


@pytest.fixture
def square(run: Run, tmp_path: Path) -> Path:
    run(
        "generate", "square", "--records", 200, "--features", 20, "--seed", 1, "--out", "square.csv"
    )
    return tmp_path / "square.csv"


def test_a_fit_gives_a_private_model_with_its_statement(
    run: Run, tmp_path: Path, square: Path
) -> None:
    done = run("fit", square, *SQUARE, "--iterations", 4, "--out", "model.json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.startswith("guarantee: (1, 1e-06)-DP\n")
    assert "model.json: the model" in done.stdout
    model = load(tmp_path / "model.json")
    assert model["private"] is True
    privacy = model["privacy"]
    assert privacy["guarantee"] == "(1, 1e-06)-DP"
    assert privacy["epsilon_spent"] <= 1
    assert privacy["public_inputs"]["alpha"] == {"value": 30, "source": "user"}
    assert privacy["public_inputs"]["rule"] == {"value": "gs_s", "source": "default"}
    assert privacy["mechanisms"][0]["count"] == 4
    assert model["path"]
    assert model["feature_names"][:2] == ["x1", "x2"]
    for entry in model["coef"][0]:
        assert entry["noise_sd"] is None or entry["noise_sd"] > 0
        value = re.escape(f"{entry['value']:.8g}")
        assert re.search(rf"x{entry['index'] + 1} +{value}", done.stdout)


def test_the_checksum_is_that_of_the_canonical_json(run: Run, tmp_path: Path, square: Path) -> None:
    assert run("fit", square, *SQUARE, "--out", "model.json").returncode == 0
    model = load(tmp_path / "model.json")
    said = model.pop("checksum")
    canonical = json.dumps(model, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(canonical.encode()).hexdigest() == said


def test_two_fits_differ_and_seeded_ones_agree_without_a_guarantee(
    run: Run, tmp_path: Path, square: Path
) -> None:
    texts = []
    for k, seed in enumerate([[], [], ["--seed-for-tests", "7"], ["--seed-for-tests", "7"]]):
        assert run("fit", square, *SQUARE, *seed, "--out", f"{k}.json").returncode == 0
        texts.append((tmp_path / f"{k}.json").read_text())
    assert texts[0] != texts[1]
    assert texts[2] == texts[3]
    seeded = json.loads(texts[2])
    assert seeded["private"] is False
    assert seeded["privacy"]["guarantee"].startswith("none (seeded")


def test_threads_and_storage_change_no_bit(run: Run, tmp_path: Path, square: Path) -> None:
    texts = []
    for threads in (1, 2, 7):
        flags = ["--seed-for-tests", 3, "--threads", threads, "--out", "m.json"]
        assert run("fit", square, *SQUARE, *flags).returncode == 0
        texts.append((tmp_path / "m.json").read_text())
    assert texts[0] == texts[1] == texts[2]
    assert run("fit", square, *SQUARE, "--storage", "f32", "--out", "m.json").returncode == 0


def test_what_is_printed_tells_nothing_of_the_records(
    run: Run, tmp_path: Path, square: Path
) -> None:
    lines = square.read_text().splitlines()
    (tmp_path / "less.csv").write_text("\n".join(lines[:151]) + "\n")
    flags = [*SQUARE, "--relation", "add_or_remove_one", "--records", 200, "--out", "m.json"]
    printed, stated = [], []
    for file in (square, "less.csv"):
        done = run("fit", file, *flags)
        assert (done.returncode, done.stderr) == (0, "")
        printed.append(re.sub(r"  x\d+ .*\n", "", done.stdout))
        stated.append(load(tmp_path / "m.json")["privacy"])
    assert printed[0] == printed[1]
    assert stated[0] == stated[1]
    assert stated[0]["records"] == 200


def test_no_records_at_all_run_under_add_or_remove_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text("a,b,target\n")
    flags = [*BASE, "--relation", "add_or_remove_one", "--records", 100, "--out", "m.json"]
    done = run("fit", "none.csv", *flags)
    assert done.returncode == 0, done.stderr
    assert load(tmp_path / "m.json")["private"] is True
    assert run("fit", "none.csv", *BASE, "--out", "m.json").returncode == 3


def test_a_sparse_file_has_the_features_that_were_declared(run: Run, tmp_path: Path) -> None:
    flags = [*BASE, "--seed-for-tests", 1, "--features", 3, "--out", "m.json"]
    models = []
    for entry in ("", " 4:7", f" {2**31}:7 {10**17}:nan"):
        (tmp_path / "a.libsvm").write_text(f"1 1:1 3:2{entry}\n-1 2:1\n")
        assert run("fit", "a.libsvm", *flags).returncode == 0
        models.append((tmp_path / "m.json").read_text())
    assert models[0] == models[1] == models[2]
    assert json.loads(models[0])["features"] == 3


def test_an_empty_sparse_file_is_a_neighbour_of_one_with_a_record(run: Run, tmp_path: Path) -> None:
    relation = ["--relation", "add_or_remove_one", "--records", 100, "--features", 3]
    said = []
    for text in ("", "1 1:1\n"):
        (tmp_path / "a.libsvm").write_text(text)
        done = run("fit", "a.libsvm", *BASE, *relation, "--out", "m.json")
        said.append((done.returncode, done.stderr))
        assert load(tmp_path / "m.json")["private"] is True
    assert said[0] == said[1] == (0, "")


def test_values_inside_records_never_stop_a_fit(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("a,b,target\n,inf,1\nnan,1e999,NA\n1e308,-1e308,inf\n1,2,3\n")
    done = run("fit", "odd.csv", *BASE, "--out", "m.json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_dry_run_says_what_it_would_cost_and_does_nothing(
    run: Run, tmp_path: Path, square: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    flags = [*BASE, "--no-intercept", "--iterations", 4, "--refine", "off", "--out", "m.json"]
    done = run("fit", square, *flags, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "guarantee       (1, 1e-06)-DP" in done.stdout
    assert "every feature" in done.stdout
    assert "nothing was fitted" in done.stdout
    assert sorted(tmp_path.iterdir()) == before
    # A fit as printed foretells the noise of a step, and knows that of no coefficient.
    assert run("fit", square, *flags).returncode == 0
    assert float(re.search(r"every feature +\S+ +(\S+)", done.stdout)[1]) > 0  # type: ignore[index]
    carried = [c["noise_sd"] for c in load(tmp_path / "m.json")["coef"][0]]
    assert carried
    assert set(carried) == {None}


def test_a_large_delta_is_warned_of(run: Run, tmp_path: Path) -> None:
    flags = ["--target", "y", *BASE[:4], *SCALES, "--dry-run"]
    done = run("fit", table(tmp_path), *flags, "--delta", "0.25")
    assert done.returncode == 0
    assert "warning: delta 0.25 is at least 1/n = 0.25" in done.stderr
    assert run("fit", "a.csv", *flags, "--delta", "0.24").stderr == ""


def test_a_large_epsilon_is_warned_of_once_and_promises_nothing_beyond_a_thousand(
    run: Run, tmp_path: Path
) -> None:
    flags = ["--target", "y", *BASE[:2], *BASE[4:6], *SCALES, "--out", "m.json"]
    assert run("fit", table(tmp_path), *flags, "--epsilon", "8").stderr == ""
    weak = run("fit", "a.csv", *flags, "--epsilon", "20")
    assert weak.stderr == (
        "southwell: warning: epsilon 20 is a weak promise: one record can change the odds of any "
        "outcome by a factor of e^20; values up to 8 are common\n"
    )
    assert "guarantee: (20, 1e-06)-DP" in weak.stdout
    nothing = run("fit", "a.csv", *flags, "--epsilon", "1e300")
    assert nothing.returncode == 0
    assert "warning: epsilon 1e+300 promises nothing: one record" in nothing.stderr
    assert "guarantee: none (epsilon 1e+300 promises nothing)" in nothing.stdout
    assert load(tmp_path / "m.json")["private"] is False
    plan = ["plan", "--records", "100", "--features", "5", *BASE[:2], *BASE[4:6], *SCALES]
    assert run(*plan, "--epsilon", "20").stderr == weak.stderr
    assert run(*plan, "--epsilon", "8").stderr == ""


def test_feature_scales_come_from_a_number_a_file_or_an_array(run: Run, tmp_path: Path) -> None:
    (tmp_path / "named.csv").write_text("feature,scale\nb,3\na,2\n")
    (tmp_path / "plain.csv").write_text("2\n3\n")
    np.save(tmp_path / "scale.npy", np.array([2.0, 3.0]))
    flags = ["--target", "y", *LOSS, "--target-scale", "1", "--out", "m.json"]
    for file in ("named.csv", "plain.csv", "scale.npy"):
        done = run("fit", table(tmp_path), *flags, "--feature-scale", file)
        assert done.returncode == 0, done.stderr
        given = load(tmp_path / "m.json")["privacy"]["public_inputs"]["feature_scale"]
        assert given == {"value": [2, 3], "source": "user"}
    assert run("fit", "a.csv", *flags, "--feature-scale", "0.5").returncode == 0
    (tmp_path / "short.csv").write_text("feature,scale\nb,3\n")
    done = run("fit", "a.csv", *flags, "--feature-scale", "short.csv")
    assert (done.returncode, "no scale for the feature 'a'" in done.stderr) == (3, True)


def test_classes_may_be_any_numbers_and_many(run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.csv").write_text("a,b,y\n1,2,0\n0,1,5\n2,0,-2\n1,1,7\n")
    flags = ["--target", "y", "--loss", "logistic", "--epsilon", "1", "--delta", "1e-6"]
    done = run("fit", "k.csv", *flags, "--classes", "-2,0,5", "--out", "m.json")
    assert done.returncode == 0, done.stderr
    model = load(tmp_path / "m.json")
    assert model["classes"] == [-2, 0, 5]
    assert len(model["coef"]) == 3
    done = run("predict", "m.json", "k.csv", "--kind", "probability")
    assert done.stdout.startswith("probability_-2,probability_0,probability_5\n")


def test_a_start_brings_its_cost_along(run: Run, tmp_path: Path, square: Path) -> None:
    run("fit", square, *SQUARE, "--iterations", 2, "--out", "first.json")
    flags = [*SQUARE, "--iterations", 3, "--out", "second.json", "--start"]
    done = run("fit", square, *flags, "first.json")
    assert done.returncode == 0, done.stderr
    privacy = load(tmp_path / "second.json")["privacy"]
    first = load(tmp_path / "first.json")["privacy"]["mechanisms"]
    assert privacy["mechanisms"][:-2] == first
    assert [use["count"] for use in privacy["mechanisms"][-2:]] == [3, 3]
    assert 1 < privacy["epsilon_spent"] <= privacy["epsilon"] < 1.0001 * privacy["epsilon_spent"]
    assert privacy["guarantee"] == f"({privacy['epsilon']}, 1e-06)-DP"
    # Coefficients that are public by declaration cost nothing.
    (tmp_path / "w.csv").write_text("feature,coef\nx3,1.5\n")
    done = run("fit", square, *flags, "w.csv")
    assert done.returncode == 0, done.stderr
    privacy = load(tmp_path / "second.json")["privacy"]
    assert privacy["epsilon_spent"] <= 1
    assert privacy["public_inputs"]["start"]["value"] == "w.csv"
    run("fit", square, *SQUARE, "--seed-for-tests", 1, "--out", "seeded.json")
    assert run("fit", square, *flags, "seeded.json").returncode == 0
    assert load(tmp_path / "second.json")["private"] is False


def test_without_entropy_nothing_is_fitted(
    run: Run, tmp_path: Path, square: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "#include <errno.h>\n#include <stddef.h>\n"
    code += "int getentropy(void *b, size_t n) { errno = ENOSYS; return -1; }\n"
    (tmp_path / "no.c").write_text(code)
    subprocess.run(
        ["/usr/bin/gcc", "-shared", "-fPIC", "-o", "no.so", "no.c"], cwd=tmp_path, check=True
    )
    monkeypatch.setenv("LD_PRELOAD", str(tmp_path / "no.so"))
    done = run("fit", square, *SQUARE, "--out", "m.json")
    assert done.returncode == 5, done.stderr
    assert not (tmp_path / "m.json").exists()


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_fit_that_is_interrupted_leaves_nothing(
    southwell_binary: Path, tmp_path: Path, square: Path, name: signal.Signals
) -> None:
    before = sorted(tmp_path.iterdir())
    flags = ["--refine", "off", "--iterations", "1000000", "--threads", "1", "--out", "m.json"]
    fit = subprocess.Popen(
        [southwell_binary, "fit", square, *SQUARE, *flags],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("m.json.part-*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    fit.send_signal(name)
    _, said = fit.communicate(timeout=60)
    assert (fit.returncode, said) == (130, "southwell: interrupted\n")
    assert sorted(tmp_path.iterdir()) == before


def test_auto_is_a_word_for_the_default(run: Run, tmp_path: Path, square: Path) -> None:
    automatic = [f for n in ("iterations", "clip", "step", "share") for f in (f"--{n}", "auto")]
    plain = run("fit", square, *SQUARE, "--dry-run")
    assert run("fit", square, *SQUARE, *automatic, "--dry-run").stdout == plain.stdout
