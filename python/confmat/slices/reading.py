"""One metric of a frame of states: its values, intervals, and why some are null."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.foreign_frames import FRAME, frame_error
from confmat.frames.asked import REASONS, Asked
from confmat.frames.cluster_intervals import ClusteredSlices
from confmat.frames.expressions import plugin
from confmat.frames.state_intervals import interval_of, no_interval
from confmat.frames.state_queries import SCORED, STATE, of_each_state
from confmat.frames.state_rates import not_counted, rates_of
from confmat.frames.state_values import state_metrics
from confmat.intervals.interval import Interval, why_none
from confmat.intervals.levels import Confidence, Floats
from confmat.intervals.proportions import rate_name
from confmat.labels import Label
from confmat.matrices.confidence import rate
from confmat.matrices.spread_rows import rows_of_spread
from confmat.moments.confidence import NO_POWERS, lacks_powers
from confmat.objects.any_sweep import AnySweep
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.regression import Regression
from confmat.objects.states import from_bytes
from confmat.registry import Fact, is_score_metric
from confmat.scores.confidence import AREAS, SEED, has_formula
from confmat.state_kinds import StateKind

# Score metrics whose standard error is that of rows drawn again, of as many rows of each class. Of
# fewer the tests of the first told a difference where there was none in 13 % of 200 samples of 18
# positives, and in 6 % of 60. Those that are large by chance alone, as `ks`, are not among them.
_DRAWN = (
    "average_precision",
    "pr_auc_trapezoid",
    "h_measure",
    "h_measure_prior",
    "pr_gain_auc",
    "d2_log_loss",
    "hinge_loss",
)
ENOUGH = 50


class Measured(NamedTuple):
    """What states say of a metric: a row a state, nan where there is no standard error."""

    limits: dict[float, Floats]  # by level: value, low and high
    freedom: Floats  # of the standard errors
    why: pl.Series  # there are no limits, where an interval says so


class Metric(NamedTuple):
    """A metric, and the column of states that it is read of."""

    name: str  # as it was asked for, with its parameters
    fact: Fact
    column: str
    pos_label: Label | None

    @property
    def is_lower_better(self) -> bool:
        """Whether less is better."""
        return self.fact["better"] == "lower"

    @property
    def range(self) -> tuple[float, float]:
        """The least and the largest that a value can be."""
        return float(self.fact["lo"]), float(self.fact["hi"])

    def read(self, states: pl.DataFrame) -> pl.DataFrame:
        """Return `n`, `value` and `reason` of each row; `n` is a whole number of counted rows."""
        asked = state_metrics(self.column, [self.name], pos_label=self.pos_label, reasons=True)
        told = of_each_state(states, asked)
        table = told.struct.unnest()
        reason = table[REASONS].struct.unnest().to_series()
        value = table.to_series(table.columns.index(reason.name))
        n = table["n"].fill_null(0)
        if not any(map(_core.state_holds_weights, states[self.column].drop_nulls())):
            n = n.cast(pl.UInt64)
        reason = pl.select(
            pl.when(states[self.column].is_null())
            .then(pl.lit("there are no rows"))
            .otherwise(reason)
        ).to_series()
        return pl.DataFrame([n, value.alias("value"), reason.alias("reason")])

    def interval(self, states: pl.DataFrame, level: float) -> tuple[pl.Series, pl.Series]:
        """Return the ends of the interval of the value of each row, null where there is none."""
        if self._is_of_numbers:
            return interval_of(self._alone(states), self.name, level)
        return interval_of(self._alone(states), self.fact["name"], level, self.pos_label)

    def no_interval(self, states: pl.DataFrame) -> pl.Series:
        """Return why there is no interval of each row, null where there is one."""
        if self._is_of_numbers:
            low, _ = self.interval(states, 0.95)
            why = NO_POWERS if self._lacks_powers(states) else "it has no formula"
            told = pl.lit(f"there is no interval: {why}")
            return pl.select(pl.when(low.is_null()).then(told)).to_series()
        return no_interval(self._alone(states), self.fact["name"], self.pos_label)

    @property
    def _is_of_numbers(self) -> bool:
        return self.fact["level"] == "regression"

    @property
    def is_rate(self) -> bool:
        """Whether the metric is a share of rows."""
        return not self._is_of_numbers and rate_name(self.fact["name"]) is not None

    def counts(self, states: pl.DataFrame) -> tuple[Floats, Floats]:
        """Return numerators and denominators of a rate, with weights of the effective rows."""
        alone = self._alone(states)
        if not_counted(alone) is None:
            return rates_of(alone, self.fact["name"], self.pos_label)
        told = self._of_matrices(states, lambda m: rate(m, self.name, self.pos_label), 2)
        return told[:, 0], told[:, 1]

    def measured(self, states: pl.DataFrame, levels: Sequence[float]) -> Measured:
        """Return what each state says at some levels; each is read once, and none is kept."""
        limits = {level: np.full((states.height, 3), np.nan) for level in levels}
        freedom = np.full(states.height, np.inf)
        why: list[str | None] = [None] * states.height
        for row, state in enumerate(states[self.column] if self._may_have_error else ()):
            of = None if state is None else from_bytes(state)
            for level, out in limits.items():
                found = None if of is None else self._interval_of(of, level)
                if found is not None:
                    out[row], freedom[row] = found[:3], self._freedom(of)
                    why[row] = why[row] or why_none(found)
        return Measured(limits, freedom, pl.Series(why, dtype=pl.String))

    @property
    def _may_have_error(self) -> bool:
        """Whether some state has a standard error, so that it is worth reading."""
        return not is_score_metric(self.name) or self._is_drawn or has_formula(self.name)

    def _interval_of(self, of: Any, level: float) -> Interval | None:
        """Return the interval that tells the standard error; None where there is none."""
        found: Interval | None = None
        if self._is_of_numbers:
            found = None if lacks_powers(of, self.name) else of.ci(self.name, level)
        elif is_score_metric(self.name):
            if has_formula(self.name):
                found = of.ci(self.name, level)
            elif isinstance(of, AnySweep) and min(of._effective_rows()) >= ENOUGH:
                found = of.ci(self.name, level, seed=SEED)
        elif isinstance(of, ConfusionMatrix):
            found = of.ci(self.name, level, pos_label=self.pos_label)
        return found

    def _freedom(self, of: Any) -> float:
        """Return the degrees of freedom of the standard error; inf: it has no spread.

        A standard error of two classes rests on the rows of the smaller one. That of an area under
        the ROC curve is steadied by a model where these are few.
        """
        if self.fact["name"] in AREAS:
            return math.inf
        return max(self._rows_of_spread(of) - 1, 1.0)

    def _rows_of_spread(self, of: Any) -> float:
        """Return how many rows say how far the metric of an object varies; inf: not counted."""
        if isinstance(of, Regression):
            return of._spread().n
        if isinstance(of, AnySweep):
            return min(of._effective_rows())
        if not isinstance(of, ConfusionMatrix):
            return math.inf
        return rows_of_spread(of, self.fact["name"], self.pos_label)

    @property
    def reaches_by_t(self) -> bool:
        """Whether intervals reach as many standard errors as the t distribution says."""
        return self._is_of_numbers

    def no_error(self, states: pl.DataFrame, why: pl.Series) -> pl.Series:
        """Return why there is no standard error of a defined value, of each row.

        `why` is what `measured` says.
        """
        return pl.Series([self._why_no_error(states)] * states.height, dtype=pl.String)

    def _why_no_error(self, states: pl.DataFrame) -> str:
        told = f"there is no standard error of {self.name}"
        if self._is_of_numbers and self._lacks_powers(states):
            return f"{told}: {NO_POWERS}"
        if not self._is_drawn:
            return told
        found: list[Any] = [from_bytes(state) for state in states[self.column].drop_nulls()]
        sweeps = [one for one in found if isinstance(one, AnySweep)]
        if any(min(sweep._effective_rows()) < ENOUGH for sweep in sweeps):
            return f"{told}: it takes {ENOUGH} rows of each class"
        return (
            f"{told}: the bins hide what it takes; `bins=None` keeps the scores" if sweeps else told
        )

    def _lacks_powers(self, states: pl.DataFrame) -> bool:
        """Return whether some state of numbers was made without the powers that errors take."""
        return any(
            lacks_powers(Regression.from_bytes(state), self.name)
            for state in states[self.column].drop_nulls()
        )

    @property
    def _is_drawn(self) -> bool:
        return is_score_metric(self.name) and self.fact["name"] in _DRAWN

    def clustered(
        self, states: pl.DataFrame, clusters: pl.DataFrame, level: float
    ) -> tuple[pl.Series, pl.Series]:
        """Return the two ends of the interval of each row, whose clusters have one key more."""
        cluster = next(name for name in keys_of(clusters) if name not in states.columns)
        of = ClusteredSlices(states, clusters, cluster)
        if self._is_of_numbers:
            found = of.of_objects([self.name], Confidence(level))[0]
        elif is_score_metric(self.name):
            found = of.of_scores([self.name], Confidence(level), self.column)[0]
        else:
            found = of.of_classes([self.name], Confidence(level), pos_label=self.pos_label)[0]
        return found.low, found.high

    def _of_matrices(self, states: pl.DataFrame, read: Any, width: int) -> Floats:
        """Return what is read of each confusion matrix; nan where a state is none."""
        out = np.full((states.height, width), np.nan)
        for row, state in enumerate(states[self.column]):
            if state is not None and _core.state_kind(state) == StateKind.COUNTS:
                out[row] = read(ConfusionMatrix.from_bytes(state))
        return out

    def only(self, rows: pl.Series, states: pl.DataFrame) -> pl.DataFrame:
        """Return the states of some rows; the others have none."""
        return states.with_columns(pl.when(rows).then(self.column).alias(self.column))

    def _alone(self, states: pl.DataFrame) -> pl.DataFrame:
        return states.select(pl.col(self.column).alias(STATE))


def keys_of(parts: pl.DataFrame) -> list[str]:
    """Return the columns of a frame of states that hold none."""
    return [name for name in parts.columns if name not in (STATE, SCORED)]


def refuse_keys(keys: Sequence[str], names: Sequence[str]) -> None:
    """Refuse keys that are called as columns of the result are. Raises InputError."""
    for key in keys:
        if key in names:
            raise InputError(f"there is the key {key!r}, a name of the result; rename it")


def rest_of(whole: pl.Series, parts: pl.Series) -> pl.Series:
    """Return the states of the rows of `whole` that are not in each of `parts`."""
    frame = pl.DataFrame([whole.alias("whole"), parts.alias("part")])
    taken = plugin("subtract_states", ["whole", "part"], Asked().packed(), is_elementwise=True)
    return of_each_state(frame, taken)


def checked_parts(parts: Any, argument: str = "parts") -> pl.DataFrame:
    """Return a frame of states; refuse what is none."""
    if not isinstance(parts, pl.DataFrame):
        raise frame_error(parts, argument, FRAME)
    states = [name for name in (STATE, SCORED) if name in parts.columns]
    if STATE not in states or any(parts.schema[name] != pl.Binary for name in states):
        raise InputError(
            f"`{argument}` has no Binary column {STATE!r}; wanted what `cm.partial` gives"
        )
    return parts
