"""Whole frames and queries whose rows come in clusters: states by slice and cluster, and tables."""

from __future__ import annotations

from typing import Any, TypeVar

import polars as pl

from confmat.errors import InputError, Row
from confmat.frames.asked import TOTALS
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.finishing import finish
from confmat.frames.request import SCORE_TOTALS, check_columns

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


def with_cluster_key(frame: Frame, cluster: Any) -> Frame:
    """Return a frame with the key of clusters; of a query it is checked when it is collected.

    Raises
    ------
    InputError
        There is no such column, or it has nulls.
    """
    check_columns([("cluster", cluster)], frame.collect_schema())
    if isinstance(frame, pl.DataFrame):
        _refuse_nulls(frame[cluster], cluster)
    keyed: Frame = frame.with_columns(pl.col(cluster).alias(CLUSTER))
    return keyed


def clustered_table(parts: Frame, cluster: str, weighted: bool, **options: Any) -> Frame:
    """Return the table of `finish` of states by slice and cluster: of a query, a query.

    `weighted`: whether `n` sums weights, which the states of a query do not tell before.
    """
    if isinstance(parts, pl.DataFrame):
        return finish(parts, cluster=CLUSTER, **options)
    dtype = pl.Float64 if weighted else pl.UInt64

    def table(states: pl.DataFrame) -> pl.DataFrame:
        _refuse_nulls(states[CLUSTER], cluster)
        found = finish(states, cluster=CLUSTER, **options)
        totals = [name for name in (TOTALS[0], SCORE_TOTALS[0]) if name in found.columns]
        return found.with_columns(pl.col(totals).cast(dtype))

    schema = table(pl.DataFrame(schema=parts.collect_schema())).schema
    pushed = dict.fromkeys(
        ("predicate_pushdown", "projection_pushdown", "slice_pushdown"),
        False,
    )
    made: Any = parts.map_batches(table, schema=schema, **pushed)
    out: Frame = made
    return out


def _refuse_nulls(clusters: pl.Series, name: str) -> None:
    missing = clusters.is_null()
    if missing.any():
        at = ("is null ", Row(missing.arg_max() or 0)) if clusters.name == name else ("has nulls",)
        raise InputError(f"`cluster` {name!r} ", *at, "; wanted the cluster of each row")
