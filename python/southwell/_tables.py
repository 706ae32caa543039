"""Raw tables of every kind, read as a schema says.

Form is refused here and in the C++, without a look at a record; whatever a record holds, it is
read. A program that makes a table may fail on a record: then nothing of its message is passed on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from southwell import _core
from southwell._table_columns import slices_of
from southwell._words import file_to_read, shown

Use = Literal["fit", "assess", "evaluate", "predict"]
T = TypeVar("T")

_AT_ONCE = 65_536  # records of a table in memory that are converted at once
_ACCEPTED = (
    "accepted are frames of pandas and polars, Arrow tables and streams, DuckDB relations, a dict "
    "of columns, paths of .csv, .parquet, .arrow and .feather files, and a CsvFile"
)
INFERRED = "types of the table's columns, where another program found them by a look at the records"


@dataclass(frozen=True)
class CsvFile:
    """A CSV file that is written otherwise than with commas and in UTF-8: a raw table.

    Its path alone means commas and UTF-8. Nothing is detected: that would look at records.

    Parameters
    ----------
    path : str or path
        Ends in .csv or .csv.gz.
    delimiter : str
        Between the fields of a line: a comma, a semicolon, a tab or a vertical bar.
    encoding : {"utf-8", "latin-1"}
        What its bytes mean.

    Examples
    --------
    >>> CsvFile("patients.csv", delimiter=";")
    CsvFile(path='patients.csv', delimiter=';', encoding='utf-8')
    """

    path: str | os.PathLike[str]
    delimiter: str = ","
    encoding: str = "utf-8"


@dataclass(frozen=True)
class Read:
    """A raw table after it was read."""

    design: _core.Design
    typed: bool  # whether somebody gave types to its columns

    @property
    def not_covered(self) -> list[str]:
        """What no statement about these records covers."""
        return [INFERRED] if self.typed else []


@dataclass(frozen=True)
class _Task:
    schema: _core.Schema
    use: Use
    threads: int

    def needed(self, names: list[str], table: str = "table") -> list[str]:
        return _core.needed_columns(self.schema, names, self.use, table)

    def stream(self, table: Any) -> _core.Design:
        capsule = _upstream(table.__arrow_c_stream__)
        return _core.read_arrow(capsule, self.schema, self.use, self.threads)

    def columns(self, columns: dict[str, Any]) -> _core.Design:
        """Of columns in memory, all of which are needed."""
        slices = {name: slices_of(name, column) for name, column in columns.items()}
        sizes = {size for size, _ in slices.values()}
        if len(sizes) != 1:
            raise _core.DataError(
                "table: given columns of different lengths, accepted is one cell for each record "
                "in every column"
            )
        reader = _core.TableReader(self.schema, list(columns), self.use, self.threads)
        (size,) = sizes
        for first in range(0, max(size, 1), _AT_ONCE):
            count = min(_AT_ONCE, size - first)
            reader.add_columns([of_slice(first, count) for _, of_slice in slices.values()])
        return reader.take()


def read_table(table: Any, schema: _core.Schema, use: Use, *, threads: int = 0) -> Read:
    """A raw table for a fit, an evaluation or predictions.

    Parameters
    ----------
    table : frame, Arrow table or stream, dict of columns, path or CsvFile
        Columns are matched by name, others are passed over.
    schema : _core.Schema
        What the columns are.
    use : {"fit", "assess", "evaluate", "predict"}
        Predictions need no target, and only fits and assessments, which are private, need units.
    threads : int
        0 means all cores.
    """
    task = _Task(schema, use, threads)
    if isinstance(table, CsvFile):
        return _from_csv(task, table)
    if isinstance(table, str | os.PathLike):
        return _from_file(task, table)
    for module, read in (
        ("pandas", _from_pandas),
        ("polars", _from_polars),
        ("pyarrow", _from_arrow),
    ):
        if module in sys.modules and (found := read(task, table)) is not None:
            return found
    if isinstance(table, Mapping):
        names = [str(name) for name in table]
        needed = set(task.needed(names))
        columns = {str(name): table[name] for name in table if str(name) in needed}
        untyped = all(isinstance(column, list | tuple) for column in columns.values())
        return Read(task.columns(columns), typed=not untyped)
    if hasattr(type(table), "__arrow_c_stream__"):
        return Read(task.stream(table), typed=True)
    if isinstance(table, list | tuple):
        raise TypeError(
            f"table: given a {type(table).__name__}, whose columns would have to be found in its "
            f"records; {_ACCEPTED}"
        )
    raise TypeError(f"table: given {shown(table)}, {_ACCEPTED}")


def _upstream(make: Callable[..., T], *given: Any, **named: Any) -> T:
    """What another program makes; its errors may hold a record's value, and end here."""
    failed = False
    try:
        return make(*given, **named)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # polars' panics are no Exception
        failed = True
    if failed:  # outside, so that what was raised is not attached to this
        raise _failure()
    raise AssertionError


def _failure() -> _core.DataError:
    return _core.DataError(
        "table: the program that makes it failed, and its message is not shown: it may hold a "
        "record's value. Run the query by itself to see it"
    )


