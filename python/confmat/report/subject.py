"""What a report is about: one model of an evaluation, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import polars as pl

from confmat import positive_class
from confmat.default_metrics import default_metrics
from confmat.errors import InputError
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.partials import merge
from confmat.logs import looking_up, tables
from confmat.name_calls import base_of
from confmat.objects.any_sweep import AnySweep
from confmat.objects.matrix import ConfusionMatrix
from confmat.registry import find_quietly, is_score_metric
from confmat.slices.lattice import MODEL

_OF_TABLES = ("gmcc", "eve")
_MOST_IN_TABLES = 1_000
MAX_CURVES = 12  # classes that have curves of their own


@dataclass(frozen=True)
class Subject:
    """One model; `name` is None where there is but one."""

    evaluation: Any
    name: str | None
    level: float

    @property
    def request(self) -> Any:
        """What was asked of the log, with intervals where there are such."""
        request = self.evaluation._request
        if request.is_of_numbers:
            return replace(request, reading=replace(request.reading, side="both"))
        reading = replace(request.reading, ci=self.level, side="both", per_class=False)
        return replace(request, reading=reading)

    @property
    def is_clustered(self) -> bool:
        """Whether rows are not independent."""
        return self.request.counting.cluster is not None

    @property
    def is_of_numbers(self) -> bool:
        """Whether this is a regression."""
        return bool(self.request.is_of_numbers)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of slices."""
        return tuple(self.request.keys)

    @cached_property
    def parts(self) -> pl.DataFrame:
        """The states of the slices of this model."""
        return self._own(self.evaluation._parts)

    def _own(self, parts: pl.DataFrame) -> pl.DataFrame:
        models = self.evaluation.models
        return looking_up.of_model(parts, models, self.name) if models else parts

    @cached_property
    def state(self) -> Any:
        """The object of predicted classes of all rows; None where there is none."""
        of = self.evaluation.regression if self.is_of_numbers else self.evaluation.matrix
        return self._asked(of)

    @cached_property
    def matrix(self) -> ConfusionMatrix | None:
        """The confusion matrix of all rows; None of numbers, of label sets, of scores alone."""
        return self.state if isinstance(self.state, ConfusionMatrix) else None

    @cached_property
    def scores(self) -> Any:
        """The object of the scores of all rows; None where there is none."""
        return None if self.is_of_numbers else self._asked(self.evaluation.sweep)

    @cached_property
    def sweeps(self) -> list[tuple[Any, AnySweep]]:
        """The sweeps of the positive class, or of each of the largest classes against the rest."""
        if isinstance(self.scores, AnySweep):
            return [(self.scores.labels[1], self.scores)] if len(self.scores) else []
        of_one = getattr(self.scores, "one_vs_rest", None)
        if of_one is None or not self.scores.n:
            return []
        found = [(label, of_one(label)) for label in list(self.scores.labels)[:200]]
        largest = sorted(found, key=lambda one: -float(one[1].n_positive))[:MAX_CURVES]
        kept = {id(one[1]) for one in largest if one[1].n_positive}
        return [one for one in found if id(one[1]) in kept]

    def _asked(self, of: Any) -> Any:
        try:
            return of() if self.name is None else of(model=self.name)
        except InputError:  # asked for without predictions or without scores, or of no rows
            return None

    @cached_property
    def overall(self) -> pl.DataFrame:
        """The metrics of all rows: `metric`, `value`, `low`, `high`, `reason`."""
        names = None
        if self._is_large and self.request.reading.metrics is None:
            names = [name for name in default_metrics(two=False) if name not in _OF_TABLES]
        found: pl.DataFrame = self.evaluation.overall(
            names, ci=None if self.is_of_numbers else self.level, side="both"
        )
        if MODEL in found.columns:
            found = found.filter(pl.col(MODEL) == self.name)
        if self.is_of_numbers:
            nothing = pl.lit(None, pl.Float64)
            found = found.with_columns(low=nothing, high=nothing)
        return found.select("metric", "value", "low", "high", "reason")

    @property
    def _is_large(self) -> bool:
        """Whether determinants and eigenvalues of the matrix would take minutes."""
        return self.matrix is not None and len(self.matrix.labels) > _MOST_IN_TABLES

    @cached_property
    def is_of_two(self) -> bool:
        """Whether the positive class of the predictions is known."""
        if self.matrix is None:
            return False
        pos = self.request.counting.pos_label
        return positive_class.are_two(
            self.matrix.labels, self.matrix.pos_label if pos is None else pos
        )

    @cached_property
    def slice_metrics(self) -> list[str]:
        """The metrics that are shown of slices, the first of them first."""
        there = self.overall["metric"].to_list()
        if self.request.reading.metrics is not None:
            asked = [name for name in there if not is_score_metric(name)]
            return [*asked, *(name for name in there if name not in asked)][:5]
        if self.is_of_numbers:
            return [name for name in ("mae", "rmse", "r2", "mean_error") if name in there]
        of_one = ("accuracy", "precision", "recall", "mcc")
        of_many = ("accuracy", "precision_macro", "recall_macro", "mcc")
        wanted = of_one if self.is_of_two else of_many
        found = [name for name in (*wanted, "roc_auc") if name in there]
        return found or there[:4]

    def slices(self, by: Sequence[str], ends: list[str] | None = None) -> pl.DataFrame:
        """Return one row a slice by these keys: `n`, and metrics with their intervals.

        `ends`: those that have intervals; default all.
        """
        asked = tuple(by), None if ends == self.slice_metrics or ends is None else tuple(ends)
        if asked not in self._slices:
            self._slices[asked] = self._sliced(*asked)
        return self._slices[asked]

    @cached_property
    def _slices(self) -> dict[tuple[tuple[str, ...], tuple[str, ...] | None], pl.DataFrame]:
        """What was asked of slices: of one key, all slices are those of that key."""
        return {}

    def _sliced(self, by: tuple[str, ...], ends: tuple[str, ...] | None) -> pl.DataFrame:
        names = self.slice_metrics
        parts = merge(self.parts, by=list(by))
        clusters = None
        if self.is_clustered and not self.is_of_numbers:
            clusters = merge(self._own(self.evaluation._stored), by=[*by, CLUSTER])
        if ends is None:
            return tables.metrics_table(parts, self.request, names, clusters)
        rest = [name for name in names if name not in ends]
        reading = replace(self.request.reading, ci=None, side="both")
        bare = tables.metrics_table(parts, replace(self.request, reading=reading), rest)
        if not ends:
            return bare
        return tables.metrics_table(parts, self.request, ends, clusters).hstack(bare.select(rest))


def better(metric: str) -> str:
    """Return which end of a metric is better: "higher", "lower" or "neither"."""
    fact = find_quietly(base_of(metric))  # label sets have names of their own
    return "neither" if fact is None else str(fact["better"])
