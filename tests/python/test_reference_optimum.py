"""`lab optimum` against scikit-learn, skglm and scipy on random problems."""

import json
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.optimize
from sklearn.datasets import dump_svmlight_file
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.svm import LinearSVC

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Array = npt.NDArray[np.float64]
SHAPES = {"tall": (120, 15), "wide": (40, 150)}


def dataset(shape: str, classes: bool, seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    n, p = SHAPES[shape]
    design = rng.standard_normal((n, p)) * (rng.random((n, p)) < 0.6)
    target = design[:, 0] - 2 * design[:, 1] + 0.5 + rng.standard_normal(n)
    return design, np.where(target > 0, 1.0, -1.0) if classes else target


def solve(
    run: Run, directory: Path, design: Array, target: Array, *flags: object
) -> dict[str, Any]:
    np.save(directory / "x.npy", design)
    np.save(directory / "y.npy", target)
    done = run("lab", "optimum", "x.npy", "--target", "y.npy", *flags, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["gap"] <= 1e-10
    return found


def loss_value(loss: str, margins: Array, target: Array) -> float:
    if loss == "squared":
        values = (margins - target) ** 2 / 2
    elif loss == "logistic":
        values = np.logaddexp(0, -target * margins)
    elif loss == "squared_hinge":
        values = np.maximum(0, 1 - target * margins) ** 2 / 2
    else:
        d = np.abs(margins - target)
        values = np.where(d <= 0.5, d**2 / 2, 0.5 * (d - 0.25))
    return float(values.mean())


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("penalty", ["none", "l1", "l2", "elastic_net"])
def test_squared_loss_as_scikit_learn(
    run: Run, tmp_path: Path, shape: str, intercept: bool, penalty: str
) -> None:
    x, y = dataset(shape, classes=False, seed=1)
    n = len(y)
    common: dict[str, Any] = {"fit_intercept": intercept}
    fine: dict[str, Any] = {"tol": 1e-14, "max_iter": 1_000_000}
    cases: dict[str, tuple[Any, list[object], float, float]] = {  # model, flags, l1, l2 strength
        "none": (LinearRegression(**common), [], 0.0, 0.0),
        "l1": (Lasso(0.1, **common, **fine), ["--alpha", 0.1], 0.1, 0.0),
        "l2": (Ridge(0.3 * n, **common), ["--alpha", 0.3], 0.0, 0.3),
        "elastic_net": (
            ElasticNet(0.2, l1_ratio=0.4, **common, **fine),
            ["--alpha", 0.2, "--l1-ratio", 0.4],
            0.08,
            0.12,
        ),
    }
    model, flags, l1, l2 = cases[penalty]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(x, y)
    w = model.coef_
    expected = loss_value("squared", model.predict(x), y)
    expected += l1 * np.abs(w).sum() + l2 / 2 * (w**2).sum()
    flags = [*flags, "--intercept" if intercept else "--no-intercept"]
    found = solve(run, tmp_path, x, y, "--loss", "squared", "--penalty", penalty, *flags)
    assert found["objective"] == pytest.approx(expected, rel=1e-8, abs=1e-10)
    assert found["private"] is False


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_logistic_loss_as_scikit_learn(run: Run, tmp_path: Path, shape: str, penalty: str) -> None:
    x, y = dataset(shape, classes=True, seed=2)
    alpha = 0.03
    l1 = penalty == "l1"
    model = LogisticRegression(
        C=1 / (len(y) * alpha),
        l1_ratio=1.0 if l1 else 0.0,
        solver="liblinear" if l1 else "newton-cholesky",
        fit_intercept=not l1,  # liblinear would penalise it
        tol=1e-12,
        max_iter=100_000,
    ).fit(x, y)
    w = model.coef_[0]
    expected = loss_value("logistic", model.decision_function(x), y)
    expected += alpha * np.abs(w).sum() if l1 else alpha / 2 * (w**2).sum()
    flag = "--no-intercept" if l1 else "--intercept"
    found = solve(
        run, tmp_path, x, y, "--loss", "logistic", "--penalty", penalty, "--alpha", alpha, flag
    )
    assert found["objective"] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_squared_hinge_as_scikit_learn(run: Run, tmp_path: Path, penalty: str) -> None:
    x, y = dataset("tall", classes=True, seed=3)
    alpha = 0.05
    # sum of (1 - yz)^2 with C against our mean of its half
    model = LinearSVC(
        penalty=penalty,
        loss="squared_hinge",
        dual=False,
        C=1 / (2 * len(y) * alpha),
        fit_intercept=False,
        tol=1e-10,
        max_iter=100_000,
    ).fit(x, y)
    w = model.coef_[0]
    expected = loss_value("squared_hinge", x @ w, y)
    expected += alpha * np.abs(w).sum() if penalty == "l1" else alpha / 2 * (w**2).sum()
    flags = ["--penalty", penalty, "--alpha", alpha, "--no-intercept"]
    found = solve(run, tmp_path, x, y, "--loss", "squared_hinge", *flags)
    assert found["objective"] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("intercept", [True, False])
def test_huber_as_skglm(run: Run, tmp_path: Path, intercept: bool) -> None:
    skglm = pytest.importorskip("skglm")
    from skglm.datafits import Huber
    from skglm.penalties import L1
    from skglm.solvers import AndersonCD

    x, y = dataset("tall", classes=False, seed=4)
    model = skglm.GeneralizedLinearEstimator(
        Huber(0.5), L1(0.05), AndersonCD(tol=1e-12, max_iter=500, fit_intercept=intercept)
    ).fit(np.asfortranarray(x), y)
    w = np.ravel(model.coef_)
    offset = float(np.ravel(model.intercept_)[0]) if intercept else 0.0
    expected = loss_value("huber", x @ w + offset, y) + 0.05 * np.abs(w).sum()
    flags = ["--huber-width", 0.5, "--penalty", "l1", "--alpha", 0.05]
    flags.append("--intercept" if intercept else "--no-intercept")
    found = solve(run, tmp_path, x, y, "--loss", "huber", *flags)
    assert found["objective"] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_box_as_scipy(run: Run, tmp_path: Path, loss: str) -> None:
    x, y = dataset("tall", classes=loss == "logistic", seed=5)

    def value(w: Array) -> tuple[float, Array]:
        z = x @ w
        slope = z - y if loss == "squared" else -y / (1 + np.exp(y * z))
        return loss_value(loss, z, y), x.T @ slope / len(y)

    best = scipy.optimize.minimize(
        value,
        np.zeros(x.shape[1]),
        jac=True,
        bounds=[(-0.25, 0.5)] * x.shape[1],
        options={"ftol": 1e-16, "gtol": 1e-12, "maxiter": 10_000},
    )
    flags = ["--penalty", "box", "--lower", -0.25, "--upper", 0.5, "--no-intercept"]
    found = solve(run, tmp_path, x, y, "--loss", loss, *flags)
    assert found["objective"] == pytest.approx(best.fun, rel=1e-8)
    values = [entry["value"] for entry in found["support"]]
    assert min(values) == -0.25
    assert max(values) == 0.5


def test_sparse_and_dense_files_give_the_same(run: Run, tmp_path: Path) -> None:
    x, y = dataset("wide", classes=True, seed=6)
    flags = ["--loss", "logistic", "--penalty", "l1", "--alpha", 0.02]
    dense = solve(run, tmp_path, x, y, *flags)
    dump_svmlight_file(x, y, str(tmp_path / "data.svm"), zero_based=False)
    done = run("lab", "optimum", "data.svm", "--features", x.shape[1], *flags, "--json")
    sparse = json.loads(done.stdout)
    assert sparse["objective"] == pytest.approx(dense["objective"], rel=1e-12)
    assert [e["index"] for e in sparse["support"]] == [e["index"] for e in dense["support"]]


@pytest.mark.parametrize(
    ("file", "flags", "objective", "support"),
    [
        (
            "california/california.csv.gz",
            "--standardize --loss squared --penalty l1 --alpha 0.1",
            2.55883,
            3,
        ),
        (
            "madelon/madelon.csv.gz",
            "--standardize --loss logistic --penalty l1 --alpha 0.05",
            0.685218,
            3,
        ),
        (
            "madelon/madelon.csv.gz",
            "--standardize --loss logistic --penalty l2 --alpha 1",
            0.659361,
            500,
        ),
        (
            "dorothea/dorothea_train_88119.libsvm.gz",
            "--loss logistic --penalty l1 --alpha 0.01",
            0.388659,
            72,
        ),
    ],
)
def test_the_papers_problems_have_their_known_optima(
    run: Run, shared_data: Path, file: str, flags: str, objective: float, support: int
) -> None:
    done = run("lab", "optimum", shared_data / file, *flags.split(), "--no-intercept", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert float(f"{found['objective']:.6g}") == objective
    assert found["support_size"] == len(found["support"]) == support
    assert found["certificate"] == "duality gap"


@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_raw_madelon_is_solved_as_it_is(run: Run, shared_data: Path, penalty: str) -> None:
    # Columns with means near 480 and deviations of 6 to 100: the worst conditioned of the problems.
    file = shared_data / "madelon/madelon.csv.gz"
    flags = ["--loss", "logistic", "--penalty", penalty, "--alpha", 0.05, "--json"]
    objectives = []
    for flag in ("--intercept", "--no-intercept"):
        done = run("lab", "optimum", file, *flags, flag)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["gap"] <= 1e-10
        assert found["objective"] < found["objective_at_zero"]
        objectives.append(found["objective"])
    assert objectives[0] <= objectives[1] * (1 + 1e-9)
