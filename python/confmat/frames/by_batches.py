"""Slices counted batch by batch: of frames, and of queries as their rows come, uncollected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import polars as pl
from polars.io.plugins import register_io_source

from confmat.errors import InputError
from confmat.frames.counts_by_keys import CountsByKeys
from confmat.frames.counts_of_all_rows import CountsOfAllRows
from confmat.labels import Label

ROWS = 1_000_000  # of one batch: its columns stay in the cache of a core
_ROWS_OF_FRAMES = 4_000_000
_ALL_ROWS = 4_000_000  # of a batch, where there are neither keys nor weights
_FIRST_ROWS = 1 << 17  # which nearly always show whether labels and keys are too many
# Of tables: the kernels of whole frames, and expressions, are faster than with larger ones.
_MOST_BYTES, _MOST_BYTES_OF_FRAMES = 1 << 26, 1 << 25
# Expressions sum weights much more slowly, but for few rows; these bytes a row are worth it.
_BYTES_OF_WEIGHTS, _MOST_BYTES_OF_WEIGHTS = 1 << 7, 1 << 27


Counts: TypeAlias = CountsByKeys | CountsOfAllRows


class Slicing(NamedTuple):
    """The columns of labels that are counted, and by which keys."""

    y_true: str
    y_pred: str
    by: tuple[str, ...]
    sample_weight: str | None
    labels: list[Label] | None
    raises: bool  # at other labels

    def fits(self, schema: Mapping[str, pl.DataType]) -> bool:
        """Return whether the core reads columns of these types."""
        columns = (self.y_true, self.y_pred)
        return CountsByKeys.can_count(columns, self.by, self.sample_weight, schema)

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""
        weights = [] if self.sample_weight is None else [self.sample_weight]
        return list(dict.fromkeys([*self.by, self.y_true, self.y_pred, *weights]))

    @property
    def is_of_all_rows(self) -> bool:
        """Whether one matrix of rows is all that is counted."""
        return not self.by and self.sample_weight is None

    def counts(self, schema: Mapping[str, pl.DataType], max_bytes: int) -> Counts:
        """Return tables without rows."""
        if self.is_of_all_rows:
            columns = (self.y_true, self.y_pred)
            return CountsOfAllRows(columns, schema, self.labels, raises=self.raises)
        return CountsByKeys(
            (self.y_true, self.y_pred),
            self.by,
            schema,
            self.labels,
            sample_weight=self.sample_weight,
            raises=self.raises,
            max_bytes=max_bytes,
        )


# From counts to a frame; whether a filter has left out slices. None: it cannot be had so.
Finish: TypeAlias = Callable[[Counts, bool], pl.DataFrame | None]


def counted_frame(frame: pl.DataFrame, slicing: Slicing, finish: Finish) -> pl.DataFrame | None:
    """Count the rows of a frame; None where tables would be large. Needs: `slicing.fits`."""
    rows, most = _ROWS_OF_FRAMES, _MOST_BYTES_OF_FRAMES
    if slicing.sample_weight is not None:
        rows = ROWS  # whose cells are numbered
        most = min(max(frame.height, _FIRST_ROWS) * _BYTES_OF_WEIGHTS, _MOST_BYTES_OF_WEIGHTS)
    counts = slicing.counts(frame.schema, most)
    batches = iter([frame]) if slicing.is_of_all_rows else _first_short(frame.iter_slices(rows))
    are_counted = _count(counts, batches)
    return finish(counts, False) if are_counted else None


def counted_query(
    frame: pl.LazyFrame,
    slicing: Slicing,
    finish: Finish,
    otherwise: pl.LazyFrame,
    *,
    coarser: bool = False,
) -> pl.LazyFrame:
    """Return a query that counts the rows of another when it runs. Needs: `slicing.fits`.

    `otherwise`: the same by expressions, where slices or labels are too many for tables.
    `coarser`: it has slices of some keys, too, whose rows a filter by keys must not leave out.
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
        counts = slicing.counts(rows.collect_schema(), _MOST_BYTES)
        among = " (of those that a filter keeps)" if filtered else ""
        size = _ALL_ROWS if slicing.is_of_all_rows else ROWS
        batches: Iterator[pl.DataFrame]
        batches = rows.collect_batches(chunk_size=size, maintain_order=True)
        if not slicing.is_of_all_rows:
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
        yield from (first.head(_FIRST_ROWS), first.slice(_FIRST_ROWS))
        yield from batches
