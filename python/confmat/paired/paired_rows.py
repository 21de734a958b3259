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
from confmat.intervals.levels import Floats
from confmat.name_calls import base_of
from confmat.paired.asked import Asked
from confmat.paired.clusters import WEIGHT
from confmat.paired.difference import (
    Difference,
    nothing,
    with_error,
)
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
        """Return the difference of a metric."""
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
        return self._found(name, metric, of)

    def _found(self, name: str, metric: str, values: tuple[float, float]) -> Difference:
        """Return the difference with the standard error of the sum of what each row adds."""
        se, method, clusters = self._error(metric, self._added(name, metric, values))
        without = self.alone
        if self._clusters is not None and self._clusters.n < 2:
            without = ONE_CLUSTER
        return with_error(metric, self.n, values, se, method, self._asked, clusters, without)

    def _having(self, name: str) -> Sequence[Any]:
        """Return the states of a and of b that have a metric."""
        return self._states

    def _value(self, state: Any, name: str) -> float:
        """Return the value of a metric of one model; nan where it has none."""
        return float(state.value(name))

    def _metric(self, name: str) -> str:
        """Return the name of a metric without parameters, as it is known."""
        return str(find(base_of(name))["name"])

    @abstractmethod
    def _why_none(self, metric: str, values: tuple[float, float]) -> str | None:
        """Return why a metric has no honest interval, or None."""

    @abstractmethod
    def _added(self, name: str, metric: str, values: tuple[float, float]) -> Floats:
        """Return what each row of a weight adds to the difference, beyond the mean row."""

    @abstractmethod
    def _method(self, metric: str) -> str:
        """Return what the interval of a metric with a formula is called."""

    @abstractmethod
    def _classes(self, metric: str) -> list[Mask]:
        """Return the rows that are samples of their own."""

    def _samples(self) -> list[Mask]:
        """Return the rows of which there have to be several."""
        return [np.ones(self._rows.height, np.bool_)]

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
