"""Values of metrics of groups, why some are undefined, and their intervals at any level."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.fairness.groups import Groups, Ints
from confmat.frames.asked import REASONS
from confmat.frames.finishing import finish
from confmat.frames.state_intervals import interval_of, no_interval
from confmat.frames.state_queries import SCORED, STATE
from confmat.frames.state_rates import not_counted, rates_of, summed
from confmat.intervals.levels import Floats
from confmat.intervals.proportions import Proportion, proportion_of
from confmat.intervals.ranges import ROW, Limits
from confmat.intervals.wilson import wilson
from confmat.multiclass.values import asked as multiclass_asked
from confmat.registry import find, find_quietly, is_score_metric

Ends: TypeAlias = Callable[[float], tuple[Floats, Floats]]
AVERAGE_ODDS, TREATMENT_EQUALITY = "average_odds", "treatment_equality"
_USUAL = 0.95  # a level, to see whether a metric has intervals
OWN = (AVERAGE_ODDS, TREATMENT_EQUALITY)  # made of two rates each; the registry has them not


@dataclass(frozen=True)
class Measure:
    """A metric of each group: nan and a reason where it is undefined."""

    name: str
    value: Floats
    reasons: tuple[str | None, ...]
    ends: Ends  # of a two-sided interval, by level
    counts: tuple[Floats, Floats] | None = None  # of a rate
    step: Floats | None = None
    no_interval: str = ""  # why there is none, for all groups

    def at(self, level: float) -> Limits:
        """Return the values with the ends of an interval of this level."""
        step = np.zeros_like(self.value) if self.step is None else self.step
        return Limits(self.value, *self.ends(level), step)

    def take(self, rows: Ints) -> Measure:
        """Return the measure of some groups."""

        def ends(level: float) -> tuple[Floats, Floats]:
            low, high = self.ends(level)
            return low[rows], high[rows]

        counts = None if self.counts is None else (self.counts[0][rows], self.counts[1][rows])
        step = None if self.step is None else self.step[rows]
        reasons = tuple(self.reasons[int(row)] for row in rows)
        return replace(
            self, value=self.value[rows], reasons=reasons, ends=ends, counts=counts, step=step
        )

    def without(self, hidden: Any, why: str) -> Measure:
        """Return the measure without some groups, for a reason."""
        if not hidden.any():
            return self

        def ends(level: float) -> tuple[Floats, Floats]:
            low, high = (np.where(hidden, np.nan, end) for end in self.ends(level))
            return low, high

        reasons = tuple(
            why if hide else reason for hide, reason in zip(hidden, self.reasons, strict=True)
        )
        value = np.where(hidden, np.nan, self.value)
        return replace(self, value=value, reasons=reasons, ends=ends)


class Measures:
    """The metrics of groups, read when they are asked for, and kept."""

    def __init__(
        self, groups: Groups, metrics: Iterable[str], min_n: int = 0, is_binary: bool = False
    ) -> None:
        self.groups = groups
        self.min_n = min_n
        self._not_counted = not_counted(groups.frame)
        # Rates are read of counts, all others at once.
        others = [name for name in metrics if name not in OWN and not self._is_rate(name)]
        self._table = self._finished(others) if others or not is_binary else groups.cells
        self.n: Floats = self._table["n"].cast(pl.Float64).fill_null(0).to_numpy()
        self.hidden = self.n < min_n
        self._kept: dict[str, Measure] = {}

    def __getitem__(self, name: str) -> Measure:
        """Return a metric, without the groups that are too small."""
        if name not in self._kept:
            whole = self._of(name)
            self._kept[name] = whole.without(self.hidden, f"n is below min_n = {self.min_n}")
        return self._kept[name]

    def _is_rate(self, name: str) -> bool:
        return self._not_counted is None and proportion_of(name) is not None

    def _finished(self, names: list[str]) -> pl.DataFrame:
        """Return `n`, metrics and reasons, in the order of the groups."""
        pos_label = self.groups.pos_label
        asked = names or None
        if asked is None and self.groups.has_scores:
            asked = ["accuracy"]
        return finish(self.groups.frame, asked, pos_label=pos_label, reasons=bool(names))

    def _of(self, name: str) -> Measure:
        if name == AVERAGE_ODDS:
            return average_odds(self["tpr"], self["fpr"])
        if name == TREATMENT_EQUALITY:
            return treatment_equality(self.groups.cells, self._not_counted or "")
        rate = proportion_of(name)
        if rate is not None and self._is_rate(name):
            return self._rate(name, rate)
        return self._other(name)

    def _rate(self, name: str, rate: Proportion) -> Measure:
        if rate.is_of_all_rows:
            k, n = rates_of(self.groups.frame, name)
        else:
            k, n = summed(self.groups.cells, rate)
        k, n = np.nan_to_num(k), np.nan_to_num(n)
        return of_counts(name, k, n, f"{rate.denominator} = 0")

    def _other(self, name: str) -> Measure:
        table = self._table
        if name not in table.columns or REASONS not in table.columns:
            table = self._finished([name])
        value = table[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
        reasons = tuple(table[REASONS].struct.field(name).to_list())
        frame, pos_label = self._states_of(name), self.groups.pos_label

        def ends(level: float) -> tuple[Floats, Floats]:
            low, high = interval_of(frame, name, level, pos_label)
            return low.fill_null(np.nan).to_numpy(), high.fill_null(np.nan).to_numpy()

        nothing = ends(_USUAL)
        if not np.isnan(nothing[0]).all():
            return Measure(name, value, reasons, ends)
        why = next(iter(no_interval(frame, name, pos_label).drop_nulls()), "")
        return Measure(name, value, reasons, lambda _: nothing, no_interval=why)

    def _states_of(self, name: str) -> pl.DataFrame:
        """Return the states that have the metric, as `state`."""
        frame = self.groups.frame
        if is_score_metric(name) and SCORED in frame.columns:
            return frame.select(pl.col(SCORED).alias(STATE))
        return frame.select(STATE)


def of_counts(name: str, k: Floats, n: Floats, why: str) -> Measure:
    """Return a rate of these counts; `why` is the reason where there are none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        value, step = k / n, np.where(n > 0, ROW / n, np.nan)
    reasons = tuple(None if some else why for some in n > 0)
    return Measure(name, value, reasons, lambda level: wilson(k, n, level), (k, n), step)


