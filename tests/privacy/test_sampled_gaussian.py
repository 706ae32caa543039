"""Renyi moments of the sampled Gaussian against divergences integrated with 40 digits."""

from typing import Any

import mpmath
import pytest

from tests.privacy.oracle import ask

K = 2**20
ORDERS = [1.3, 1.9, 2.5, 7.5, 40.0, 100.0, 511.5]


def moment(
    order: float, rate: mpmath.mpf, shift: mpmath.mpf, up: mpmath.mpf, down: mpmath.mpf
) -> Any:
    """log E_Q[(P/Q)^order]; P samples a record at `up`, Q one at `down`, in units of sigma."""
    a = mpmath.mpf(order)

    def log_density(x: Any, mean: Any) -> Any:
        return mpmath.log(1 - rate + rate * mpmath.exp(mean * x - mean * mean / 2))

    def integrand(x: Any) -> Any:
        q = log_density(x, down)
        r = log_density(x, up) - q
        excess = mpmath.expm1(a * r) - a * mpmath.expm1(r)
        return mpmath.exp(q - x * x / 2) * excess / mpmath.sqrt(2 * mpmath.pi)

    # By the trapezoidal rule, which converges exponentially here.
    first, last = int(-8 * (16 + shift)), int(8 * (16 + a * shift))
    return mpmath.log1p(sum(integrand(mpmath.mpf(i) / 8) for i in range(first, last)) / 8)


@pytest.mark.parametrize("sigma", [0.7, 3.0, 20.0])
@pytest.mark.parametrize("rate", [1e-4, 0.02, 0.5])
@pytest.mark.parametrize("kind", ["add", "replace"])
def test_moments_are_not_below_the_integral(kind: str, rate: float, sigma: float) -> None:
    sampled = int(rate * 2**32)
    scale = int(sigma * K)
    orders = [order for order in ORDERS if order / sigma < 60]
    omegas = " ".join(repr(order - 1) for order in orders)
    (answer,) = ask([f"moment {kind} {K} {scale} {sampled} {omegas}"])
    for order, text in zip(orders, answer.split(), strict=True):
        with mpmath.workdps(40):
            shift = mpmath.mpf(K) / scale
            q = mpmath.mpf(sampled) / 2**32
            low = -shift if kind == "replace" else mpmath.mpf(0)
            exact = moment((order - 1) + 1, q, shift, shift, low)
            ratio = mpmath.mpf(text) / exact
            # 1 + omega is not the order to the last bit
            assert ratio >= 1 - mpmath.mpf(10) ** -14, (order, ratio)
            if kind == "replace":
                assert ratio <= 1 + mpmath.mpf(10) ** -5, (order, ratio)
