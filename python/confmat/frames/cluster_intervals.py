"""Intervals of slices whose rows come in clusters: from the states of each slice and cluster."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import polars as pl

from confmat import _core
from confmat.errors import InputError, Row
from confmat.frames.partials import merge
from confmat.frames.slice_ends import Ends, ends_of_slices
from confmat.frames.state_queries import SCORED, STATE
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Confidence
from confmat.labels import Label
from confmat.matrices.clustered import ClusteredMatrix
from confmat.multiclass.clustered import ClusteredClasses
from confmat.objects.binned_multiclass_sweep import BinnedMulticlassSweep
from confmat.objects.left_out import LeftOutClusters
from confmat.objects.multilabel_matrix import MultilabelMatrix
from confmat.objects.states import from_bytes
from confmat.registry import is_regression_metric
from confmat.scores.clustered import ClusteredSweep
from confmat.state_kinds import StateKind

CLUSTER = "__confmat_cluster"  # the key of states that says which rows belong together
_AT = "__confmat_at"
OfClass: TypeAlias = Callable[[Label, str, Confidence], Interval]
_NO_ROWS = without_ends(math.nan, "there are no rows")


def check_cluster(parts: pl.DataFrame, cluster: Any) -> None:
    """Refuse what is no key of clusters, and rows of no cluster."""
    keys = [name for name in parts.columns if name not in (STATE, SCORED)]
    if cluster not in keys:
        raise InputError(f"`cluster` is {cluster!r}; wanted one of the keys of `parts`, {keys}")
    nulls = parts[cluster].is_null()
    if nulls.any():
        raise InputError(
            f"`cluster` names {cluster!r}, which is null ",
            Row(nulls.arg_max()),
            " of `parts`; wanted the cluster of each row",
        )


def without_clusters(parts: pl.DataFrame, cluster: str) -> pl.DataFrame:
    """Return the states of slices, those of their clusters merged."""
    keys = [name for name in parts.columns if name not in (STATE, SCORED, cluster)]
    return merge(parts.drop(cluster), by=keys)


class ClusteredSlices:
    """Slices, each with the states of its clusters.

    Parameters
    ----------
    slices : pl.DataFrame
        A row a slice: keys and states.
    parts : pl.DataFrame
        A row a slice and cluster, with the key `cluster` besides.
    cluster : str
        The name of that key.
    """

    def __init__(self, slices: pl.DataFrame, parts: pl.DataFrame, cluster: str) -> None:
        self._slices = slices
        keys = [name for name in slices.columns if name not in (STATE, SCORED)]
        if parts.select(*keys, cluster).is_duplicated().any():
            parts = merge(parts, by=[*keys, cluster])
        places = slices.select(keys).with_row_index(_AT) if keys else None
        if places is None:
            placed = parts.with_columns(pl.lit(0, pl.UInt32).alias(_AT))
        else:
            placed = parts.join(places, on=keys, how="left", nulls_equal=True)
        held = [name for name in (STATE, SCORED) if name in parts.columns]
        found = placed.group_by(_AT).agg(held)
        self._parts = {at: dict(zip(held, states, strict=True)) for at, *states in found.rows()}

    def are_of_objects(self, names: Sequence[str]) -> bool:
        """Whether metrics are of states of many classes, of label sets or of numbers."""
        first = self._slices[STATE].drop_nulls().head(1)
        if first.is_empty():
            return all(map(is_regression_metric, names))
        return _core.state_kind(first.item()) in (
            StateKind.CLASSES,
            StateKind.SETS,
            StateKind.MOMENTS,
        )

    def matrix(self, row: int, column: str = STATE, smoothing: float = 0.0) -> ClusteredMatrix:
        """Return the matrix of a slice with its clusters. Needs: the state is not null."""
        whole: Any = from_bytes(self._slices[column][row])
        return ClusteredMatrix(
            whole.smooth(smoothing) if smoothing else whole, self._of(row, column)
        )

    def of_classes(
        self,
        names: Sequence[str],
        ci: Confidence,
        *,
        pos_label: Label | None = None,
        smoothing: float = 0.0,
        keep_empty: bool = False,
    ) -> list[Ends]:
        """Return the ends of metrics of predicted classes, in each slice."""
        options: dict[str, Any] = {"pos_label": pos_label, "keep_empty": keep_empty}

        def read(row: int) -> list[Interval]:
            matrix = self.matrix(row, smoothing=smoothing)
            return [matrix.interval(name, *ci, **options) for name in names]

        return self._ends(names, STATE, read)

    def of_scores(self, names: Sequence[str], ci: Confidence, column: str) -> list[Ends]:
        """Return the ends of metrics of scores, in each slice."""

        def read(row: int) -> list[Interval]:
            sweep: Any = from_bytes(self._slices[column][row])
            clustered = ClusteredSweep(sweep, self._of(row, column))
            return [clustered.interval(name, *ci) for name in names]

        return self._ends(names, column, read)

    def of_objects(self, names: Sequence[str], ci: Confidence) -> list[Ends]:
        """Return the ends of numbers of many classes, label sets or numbers, in each slice."""

        def read(row: int) -> list[Interval]:
            whole: Any = from_bytes(self._slices[STATE][row])
            parts = self._of(row, STATE)
            if isinstance(whole, BinnedMulticlassSweep):
                of_classes = ClusteredClasses(whole, parts)
                return [of_classes.interval(name, *ci) for name in names]
            return LeftOutClusters(whole, parts).intervals(names, *ci)

        return self._ends(names, STATE, read)

    def of_one_class(self, row: int, keep_empty: bool = False) -> OfClass:
        """Return what gives the interval of a metric of one class of a slice."""
        whole: Any = from_bytes(self._slices[STATE][row])
        states = self._of(row, STATE)
        if isinstance(whole, BinnedMulticlassSweep):
            classes = ClusteredClasses(whole, states)
            return lambda label, name, ci: classes.against_rest(label).interval(name, *ci)
        if isinstance(whole, MultilabelMatrix):
            parts = [MultilabelMatrix.from_bytes(state) for state in states]

            def of_label(label: Label, name: str, ci: Confidence) -> Interval:
                tables = [part.label(label).to_bytes() for part in parts if label in part.labels]
                return ClusteredMatrix(whole.label(label), tables).interval(name, *ci)

            return of_label
        matrix = ClusteredMatrix(whole, states)
        return lambda label, name, ci: matrix.interval(
            name, *ci, pos_label=label, keep_empty=keep_empty
        )

    def _of(self, row: int, column: str) -> list[bytes]:
        return [state for state in self._parts[row][column] if state is not None]

    def _ends(self, names: Sequence[str], column: str, read: Any) -> list[Ends]:
        rows = [
            read(row) if state is not None else [_NO_ROWS] * len(names)
            for row, state in enumerate(self._slices[column])
        ]
        return [ends_of_slices([row[at] for row in rows]) for at in range(len(names))]
