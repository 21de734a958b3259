"""Intervals of a table of numbers, one row a number."""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl

from confmat.intervals.interval import Interval, no_interval


def with_intervals(frame: pl.DataFrame, found: Sequence[Interval]) -> pl.DataFrame:
    """Return a table of `metric`, `value` and `reason` with the columns `low` and `high`.

    Where a value has no interval the reason says why.

    Examples
    --------
    >>> import polars as pl
    >>> from confmat.intervals.interval import without_ends
    >>> from confmat.intervals.table_ends import with_intervals
    >>> frame = pl.DataFrame({"metric": ["f1"], "value": [0.5], "reason": [None]})
    >>> with_intervals(frame, [without_ends(0.5, "one row has no spread")]).row(0)
    ('f1', 0.5, None, None, 'no interval: one row has no spread')
    """
    low, high = ([None if math.isnan(one.low) else one[at] for one in found] for at in (1, 2))
    why = pl.Series([no_interval(one) for one in found], dtype=pl.String)
    told = pl.col("reason").cast(pl.String).fill_null(why)
    ends = (pl.Series("low", low, dtype=pl.Float64), pl.Series("high", high, dtype=pl.Float64))
    return frame.with_columns(*ends, told).select(
        "metric", "value", "low", "high", pl.exclude("metric", "value", "low", "high")
    )
