"""One metric of label sets, or of scores for them, in a frame of states."""

from __future__ import annotations

import math
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.cluster_intervals import ClusteredSlices
from confmat.frames.state_families import is_of_kind
from confmat.frames.state_queries import STATE
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Confidence
from confmat.labelsets.averages import reading_of
from confmat.labelsets.ranking import RANKINGS
from confmat.name_calls import base_of
from confmat.registry import Fact, find, find_quietly
from confmat.scores.confidence import has_formula
from confmat.scores.influence import PRECISION
from confmat.slices.reading import ENOUGH, Metric, keys_of
from confmat.state_kinds import StateKind

# Means over rows that the registry does not have, and one of which more or less is better as well.
_ALIKE = {
    "exact_match": "accuracy",
    "label_ranking_average_precision": "accuracy",
    "label_ranking_loss": "hamming_loss",
    "coverage_error": "hamming_loss",
}

_NO_INTERVAL = "there is no interval: "


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
        _, low, high = self.measured(states, [level]).limits[level].T
        return pl.Series(low, nan_to_null=True), pl.Series(high, nan_to_null=True)

    def no_interval(self, states: pl.DataFrame) -> pl.Series:
        """Return why there is no interval of each row, null where there is one."""
        return _NO_INTERVAL + self.measured(states, [0.95]).why

    def no_error(self, states: pl.DataFrame, why: pl.Series) -> pl.Series:
        """Return why there is no standard error of a defined value, of each row."""
        return (_NO_INTERVAL + why).fill_null(f"there is no standard error of {self.name}")

    def clustered(
        self, states: pl.DataFrame, clusters: pl.DataFrame, level: float
    ) -> tuple[pl.Series, pl.Series]:
        """Return the two ends of the interval of each row, whose clusters have one key more."""
        cluster = next(name for name in keys_of(clusters) if name not in states.columns)
        found = ClusteredSlices(states, clusters, cluster).of_objects(
            [self.name], Confidence(level)
        )[0]
        return found.low, found.high

    @property
    def _may_have_error(self) -> bool:
        return True

    def _freedom(self, of: Any) -> float:
        """Return inf: the standard error of many labels is taken as known."""
        return math.inf

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
            if kind == StateKind.SET_SCORES
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
    if kind == StateKind.SET_SCORES:
        return find(base_of(reading_of(metric, None)[0]))
    of_row = find_quietly(metric) or find_quietly(metric.removesuffix("_samples"))
    return of_row or find("accuracy")
