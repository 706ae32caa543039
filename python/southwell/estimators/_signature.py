"""The signature that an estimator shows."""

from __future__ import annotations

import inspect


class InitSignature:
    """The signature of a class is that of its `__init__`, whatever `__new__` takes."""

    def __get__(self, instance: object, owner: type) -> inspect.Signature:
        whole = inspect.signature(owner.__init__)  # type: ignore[misc]
        return whole.replace(parameters=list(whole.parameters.values())[1:])
