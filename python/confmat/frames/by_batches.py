"""Slices of a query counted batch by batch, as its rows come: no column of them is collected."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl
from polars.io.plugins import register_io_source

from confmat.errors import InputError
from confmat.frames.counts_by_keys import CountsByKeys
from confmat.frames.request import Request
from confmat.frames.whole_frame import check_positive, places, table_of

ROWS = 1_000_000  # of one batch: its columns stay in the cache of a core
_MOST_BYTES = 1 << 26  # of tables: larger ones are slower than expressions


def can_count(request: Request, schema: pl.Schema) -> bool:
    """Return whether slices of predicted classes alone are asked for, whose columns fit."""
    of_labels = request.y_score is None and request.sample_weight is None
    columns = (request.y_true, request.y_pred or request.y_true)
    return of_labels and CountsByKeys.can_count(columns, request.by, schema)


def evaluate_batches(
    frame: pl.LazyFrame, request: Request, otherwise: pl.LazyFrame
) -> pl.LazyFrame:
    """Return a query that counts the rows of another when it runs. Needs: `can_count`.

    `otherwise`: the same by expressions, where slices or labels are too many for tables.
    """
    try:
        schema = otherwise.collect_schema()
    except pl.exceptions.ComputeError:
        return otherwise  # which says so when it runs

    def source(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, _: int | None
    ) -> Iterator[pl.DataFrame]:
        # Of these keys alone: other slices need not be read, nor their files.
        of_keys = predicate is not None and {*predicate.meta.root_names()} <= {*request.by}
        kept = predicate if of_keys and not request.cube else None
        table = _counted(frame, request, kept)
        query = otherwise if table is None else table.lazy()
        query = query if predicate is None else query.filter(predicate)
        query = query if with_columns is None else query.select(with_columns)
        query = query if n_rows is None else query.head(n_rows)
        yield query.collect(engine="streaming" if table is None else "in-memory")

    return register_io_source(source, schema=schema, is_pure=True)


def _counted(frame: pl.LazyFrame, request: Request, kept: pl.Expr | None) -> pl.DataFrame | None:
    """Count all rows, or those that are kept; None where they do not fit."""
    asked = request.asked
    columns = (request.y_true, request.predicted)
    rows = (frame if kept is None else frame.filter(kept)).select({*request.by, *columns})
    counts = CountsByKeys(
        columns,
        request.by,
        rows.collect_schema(),
        None if asked.implied else asked.labels,
        raises=asked.other == "raise",
        max_bytes=_MOST_BYTES,
    )
    first_row = 0
    for batch in rows.collect_batches(chunk_size=ROWS, maintain_order=True):
        try:
            if not counts.add(batch, counts.columns_of(batch)):
                return None
        except InputError as error:
            among = "" if kept is None else " (of those that a filter keeps)"
            raise error.moved(first_row, among) from None
        first_row += batch.height
    if kept is None:
        check_positive(request, counts.tables.labels)
    spec = asked._replace(other="bucket").packed()
    found = counts.tables.evaluated(spec, places(request))
    return None if found is None else table_of(request, counts.key_types, found)
