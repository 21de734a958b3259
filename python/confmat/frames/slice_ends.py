"""Ends of intervals of the metrics of a table of slices, and why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from confmat.frames.asked import ENDS, REASONS
from confmat.frames.object_intervals import ends_of
from confmat.intervals.interval import Interval, no_interval
from confmat.intervals.levels import Confidence
from confmat.objects.states import from_bytes


class Ends(NamedTuple):
    """The two ends of the interval of a metric in each slice, and why there is none."""

    low: pl.Series
    high: pl.Series
    why: pl.Series


def ends_of_slices(found: Sequence[Interval]) -> Ends:
    """Return the intervals of a metric in each slice as columns."""
    low, high = (
        pl.Series([one[at] for one in found], dtype=pl.Float64).fill_nan(None) for at in (1, 2)
    )
    return Ends(low, high, pl.Series(map(no_interval, found), dtype=pl.String))


def ends_of_scores(
    states: pl.Series, names: Sequence[str], ci: Confidence, draws: bool
) -> list[Ends]:
    """Return the ends of metrics of the scores of each state; `draws`: as `ends_of` has it."""
    of_none = dict.fromkeys(names, (None, None, "there are no rows"))
    rows: list[dict[str, Any]] = [
        of_none if state is None else ends_of(from_bytes(state), names, ci, draws)
        for state in states
    ]
    found = []
    for name in names:
        low, high = (pl.Series([row[name][at] for row in rows], dtype=pl.Float64) for at in (0, 1))
        found.append(Ends(low, high, pl.Series([row[name][2] for row in rows], dtype=pl.String)))
    return found


def with_empty_ends(table: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return a table of metrics with columns for the ends of some, which are still null."""
    nothing = pl.lit(None, pl.Float64)
    columns: list[Any] = []
    for column in table.columns:
        columns.append(pl.col(column))
        if column in names:
            columns += [nothing.alias(column + end) for end in ENDS]
    return table.select(columns)


def with_found_ends(
    table: pl.DataFrame, names: Sequence[str], found: Sequence[Ends]
) -> pl.DataFrame:
    """Return a table of metrics with these ends, and why there are none where reasons are told."""
    for name, ends in zip(names, found, strict=True):
        for end, told in zip(ENDS, (ends.low, ends.high), strict=True):
            if name + end in table.columns:
                table = table.with_columns(told.alias(name + end))
        if REASONS in table.columns:
            why = pl.col(REASONS).struct.field(name).fill_null(ends.why)
            table = table.with_columns(pl.col(REASONS).struct.with_fields(why.alias(name)))
    return table
