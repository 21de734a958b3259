"""Rows of one slice and what two models say of them: differences that are read from the rows."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError
from confmat.frames.cluster_intervals import CLUSTER
from confmat.frames.reasons import too_few
from confmat.intervals.clusters import CLUSTER as CLUSTERED
from confmat.intervals.clusters import ONE_CLUSTER, numbered, of_sums
from confmat.intervals.jackknife import acceleration
from confmat.intervals.levels import Floats
from confmat.paired.asked import Asked
from confmat.paired.bootstrapping import BOOTSTRAP, too_few_to_draw
from confmat.paired.clusters import WEIGHT
from confmat.paired.difference import (
    DELTA,
    Difference,
    nothing,
    with_drawn,
    with_error,
)
from confmat.paired.drawn_differences import DrawnDifferences
from confmat.paired.score_bootstrapping import Difference as OfWeights
from confmat.paired.score_bootstrapping import replicates
from confmat.registry import find
from confmat.scores.delong import Mask

TRUTH, A, B = "__confmat_truth", "__confmat_a", "__confmat_b"
MEAN = "mean"


class _Clusters(NamedTuple):
    of_rows: npt.NDArray[np.int64]
    n: int


class PairedRows(ABC):
    """Rows of one slice, those without a value left out, and the state of each model.

    Parameters
    ----------
    rows : pl.DataFrame
        Columns of truth and of two models; also of weights and clusters, where there are such.
    asked : Asked
        How differences are read.
    states : sequence
        Of a and of b, with `value` and `reason`; none of no rows.
    """

    def __init__(self, rows: pl.DataFrame, asked: Asked, states: Sequence[Any]) -> None:
        self._rows, self._asked, self._states = rows, asked, states
        weights = rows[WEIGHT] if WEIGHT in rows.columns else None
        self._weights = None if weights is None else weights.cast(pl.Float64).to_numpy()
        self._again: DrawnDifferences | None = None
        self._clusters: _Clusters | None = None
        if CLUSTER in rows.columns:
            self._clusters = _Clusters(*numbered(rows[CLUSTER]))

    @property
    def alone(self) -> str:
        """Why there is no error of few rows."""
        return "there is one row alone"

    @property
    def n(self) -> float:
        """Rows, or the sum of their weights."""
        return self._states[0].n if self._states else 0

    def difference(self, name: str) -> Difference:
        """Return the difference of a metric.

        A metric with a formula has the standard error of the sum of what each row adds. By the
        bootstrap, which all others have, rows, or clusters, are drawn again for both models at
        once.
        """
        if self.n < self._asked.min_n:
            return nothing(self.n, str(too_few(self._asked.min_n)))
        if not self.n:
            return nothing(self.n, "there are no rows")
        states = self._having(name)
        values = [self._value(one, name) for one in states]
        for model, one, value in zip("ab", states, values, strict=True):
            if math.isnan(value):
                return nothing(self.n, f"{model}: {one.reason(name)}", *values)
        metric, of = self._metric(name), (values[0], values[1])
        why = self._why_none(metric, of)
        if why is not None:
            return nothing(self.n, why, *values)
        if not self._has_formula(metric):
            return self._by_drawing(name, metric, of)
        added = self._added(name, metric, of)
        se, method, clusters = self._error(metric, added)
        if self._asked.method == BOOTSTRAP and not math.isnan(se):
            why = self._too_few_to_draw()
            if why is not None:
                return nothing(self.n, why, *values)
            return with_drawn(metric, self.n, of, *self._drawn(name, added), self._asked)
        without = self.alone
        if self._clusters is not None and self._clusters.n < 2:
            without = ONE_CLUSTER
        return with_error(metric, self.n, of, se, method, self._asked, clusters, without)

    def _having(self, name: str) -> Sequence[Any]:
        """Return the states of a and of b that have a metric."""
        return self._states

    def _value(self, state: Any, name: str) -> float:
        """Return the value of a metric of one model; nan where it has none."""
        return float(state.value(name))

    def _metric(self, name: str) -> str:
        """Return the name of a metric without parameters, as it is known."""
        return str(find(name.partition("(")[0])["name"])

    @abstractmethod
    def _why_none(self, metric: str, values: tuple[float, float]) -> str | None:
        """Return why a metric has no honest interval, or None."""

    @abstractmethod
    def _has_formula(self, metric: str) -> bool:
        """Return whether it is known what each row adds to a metric."""

    @abstractmethod
    def _added(self, name: str, metric: str, values: tuple[float, float]) -> Floats:
        """Return what each row of a weight adds to the difference, beyond the mean row."""

    @abstractmethod
    def _method(self, metric: str) -> str:
        """Return what the interval of a metric with a formula is called."""

    @abstractmethod
    def _classes(self, metric: str) -> list[Mask]:
        """Return the rows that are samples of their own."""

    def _of_weights(self, name: str) -> OfWeights:
        """Return what gives the difference of a metric with a formula, of rows of other weights."""
        difference = self._all_of_weights([name])
        return lambda weights: difference(weights)[:, 0]

    @abstractmethod
    def _all_of_weights(self, names: list[str]) -> OfWeights:
        """Return what gives the differences of metrics, of rows of other weights."""

    @abstractmethod
    def _is_drawn(self, name: str) -> bool:
        """Return whether a name is of a metric that has an interval by rows drawn again alone."""

    def _by_drawing(self, name: str, metric: str, values: tuple[float, float]) -> Difference:
        """Return the difference of a metric whose interval takes rows drawn again."""
        asked, why = self._asked, None
        if asked.method == DELTA:
            why = f"{metric} has a paired interval by rows drawn again alone: leave out `method`"
        else:
            why = self._too_few_to_draw()
        if why is not None:
            return nothing(self.n, why, *values)
        one, other = self._both()
        if np.array_equal(one, other):
            return with_error(metric, self.n, values, 0.0, BOOTSTRAP, asked)
        if self._again is None:
            of = (self._all_of_weights, self._is_drawn)
            rows = (self._every_weight(), self._of_rows())
            self._again = DrawnDifferences(*of, *rows, asked)
        return with_drawn(metric, self.n, values, self._again.of(name), None, asked)

    def _too_few_to_draw(self) -> str | None:
        """Return why rows, or clusters, are not drawn again, None where there are enough."""
        what, count = "clusters", None if self._clusters is None else self._clusters.n
        if count is None:
            samples = [int(rows.sum()) for rows in self._samples()]
            what, count = "rows of each class" if len(samples) > 1 else "rows", min(samples)
        return too_few_to_draw(what, count)

    def _samples(self) -> list[Mask]:
        """Return the rows of which there have to be several."""
        return [np.ones(self._rows.height, np.bool_)]

    def _drawn(self, name: str, added: Floats) -> tuple[Floats, float]:
        """Return the differences of rows, or clusters, that are drawn again, and acceleration."""
        of_rows, count, seed = self._of_rows(), self._asked.count(), self._asked.seed
        drawn = replicates(self._of_weights(name), self._every_weight(), of_rows, count, seed)
        changes = added if of_rows is None else np.bincount(of_rows, added)
        return drawn, float(acceleration(changes, np.ones(len(changes))))

    def _error(self, metric: str, added: Floats) -> tuple[float, str, int | None]:
        """Return the standard error, how it was found, and of how many clusters or rows."""
        if self._clusters is not None:
            variance = of_sums(*self._clusters, added)
            return math.sqrt(variance), CLUSTERED, self._clusters.n
        variance = sum(
            _of_mean(added[one], None if self._weights is None else self._weights[one])
            for one in self._classes(metric)
        )
        return math.sqrt(variance), self._method(metric), self._rows.height

    def _every_weight(self) -> Floats:
        return np.ones(self._rows.height) if self._weights is None else self._weights

    def _of_rows(self) -> npt.NDArray[np.int64] | None:
        return None if self._clusters is None else self._clusters.of_rows

    def _both(self) -> list[Floats]:
        return [self._rows[name].cast(pl.Float64).to_numpy() for name in (A, B)]


def _of_mean(added: Floats, weights: Floats | None) -> float:
    """Return the variance of a weighted mean, of what each row adds to it beyond the mean.

    1 / (1 - the sum of squared shares of the weights) is n / (n - 1) of equal ones.
    """
    n = len(added)
    rest = 1 - 1 / n if weights is None else 1 - float(weights @ weights) / weights.sum() ** 2
    return float(added @ added) / rest if rest > 0 else math.nan


def without_nan(rows: pl.DataFrame, nan: str, named: dict[str, str]) -> pl.DataFrame:
    """Return the rows that have all that is compared; refuse a nan, or drop it.

    `named`: the columns that may hold nan, and what messages call them.
    """
    known = rows.drop_nulls([name for name in (TRUTH, *named, WEIGHT) if name in rows.columns])
    floats = [name for name in named if known[name].dtype.is_float()]
    is_nan = (
        known.select(pl.any_horizontal(pl.col(floats).is_nan())).to_series() if floats else None
    )
    if is_nan is not None and is_nan.any():
        if nan == "raise":
            at = int(is_nan.arg_max() or 0)
            name = next(name for name in floats if math.isnan(known[name][at]))
            raise InputError(
                f"{named[name]} is nan, first at row {at} of those without nulls; wanted a "
                'number, or nan="drop"'
            )
        known = known.filter(~is_nan)
    return known.filter(pl.col(WEIGHT) != 0) if WEIGHT in known.columns else known
