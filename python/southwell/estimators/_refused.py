"""Keywords of other libraries that are refused, with the reason."""

from __future__ import annotations

REFUSED = {
    "random_state": "noise that can be repeated protects nobody; seed_for_tests makes tests "
    "repeatable and turns the guarantee off",
    "sample_weight": "a record of weight w would count as w records, and the promise is about one",
}


def refuse_keywords(given: dict[str, object]) -> None:
    for name, value in given.items():
        if name not in REFUSED:
            raise TypeError(f"{name}: is no argument of fit, accepted are X, y and units")
        if value is not None:
            raise TypeError(f"{name}: not accepted: {REFUSED[name]}")
