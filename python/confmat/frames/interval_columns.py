"""Whole frames and queries with intervals: through states, which keep squared weights, too."""

from __future__ import annotations

from typing import Any, TypeVar

import polars as pl

from confmat.errors import InputError
from confmat.frames.asked import REASONS, TOTALS, Asked, with_ends
from confmat.frames.cluster_intervals import (
    CLUSTER,
    ClusteredSlices,
    with_cluster_ends,
    without_clusters,
)
from confmat.frames.partials import partial
from confmat.frames.reasons import hidden, hidden_ends
from confmat.frames.request import Request, check_columns
from confmat.frames.state_queries import STATE
from confmat.frames.state_values import state_metrics

_METRICS = "__confmat_metrics__"
Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


def with_intervals(frame: Frame, request: Request, ci: float, cluster: str | None = None) -> Frame:
    """Return the table of `evaluate` with the ends of the interval of each metric behind it.

    Raises
    ------
    InputError
        Scores or a cube are asked for, or clusters of a query, which `cm.evaluate` has.
    """
    rows: Any = frame if cluster is None else _with_cluster(frame, cluster, ci)
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
    clusters = parts
    if cluster is not None:
        parts = without_clusters(parts, CLUSTER)
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
    metrics = state_metrics(STATE, asked.metrics, ci=ci, **of_states).alias(_METRICS)
    table: Any = parts.select(*request.by, metrics).unnest(_METRICS)
    if request.sample_weight is None:
        table = table.with_columns(pl.col("n").cast(pl.UInt64))
    if asked.reasons:
        told = [pl.col(REASONS).struct.field(name) for name in asked.metrics]
        table = table.select(pl.exclude(REASONS), pl.struct(told).alias(REASONS))
    if cluster is not None:
        of_clusters = {name: of_states[name] for name in ("pos_label", "smoothing", "keep_empty")}
        found = ClusteredSlices(parts, clusters, CLUSTER).of_classes(
            asked.metrics, ci, **of_clusters
        )
        table = with_cluster_ends(table, asked.metrics, found)
    if request.min_n:
        of = {TOTALS[0]: asked.metrics}
        table = table.with_columns(hidden(of, request.min_n, asked.reasons))
    out: Frame = table.with_columns(hidden_ends(ends))
    return out


def _with_cluster(frame: Any, cluster: Any, ci: float) -> Any:
    """Return the frame with the key of clusters."""
    if isinstance(frame, pl.LazyFrame):
        asked = f"cm.evaluate(frame, ..., cluster={cluster!r}, ci={ci!r})"
        raise InputError(f"`cluster` of a LazyFrame is in {asked}")
    check_columns([("cluster", cluster)], frame.schema)
    missing = frame[cluster].is_null()
    if missing.any():
        raise InputError(
            f"`cluster` {cluster!r} is null at row {missing.arg_max()}; wanted the cluster of each "
            "row"
        )
    return frame.with_columns(pl.col(cluster).alias(CLUSTER))
