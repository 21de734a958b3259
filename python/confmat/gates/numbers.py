"""A metric of slices: its values, how many rows they are of, their intervals, and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat.frames.asked import REASONS, TOTALS
from confmat.frames.finishing import finish
from confmat.frames.request import SCORE_TOTALS
from confmat.frames.state_intervals import no_interval
from confmat.frames.state_queries import SCORED, STATE
from confmat.gates.expectation import COUNTS, Expectation
from confmat.objects.states import from_bytes
from confmat.registry import find_quietly, is_score_metric

NUMBERS = {"n": pl.Float64, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
NO_ROWS = "there are no rows"
_ROW = "row"


def numbers_of(slices: pl.DataFrame, asked: Expectation) -> pl.DataFrame:
    """Return `n`, `value`, `low`, `high` and `reason` of each slice.

    `reason` says why there is no value; `no_interval` why there are no ends.

    Raises
    ------
    InputError
        The states have no such metric.
    """
    if asked.is_count:
        return _counts(slices, asked.metric)
    of_scores = is_score_metric(asked.metric)
    states = slices.select(name for name in (STATE, SCORED) if name in slices.columns)
    table = finish(
        states.with_row_index(_ROW),
        [asked.metric],
        pos_label=None if of_scores else asked.pos_label,
        reasons=True,
        ci=asked.ci,
    )
    told = table[REASONS].struct.unnest()
    name = told.columns[0]
    total = SCORE_TOTALS[0] if of_scores and SCORE_TOTALS[0] in table.columns else TOTALS[0]
    ends = [_or_null(table, f"{name}{end}") for end in ("_low", "_high")]
    column = SCORED if of_scores and SCORED in states.columns else STATE
    missing = states[column].is_null()
    reason = pl.select(pl.when(missing).then(pl.lit(NO_ROWS)).otherwise(told[name])).to_series()
    value = table[name].fill_nan(None).cast(pl.Float64)
    out = pl.DataFrame(
        [
            table[total].fill_null(0).cast(pl.Float64).alias("n"),
            value.alias("value"),
            *(end.alias(to) for end, to in zip(ends, ("low", "high"), strict=True)),
            reason.cast(pl.String).alias("reason"),
        ]
    )
    if asked.ci is None or find_quietly(asked.metric) is None:
        return out.with_columns(no_interval=pl.lit(None, pl.String))
    alone = states.select(pl.col(column).alias(STATE))
    pos = None if of_scores else asked.pos_label
    return out.with_columns(no_interval(alone, asked.metric, pos).alias("no_interval"))


def _or_null(table: pl.DataFrame, name: str) -> pl.Series:
    known = table[name] if name in table.columns else [None] * table.height
    return pl.Series(name, known, dtype=pl.Float64).fill_nan(None)


def _counts(slices: pl.DataFrame, name: str) -> pl.DataFrame:
    columns = [one for one in (STATE, SCORED) if one in slices.columns]
    found = [_count(row, name) for row in slices.select(columns).iter_rows()]
    value = pl.Series("value", found, dtype=pl.Float64)
    n = pl.Series("n", [_count(row, COUNTS[0]) for row in slices.select(columns).iter_rows()])
    nothing = pl.lit(None, pl.Float64)
    told = pl.lit(None, pl.String)
    return pl.DataFrame([n.cast(pl.Float64), value]).with_columns(
        low=nothing, high=nothing, reason=told, no_interval=told
    )


def _count(states: Sequence[bytes | None], name: str) -> float:
    """Return a number of rows of the first state that tells it; of none 0."""
    for data in states:
        state: Any = None if data is None else from_bytes(data)
        if state is not None and hasattr(state, name):
            return float(getattr(state, name))
    return 0.0
