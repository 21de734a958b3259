"""Intervals of means over rows, such as losses, within the range of the mean."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confmat import _core
from confmat.intervals.levels import Side, z_of
from confmat.intervals.scales import one_sided
from confmat.intervals.wilson import limits

_ROUNDING = 1e-12


class MeanLoss(NamedTuple):
    """A mean over rows: its standard error, its range, how far one row can move it, the rows."""

    se: float
    lo: float
    hi: float
    least: float
    most: float
    rows: float

    def interval(
        self, value: float, level: float, side: Side, z: float | None = None
    ) -> tuple[float, float]:
        """Return the interval around a value of the mean; `z`: standard errors that it reaches.

        Where all rows have the same, so that nothing is known of its spread, a share of them
        that Wilson's interval of 0 of so many rows allows could have any.
        """
        z = z_of(level, side) if z is None else z
        below, above = one_sided(z, side)
        if self.se > _ROUNDING * abs(value):
            of = (np.float64(value), np.float64(self.se))
            ends = _core.on_scale(*of, self.lo, self.hi, below, above)
            return float(ends[0]), float(ends[1])
        some = float(limits(np.float64(0.0), np.float64(self.rows), z)[1])
        low = value + some * (self.least - value) if side != "upper" else self.lo
        high = value + some * (self.most - value) if side != "lower" else self.hi
        return low, high

    def around(
        self, least: float, most: float, level: float, side: Side, z: float | None = None
    ) -> tuple[float, float]:
        """Return the ends of the intervals around the least and the largest that the mean may be.

        One at an end of the range has no interval on that scale: it is the end itself.
        """
        known = not self.se
        low = self.interval(least, level, side, z)[0] if least > self.lo or known else self.lo
        high = self.interval(most, level, side, z)[1] if most < self.hi or known else self.hi
        return low, high
