"""diffprivlib's logistic regression, run in its own environment by `python -m bench.compare.peers`.

Its default, and a grid over the strength of the penalty. The norm of records is declared (1).
"""

import sys
import warnings

import numpy as np
from diffprivlib.models import LogisticRegression

SETTINGS = {"default": 1.0, "C 0.01": 0.01, "C 0.1": 0.1, "C 10": 10.0, "C 100": 100.0}


def main() -> None:
    file, out, epsilon, fits = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    warnings.simplefilter("ignore")
    with np.load(file) as data:
        x, y, x_test = data["x"].astype(float), data["y"], data["x_test"].astype(float)
    found = {
        name: [
            LogisticRegression(epsilon=epsilon, data_norm=1.0, C=strength)
            .fit(x, y)
            .predict_proba(x_test)[:, 1]
            for _ in range(fits)
        ]
        for name, strength in SETTINGS.items()
    }
    np.savez(out, **{name: np.array(runs) for name, runs in found.items()})  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
