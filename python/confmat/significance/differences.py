"""Tests of a difference of two numbers that have intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.intervals.interval import Interval
from confmat.intervals.levels import Floats, z_of


def standard_errors(value: Any, low: Any, high: Any, se: Any, *, level: float = 0.95) -> Floats:
    """Return standard errors to test with: where one is 0 and the interval is not, that of it.

    At an end of its range, as at an MCC of 1, a metric has a standard error of 0 and an interval of
    other cells; its longer side then stands for the standard error.
    """
    reach = np.maximum(np.subtract(value, low), np.subtract(high, value)) / z_of(level)
    out: Floats = np.where(np.asarray(se) == 0, reach, se)
    return out


def standard_error(found: Interval) -> float:
    """Return the standard error of an interval of level 0.95 to test with."""
    return float(standard_errors(found.value, found.low, found.high, found.se))


def delta_z(gap: Any, se: Any, se2: Any = 0.0) -> Floats:
    """Return the statistic of a difference of independent numbers, standard normal."""
    spread = np.hypot(se, se2)
    with np.errstate(invalid="ignore", divide="ignore"):
        of_none = np.where(np.equal(gap, 0), 0.0, np.copysign(np.inf, gap))
        found = np.where(spread > 0, np.divide(gap, spread), of_none)
    out: Floats = np.where(np.isnan(gap) | np.isnan(spread), np.nan, found)
    return out
