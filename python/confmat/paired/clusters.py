"""Rows of clusters, such as those of one user: what each cluster adds to a difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError
from confmat.frames.cluster_intervals import CLUSTER
from confmat.intervals.clusters import numbered, of_sums
from confmat.intervals.levels import Floats
from confmat.labels import Label
from confmat.matrices.joint_codes import ARGUMENTS, triples_of
from confmat.matrices.joint_influence import Influence, centred
from confmat.objects.joint_matrix import JointMatrix

WEIGHT = "__confmat_weight"


class ClusterCells:
    """Counts, or sums of weights, of truth and two predictions in each cluster of some rows.

    Parameters
    ----------
    cells : pl.DataFrame
        Columns of the cluster, of truth, a and b, and of how many rows.
    labels : sequence of labels
        The classes; rows with another one, or with none, are left out.
    """

    def __init__(self, cells: pl.DataFrame, labels: Sequence[Label]) -> None:
        codes = triples_of(cells.select(ARGUMENTS), list(labels))
        weights: Floats = cells[WEIGHT].cast(pl.Float64).to_numpy()
        known = (np.minimum(np.minimum(codes[0], codes[1]), codes[2]) >= 0) & (weights > 0)
        k = len(labels)
        truth, a, b = (one[known].astype(np.int64) for one in codes)
        places = (truth * k + a) * k + b
        clusters, self.n_clusters = numbered(cells[CLUSTER].filter(pl.Series(known)))
        order = np.lexsort((places, clusters))  # the groups of Polars come in any order
        self._clusters, self._places = clusters[order], places[order]
        self._weights = weights[known][order]

    @property
    def n(self) -> float:
        """Rows, or the sum of their weights."""
        return float(self._weights.sum())

    def entries(
        self, joint: JointMatrix
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
        """Return clusters, in order, the numbers of their joint cells, and what is in these."""
        at = np.searchsorted(joint._state.places, self._places)
        return self._clusters, at, self._weights

    def variance(self, joint: JointMatrix, found: Influence) -> float:
        """Return the variance of a difference: of the sums over each cluster.

        Needs: the joint counts are those of the same rows.
        """
        moved = centred(joint, found.difference)
        at = np.searchsorted(joint._state.places, self._places)
        return of_sums(self._clusters, self.n_clusters, self._weights * moved[at])


def check_clusters(cells: pl.DataFrame, cluster: str) -> None:
    """Refuse rows of no cluster."""
    nulls = cells.filter(pl.col(CLUSTER).is_null())
    if nulls.height:
        raise InputError(
            f"`cluster` names {cluster!r}, which has nulls; wanted the cluster of each row"
        )


def cluster_cells(
    rows: Sequence[pl.LazyFrame], keys: Sequence[str], columns: Sequence[str], weight: str | None
) -> pl.DataFrame:
    """Return how many rows of each cluster have each combination of these columns.

    Parameters
    ----------
    rows : sequence of pl.LazyFrame
        The parts of a log, with the column of clusters; read by Polars' streaming engine.
    keys, columns : sequence of str
        What tells slices apart; truth and predictions.
    weight : str, optional
        A column of weights, which are summed in place of rows.
    """
    by = list(dict.fromkeys([*keys, CLUSTER, *columns]))
    counted: Any = pl.len().cast(pl.Int64) if weight is None else pl.col(weight).sum()
    parts = [
        (part if weight is None else part.filter(pl.col(weight).is_not_null()))
        .group_by(by)
        .agg(counted.alias(WEIGHT))
        .collect(engine="streaming")
        for part in rows
    ]
    if len(parts) == 1:
        return parts[0]
    return pl.concat(parts, how="vertical_relaxed").group_by(by).agg(pl.col(WEIGHT).sum())
