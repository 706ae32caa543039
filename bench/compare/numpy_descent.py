"""Full-batch private gradient descent in numpy, written independently of the product.

Records with a column of ones, each record's gradient clipped in l2 norm, Gaussian noise of one size
in every step, the last iterate. The noise is calibrated by the Gaussian curve of (epsilon, delta)
for replacing a record. Doubles and NumPy's generator: figures to compare with, no guarantee.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import csr_matrix, hstack, issparse
from scipy.stats import norm


def gaussian_mu(epsilon: float, delta: float) -> float:
    """The mu whose Gaussian curve passes through (epsilon, delta)."""

    def excess(log_mu: float) -> float:
        mu = np.exp(log_mu)
        tail = np.exp(epsilon + norm.logcdf(-epsilon / mu - mu / 2))
        return float(norm.cdf(-epsilon / mu + mu / 2) - tail - delta)

    return float(np.exp(brentq(excess, -12.0, 4.0)))


@dataclass(frozen=True)
class Setting:
    """One way to descend: clips in units of the largest slope times the norm of records."""

    steps: int = 50
    clip: float = 1.0
    time: float = 200.0  # all steps together, over the squared norm of a record


FIXED = Setting()
GRID = [
    Setting(steps, clip, time)
    for steps in (30, 100)
    for clip in (0.25, 1.0)
    for time in (50.0, 200.0, 1000.0)
]


class NumpyDescent:
    """Logistic regression, softmax for more than two classes."""

    def __init__(self, setting: Setting, mu: float, record_norm: float, seed: int) -> None:
        self.setting, self.mu, self.record_norm = setting, mu, record_norm
        self.random = np.random.default_rng(seed)

    def _with_ones(self, x: Any) -> Any:
        """A column as long as the records are."""
        ones = np.full((x.shape[0], 1), self.record_norm)
        both: Any = [x, csr_matrix(ones)]
        return hstack(both).tocsr() if issparse(x) else np.hstack([x, ones])

    def fit(self, x: Any, y: Any, classes: int) -> NumpyDescent:
        """`y` counts classes from 0."""
        records: Any = self._with_ones(x)
        n, p = records.shape
        heads = classes if classes > 2 else 1
        squared: Any = records.multiply(records) if bool(issparse(records)) else records**2
        lengths = np.sqrt(np.asarray(squared.sum(axis=1)).ravel())
        own = np.eye(classes)[y][:, -heads:] if heads == 1 else np.eye(classes)[y]
        clip = self.setting.clip * np.sqrt(2) * self.record_norm
        noise = 2 * clip * np.sqrt(self.setting.steps) / (n * self.mu)
        step = self.setting.time / self.setting.steps / self.record_norm**2
        self.coef = np.zeros((p, heads))
        for _ in range(self.setting.steps):
            slopes = self._probabilities(records @ self.coef) - own
            size = np.linalg.norm(slopes, axis=1) * lengths
            slopes *= np.minimum(1, clip / np.maximum(size, 1e-300))[:, np.newaxis]
            gradient = records.T @ slopes / n + noise * self.random.standard_normal((p, heads))
            self.coef -= step * gradient
        return self

    @staticmethod
    def _probabilities(margins: Any) -> Any:
        if margins.shape[1] == 1:
            return 1 / (1 + np.exp(-np.clip(margins, -700, 700)))
        powers = np.exp(margins - margins.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def predict_proba(self, x: Any) -> Any:
        """One column per class."""
        found = self._probabilities(self._with_ones(x) @ self.coef)
        return np.hstack([1 - found, found]) if found.shape[1] == 1 else found
