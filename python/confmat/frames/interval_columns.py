"""Whole frames and queries with intervals: through states, which keep squared weights, too."""

from __future__ import annotations

from typing import Any, TypeVar

import polars as pl

from confmat.errors import InputError
from confmat.frames.asked import REASONS, TOTALS, Asked, with_ends
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.clustered_frames import clustered_table, with_cluster_key
from confmat.frames.partials import partial
from confmat.frames.reasons import hidden, hidden_ends
from confmat.frames.request import Request
from confmat.frames.state_queries import STATE
from confmat.frames.state_values import state_metrics

_METRICS = "__confmat_metrics__"
Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


def with_intervals(frame: Frame, request: Request, ci: float, cluster: str | None = None) -> Frame:
    """Return the table of `evaluate` with the ends of the interval of each metric behind it.

    Raises
    ------
    InputError
        Scores or a cube are asked for, which `cm.evaluate` has.
    """
    rows: Any = frame if cluster is None else with_cluster_key(frame, cluster)
    if request.y_pred is None or request.y_score is not None or request.cube:
        what = "`cube`" if request.cube else "`y_score`"
        raise InputError(f"`ci` with {what} is in cm.evaluate(frame, ..., ci={ci!r}).slices()")
    asked: Asked = request.asked
    parts: Any = partial(
        rows,
        y_true=request.y_true,
        y_pred=request.y_pred,
        by=[*request.by, *([] if cluster is None else [CLUSTER])] or None,
        labels=None if asked.implied else asked.labels,
        pos_label=asked.pos_label,
        sample_weight=request.sample_weight,
        other=asked.other,  # type: ignore[arg-type]
    )
    of_states: dict[str, Any] = {
        "pos_label": asked.pos_label,
        "undefined": asked.undefined,
        "smoothing": asked.smoothing,
        "keep_empty": asked.keep_empty,
        "reasons": asked.reasons,
    }
    ends = with_ends(asked.metrics, ci)
    for key in request.by:
        if key in ends:
            raise InputError(f"`by` has the column {key!r}, a name of the result; rename it first")
    if cluster is not None:
        of_states |= {"metrics": asked.metrics, "min_n": request.min_n, "ci": ci}
        clustered: Frame = clustered_table(
            parts, cluster, request.sample_weight is not None, **of_states
        )
        return clustered
    metrics = state_metrics(STATE, asked.metrics, ci=ci, **of_states).alias(_METRICS)
    table: Any = parts.select(*request.by, metrics).unnest(_METRICS)
    if request.sample_weight is None:
        table = table.with_columns(pl.col("n").cast(pl.UInt64))
    if asked.reasons:
        told = [pl.col(REASONS).struct.field(name) for name in asked.metrics]
        table = table.select(pl.exclude(REASONS), pl.struct(told).alias(REASONS))
    if request.min_n:
        of = {TOTALS[0]: asked.metrics}
        table = table.with_columns(hidden(of, request.min_n, asked.reasons))
    out: Frame = table.with_columns(hidden_ends(ends))
    return out
