"""One budget for everything that is done with the same people, and what models promise together."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from southwell import _core
from southwell._words import path, shown


class Ledger:
    """A file in which every fit on the same people is charged before it uses a record.

    It is a privacy filter: fits may be chosen by what earlier ones gave, and whatever it has
    admitted is (epsilon, delta)-DP together. Give it as `ledger=` to an estimator, a
    `PrivateSearch` or `evaluate`; what it has no room for raises `BudgetError`, and no record is
    used. What was reserved counts, also where the fit failed. Processes may share one.

    In a `with` statement nothing is charged to this object any more after its end.

    Parameters
    ----------
    file : path
        That `Ledger.create` or `southwell ledger create` made. Every line is checked.

    Examples
    --------
    >>> import os, tempfile
    >>> file = os.path.join(tempfile.mkdtemp(), "people.jsonl")
    >>> with Ledger.create(file, epsilon=1, delta=1e-6) as ledger:
    ...     ledger.epsilon, ledger.relation, len(ledger.entries), ledger.left["pure_epsilon"]
    (1.0, 'replace_one', 0, 1.0)
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self._file = os.fsdecode(path("file", file))
        self._closed = False
        _core.Ledger(self._file)

    @classmethod
    def create(
        cls,
        file: str | os.PathLike[str],
        *,
        epsilon: float,
        delta: float,
        relation: str = "replace_one",
        unit: str = "record",
    ) -> Ledger:
        """Make a new file, which only its owner can read. One that is there is never replaced.

        Parameters
        ----------
        file : path
        epsilon, delta : float
            Of all entries together. They never change.
        relation : {"replace_one", "add_or_remove_one"}
            Which data sets must look alike.
        unit : str
            What is protected together: "record", or what a unit of the data is called.
        """
        spelt = os.fsdecode(path("file", file))
        asked: dict[str, object] = {
            "epsilon": epsilon,
            "delta": delta,
            "relation": relation,
            "unit": unit,
        }
        _core.Ledger.create(spelt, asked)
        return cls(spelt)

    @property
    def _charged_file(self) -> str:
        if self._closed:
            raise ValueError("ledger: given one that is closed, accepted is one that is open")
        return self._file

    @property
    def _core(self) -> _core.Ledger:
        return _core.Ledger(self._charged_file)

    def _read(self, delta: float | None = None) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self._core.to_json(delta))
        return read

    @property
    def file(self) -> str:
        """Where it is."""
        return self._file

    @property
    def id(self) -> str:
        """Random, made with the file: models carry it."""
        return str(self._read()["ledger"])

    @property
    def epsilon(self) -> float:
        """Epsilon of all entries together."""
        return float(self._read()["epsilon"])

    @property
    def delta(self) -> float:
        """Delta of all entries together."""
        return float(self._read()["delta"])

    @property
    def relation(self) -> str:
        """Which data sets must look alike."""
        return str(self._read()["relation"])

    @property
    def unit(self) -> str:
        """What is protected together."""
        return str(self._read()["unit"])

    @property
    def order(self) -> float:
        """The Renyi order at which it adds up."""
        return float(self._read()["order"])

    @property
    def closed_by_one(self) -> bool:
        """Whether one entry took the whole budget, so that nothing else is admitted."""
        return bool(self._read()["closed"])

    @property
    def spent(self) -> dict[str, float | None]:
        """Costs of committed entries: `pure_epsilon` (None: no bound) and `renyi`."""
        return dict(self._read()["spent"])

    @property
    def reserved(self) -> dict[str, float | None]:
        """Costs of entries without a commit, which count as well."""
        return dict(self._read()["reserved"])

    @property
    def left(self) -> dict[str, float]:
        """What may still be charged: by pure epsilon or by Renyi divergence, whichever holds."""
        read = self._read()
        if read["closed"]:
            return {"pure_epsilon": 0.0, "renyi": 0.0}
        pure, renyi = (read["charged"][name] for name in ("pure_epsilon", "renyi"))
        bound = read["renyi_bound"] or 0.0
        return {
            "pure_epsilon": 0.0 if pure is None else max(0.0, read["epsilon"] - pure),
            "renyi": 0.0 if renyi is None else max(0.0, bound - renyi),
        }

    @property
    def entries(self) -> list[dict[str, Any]]:
        """What was charged, in order."""
        return list(self._read()["entries"])

    def still_admitted(self, delta: float | None = None) -> dict[str, float]:
        """The largest epsilon at this delta that would be admitted, by the kind of noise."""
        return dict(self._read(delta)["still_admitted"])

    def admitted_fits(self, epsilon: float, delta: float | None = None) -> int:
        """How many fits of this budget would be admitted one after the other, at most 1000."""
        return int(self._core.admitted_fits(epsilon, delta))

    def plan(self, members: Mapping[str, Any]) -> int:
        """Reserve for several fits that are fixed now, each of them once, in any order.

        What is fixed beforehand costs less than what is chosen step by step. A fit with this ledger
        whose mechanisms are those of a member takes its place.

        Parameters
        ----------
        members : dict
            What each is called, and its `Plan` or its statement.

        Returns
        -------
        int
            The number of the entry.
        """
        return self._core.plan([(name, _statement(of)) for name, of in members.items()])

    def verify(self, *models: Any) -> None:
        """Check every line, and that the ledger has the entries of these models.

        Parameters
        ----------
        *models : fitted estimators
            An older copy of the ledger, or one that was continued apart, does not have theirs.

        Raises
        ------
        DataError
            Naming the line or the model.
        """
        self._core.verify([(f"model {k + 1}", _model(each)) for k, each in enumerate(models)])

    def events(self) -> dict[str, Any]:
        """All mechanisms as events of the package dp-accounting, by their names."""
        events: dict[str, Any] = json.loads(self._core.events_json())
        return events

    def __enter__(self) -> Ledger:
        self._charged_file  # noqa: B018  one that is closed is refused
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Charge nothing to this object any more. The file stays as it is."""
        self._closed = True

    def __copy__(self) -> Ledger:
        return self  # a copy would be charged to the same file, and could not be closed

    def __deepcopy__(self, _: object) -> Ledger:
        return self

    def __str__(self) -> str:
        return self._core.to_text()

    def __repr__(self) -> str:
        return f"Ledger({self._file!r})"


@dataclass(frozen=True)
class Composed:
    """What several models on the same people promise together.

    Attributes
    ----------
    epsilon_as_filter : float
        That of a ledger which would have admitted all of them: if each, its budget too, may have
        been chosen by looking at the ones before, and so much was to be kept from the beginning.
    epsilon_as_plan : float
        If all of their budgets were fixed beforehand.
    delta : float
        Of both.
    relation, unit : str
        Which data sets must look alike, and what is protected together.
    not_counted : list of str
        What their statements do not cover.
    """

    epsilon_as_filter: float
    epsilon_as_plan: float
    delta: float
    relation: str
    unit: str
    not_counted: list[str]


def compose(*models: Any, delta: float | None = None) -> Composed:
    """Say what several models on the same people promise together.

    Parameters
    ----------
    *models : fitted estimators, evaluations or statements
        With a guarantee, under one relation and of one unit.
    delta : float, optional
        Of the promise; the largest of theirs.

    Returns
    -------
    Composed

    Examples
    --------
    >>> import numpy as np
    >>> from southwell import PooledScaler
    >>> scalers = [PooledScaler(epsilon=0.2).fit(np.full((1000, 3), 100.0)) for _ in range(2)]
    >>> together = compose(*scalers)
    >>> bool(0.3 < together.epsilon_as_plan <= together.epsilon_as_filter <= 0.4)
    True
    """
    looks = [(f"model {k + 1}", _statement(each)) for k, each in enumerate(models)]
    found = json.loads(_core.composed_json(looks, delta))
    return Composed(**{name: found[name] for name in Composed.__dataclass_fields__})


def _statement(of: Any) -> _core.Statement:
    statement = getattr(of, "privacy_", of)
    if not isinstance(statement, _core.Statement):
        raise TypeError(f"given {shown(of)}, accepted is what has a statement, privacy_")
    return statement


def _model(of: Any) -> _core.Model:
    of = getattr(of, "best_estimator_", of)
    while hasattr(of, "steps"):
        of = of.steps[-1][1]
    model = getattr(of, "model_", of)
    if not isinstance(model, _core.Model):
        raise TypeError(f"models: given {shown(of)}, accepted is a fitted estimator")
    return model
