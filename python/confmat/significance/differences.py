"""Tests of a difference of two numbers that have intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.intervals.interval import Interval
from confmat.intervals.levels import Floats, z_of


def standard_error(found: Interval) -> float:
    """Return the standard error of an interval of level 0.95 to test with.

    At an end of its range, as at an MCC of 1, a metric has a standard error of 0 and an interval of
    other cells; its longer side then stands for the standard error.
    """
    if found.se != 0:
        return found.se
    return max(found.value - found.low, found.high - found.value) / z_of(0.95)


def delta_z(gap: Any, se: Any, se2: Any = 0.0) -> Floats:
    """Return the statistic of a difference of independent numbers, standard normal."""
    spread = np.hypot(se, se2)
    with np.errstate(invalid="ignore", divide="ignore"):
        of_none = np.where(np.equal(gap, 0), 0.0, np.copysign(np.inf, gap))
        found = np.where(spread > 0, np.divide(gap, spread), of_none)
    out: Floats = np.where(np.isnan(gap) | np.isnan(spread), np.nan, found)
    return out
