"""The key of clusters in frames of states: its own name there, that of a column for others."""

from __future__ import annotations

import polars as pl

from confmat.errors import InputError
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.state_queries import SCORED
from confmat.logs.request import LogRequest


def with_named_clusters(stored: pl.DataFrame, request: LogRequest) -> pl.DataFrame:
    """Return states by slice and cluster, the key of clusters having the name of their column.

    Raises
    ------
    InputError
        There are no clusters, or another key has that name.
    """
    name = request.counting.cluster
    if name is None:
        raise InputError("`clusters` is True, and the log was evaluated without `cluster`")
    if name in stored.columns and stored[name].equals(stored[CLUSTER]):
        return stored.drop(CLUSTER)  # clusters are slices, too
    if name in (*stored.columns, SCORED):
        raise InputError(
            f"`clusters` is True, and {name!r}, the name of their column, is that of another "
            "column of states, too; rename it in the log, or the key in `by`"
        )
    return stored.rename({CLUSTER: name})