def average_odds(tpr: Measure, fpr: Measure) -> Measure:
    """Return the mean of two rates of different rows: the ends are as far as both say together."""

    def ends(level: float) -> tuple[Floats, Floats]:
        one, other = tpr.at(level), fpr.at(level)
        below = np.hypot(one.value - one.low, other.value - other.low) / 2
        above = np.hypot(one.high - one.value, other.high - other.value) / 2
        return value - below, value + above

    value = (tpr.value + fpr.value) / 2
    reasons = tuple(one or other for one, other in zip(tpr.reasons, fpr.reasons, strict=True))
    steps = None if tpr.step is None or fpr.step is None else (tpr.step + fpr.step) / 2
    return Measure(AVERAGE_ODDS, value, reasons, ends, step=steps, no_interval=tpr.no_interval)


def treatment_equality(cells: pl.DataFrame, no_interval: str = "") -> Measure:
    """Return fn / fp: the odds of the share of false negatives among errors, and so its ends."""
    fp, fn = (cells[name].fill_null(0).to_numpy() for name in ("fp", "fn"))

    def ends(level: float) -> tuple[Floats, Floats]:
        whole = np.full_like(fn, np.nan) if no_interval else fn + fp
        low, high = wilson(fn, whole, level)
        with np.errstate(divide="ignore"):
            return low / (1 - low), high / (1 - high)

    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.where(fp > 0, fn / fp, np.nan)
    reasons = tuple(None if some else "fp = 0" for some in fp > 0)
    return Measure(TREATMENT_EQUALITY, value, reasons, ends, no_interval=no_interval)


def refuse_unknown(metrics: Iterable[str]) -> None:
    """Refuse a metric that neither the registry nor this package has."""
    for name in metrics:
        if not isinstance(name, str):
            raise InputError(f"`metrics` has {name!r}; wanted names of metrics")
        if name not in OWN and not _is_of_many_classes(name):
            find(name)
        elif name not in OWN:
            raise InputError(
                f"`metrics` has {name!r}, of scores of many classes, which groups are not compared "
                "by; wanted metrics of predicted classes, or of scores of one class"
            )


def _is_of_many_classes(name: str) -> bool:
    """Return whether scores of many classes alone have a metric."""
    if find_quietly(name) is not None:
        return False
    try:
        multiclass_asked(name, {})
    except InputError:
        return False
    return True
