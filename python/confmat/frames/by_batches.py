"""Slices counted batch by batch: of a query as its rows come, without collecting them."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl
from polars.io.plugins import register_io_source

from confmat.errors import InputError
from confmat.frames.counts_by_keys import CountsByKeys
from confmat.frames.request import Request
from confmat.frames.whole_frame import check_positive, places, table_of

ROWS = 1_000_000  # of one batch: its columns stay in the cache of a core
_ROWS_OF_FRAMES = 4_000_000
_FIRST_ROWS = 1 << 17  # which nearly always show whether labels and keys are too many
# Of tables: the kernels of whole frames, and expressions, are faster than with larger ones.
_MOST_BYTES, _MOST_BYTES_OF_FRAMES = 1 << 26, 1 << 25


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
        filtered = of_keys and not request.cube
        rows = frame.filter(predicate) if filtered and predicate is not None else frame
        rows = rows.select({*request.by, request.y_true, request.predicted})
        counts = _counts(request, rows.collect_schema(), _MOST_BYTES)
        batches = rows.collect_batches(chunk_size=ROWS, maintain_order=True)
        table = _counted(counts, batches, request, filtered)
        query = otherwise if table is None else table.lazy()
        query = query if predicate is None else query.filter(predicate)
        query = query if with_columns is None else query.select(with_columns)
        query = query if n_rows is None else query.head(n_rows)
        yield query.collect(engine="streaming" if table is None else "in-memory")

    return register_io_source(source, schema=schema, is_pure=True)


def evaluate_slices(frame: pl.DataFrame, request: Request) -> pl.DataFrame | None:
    """Return the same of a frame, now; None where tables would be large. Needs: `can_count`."""
    counts = _counts(request, frame.schema, _MOST_BYTES_OF_FRAMES)
    return _counted(counts, frame.iter_slices(_ROWS_OF_FRAMES), request, filtered=False)


def _counts(request: Request, schema: pl.Schema, max_bytes: int) -> CountsByKeys:
    asked = request.asked
    return CountsByKeys(
        (request.y_true, request.predicted),
        request.by,
        schema,
        None if asked.implied else asked.labels,
        raises=asked.other == "raise",
        max_bytes=max_bytes,
    )


def _counted(
    counts: CountsByKeys, batches: Iterator[pl.DataFrame], request: Request, filtered: bool
) -> pl.DataFrame | None:
    """Count all rows; None where they do not fit, or there is none."""
    first_row = 0
    for batch in _first_short(batches):
        try:
            if not counts.add(batch, counts.columns_of(batch)):
                return None
        except InputError as error:
            among = " (of those that a filter keeps)" if filtered else ""
            raise error.moved(first_row, among) from None
        first_row += batch.height
    if not filtered:
        check_positive(request, counts.tables.labels)
    spec = request.asked._replace(other="bucket").packed()
    found = counts.tables.evaluated(spec, places(request))
    return None if found is None else table_of(request, counts.key_types, found)


def _first_short(batches: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    first = next(batches, None)
    if first is not None:
        yield from (first.head(_FIRST_ROWS), first.slice(_FIRST_ROWS))
        yield from batches
