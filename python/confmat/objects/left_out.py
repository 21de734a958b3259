"""Intervals of numbers whose rows come in clusters, by leaving out one cluster after the other.

For states that are merged and taken away, whatever their numbers are: the jackknife.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from confmat.intervals.clusters import CLUSTER, ONE_CLUSTER, quantile
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Side
from confmat.intervals.mean_loss import MeanLoss
from confmat.labelsets import values as of_sets
from confmat.moments import names as of_numbers
from confmat.objects.multilabel_matrix import MultilabelMatrix
from confmat.objects.regression import Regression
from confmat.registry import find

MOST = 1_000  # left out in turn: of more clusters, so many groups of them are
_ROUNDING = 1e-12
_OF_ORDER = ("median_absolute_error", "error_quantile")
NO_QUANTILE = "clusters that are left out in turn do not tell how a quantile spreads"
_NO_SPREAD = "no cluster moves it, and its range has no end"
State: TypeAlias = MultilabelMatrix | Regression


class LeftOut(NamedTuple):
    """Numbers without each cluster, or group of them, and why one is undefined."""

    values: dict[str, list[float]]
    why: dict[str, str]


class LeftOutClusters:
    """A state, and the states of its clusters.

    Parameters
    ----------
    state : MultilabelMatrix or Regression
        All rows.
    parts : sequence of bytes
        The saved states of its clusters, of which it is the sum.
    """

    def __init__(self, state: State, parts: Sequence[bytes]) -> None:
        self._whole = state
        groups = [parts[first::MOST] for first in range(min(MOST, len(parts)))]
        merged = [state._around(state._merge(list(group))) for group in groups]
        self._groups = [part for part in merged if part.n]
        few = len(parts) <= MOST
        self.n_clusters = len(self._groups) if few else len(parts)

    def intervals(
        self, names: Sequence[str], level: float = 0.95, side: Side = "both"
    ) -> list[Interval]:
        """Return numbers with intervals that hold where rows of a cluster are alike.

        Parameters
        ----------
        names : sequence of str
            As `value` of the object takes them.
        level : float, default 0.95
            How often the intervals are to hold the numbers.
        side : {"both", "lower", "upper"}, default "both"
            "lower" puts all that may be missed below; the other end is that of the range.

        Returns
        -------
        list of Interval
            The standard error is that of the jackknife, (G - 1) / G times the squares of what the
            number becomes without each of G clusters, around their mean; the ends are taken on the
            scale on which the range of the number is the whole line, with Student's t for fewer
            than 30 clusters. nan where there is none; `method` says why.

        Notes
        -----
        The numbers are found once for each cluster that is left out. Of more than 1,000 clusters
        1,000 groups of them are left out instead, which are as independent as they are.

        References
        ----------
        Shao and Tu (1995), The Jackknife and Bootstrap, ISBN 978-0-387-94515-6; Kott (2001), The
        delete-a-group jackknife, Journal of Official Statistics 17

        Examples
        --------
        >>> import confmat as cm
        >>> from confmat.objects.left_out import LeftOutClusters
        >>> users = [cm.regression([1.0, 2.0], [1.0 + at % 5, 2.0 + at % 5]) for at in range(40)]
        >>> r = cm.merge(users)
        >>> print(r.ci("mae"))
        2.0000 [1.7071, 2.3432] (delta)
        >>> print(LeftOutClusters(r, [user.to_bytes() for user in users]).intervals(["mae"])[0])
        2.0000 [1.6020, 2.4969] (cluster)
        """
        left = self._without(names) if self.n_clusters > 1 else LeftOut({}, {})
        return [self._interval(name, left, level, side) for name in names]

    def _without(self, names: Sequence[str]) -> LeftOut:
        values: dict[str, list[float]] = {name: [] for name in names}
        why: dict[str, str] = {}
        for part in self._groups:
            rest: Any = self._whole - part
            for name in names:
                number = float(rest.value(name))
                values[name].append(number)
                if math.isnan(number):
                    why[name] = f"without one of the clusters: {rest.reason(name)}"
        return LeftOut(values, why)

    def _interval(self, name: str, left: LeftOut, level: float, side: Side) -> Interval:
        whole: Any = self._whole
        number = float(whole.value(name))
        if math.isnan(number):
            return without_ends(number, str(whole.reason(name)))
        if self.n_clusters < 2:
            return without_ends(number, ONE_CLUSTER)
        if isinstance(whole, Regression) and of_numbers.fact_of(name)["name"] in _OF_ORDER:
            return without_ends(number, NO_QUANTILE)
        if name in left.why:
            return without_ends(number, left.why[name])
        values = np.array(left.values[name])
        groups = len(values)
        away = values - values.mean()
        se = math.sqrt(float(away @ away) * (groups - 1) / groups)
        lo, hi = _range_of(whole, name)
        if not math.isfinite(se + number):
            return without_ends(number, "a row has an infinite value")
        if se <= _ROUNDING * abs(number) and not (math.isfinite(lo) and math.isfinite(hi)):
            return without_ends(number, _NO_SPREAD)
        mean = MeanLoss(se, lo, hi, lo, hi, self.n_clusters)
        reach = quantile(level, side, self.n_clusters)
        return Interval(number, *mean.interval(number, level, side, reach), se, CLUSTER)


def _range_of(state: State, name: str) -> tuple[float, float]:
    """Return the ends of the range of a number."""
    if isinstance(state, Regression):
        fact = of_numbers.fact_of(name)
    elif name in of_sets.WHOLE:
        return 0.0, 1.0
    else:
        fact = find(of_sets.asked_of(name, None, {})[0].name)
    return fact["lo"], fact["hi"]
