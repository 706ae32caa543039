"""Selection and noise, from the C++ benchmark program: thread CPU time, least of ten."""

from __future__ import annotations

from collections.abc import Iterator

from bench.compare.micro import nanoseconds
from bench.rows import Row


def rows() -> Iterator[Row]:
    least = nanoseconds("exponential_mechanism|discrete_laplace_draw/log2_scale:30")
    draw = least.pop("discrete_laplace_draw/log2_scale:30")
    times = {name.split("/")[1]: value / 1e6 for name, value in least.items()}
    vectors = ", ".join(times)
    slowest, fastest = max(times.values()), min(times.values())
    yield Row("select out of 1e5, slowest", slowest, "ms", 0.5, "lower", vectors)
    yield Row("select out of 1e5, spread", slowest / fastest, "x", 1.1, "lower", vectors)
    yield Row("exact Laplace draw, scale 2^30", draw / 1e3, "µs", 0.2, "lower", "-")
