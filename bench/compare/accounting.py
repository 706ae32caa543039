"""Calibration, from the C++ benchmark program: thread CPU time, least of five."""

from __future__ import annotations

from collections.abc import Iterator

from bench.compare.micro import nanoseconds
from bench.rows import Row


def rows() -> Iterator[Row]:
    least = nanoseconds("Calibrate")
    wanted = [
        ("calibrate gcd, T = 1", "CalibrateGcd/iterations:1", 20),
        ("calibrate gcd, T = 1000", "CalibrateGcd/iterations:1000", 20),
        ("calibrate gcd, T = 1e6", "CalibrateGcd/iterations:1000000", 200),
        ("calibrate gcd gaussian, T = 10", "CalibrateGaussian/iterations:10", 20),
        ("calibrate gcd gaussian, T = 60", "CalibrateGaussian/iterations:60", 20),
        ("calibrate gcd gaussian, T = 300", "CalibrateGaussian/iterations:300", 20),
        ("calibrate gcd gaussian, T = 1000", "CalibrateGaussian/iterations:1000", 20),
        ("calibrate sgd replace, T = 1000", "CalibrateSgd/iterations:1000/add:0", 20),
        ("calibrate sgd add, T = 1000", "CalibrateSgd/iterations:1000/add:1", 20),
        ("calibrate sgd replace, T = 1e6", "CalibrateSgd/iterations:1000000/add:0", 200),
        ("calibrate sgd add, T = 1e6", "CalibrateSgd/iterations:1000000/add:1", 200),
        ("calibrate gcd, 30 unequal steps", "CalibrateSchedule/iterations:30", 20),
    ]
    for name, benchmark, target in wanted:
        yield Row(name, least[benchmark] / 1e6, "ms", target, "lower", "-")
