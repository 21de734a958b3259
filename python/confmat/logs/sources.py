"""Sources of a log: files, frames, queries and what other libraries hold, as parts to be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from confmat.errors import InputError
from confmat.labels import listing
from confmat.logs.files import expand, folder_keys, scan_file
from confmat.logs.stores import is_remote

_WANTED = (
    "a path, a glob, a folder, a list of these, a Polars DataFrame or LazyFrame, a pandas "
    "DataFrame, a pyarrow table, dataset or reader, or a DuckDB relation"
)


@dataclass(frozen=True)
class Part:
    """Rows that are read one after the other: a file, or a whole frame."""

    query: pl.LazyFrame | Callable[[], pl.LazyFrame]  # or what makes it when it is first used
    path: str | None = None  # None: rows of memory, which no message can name
    rows: int | None = None  # where they are known without reading
    levels: tuple[str, ...] = ()  # of the index of pandas, which are no columns

    @cached_property
    def frame(self) -> pl.LazyFrame:
        """The query for the rows. To have that of a text file, its first ones are read."""
        return self.query if isinstance(self.query, pl.LazyFrame) else self.query()

    @property
    def place(self) -> str:
        """Where columns are looked for, in messages about one that is not there."""
        if self.levels:
            return (
                f": levels of the index, {listing(self.levels)}, become columns by .reset_index()"
            )
        return "" if self.path is None else f" in {self.path}"

    @property
    def bytes(self) -> int | None:
        """The size of the file, where there is one."""
        if self.path is None or is_remote(self.path):
            return None
        return os.stat(self.path).st_size


def parts_of(source: Any, storage_options: dict[str, Any] | None = None) -> list[Part]:
    """Return the parts of a source, in the order in which they are read.

    Raises
    ------
    InputError
        Something that holds no rows, or a path that names no file.
    """
    if isinstance(source, (str, os.PathLike)):
        source = [source]
    frame = _frame_of(source)
    if frame is not None:
        rows = source.height if isinstance(source, pl.DataFrame) else None
        return [Part(frame, rows=rows, levels=_levels_of(source))]
    if not isinstance(source, Iterable) or isinstance(source, (Mapping, bytes)):
        raise InputError(f"`source` is {type(source).__name__}; wanted {_WANTED}")
    return list(_of_list(list(source), storage_options))


def _of_list(sources: list[Any], storage_options: dict[str, Any] | None) -> Iterator[Part]:
    if not sources:
        raise InputError(f"`source` is an empty list; wanted {_WANTED}")
    paths = [one for one in sources if isinstance(one, (str, os.PathLike))]
    if len(paths) == len(sources):
        files = expand(paths, storage_options)
        keys = folder_keys(files)
        for path in files:
            yield Part(partial(scan_file, path, storage_options, keys), path)
        return
    for at, one in enumerate(sources):
        if isinstance(one, (str, os.PathLike)) or (frame := _frame_of(one)) is None:
            found = type(one).__name__
            raise InputError(
                f"`source` holds {found} at position {at}; wanted paths alone, or frames alone"
            )
        yield Part(frame, levels=_levels_of(one))


def _frame_of(source: Any) -> pl.LazyFrame | None:
    """Return the query over a frame of any library; None where it is none."""
    if isinstance(source, pl.LazyFrame):
        return source
    if isinstance(source, pl.DataFrame):
        return source.lazy()
    module = type(source).__module__.partition(".")[0]
    name = type(source).__name__
    if module == "pandas" and name == "DataFrame":
        return pl.from_pandas(source).lazy()
    if module == "pyarrow" and hasattr(source, "scanner"):
        return pl.scan_pyarrow_dataset(source)
    if name == "DuckDBPyRelation":
        query: pl.LazyFrame = source.pl(lazy=True)
        return query
    if module == "pyarrow" and name == "RecordBatchReader":
        return _streamed(source)
    if hasattr(source, "__arrow_c_stream__") and hasattr(source, "columns"):
        return pl.DataFrame(source).lazy()
    return None


def _levels_of(source: Any) -> tuple[str, ...]:
    """Return the names of the levels of an index of pandas that no column has."""
    if type(source).__module__.partition(".")[0] != "pandas":
        return ()
    names = [name for name in source.index.names if name is not None]
    return tuple(str(name) for name in names if name not in source.columns)


def _streamed(reader: Any) -> pl.LazyFrame:
    """Return the query over batches that are read once, as they come."""
    schema = pl.Schema(pl.DataFrame(reader.schema.empty_table()).schema)

    def batches(
        with_columns: list[str] | None,
        predicate: pl.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[pl.DataFrame]:
        left = n_rows
        for batch in reader:
            frame = pl.DataFrame(batch)
            if with_columns is not None:
                frame = frame.select(with_columns)
            if left is not None:
                frame, left = frame.head(left), left - frame.height
            yield frame if predicate is None else frame.filter(predicate)
            if left is not None and left <= 0:
                return

    return register_io_source(batches, schema=schema)
