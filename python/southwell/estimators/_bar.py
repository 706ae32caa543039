"""A progress bar."""

from __future__ import annotations

import sys


class Bar:
    """How many of the iterations are done: t / T is all that a progress bar may tell."""

    def __init__(self) -> None:
        self.shown = -1

    def __call__(self, share: float) -> None:
        done = int(30 * share)
        if done == self.shown:
            return
        self.shown = done
        end = "\n" if done == 30 else ""
        print(f"\rfitting [{'#' * done}{'.' * (30 - done)}]", end=end, file=sys.stderr, flush=True)