def _from_pandas(task: _Task, table: Any) -> Read | None:
    pandas = sys.modules["pandas"]
    if isinstance(table, pandas.Series):
        raise TypeError(f"table: given a pandas Series, {_ACCEPTED}")
    if not isinstance(table, pandas.DataFrame):
        return None
    needed = set(task.needed([str(name) for name in table.columns]))
    columns = {
        str(name): table.iloc[:, k] for k, name in enumerate(table.columns) if str(name) in needed
    }
    return Read(task.columns(columns), typed=True)  # whatever its columns' types are now


def _from_polars(task: _Task, table: Any) -> Read | None:
    polars = sys.modules["polars"]
    if isinstance(table, polars.Series):
        raise TypeError(f"table: given a polars Series, {_ACCEPTED}")
    if isinstance(table, polars.DataFrame):
        return Read(task.stream(table.select(task.needed(table.columns))), typed=True)
    if not isinstance(table, polars.LazyFrame):
        return None
    names = _upstream(lambda: table.collect_schema().names())
    needed = task.needed(names)
    reader = _core.TableReader(task.schema, needed, task.use, task.threads)
    batches = _upstream(lambda: iter(table.select(needed).collect_batches(maintain_order=True)))
    while (batch := _upstream(next, batches, None)) is not None:
        reader.add_stream(_upstream(batch.__arrow_c_stream__))
    return Read(reader.take(), typed=True)


def _from_arrow(task: _Task, table: Any) -> Read | None:
    arrow = sys.modules["pyarrow"]
    if isinstance(table, arrow.Array | arrow.ChunkedArray):
        raise TypeError(f"table: given a {type(table).__name__} of pyarrow, {_ACCEPTED}")
    if isinstance(table, arrow.Table | arrow.RecordBatch):
        return Read(task.stream(table.select(task.needed(table.schema.names))), typed=True)
    dataset = sys.modules.get("pyarrow.dataset")
    if dataset is None:
        return None
    if isinstance(table, dataset.Dataset):
        needed = task.needed(table.schema.names)
        table = _upstream(table.scanner, columns=needed, batch_size=_AT_ONCE, batch_readahead=2)
    if isinstance(table, dataset.Scanner):
        return Read(task.stream(_upstream(table.to_reader)), typed=True)
    return None


def _ending(name: str) -> str:
    return os.path.splitext(name.removesuffix(".gz"))[1].lower()


def _from_csv(task: _Task, given: CsvFile) -> Read:
    file = file_to_read("path", given.path)
    if _ending(os.fsdecode(file)) != ".csv":
        raise _core.DataError(
            f"path: given {shown(os.fsdecode(file))}, accepted are .csv files (also .gz)"
        )
    for name, value in (("delimiter", given.delimiter), ("encoding", given.encoding)):
        if not isinstance(value, str):
            raise TypeError(f"{name}: given {shown(value)}, accepted is text")
    design = _core.read_raw_csv(
        file, task.schema, task.use, task.threads, given.delimiter, given.encoding
    )
    return Read(design, typed=False)


def _from_file(task: _Task, given: str | os.PathLike[str]) -> Read:
    name = os.fsdecode(file_to_read("table", given))
    ending = _ending(name)
    if ending == ".csv":
        return _from_csv(task, CsvFile(given))
    formats = {".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".feather": "ipc"}
    if ending not in formats or name.endswith(".gz"):
        raise _core.DataError(
            f"table: given {shown(name)}, accepted are .csv (also .gz), .parquet, .arrow and "
            ".feather files"
        )
    if not os.path.exists(name):
        raise _core.DataError(f"{name}: cannot be opened: No such file or directory")
    try:
        import pyarrow
    except ImportError:
        raise ImportError(
            f"table: {ending} files are read by pyarrow, which is not installed: pip install "
            "'southwell[tables]'"
        ) from None
    names, batches = _upstream(_parquet if formats[ending] == "parquet" else _ipc, name)
    needed = task.needed(names.names, name)
    fields = pyarrow.schema([names.field(column) for column in needed])
    reader = pyarrow.RecordBatchReader.from_batches(fields, batches(needed))
    return Read(task.stream(reader), typed=True)


# The types of a file's columns, and its batches: of some of the columns, in their order.
_Opened = tuple[Any, Callable[[list[str]], Iterator[Any]]]


def _parquet(name: str) -> _Opened:
    from pyarrow import parquet

    file = parquet.ParquetFile(name)
    return file.schema_arrow, lambda names: file.iter_batches(batch_size=_AT_ONCE, columns=names)


def _ipc(name: str) -> _Opened:
    """A file of record batches, or a stream of them that was written to a file."""
    from pyarrow import ipc, memory_map

    source = memory_map(name)
    is_file = source.read(6) == b"ARROW1"
    source.seek(0)
    if not is_file:
        stream = ipc.open_stream(source)
        return stream.schema, lambda names: (batch.select(names) for batch in stream)
    file = ipc.open_file(source)
    return file.schema, lambda names: (
        file.get_batch(k).select(names) for k in range(file.num_record_batches)
    )
