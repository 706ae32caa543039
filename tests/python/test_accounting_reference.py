"""The accountants against independent ones: dp-accounting, and divergences integrated by mpmath.

Everything goes through the command line, as a user would.
"""

import json
import math
import random
import subprocess
from collections.abc import Callable
from typing import Any

import dp_accounting
import mpmath
import pytest
from dp_accounting import rdp

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# Real orders for mechanisms with closed forms, whole ones up to our largest for sampled ones.
REAL_ORDERS = [1 + math.exp(x / 20) for x in range(-120, 276)]
WHOLE_ORDERS = [2.0]
while WHOLE_ORDERS[-1] < 1500:
    WHOLE_ORDERS.append(WHOLE_ORDERS[-1] + max(1, WHOLE_ORDERS[-1] // 16))


def asked(run: Run, command: str, *arguments: object) -> dict[str, Any]:
    done = run(command, "--json", *arguments)
    assert done.returncode == 0, done.stderr
    out: dict[str, Any] = json.loads(done.stdout)
    return out


def reference(event: dp_accounting.DpEvent, count: int, delta: float, orders: list[float]) -> float:
    accountant = rdp.RdpAccountant(orders)
    accountant.compose(event, count)
    return float(accountant.get_epsilon(delta))


def draws(seed: int, number: int) -> list[tuple[int, float, float]]:
    """(T, delta, noise) over many decades, T > 1."""
    source = random.Random(seed)
    return [
        (
            int(2 * 10 ** source.uniform(0, 4)),
            10 ** source.uniform(-12, -3),
            10 ** source.uniform(0.3, 2.5),
        )
        for _ in range(number)
    ]


@pytest.mark.parametrize(("iterations", "delta", "noise"), draws(1, 30))
def test_laplace_agrees_with_dp_accounting(
    run: Run, iterations: int, delta: float, noise: float
) -> None:
    out = asked(
        run, "account", "--solver", "cd", "--iterations", iterations, "--delta", delta,
        "--release-epsilon", 1 / noise,
    )  # fmt: skip
    expected = reference(dp_accounting.LaplaceDpEvent(noise), iterations, delta, REAL_ORDERS)
    assert out["accountants"]["rdp"] == pytest.approx(expected, rel=1e-3)
    assert out["epsilon_spent"] <= min(out["accountants"]["rdp"], out["accountants"]["basic"])


def gaussian_profile(epsilon: float, mu: float) -> float:
    """The least delta of Gaussian noise whose shift is mu times its sigma (Balle, Wang 2018)."""
    with mpmath.workdps(60):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return float(mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m))


@pytest.mark.parametrize(("iterations", "delta", "noise"), draws(2, 30))
def test_gaussian_agrees_with_dp_accounting(
    run: Run, iterations: int, delta: float, noise: float
) -> None:
    out = asked(
        run, "account", "--solver", "cd", "--release", "gaussian", "--iterations", iterations,
        "--delta", delta, "--release-sigma", noise,
    )  # fmt: skip
    expected = reference(dp_accounting.GaussianDpEvent(noise), iterations, delta, REAL_ORDERS)
    assert out["accountants"]["rdp"] == pytest.approx(expected, rel=1e-3)
    assert out["accountant"] == "hockey_stick"
    mu = math.sqrt(iterations) / out["release_sigma"]
    assert gaussian_profile(out["epsilon_spent"], mu) <= delta
    if mu < 20:  # beyond, the second term is left out
        assert gaussian_profile(out["epsilon_spent"] * (1 - 1e-5), mu) > delta


@pytest.mark.parametrize(
    ("iterations", "delta", "noise", "batch"),
    [
        (iterations, delta, 0.6 + noise / 30, max(1, int(10_000 * 0.3 ** (1 + index % 6))))
        for index, (iterations, delta, noise) in enumerate(draws(3, 30))
    ],
)
def test_sampled_gaussian_agrees_with_dp_accounting(
    run: Run, iterations: int, delta: float, noise: float, batch: int
) -> None:
    out = asked(
        run, "account", "--solver", "sgd", "--relation", "add_or_remove_one", "--iterations",
        iterations, "--delta", delta, "--release-sigma", noise, "--batch-size", batch,
        "--records", 10_000,
    )  # fmt: skip
    event = dp_accounting.PoissonSampledDpEvent(
        batch / 10_000, dp_accounting.GaussianDpEvent(noise)
    )
    expected = reference(event, iterations, delta, WHOLE_ORDERS)
    assert out["epsilon_spent"] == pytest.approx(expected, rel=1e-3)


def worst_pair_divergence(rate: float, sigma: float, order: float) -> float:
    """D_order between the laws of a replaced record at opposite ends of the ball."""
    with mpmath.workdps(30):
        shift = 1 / mpmath.mpf(sigma)

        def density(x: Any, mean: Any) -> Any:
            return mpmath.exp(-((x - mean) ** 2) / 2) / mpmath.sqrt(2 * mpmath.pi)

        def integrand(x: Any) -> Any:
            p = (1 - rate) * density(x, 0) + rate * density(x, shift)
            q = (1 - rate) * density(x, 0) + rate * density(x, -shift)
            return p**order / q ** (order - 1)

        reach = 12 + 2 * order * shift
        points = [-reach, -5, 0, 5, reach / 2 + 3, reach]
        return float(mpmath.log(mpmath.quad(integrand, points)) / (order - 1))


@pytest.mark.parametrize("sigma", [0.6, 1.0, 2.0, 6.0])
@pytest.mark.parametrize("rate", [0.001, 0.01, 0.1])
def test_replacing_in_a_sample_is_the_worst_pair(run: Run, rate: float, sigma: float) -> None:
    delta, iterations = 1e-6, 200
    out = asked(
        run, "account", "--solver", "sgd", "--iterations", iterations, "--delta", delta,
        "--release-sigma", sigma, "--batch-size", rate * 10_000, "--records", 10_000,
    )  # fmt: skip
    order = out["order"]
    divergence = worst_pair_divergence(rate, sigma, order)
    term = math.log1p(-1 / order) - math.log(delta * order) / (order - 1)
    exact = iterations * divergence + term
    # sigma is accounted for as a whole number of grid units: 1e-5 of it at most
    assert exact <= out["epsilon_spent"] <= exact + 1e-4 * iterations * divergence


def range_moment(eta: float, order: float) -> float:
    """(order - 1) D of bounded range, by maximising over t with 60 digits."""
    with mpmath.workdps(60):
        e, w = mpmath.mpf(eta), mpmath.mpf(order) - 1

        def value(t: Any) -> Any:
            p = (mpmath.exp(e) - mpmath.exp(t)) / mpmath.expm1(e)
            return mpmath.log(p * mpmath.exp(w * t) + (1 - p) * mpmath.exp(w * (t - e)))

        low, high = mpmath.mpf(0), e
        for _ in range(120):
            a, b = low + (high - low) / 3, high - (high - low) / 3
            low, high = (a, high) if value(a) < value(b) else (low, b)
        return float(value((low + high) / 2))


@pytest.mark.parametrize(
    ("eta", "iterations"), [(1e-5, 10**6), (1e-3, 10**4), (0.1, 30), (0.8, 1), (5.0, 1), (40.0, 2)]
)
def test_selection_and_release_are_the_exact_moments(run: Run, eta: float, iterations: int) -> None:
    delta, release = 1e-8, eta / 4
    out = asked(
        run, "account", "--iterations", iterations, "--delta", delta, "--selection-epsilon", eta,
        "--release-epsilon", release,
    )  # fmt: skip

    # Scales are rounded down to whole grid units: 2 S = 2^22 for a selection, S for a release.
    eta = 2**22 / math.floor(2**22 / eta)
    release = 2**21 / math.floor(2**21 / release)

    def epsilon(order: float) -> float:
        w = order - 1
        with mpmath.workdps(60):
            a, r = mpmath.mpf(order), mpmath.mpf(release)
            laplace = mpmath.log(
                a / (2 * a - 1) * mpmath.exp((a - 1) * r)
                + (a - 1) / (2 * a - 1) * mpmath.exp(-a * r)
            )
            moment = float(iterations * (range_moment(eta, order) + laplace))
        return moment / w + math.log1p(-1 / order) - math.log(delta * order) / w

    assert out["accountant"] in ("rdp", "basic")
    here = epsilon(out["order"] or 1e6) if out["accountant"] == "rdp" else math.inf
    basic = iterations * (eta + release)
    exact = min(here, basic)
    assert exact * (1 - 1e-12) <= out["epsilon_spent"] <= exact * (1 + 1e-5)
