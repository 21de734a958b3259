"""The column of reasons: one Struct, one String a metric, null where the value is defined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.frames.asked import ENDS, REASONS
from confmat.frames.request import Request

# Those of the metrics of scores, until they are put beside the others.
SCORE_REASONS = "__confmat_score_reasons__"


def reason_names(request: Request) -> tuple[str, ...]:
    """Return the fields of the column; none where there is no such column."""
    asked = request.asked
    return (*asked.metrics, *asked.score_metrics) if asked.reasons else ()


def one_row(names: Sequence[str], texts: Iterable[str | None]) -> pl.Series:
    """Return the column of a frame with one row."""
    columns = [pl.Series(name, [text], pl.String) for name, text in zip(names, texts, strict=True)]
    return pl.DataFrame(columns).to_struct(REASONS)


def by_position(
    names: Sequence[str], texts: Sequence[str], positions: npt.NDArray[np.int32]
) -> pl.Series:
    """Return the column of many rows: for each metric the positions of its texts, or -1."""
    known = pl.Series([*texts, None], dtype=pl.String)
    places = np.where(positions < 0, len(texts), positions)
    columns = [known.gather(place).alias(name) for name, place in zip(names, places, strict=True)]
    return pl.DataFrame(columns).to_struct(REASONS)


def put_together(query: pl.LazyFrame, request: Request) -> pl.LazyFrame:
    """Return the query with one column of reasons, the last."""
    if not reason_names(request):
        return query
    asked = request.asked
    both = {REASONS: asked.metrics}
    if request.y_score is not None:
        both[SCORE_REASONS if asked.metrics else REASONS] = asked.score_metrics
    fields = [pl.col(of).struct.field(name) for of, names in both.items() for name in names]
    return query.select(pl.exclude(*both), pl.struct(fields).alias(REASONS))


def hidden(totals: dict[str, Sequence[str]], min_n: int, has_reasons: bool) -> list[pl.Expr]:
    """Return the columns without the metrics of slices with too few rows, and why.

    `totals`: which metrics are of the rows of which total.
    """
    out: list[pl.Expr] = [
        pl.when(pl.col(total) >= min_n).then(pl.col(names))
        for total, names in totals.items()
        if names
    ]
    if not has_reasons:
        return out
    fields = [
        pl.when(pl.col(total) >= min_n)
        .then(pl.col(REASONS).struct.field(name))
        .otherwise(pl.lit(too_few(min_n)))
        .alias(name)
        for total, names in totals.items()
        for name in names
    ]
    return [*out, pl.struct(fields).alias(REASONS)]


def hidden_ends(columns: Sequence[str]) -> list[pl.Expr]:
    """Return the ends of intervals, null where the metric is."""
    return [
        pl.when(pl.col(name).is_not_null()).then(pl.col(name + end)).alias(name + end)
        for name in columns
        for end in ENDS
        if name + end in columns
    ]


def too_few(min_n: int) -> str:
    """Return why the metrics of a small slice are not shown."""
    return f"n is below min_n = {min_n}"
