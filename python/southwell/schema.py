"""What a raw table's columns are, declared in public."""

from __future__ import annotations

import csv
import datetime
import io
import json
import os
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from southwell import _core
from southwell._tables import read_table
from southwell._words import file_to_read, shown


class Schema:
    """What the columns of a raw table are, and how they become features.

    A Frictionless Table Schema whose own words stand under `southwell`: numbers with their bounds,
    categories with their levels, dates, hashed text; which column is the target, and which says
    whose a record is. All of it is public, and every encoding is a function of the schema and of
    one record: it costs nothing.

    Parameters
    ----------
    text : str
        The schema as JSON.
    name : str
        What messages call it.

    Attributes
    ----------
    columns : list of str
        The columns that features are made of.
    target, unit : str or None
        The columns with these roles.
    classes : list of str or None
        The levels of a target of classes, in order.
    feature_names : list of str
        What the features are called: age, region=north, age? where it is missing.
    feature_scales : ndarray
        How large they typically are.
    record_norm : float
        The typical l2 norm of an encoded record.
    is_sparse : bool
        Whether `encode` makes a sparse array: a rule of the schema's, not of the records.

    Examples
    --------
    >>> schema = Schema.from_dict({"fields": [
    ...     {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 100},
    ...      "southwell": {"missing": "middle"}},
    ...     {"name": "region", "type": "string", "constraints": {"enum": ["north", "south"]},
    ...      "southwell": {"missing": "middle"}}]})
    >>> schema.feature_names
    ['age', 'region=north', 'region=south']
    >>> schema.encode({"age": [75, None], "region": ["north", "nowhere"]})
    array([[ 0.5,  0.5, -0.5],
           [ 0. , -0.5, -0.5]])
    """

    def __init__(self, text: str, name: str = "schema") -> None:
        if not isinstance(text, str):
            raise TypeError(
                f"text: given {shown(text)}, accepted is JSON text (see from_file and from_dict)"
            )
        self._core = _core.Schema(text.encode("utf-8", "replace").decode(), name)

    @classmethod
    def from_file(cls, file: str | os.PathLike[str]) -> Schema:
        """Read a JSON file, or a YAML file if PyYAML is there."""
        path = os.fsdecode(file_to_read("file", file))
        try:
            with open(path, encoding="utf-8-sig") as opened:
                text = opened.read()
        except OSError as error:
            raise _core.DataError(f"{path}: cannot be opened: {error.strerror}") from None
        except UnicodeDecodeError:
            raise _core.DataError(f"{path}: accepted is text in UTF-8") from None
        if path.endswith((".yaml", ".yml")):
            return cls.from_yaml(text, path)
        return cls(text, path)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any], name: str = "schema") -> Schema:
        """The schema that a dict of the same form is."""
        if not isinstance(fields, Mapping):
            raise TypeError(f"schema: given {shown(fields)}, accepted is a dict with fields")
        try:
            text = json.dumps(dict(fields), allow_nan=False, default=_as_json)
        except (TypeError, ValueError, RecursionError) as error:
            raise _core.DataError(f"{name}: accepted is what JSON can hold: {error}") from None
        return cls(text, name)

    @classmethod
    def from_yaml(cls, text: str, name: str = "schema") -> Schema:
        """The schema that a YAML text is; needs PyYAML."""
        try:
            import yaml
        except ImportError:
            raise ImportError(
                "yaml: read by PyYAML, which is not installed: pip install 'southwell[tables]'"
            ) from None
        try:
            found = yaml.safe_load(text)
        except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: no such day
            raise _core.DataError(f"{name}: is no YAML: {' '.join(str(error).split())}") from None
        if not isinstance(found, dict):
            raise _core.DataError(f"{name}: accepted is a mapping with fields")
        return cls.from_dict(found, name)

    def to_dict(self) -> dict[str, Any]:
        """The schema as a dict, other people's keys included."""
        return cast("dict[str, Any]", json.loads(self._core.text))

    @property
    def columns(self) -> list[str]:
        return self._core.raw_features

    @property
    def target(self) -> str | None:
        return self._core.target

    @property
    def unit(self) -> str | None:
        return self._core.unit

    @property
    def classes(self) -> list[str] | None:
        return self._core.classes

    @property
    def feature_names(self) -> list[str]:
        return self._core.feature_names

    @property
    def feature_scales(self) -> NDArray[np.float64]:
        return cast("NDArray[np.float64]", self._core.feature_scales)

    @property
    def record_norm(self) -> float:
        return self._core.record_norm

    @property
    def is_sparse(self) -> bool:
        return self._core.is_sparse

    def encode(self, table: Any, *, threads: int = 0) -> Any:
        """The features of a raw table: one row for each record.

        Parameters
        ----------
        table : frame, Arrow table or stream, dict of columns, path or CsvFile
            Columns are matched by name, in any order; others are passed over. A cell that does not
            fit is missing, or no level: nothing raises because of it.
        threads : int
            0 means all cores. It changes no bit.

        Returns
        -------
        ndarray or csr_array of shape (records, features)
        """
        read = read_table(table, self._core, "predict", threads=threads)
        numbers: Any = _core.numbers_of(read.design)
        if not self.is_sparse:
            return numbers
        lists, shape = numbers
        return csc_array(lists, shape=shape).tocsr()

    def dummy(self, records: int, *, seed: int = 0) -> dict[str, list[str]]:
        """Made-up records that obey the schema: nobody's data, to try everything on.

        Parameters
        ----------
        records : int
            How many.
        seed : int
            The same one gives the same records.

        Returns
        -------
        dict of lists of text
            A raw table.
        """
        names, *rows = csv.reader(io.StringIO(self._core.dummy(records, seed)))
        columns = zip(*rows) if rows else ([] for _ in names)
        return {name: list(column) for name, column in zip(names, columns)}

    def __eq__(self, other: object) -> bool:
        return type(other) is Schema and self._core.text == other._core.text

    def __hash__(self) -> int:
        return hash(self._core.text)

    def __repr__(self) -> str:
        roles = "".join(
            f", {role} {shown(name)}"
            for role, name in (("target", self.target), ("unit", self.unit))
            if name is not None
        )
        return f"<Schema of {len(self.columns)} columns, {self._core.features} features{roles}>"

    def __deepcopy__(self, memo: object) -> Schema:
        return self  # it never changes

    def __getstate__(self) -> str:
        return self._core.text

    def __setstate__(self, text: str) -> None:
        self._core = _core.Schema(text, "schema")


def schema_of(given: Any) -> Schema:
    """A schema, or what one can be made of: a dict, or the path of a file."""
    if isinstance(given, Schema):
        return given
    if isinstance(given, Mapping):
        return Schema.from_dict(given)
    if isinstance(given, str | os.PathLike):
        return Schema.from_file(given)
    raise TypeError(f"schema: given {shown(given)}, accepted is a Schema, a dict or a path")


def labels_of(schema: Schema) -> NDArray[Any]:
    """The classes of the target as they are written in the table: words, numbers, truth values."""
    fields = schema.to_dict()["fields"]
    kind = next(field.get("type", "string") for field in fields if field["name"] == schema.target)
    levels = schema.classes or []
    if kind == "boolean":
        return np.array([False, True])
    if kind in ("integer", "number"):
        numbers = np.array(levels, dtype=np.float64)
        return numbers.astype(np.int64) if kind == "integer" else numbers
    return np.array(levels, dtype=object)


def _as_json(value: Any) -> Any:
    """Days and moments, which YAML reads as such."""
    if isinstance(value, datetime.date):
        return value.isoformat()
    raise TypeError(f"given {shown(value)}")
