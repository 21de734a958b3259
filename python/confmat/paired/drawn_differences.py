"""Differences of metrics that have no formula: of those asked for, from the same draws of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from confmat.intervals.bootstrap import least_replicates
from confmat.intervals.levels import Floats
from confmat.paired.asked import Asked
from confmat.paired.score_bootstrapping import Clusters, Difference, accelerations, replicates
from confmat.scores.delong import Mask

_MOST, _ROWS = 2_000, 10**8  # of draws, and of rows that all of them look at


class DrawnRows(NamedTuple):
    """Rows that are drawn again, one by one or by cluster."""

    weights: Floats
    clusters: Clusters
    positive: Mask  # of which class; of numbers all alike
    order: Floats  # in which neighbours are alike


class DrawnDifferences:
    """Metrics of two models where rows, or clusters, are drawn again for both at once.

    Parameters
    ----------
    of : callable
        What gives the differences of metrics, by their names.
    is_drawn : callable
        Whether a metric is one of these.
    rows : DrawnRows
        What is drawn.
    asked : Asked
        How differences are read.
    """

    def __init__(
        self,
        of: Callable[[list[str]], Difference],
        is_drawn: Callable[[str], bool],
        rows: DrawnRows,
        asked: Asked,
    ) -> None:
        self._of, self._is_drawn, self._rows, self._asked = of, is_drawn, rows, asked
        self._known: dict[str, tuple[Floats, float]] = {}

    def of(self, name: str) -> tuple[Floats, float]:
        """Return the differences, b - a, of one metric, and the acceleration."""
        if name not in self._known:
            others = [one for one in self._asked.metrics or () if self._is_drawn(one)]
            self._draw(list(dict.fromkeys([name, *others])))
        return self._known[name]

    def _draw(self, names: list[str]) -> None:
        names = [name for name in names if name not in self._known]
        difference, rows = self._of(names), self._rows
        of = (difference, rows.weights, rows.clusters)
        drawn = replicates(*of, self._asked.count(self._suited()), self._asked.seed)
        rates = accelerations(*of, rows.positive, rows.order)
        for at, name in enumerate(names):
            self._known[name] = (drawn[:, at], float(rates[at]))

    def _suited(self) -> int:
        """Return fewer draws of many rows, but as many as the level takes."""
        least = least_replicates(self._asked.level, self._asked.side)
        return max(least, min(_MOST, _ROWS // len(self._rows.weights)))
