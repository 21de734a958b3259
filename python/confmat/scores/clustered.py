"""Intervals of metrics of a sweep whose rows come in clusters, such as those of one user."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from confmat import _core
from confmat.intervals.areas import area_interval
from confmat.intervals.clusters import CLUSTER, ONE_CLUSTER, of_sums, quantile
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Floats, Side
from confmat.intervals.mean_loss import MeanLoss
from confmat.scores import mean_losses
from confmat.scores.certain_bounds import bounds
from confmat.scores.influence import PRECISION, influence
from confmat.scores.score_names import reading
from confmat.scores.state import ScoreState
from confmat.scores.values import reason, value

AREAS = ("roc_auc", "gini")
FORMULAS = (*AREAS, PRECISION, *mean_losses.NAMES)
_NOISE = 1e-9  # of what rows add: what is less is their rounding


def no_formula(name: str) -> str:
    """Return why a metric of scores has no interval with clusters."""
    return f"{name} has none with clusters; {', '.join(FORMULAS)} have"


def has_formula(name: str) -> bool:
    """Return whether a metric of scores has an interval with clusters."""
    return reading(name)[0] in FORMULAS


class ClusteredSweep:
    """A sweep, and the scores of each of its clusters.

    Parameters
    ----------
    state : ScoreState
        All rows, exact or in bins.
    parts : sequence of bytes
        The saved sweeps of its clusters, of which it is the sum.
    """

    def __init__(self, state: ScoreState, parts: Sequence[bytes]) -> None:
        self._sweep = state
        self._parts, self._places, *sides = _core.scores_of_parts(state._state, list(parts))
        self._positives, self._negatives = sides
        _, self._clusters = np.unique(self._parts, return_inverse=True)
        self.n_clusters = int(self._clusters.max()) + 1 if len(self._parts) else 0

    def interval(self, name: str, level: float = 0.95, side: Side = "both") -> Interval:
        """Return a metric with an interval that holds where rows of a cluster are alike.

        Parameters
        ----------
        name : str
            "roc_auc", "gini", "average_precision", "brier", "log_loss" or "brier_skill".
        level : float, default 0.95
            How often the interval is to hold the number.
        side : {"both", "lower", "upper"}, default "both"
            "lower" puts all that may be missed below; the other end is that of the range.

        Returns
        -------
        Interval
            As `ClusteredMatrix.interval` has it. The area has Obuchowski's standard error: that of
            the sums over clusters of DeLong's placements of their rows.

        References
        ----------
        Obuchowski (1997), https://doi.org/10.2307/2533958

        Examples
        --------
        >>> import confmat as cm
        >>> from confmat.scores.clustered import ClusteredSweep
        >>> users = [
        ...     cm.sweep([0, 0, 1, 1] * 3, [0.1, at, 0.5, 0.8] * 3, bins="unit")
        ...     for at in [0.4, 0.6, 0.9, 0.4] * 10
        ... ]
        >>> s = cm.merge(users)
        >>> print(s.ci("roc_auc"))
        0.8125 [0.7638, 0.8531] (delong)
        >>> print(ClusteredSweep(s, [user.to_bytes() for user in users]).interval("roc_auc"))
        0.8125 [0.7396, 0.8686] (cluster)
        """
        base = reading(name)[0]
        number = value(self._sweep, name)
        if math.isnan(number):
            return without_ends(number, str(reason(self._sweep, name)))
        if base not in FORMULAS:
            return without_ends(number, no_formula(base))
        if self.n_clusters < 2:
            return without_ends(number, ONE_CLUSTER)
        z = quantile(level, side, self.n_clusters)
        exact = self._sweep.is_exact
        numbers = [number, *((number, number) if exact else bounds(self._sweep, name))]
        of = self._of_area if base in AREAS else self._of_mean
        return of(base, numbers, side, z)

    def variance(self, name: str) -> float:
        """Return the variance of a metric: of the sums over clusters of what their rows add."""
        scale = 4.0 if name == "gini" else 1.0
        sides = self._added("roc_auc" if name == "gini" else name)
        return scale * of_sums(self._clusters, self.n_clusters, sides[0] + sides[1])

    def added_by_part(self, name: str, n: int) -> Floats:
        """Return what the rows of each of `n` parts add to a metric, beyond the mean row."""
        sides = self._added(name)
        sums: Floats = np.bincount(self._parts, sides[0] + sides[1], n).astype(np.float64)
        return sums

    def _added(self, name: str) -> tuple[Floats, Floats]:
        """Return what the positives and the negatives of each entry add, beyond the mean row."""
        of = influence(self._sweep, name)
        return self._positives * of[0][self._places], self._negatives * of[1][self._places]

    def _effect(self, name: str) -> tuple[float, float]:
        """Return the variance, and how many rows are worth an independent one; nan: not seen."""
        added = self._added(name)
        together = of_sums(self._clusters, self.n_clusters, added[0] + added[1])
        seen = sum(float(np.abs(side).sum()) for side in added) / self.n_clusters
        if not (seen > 0 and together > (_NOISE * seen) ** 2):
            return 0.0, math.nan
        alone = sum(
            float(np.divide(side * side, n, out=np.zeros_like(side), where=n > 0).sum())
            for side, n in zip(added, (self._positives, self._negatives), strict=True)
        )
        return together, together / alone

    def _rows(self, amounts: Floats) -> float:
        """Return how many rows there are if those of a cluster count as one."""
        sums = np.bincount(self._clusters, amounts, self.n_clusters)
        return float(sums.sum() ** 2 / (sums @ sums)) if sums.any() else 0.0

    def _of_area(self, name: str, numbers: Sequence[float], side: Side, z: float) -> Interval:
        variance, effect = self._effect("roc_auc")
        if math.isnan(effect):
            sizes = self._rows(self._positives), self._rows(self._negatives)
        else:
            sizes = self._positives.sum() / effect, self._negatives.sum() / effect
        areas = [(number + 1) / 2 if name == "gini" else number for number in numbers]
        method = "newcombe" if math.isnan(effect) else "delong"
        ends = [area_interval(at, variance, *sizes, side=side, method=method, z=z) for at in areas]
        low, high, se = ends[1][0], ends[2][1], ends[0][2]
        if name == "gini":
            low, high, se = 2 * low - 1, 2 * high - 1, 2 * se
        return Interval(numbers[0], low, high, se, CLUSTER)

    def _of_mean(self, name: str, numbers: Sequence[float], side: Side, z: float) -> Interval:
        variance, effect = self._effect(name)
        rows = self._positives + self._negatives
        if name == PRECISION:
            loss = MeanLoss(math.sqrt(variance), 0.0, 1.0, 0.0, 1.0, self._rows(self._positives))
        else:
            n = self._rows(rows) if math.isnan(effect) else float(rows.sum()) / effect
            added = mean_losses.row_losses(self._sweep, name)
            assert added is not None  # the metric is defined
            loss = mean_losses.loss_of(self._sweep, name, added, math.sqrt(variance), n)
        number, least, most = numbers
        return Interval(number, *loss.around(least, most, 0.95, side, z), loss.se, CLUSTER)
