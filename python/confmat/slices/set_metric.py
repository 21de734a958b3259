"""One metric of label sets, or of scores for them, in a frame of states."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.frames.cluster_intervals import ClusteredSlices
from confmat.frames.state_families import SET_SCORES, is_of_kind
from confmat.frames.state_queries import STATE
from confmat.intervals.interval import Interval, why_none, without_ends
from confmat.intervals.levels import Confidence, Floats
from confmat.labelsets.averages import reading_of
from confmat.labelsets.ranking import RANKINGS
from confmat.objects.states import from_bytes
from confmat.registry import Fact, find, find_quietly
from confmat.scores.confidence import has_formula
from confmat.scores.influence import PRECISION
from confmat.slices.reading import ENOUGH, Metric, keys_of

# Means over rows that the registry does not have, and one of which more or less is better as well.
_ALIKE = {
    "exact_match": "accuracy",
    "label_ranking_average_precision": "accuracy",
    "label_ranking_loss": "hamming_loss",
    "coverage_error": "hamming_loss",
}


class SetMetric(Metric):
    """A metric of label sets or of scores for them, whose intervals are those of `ci`."""

    __slots__ = ()

    @property
    def range(self) -> tuple[float, float]:
        """All numbers: some means over rows have the facts of what is read alike."""
        return -math.inf, math.inf

    @property
    def is_rate(self) -> bool:
        """Never: not even exact matches are counted as rates of classes are."""
        return False

    def interval(self, states: pl.DataFrame, level: float) -> tuple[pl.Series, pl.Series]:
        """Return the ends of the interval of the value of each row, null where there is none."""
        _, low, high, _ = self.measured(states, level).T
        return pl.Series(low, nan_to_null=True), pl.Series(high, nan_to_null=True)

    def no_interval(self, states: pl.DataFrame) -> pl.Series:
        """Return why there is no interval of each row, null where there is one."""
        found = self._intervals(states, 0.95)
        why = [None if one is None else why_none(one) for one in found]
        told = [None if one is None else f"there is no interval: {one}" for one in why]
        return pl.Series(told, dtype=pl.String)

    def measured(self, states: pl.DataFrame, level: float) -> Floats:
        """Return value, low, high and standard error of each row; nan where there are none."""
        out = np.full((states.height, 4), np.nan)
        for row, found in enumerate(self._intervals(states, level)):
            if found is not None:
                out[row] = found[:4]
        return out

    def freedom(self, states: pl.DataFrame) -> Floats:
        """Return inf: the standard error of many labels is taken as known."""
        return np.full(states.height, np.inf)

    def no_error(self, states: pl.DataFrame) -> pl.Expr:
        """Return why there is no standard error of a defined value of a row."""
        return pl.coalesce(pl.lit(self.no_interval(states)), super().no_error(states))

    def clustered(
        self, states: pl.DataFrame, clusters: pl.DataFrame, level: float
    ) -> tuple[pl.Series, pl.Series]:
        """Return the two ends of the interval of each row, whose clusters have one key more."""
        cluster = next(name for name in keys_of(clusters) if name not in states.columns)
        found = ClusteredSlices(states, clusters, cluster).of_objects(
            [self.name], Confidence(level)
        )[0]
        return found.low, found.high

    def _intervals(self, states: pl.DataFrame, level: float) -> list[Interval | None]:
        """Return the interval of each row, None where there are no rows."""
        return [
            None if state is None else self._interval_of(from_bytes(state), level)
            for state in states[STATE]
        ]

    def _interval_of(self, of: Any, level: float) -> Interval:
        base = self.fact["name"]
        of_labels = hasattr(of, "_sweeps") and self.name not in RANKINGS
        if of_labels and base == PRECISION:
            if min(min(sweep._effective_rows()) for sweep in of._sweeps) < ENOUGH:
                why = f"it takes {ENOUGH} rows of each label with it, and without it"
                return without_ends(of.value(self.name), why)
        elif of_labels and not has_formula(base):
            return without_ends(of.value(self.name), f"that of {base} takes rows drawn again")
        found: Interval = of.ci(self.name, level)
        return found


def set_metric(kind: int, metric: Any, pos_label: Any) -> SetMetric:
    """Return the metric of a name that states of this kind have."""
    if not isinstance(metric, str) or not is_of_kind(kind, metric):
        of, such = (
            ("scores for label sets", "roc_auc_macro")
            if kind == SET_SCORES
            else ("label sets", "hamming_loss")
        )
        raise InputError(f"`metric` is {metric!r}; wanted one of {of}, as {such!r}")
    if pos_label is not None:
        raise InputError(f"`pos_label` is {pos_label!r}; label sets have no positive class")
    return SetMetric(metric, _fact_of(kind, metric), STATE, None)


def _fact_of(kind: int, metric: str) -> Fact:
    """Return the facts of a metric; means over rows have those of the metric of one row."""
    if metric in _ALIKE:
        return find(_ALIKE[metric])
    if kind == SET_SCORES:
        return find(reading_of(metric, None)[0].partition("(")[0])
    of_row = find_quietly(metric) or find_quietly(metric.removesuffix("_samples"))
    return of_row or find("accuracy")
