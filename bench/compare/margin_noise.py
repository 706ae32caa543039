"""The noise of a margin over fits, against what the theory says, for p from 1e2 to 1e6.

    python -m bench.compare.margin_noise [--fits 12] [--features 100 1000 ...] [--figure FILE.svg]

Records of norm 1 with 50 features each, labels that are noise: what margins of other such records
vary by from fit to fit is the noise of the fit. The theory has .75 m0, whatever p is; the model
states a noise for every coefficient, which for a record of norm 1 is that of its margin. Without
the factor and the choice that come after a descent, which make margins of noise short.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

import southwell

WORDS = 50


def records(n: int, features: int, seed: int) -> Any:
    """Rows of norm 1, their features anywhere."""
    random = np.random.default_rng(seed)
    columns = np.concatenate([random.choice(features, WORDS, replace=False) for _ in range(n)])
    values = np.full(n * WORDS, 1 / np.sqrt(WORDS))
    return csr_matrix((values, (np.repeat(np.arange(n), WORDS), columns)), shape=(n, features))


def noise(features: int, fits: int, epsilon: float, n: int = 2000) -> tuple[float, float]:
    """The sd of margins over fits, and the one that models state."""
    x, others = records(n, features, 1), records(200, features, 2)
    y = np.random.default_rng(3).integers(0, 2, n)
    margins, stated = [], 0.0
    for _ in range(fits):
        model = southwell.PrivateLogisticRegression(
            epsilon=epsilon, delta=1e-6, solver="sgd", record_norm=1, classes=[0, 1],
            features=features, fit_intercept=False, calibrate_probabilities=False,
            select_iterate=False,
        ).fit(x, y)  # fmt: skip
        margins.append(model.decision_function(others))
        stated = float(np.max(model.coef_noise_))
    return float(np.sqrt(np.var(margins, axis=0, ddof=1).mean())), stated


def draw(rows: list[tuple[int, float, float]], fits: int, file: str) -> None:
    """Measured and stated, over the number of features."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "southwell"
    from matplotlib import pyplot as plt

    features, found, stated = zip(*rows)
    figure, axes = plt.subplots(figsize=(6, 3.4), layout="constrained")
    axes.plot(features, stated, color="tab:gray", label="theory, as the model states it")
    axes.plot(features, found, "o", color="tab:blue", label=f"measured over {fits} fits")
    axes.plot(
        features,
        [found[1] * np.sqrt(p / features[1]) for p in features],
        ":",
        color="tab:red",
        label="if it grew as the root of the features",
    )
    axes.set(
        xscale="log",
        ylim=(0, 2),
        xlabel="features",
        ylabel="sd of a margin",
        title="2000 records of norm 1, epsilon 1",
    )
    axes.legend(frameon=False)
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=int, default=12)
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument(
        "--features", type=int, nargs="+", default=[100, 1000, 10_000, 100_000, 1_000_000]
    )
    parser.add_argument("--figure", help="where to draw it, an .svg or .png file")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for features in given.features:
        found, stated = noise(features, given.fits, given.epsilon)
        print(f"p {features:8}  sd over fits {found:.3f}  stated {stated:.3f}", flush=True)
        rows.append((features, found, stated))
    if given.figure:
        draw(rows, given.fits, given.figure)


if __name__ == "__main__":
    main()
