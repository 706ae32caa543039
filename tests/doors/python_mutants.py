"""Python shells that leak: what well-meaning code does to records, one change of the source each.

Each is (name, where it must be found, file, text, text instead); the text stands once in the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mutant:
    name: str
    doors: str  # the beginning of the names of the doors at which it is looked for
    file: str
    text: str
    instead: str
    without_a_change: bool = False  # it reads records wrongly as they are, whoever is among them

    def apply(self, package: Path) -> None:
        path = package / "southwell" / self.file
        source = path.read_text(encoding="utf-8")
        if source.count(self.text) != 1:
            raise ValueError(f"{self.name}: the text stands {source.count(self.text)} times")
        path.write_text(source.replace(self.text, self.instead), encoding="utf-8")


MUTANTS = [
    Mutant(
        "a list of labels becomes an array: one text makes all of them text",
        "labels: list",
        "estimators/_classifiers.py",
        "        places = places_of(y, levels)\n        # A label",
        "        places = np.full(len(y), -1)\n"
        "        for k, label in enumerate(labels):\n"
        "            places[np.asarray(y) == label] = k\n"
        "        # A label",
    ),
    Mutant(
        "text that is no number raises and shows itself",
        "X: list",
        "_cells.py",
        "return float(str.__str__(cell))\n        except ValueError:\n            return math.nan",
        "return float(str.__str__(cell))\n        except MemoryError:\n            return 0.0",
    ),
    Mutant(
        "an integer beyond doubles raises",
        "X: objects",
        "_cells.py",
        "except OverflowError:\n        return math.inf if cell > 0 else -math.inf",
        "except ZeroDivisionError:\n        return 0.0",
    ),
    Mutant(
        "the code of a cell may raise",
        "X: pandas object",
        "_cells.py",
        "    except BaseException:  # also",
        "    except TypeError:  # not",
    ),
    Mutant(
        "missing cells are warned of",
        "X: list of lists",
        "_cells.py",
        "return np.fromiter(map(number_of, self.cells), np.float64, len(self.cells))",
        "out = np.fromiter(map(number_of, self.cells), np.float64, len(self.cells))\n"
        "        if np.isnan(out).sum() > 3:\n"
        "            warnings.warn('many cells are missing', stacklevel=2)\n"
        "        return out",
    ),
    Mutant(
        "what a cell warns of is heard",
        "y: list",
        "_cells.py",
        'warnings.simplefilter("ignore")',
        'warnings.simplefilter("always")',
    ),
    Mutant(
        "a refusal shows how long the longest text is",
        "X: NumPy text",
        "_containers.py",
        'f"an array of {dtype.type.__name__}"',
        'f"an array of {dtype}"',
    ),
    Mutant(
        "an unknown label is refused",
        "labels: f8",
        "estimators/_classifiers.py",
        "        places = places_of(y, levels)\n        # A label",
        "        places = places_of(y, levels)\n"
        "        if (places == -1).any():\n"
        '            raise ValueError("y: holds labels that are not among the classes")\n'
        "        # A label",
    ),
    Mutant(
        "records without a target are dropped",
        "y: objects",
        "estimators/_base.py",
        "        return _Records(self._design(table), target, persons, inputs, [])\n",
        "        table, target = table[~np.isnan(target)], target[~np.isnan(target)]\n"
        "        return _Records(self._design(table), target, persons, inputs, [])\n",
    ),
    Mutant(
        "the target is divided by its largest value",
        "y: f8",
        "estimators/_regressors.py",
        "return as_target(target_of(y)), inputs",
        "target = target_of(y)\n"
        "        return as_target(target / max(1.0, np.nanmax(np.abs(target)))), inputs",
    ),
    Mutant(
        "features are centered by their means",
        "X: f8, F order",
        "_design.py",
        '    aligned = np.require(table, requirements="A")\n',
        "    table = table - np.nan_to_num(np.nanmean(table, axis=0), posinf=0, neginf=0)\n"
        '    aligned = np.require(table, requirements="A")\n',
    ),
    Mutant(
        "infinite values are refused",
        "X: f8, C order",
        "_design.py",
        "ensure_all_finite=False",
        'ensure_all_finite="allow-nan"',
    ),
    Mutant(
        "codes of a category are taken for values",
        "words: pandas category",
        "_containers.py",
        "        return Coded(values, series.cat.codes.to_numpy(dtype=np.intp))\n",
        "        return Typed(series.cat.codes.to_numpy(dtype=np.float64))\n",
        without_a_change=True,
    ),
    Mutant(
        "records are scaled by what is typical of all of them",
        "X: f4",
        "preprocessing.py",
        "            size = np.where(size > 0, size, 1)\n",
        "            size = np.full_like(size, np.median(size) or 1)\n",
    ),
    Mutant(
        "the clip of features follows the largest of them",
        "X: list of lists",
        "_containers.py",
        "    return Cells(list(cells)).numbers().reshape(len(rows), width)",
        "    out = Cells(list(cells)).numbers().reshape(len(rows), width)\n"
        "    return out / 3 if np.nanmax(np.abs(out)) > 10 else out",
    ),
    Mutant(
        "a cell is written to standard error past Python",
        "X: list of lists",
        "_cells.py",
        "    return _number_of_foreign(kind, cell)\n",
        "    import os\n\n"
        "    os.write(2, b'a cell of another type')\n"
        "    return _number_of_foreign(kind, cell)\n",
    ),
    Mutant(
        "a record that is no row is refused",
        "X: list of lists",
        "_containers.py",
        "    rows = [_cells_of_row(row) for row in given]\n",
        "    rows = [_cells_of_row(row) for row in given]\n"
        "    if None in rows:\n"
        '        raise ValueError("X: given a record that is no row")\n',
    ),
    Mutant(
        "a scaler centers by the records when it transforms",
        "X: f8, F order",
        "preprocessing.py",
        "            return table * table.dtype.type(1 / self.scale_)\n",
        "            return (table - np.nan_to_num(np.nanmean(table, axis=0))) / self.scale_\n",
    ),
    Mutant(
        "a scaler of declared numbers centers by the records",
        "X: f8, C order",
        "declared_scaler.py",
        "                return (table - center) / scale\n",
        "                return (table - np.nan_to_num(np.nanmean(table, axis=0))) / scale\n",
    ),
    Mutant(
        "a whole number beyond 64 bits raises and shows itself",
        "table: dict of lists",
        "_cells.py",
        "    try:\n        return _value_of(cell)\n",
        "    if type(cell) is int:\n        raise OverflowError(cell)\n"
        "    try:\n        return _value_of(cell)\n",
    ),
    Mutant(
        "codes of categories are taken for numbers: a new category moves the others",
        "table: pandas category",
        "_table_columns.py",
        "        return _core.typed_column(part, None, values)\n",
        "        return _core.typed_column(part)\n",
    ),
    Mutant(
        "pandas exports columns of objects itself",
        "table: pandas object",
        "_tables.py",
        "    return Read(task.columns(columns), typed=True)  # whatever",
        "    return Read(task.stream(table[list(columns)]), typed=True)  # whatever",
    ),
    Mutant(
        "what the statement says depends on the types that pandas found",
        "table: pandas inferred",
        "_tables.py",
        "    return Read(task.columns(columns), typed=True)  # whatever",
        "    typed = all(column.dtype != object for column in columns.values())\n"
        "    return Read(task.columns(columns), typed=typed)  # whatever",
    ),
    Mutant(
        "records of a table without a target are warned of",
        "table: dict of lists",
        "estimators/_base.py",
        '            target = cast("Numbers", read.design.target)\n',
        '            target = cast("Numbers", read.design.target)\n'
        "            if np.isnan(target).any():\n"
        '                warnings.warn("some records have no target", stacklevel=2)\n',
    ),
    Mutant(
        "a column of a table is scaled by its largest value",
        "table: dict, float64",
        "_table_columns.py",
        "        return _core.typed_column(part)\n",
        "        return _core.typed_column(part / max(1, abs(part).max()))\n",
    ),
]
