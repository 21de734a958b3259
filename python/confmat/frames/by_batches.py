"""Slices counted batch by batch: of frames, and of queries as their rows come, uncollected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

import polars as pl
from polars.io.plugins import register_io_source

from confmat.errors import InputError

FIRST_ROWS = 1 << 17  # which nearly always show whether labels and keys are too many


class Counts(Protocol):
    """What is kept of the rows."""

    def count(self, batch: pl.DataFrame) -> bool:
        """Count a batch; False where it is too much for tables, which are then of no use."""


C = TypeVar("C", bound=Counts)
C_co = TypeVar("C_co", bound=Counts, covariant=True)


class Slicing(Protocol[C_co]):
    """The columns that are counted, and by which keys."""

    @property
    def by(self) -> tuple[str, ...]:
        """The keys."""

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""

    @property
    def starts_short(self) -> bool:
        """Whether it may be too much for tables, which few rows show."""

    def batch_rows(self, height: int | None) -> int:
        """Return how many rows a batch has, of a frame of so many, or of a query."""

    def counts(self, schema: Mapping[str, pl.DataType], height: int | None) -> C_co:
        """Return tables without rows, for a frame of so many, or for a query."""


def columns_read(*names: str | None) -> list[str]:
    """Return the names of columns, each once; None names none."""
    return list(dict.fromkeys(name for name in names if name is not None))


def counted_frame(
    frame: pl.DataFrame, slicing: Slicing[C], finish: Callable[[C, bool], pl.DataFrame | None]
) -> pl.DataFrame | None:
    """Count the rows of a frame; None where tables would be large. `finish`: see `counted_query`.

    Needs: columns that can be read so.
    """
    counts = slicing.counts(frame.schema, frame.height)
    batches = frame.iter_slices(slicing.batch_rows(frame.height))
    are_counted = _count(counts, _first_short(batches) if slicing.starts_short else batches)
    return finish(counts, False) if are_counted else None


def counted_query(
    frame: pl.LazyFrame,
    slicing: Slicing[C],
    finish: Callable[[C, bool], pl.DataFrame | None],
    otherwise: pl.LazyFrame,
    *,
    coarser: bool = False,
) -> pl.LazyFrame:
    """Return a query that counts the rows of another when it runs.

    `finish`: from counts to a frame; whether a filter has left out slices. None: it cannot be had
    so. `otherwise`: the same by expressions, where slices or labels are too many for tables.
    `coarser`: it has slices of some keys, too, whose rows a filter by keys must not leave out.
    Needs: columns that can be read so.
    """
    try:
        schema = otherwise.collect_schema()
    except pl.exceptions.ComputeError:
        return otherwise  # which says so when it runs

    def source(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, _: int | None
    ) -> Iterator[pl.DataFrame]:
        rows, filtered = frame, False
        if predicate is not None and n_rows is None and not coarser:
            roots = set(predicate.meta.root_names())
            filtered = len(slicing.by) > 0 and roots <= set(slicing.by)
            # Other slices need not be read, nor their files.
            rows = frame.filter(predicate) if filtered else frame
        rows = rows.select(slicing.columns)
        counts = slicing.counts(rows.collect_schema(), None)
        among = " (of those that a filter keeps)" if filtered else ""
        batches: Iterator[pl.DataFrame]
        batches = rows.collect_batches(chunk_size=slicing.batch_rows(None), maintain_order=True)
        if slicing.starts_short:
            batches = _first_short(batches)
        table = finish(counts, filtered) if _count(counts, batches, among) else None
        del batches  # what is read ahead, where more comes
        query: Any = otherwise if table is None else table.lazy()
        # A slice that Polars gives a source comes before the filter.
        query = query if n_rows is None else query.head(n_rows)
        query = query if predicate is None else query.filter(predicate)
        query = query if with_columns is None else query.select(with_columns)
        yield query.collect(engine="streaming" if table is None else "in-memory")

    return register_io_source(source, schema=schema, is_pure=True)


def _count(counts: Counts, batches: Iterator[pl.DataFrame], among: str = "") -> bool:
    """Count all rows; False where they do not fit, or there is none."""
    first_row = 0
    for batch in batches:
        try:
            if not counts.count(batch):
                return False
        except InputError as error:
            raise error.moved(first_row, among) from None
        first_row += batch.height
    return first_row > 0


def _first_short(batches: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    first = next(batches, None)
    if first is not None:
        yield from (first.head(FIRST_ROWS), first.slice(FIRST_ROWS))
        yield from batches
