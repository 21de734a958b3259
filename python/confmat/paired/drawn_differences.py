"""Differences of metrics that have no formula: of those asked for, from the same draws of rows."""

from __future__ import annotations

from collections.abc import Callable

from confmat.intervals.bootstrap import least_replicates
from confmat.intervals.levels import Floats
from confmat.paired.asked import Asked
from confmat.paired.score_bootstrapping import Clusters, Difference, replicates

_MOST, _ROWS = 2_000, 10**8  # of draws, and of rows that all of them look at


class DrawnDifferences:
    """Metrics of two models where rows, or clusters, are drawn again for both at once.

    Parameters
    ----------
    of : callable
        What gives the differences of metrics, by their names.
    is_drawn : callable
        Whether a metric is one of these.
    weights, clusters : ndarray
        Of rows, which are drawn again one by one, or by cluster.
    asked : Asked
        How differences are read.
    """

    def __init__(
        self,
        of: Callable[[list[str]], Difference],
        is_drawn: Callable[[str], bool],
        weights: Floats,
        clusters: Clusters,
        asked: Asked,
    ) -> None:
        self._of, self._is_drawn, self._asked = of, is_drawn, asked
        self._weights, self._clusters = weights, clusters
        self._known: dict[str, Floats] = {}

    def of(self, name: str) -> Floats:
        """Return the differences, b - a, of one metric."""
        if name not in self._known:
            others = [one for one in self._asked.metrics or () if self._is_drawn(one)]
            self._draw(list(dict.fromkeys([name, *others])))
        return self._known[name]

    def _draw(self, names: list[str]) -> None:
        names = [name for name in names if name not in self._known]
        count = self._asked.count(self._suited())
        seed = self._asked.seed
        drawn = replicates(self._of(names), self._weights, self._clusters, count, seed)
        self._known |= {name: drawn[:, at] for at, name in enumerate(names)}

    def _suited(self) -> int:
        """Return fewer draws of many rows, but as many as the level takes."""
        least = least_replicates(self._asked.level, self._asked.side)
        return max(least, min(_MOST, _ROWS // len(self._weights)))
