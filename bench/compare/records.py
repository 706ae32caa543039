"""Steps and fits that read all of a dense table, against reading it: 0.4 GB, least of ten."""

from __future__ import annotations

from collections.abc import Iterator

from bench.compare.micro import nanoseconds
from bench.rows import Row


def rows() -> Iterator[Row]:
    least = nanoseconds("^dense_")
    took = {
        name: {t: least[f"dense_{name}/threads:{t}/real_time"] for t in (1, 2)}
        for name in ("read", "record_sums", "gradient", "lasso_fit")
    }
    one, two = took["read"][1], took["read"][2]
    against = f"a read of the table, {one / 1e6:.1f} ms on one thread, {two / 1e6:.1f} ms on two"
    steps = took["record_sums"]
    yield Row("sgd step, dense, two threads", steps[2] / one, "reads", 1.5, "lower", against)
    yield Row("sgd step, dense, one thread", steps[1] / one, "reads", None, "lower", against)
    yield Row("sgd step, dense", steps[1] / steps[2], "x", 1.7, "higher", "one thread")
    steps = took["gradient"]
    against = f"a read of the table on two threads, {two / 1e6:.1f} ms"
    yield Row("gcd step, dense, two threads", two / steps[2], "x", 0.85, "higher", against)
    yield Row("gcd step, dense, one thread", one / steps[1], "x", None, "higher", "a read on one")
    fits = took["lasso_fit"]
    against = f"a read of the table on one thread; {fits[2] / 1e6:.0f} ms"
    yield Row("lasso, default, two threads", fits[2] / one, "reads", 6, "lower", against)
    yield Row("lasso, default, one thread", fits[1] / one, "reads", None, "lower", against)
