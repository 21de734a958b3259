"""Every subset of the columns of `by`, from states of the finest slices: rows are read once."""

from __future__ import annotations

import polars as pl

from confmat.frames.asked import REASONS, TOTALS, Asked
from confmat.frames.expressions import plugin
from confmat.frames.reasons import SCORE_REASONS, put_together
from confmat.frames.request import SCORE_TOTALS, Request
from confmat.frames.roll_up import GROUPING, RollUp, subsets
from confmat.frames.states import state
from confmat.frames.whole_frame import suppress

# Columns of a query, out of the way of every column of `by`.
_STATE = "__confmat_state__"
_SCORED = "__confmat_scored__"


_FEW_SCORES = (pl.Boolean, pl.Int8, pl.UInt8)  # types of few values
_SAMPLE, _RECURRENT = 1 << 16, 16  # rows to look at, of which each score has so many


def has_states(request: Request, schema: pl.Schema, recurrent: bool = False) -> bool:
    """Return whether states tell all that is asked, and are no longer than the rows.

    Of scores of many classes they keep bins, and sums of their weights rounded. Scores of one
    column they keep one by one: only where these recur is merging faster than to sort again.
    """
    if request.y_score is None:
        return True
    if isinstance(request.y_score, list) or request.sample_weight is not None:
        return False
    return recurrent or schema[request.y_score] in _FEW_SCORES


def are_recurrent(frame: pl.DataFrame, request: Request) -> bool:
    """Return whether the scores of a frame recur, as its first rows tell."""
    if not isinstance(request.y_score, str):
        return False
    first = frame.get_column(request.y_score).head(_SAMPLE)
    return first.n_unique() * _RECURRENT <= len(first)


def evaluate_cube(frame: pl.LazyFrame, request: Request) -> pl.LazyFrame:
    """Return the query: the finest slices stream, the others are merged from them."""
    parts, structs = {}, {}
    if request.y_pred is not None:
        parts[_STATE] = _state_of_labels(request)
        structs[_STATE] = metrics_of_labels(_STATE, request)
    if request.y_score is not None:
        parts[_SCORED] = _state_of_scores(request)
        structs[_SCORED] = _metrics_of_scores(request)
    roll_up = RollUp((), request.by, subsets(request.by), tuple(parts))
    slices = roll_up.lazily(frame.group_by(request.by).agg(**parts))
    table = slices.select(*request.by, GROUPING, **structs).unnest(*structs)
    return suppress(put_together(_told(table, request), request), request)


def _state_of_labels(request: Request) -> pl.Expr:
    asked = request.asked
    return state(
        request.y_true,
        request.y_pred,
        labels=None if asked.implied else asked.labels,
        sample_weight=request.sample_weight,
        other=asked.other,
    )


def _state_of_scores(request: Request) -> pl.Expr:
    assert isinstance(request.y_score, str)  # many columns have no such state
    return state(
        request.y_true,
        y_score=request.y_score,
        pos_label=request.asked.pos_label,
        bins=None,
        nan=request.asked.nan,
    )


def metrics_of_labels(column: str, request: Request) -> pl.Expr:
    """Return the Struct that the rows of states would give; `n` is Float64."""
    asked = request.asked._replace(
        score_metrics=(), of_booleans=None, labels=None, found=None, other="raise", nan="raise",
        bins=None, weighted=True, implied=False,
    )  # fmt: skip
    return plugin("state_metrics", [column], asked.packed(), is_elementwise=True)


def _metrics_of_scores(request: Request) -> pl.Expr:
    """Return the same of scores, its totals named apart where there are others."""
    names = request.asked.score_metrics
    asked = Asked(
        score_metrics=names, undefined=request.asked.undefined, reasons=request.asked.reasons
    )
    metrics = plugin("score_state_metrics", [_SCORED], asked.packed(), is_elementwise=True)
    alone = request.y_pred is None
    told = TOTALS[:2] if alone else SCORE_TOTALS
    fields = dict(zip(TOTALS[:2], told, strict=True)) | {name: name for name in names}
    if request.asked.reasons and names:
        fields[REASONS] = REASONS if alone else SCORE_REASONS
    return pl.struct(metrics.struct.field(old).alias(new) for old, new in fields.items())


def _told(table: pl.LazyFrame, request: Request) -> pl.LazyFrame:
    """Return the table with whole numbers of rows; of a frame without rows there are none."""
    totals = []
    if request.y_pred is not None:
        totals.append(TOTALS[0])
    if request.y_score is not None:
        totals.append(TOTALS[0] if request.y_pred is None else SCORE_TOTALS[0])
    counted = pl.col(totals).fill_null(0.0)
    if request.sample_weight is None:
        counted = counted.cast(pl.UInt64)
    return table.with_columns(counted)
