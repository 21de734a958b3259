"""Whole frames and queries with intervals: through states, which keep squared weights, too."""

from __future__ import annotations

from typing import Any, TypeVar

import polars as pl

from confmat.errors import InputError
from confmat.frames.asked import TOTALS, Asked, with_ends
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.clustered_frames import clustered_table, with_cluster_key
from confmat.frames.evaluate import name_score, of_scores
from confmat.frames.partials import partial
from confmat.frames.reasons import hidden_ends, put_together
from confmat.frames.request import Request
from confmat.frames.state_queries import STATE, grouped_states
from confmat.frames.state_values import state_metrics
from confmat.frames.states import state
from confmat.frames.states_by_keys import label_states_by_keys
from confmat.frames.whole_frame import name_row, suppress
from confmat.intervals.levels import Confidence, arguments_of
from confmat.scores.grid import UNIT

_SCORES = "__confmat_scores__"
Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


def with_intervals(
    frame: Frame, request: Request, ci: Confidence, cluster: str | None = None
) -> Frame:
    """Return the table of `evaluate` with the ends of the interval of each metric behind it.

    Raises
    ------
    InputError
        A cube is asked for, or clusters with scores of many classes, which `cm.evaluate` has.
    """
    asked: Asked = request.asked
    several = cluster is not None and isinstance(request.y_score, list)
    if request.cube or several:
        what = "`cube`" if request.cube else "`cluster` and a list as `y_score`"
        side = "" if ci.side == "both" else f", side={ci.side!r}"
        raise InputError(
            f"`ci` with {what} is in cm.evaluate(frame, ..., ci={ci.level!r}{side}).slices()"
        )
    ends = with_ends((*asked.metrics, *asked.score_metrics), ci)
    for key in request.by:
        if key in ends:
            raise InputError(f"`by` has the column {key!r}, a name of the result; rename it first")
    if cluster is not None:
        return _of_clusters(frame, request, ci, cluster)
    labels = None if asked.implied else asked.labels
    columns = {}
    of_labels: dict[str, Any] = {
        "labels": labels,
        "pos_label": asked.pos_label,
        "sample_weight": request.sample_weight,
        "other": asked.other,
    }
    if request.y_pred is not None:
        columns[STATE] = state(request.y_true, request.y_pred, **of_labels)
    if request.y_score is not None:
        columns[_SCORES] = of_scores(request, ci)

    def refuse(rows: pl.DataFrame) -> None:
        if request.y_pred is not None:
            name_row(rows, request, labels)
        if isinstance(request.y_score, str):
            name_score(rows, request)

    table: Any
    if request.y_pred is None or request.y_score is not None:
        table = grouped_states(frame, request.by, columns, refuse)
    else:
        of_labels |= {"y_true": request.y_true, "y_pred": request.y_pred}
        table = label_states_by_keys(frame, request.by, columns[STATE], refuse, **of_labels)
    if request.y_pred is not None:
        options = _of_classes(asked) | {"reasons": asked.reasons}
        told = state_metrics(STATE, asked.metrics, **arguments_of(ci), **options)
        table = table.with_columns(told.alias(STATE))
    table = table.unnest(columns)
    if request.y_pred is not None and request.sample_weight is None:
        table = table.with_columns(pl.col(TOTALS[0]).cast(pl.UInt64))
    table = put_together(table, request)
    shown: Any = suppress(table, request)
    out: Frame = shown.with_columns(hidden_ends(ends))
    return out


def _of_clusters(frame: Frame, request: Request, ci: Confidence, cluster: str) -> Frame:
    """Return the same where the rows of a cluster go together, from states of each of them."""
    asked: Asked = request.asked
    keyed: Any = with_cluster_key(frame, cluster)
    parts: Any = partial(
        keyed,
        y_true=request.y_true,
        y_pred=request.y_pred,
        y_score=request.y_score,
        by=[*request.by, CLUSTER],
        labels=None if asked.implied or request.y_pred is None else asked.labels,
        pos_label=asked.pos_label,
        sample_weight=request.sample_weight,
        other=asked.other if request.y_pred is not None else "raise",  # type: ignore[arg-type]
        bins=UNIT if request.y_score is None else None,
        nan=asked.nan,  # type: ignore[arg-type]
    )
    options: dict[str, Any] = {"reasons": asked.reasons, "min_n": request.min_n}
    options |= arguments_of(ci)
    options["metrics"] = [*asked.metrics, *asked.score_metrics]
    weighted = request.sample_weight is not None
    out: Frame = clustered_table(parts, cluster, weighted, **_of_classes(asked), **options)
    return out


def _of_classes(asked: Asked) -> dict[str, Any]:
    return {
        "pos_label": asked.pos_label,
        "undefined": asked.undefined,
        "smoothing": asked.smoothing,
        "keep_empty": asked.keep_empty,
    }
