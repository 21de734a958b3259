"""Rows of two models that may be drawn again: metrics without a formula, and the bootstrap."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.intervals.jackknife import acceleration
from confmat.intervals.levels import Floats
from confmat.paired.asked import Asked
from confmat.paired.bootstrapping import BOOTSTRAP, too_few_to_draw
from confmat.paired.difference import DELTA, Difference, nothing, with_drawn, with_error
from confmat.paired.drawn_differences import DrawnDifferences
from confmat.paired.paired_rows import A, B, PairedRows
from confmat.paired.score_bootstrapping import Difference as OfWeights
from confmat.paired.score_bootstrapping import replicates


class RedrawnRows(PairedRows):
    """Rows of one slice with one number of each model.

    A metric with a formula has the standard error of the sum of what each row adds. By the
    bootstrap, which all others have, rows, or clusters, are drawn again for both models at once.
    """

    def __init__(self, rows: pl.DataFrame, asked: Asked, states: Sequence[Any]) -> None:
        super().__init__(rows, asked, states)
        self._again: DrawnDifferences | None = None

    @abstractmethod
    def _has_formula(self, metric: str) -> bool:
        """Return whether it is known what each row adds to a metric."""

    @abstractmethod
    def _is_drawn(self, name: str) -> bool:
        """Return whether a name is of a metric that has an interval by rows drawn again alone."""

    @abstractmethod
    def _all_of_weights(self, names: list[str]) -> OfWeights:
        """Return what gives the differences of metrics, of rows of other weights."""

    def _of_weights(self, name: str) -> OfWeights:
        """Return what gives the difference of a metric with a formula, of rows of other weights."""
        difference = self._all_of_weights([name])
        return lambda weights: difference(weights)[:, 0]

    def _found(self, name: str, metric: str, values: tuple[float, float]) -> Difference:
        if not self._has_formula(metric):
            return self._by_drawing(name, metric, values)
        if self._asked.method != BOOTSTRAP:
            return super()._found(name, metric, values)
        added = self._added(name, metric, values)
        if math.isnan(self._error(metric, added)[0]):
            return super()._found(name, metric, values)
        why = self._too_few_to_draw()
        if why is not None:
            return nothing(self.n, why, *values)
        return with_drawn(metric, self.n, values, *self._drawn(name, added), self._asked)

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

    def _drawn(self, name: str, added: Floats) -> tuple[Floats, float]:
        """Return the differences of rows, or clusters, that are drawn again, and acceleration."""
        of_rows, count, seed = self._of_rows(), self._asked.count(), self._asked.seed
        drawn = replicates(self._of_weights(name), self._every_weight(), of_rows, count, seed)
        changes = added if of_rows is None else np.bincount(of_rows, added)
        return drawn, float(acceleration(changes, np.ones(len(changes))))

    def _every_weight(self) -> Floats:
        return np.ones(self._rows.height) if self._weights is None else self._weights

    def _of_rows(self) -> npt.NDArray[np.int64] | None:
        return None if self._clusters is None else self._clusters.of_rows

    def _both(self) -> list[Floats]:
        return [self._rows[name].cast(pl.Float64).to_numpy() for name in (A, B)]
