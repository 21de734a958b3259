"""Metrics of states of scores in tables, with the ends of their intervals."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from confmat import _core
from confmat.frames.asked import REASONS, TOTALS, Asked
from confmat.frames.slice_ends import ends_of_scores, with_empty_ends, with_found_ends
from confmat.frames.state_queries import of_each_state
from confmat.frames.state_values import state_metrics
from confmat.intervals.levels import Confidence
from confmat.scores.confidence import has_formula


def score_table(
    frame: pl.DataFrame,
    column: str,
    names: Sequence[str],
    options: Asked,
    ci: Confidence | None,
    draws: bool,
) -> pl.DataFrame:
    """Return rows counted and left out, metrics with their ends, and reasons where asked for.

    `draws`: also intervals that take rows drawn again; else such metrics have no columns for them.
    """
    asked = state_metrics(
        column, names or "roc_auc", undefined=options.undefined, reasons=options.reasons
    )
    table = table_of(frame, asked, column)
    kept = (*TOTALS[:2], *names, *([REASONS] if options.reasons and names else []))
    table = table.select(kept)
    if ci is None:
        return table
    table = with_empty_ends(table, [name for name in names if draws or has_formula(name)])
    return with_found_ends(table, names, ends_of_scores(frame[column], names, ci, draws))


def table_of(frame: pl.DataFrame, asked: pl.Expr, column: str) -> pl.DataFrame:
    """Return the totals and metrics; `n` is a whole number unless weights were summed."""
    table = of_each_state(frame, asked).struct.unnest()
    if not any(_core.state_holds_weights(one) for one in frame[column].drop_nulls()):
        table = table.with_columns(pl.col("n").cast(pl.UInt64))
    return table
