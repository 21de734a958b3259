"""Intervals from a value and its standard error, on a scale where its range is the whole line."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confmat import _core
from confmat.intervals.levels import Floats, Side, on_side, z_of
from confmat.own_errors import own_errors


def reach(level: float = 0.95, side: Side = "both") -> tuple[float, float]:
    """Return how many standard errors an interval reaches down and up.

    Examples
    --------
    >>> from confmat.intervals.scales import reach
    >>> reach(0.95, "lower")[1]
    inf
    """
    return one_sided(z_of(level, side), side)


def one_sided(z: float, side: Side) -> tuple[float, float]:
    """Return how far down and up: `z` standard errors, without end to a side not asked for."""
    return (math.inf if side == "upper" else z), (math.inf if side == "lower" else z)


@own_errors
def on_scale(
    values: Any,
    se: Any,
    lo: float = -math.inf,
    hi: float = math.inf,
    level: float = 0.95,
    side: Side = "both",
) -> tuple[Floats, Floats]:
    """Return intervals of values with standard errors, which stay within the range of the values.

    The standard error is taken where the range is the whole line: on the logit scale between two
    ends, which for -1 and 1 is Fisher's z, on the scale of the logarithm from one end on, else as
    it is.

    Parameters
    ----------
    values, se : array-like
        Of one shape, or such as broadcast.
    lo, hi : float
        The ends of the range.
    level, side
        As in `wilson`.

    Returns
    -------
    tuple of ndarray
        (low, high); nan where the value or its standard error is, or the value is at an end.

    References
    ----------
    Agresti (2013), Categorical Data Analysis, section 16.1, ISBN 978-0-470-46363-5

    Examples
    --------
    >>> from confmat.intervals.scales import on_scale
    >>> low, high = on_scale(0.9, 0.05, 0.0, 1.0)
    >>> round(float(low), 3), round(float(high), 3)
    (0.752, 0.964)
    """
    z = z_of(level, side)
    ends = _core.on_scale(np.asarray(values, np.float64), np.asarray(se, np.float64), lo, hi, z, z)
    return on_side(*ends, side, (lo, hi))


def to_line(values: Any, lo: float, hi: float) -> Floats:
    """Return values where their range is the whole line; an end of it is infinite.

    Examples
    --------
    >>> from confmat.intervals.scales import to_line
    >>> to_line([0.0, 0.5, 1.0], 0.0, 1.0).tolist()
    [-inf, 0.0, inf]
    """
    numbers = np.asarray(values, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        below = np.log(numbers - lo) if math.isfinite(lo) else None
        above = np.log(hi - numbers) if math.isfinite(hi) else None
        if below is not None and above is not None:
            return below - above
    found: Floats = numbers if above is None else -above
    return found if below is None else below


def from_line(values: Any, lo: float, hi: float) -> Floats:
    """Return what `to_line` took.

    Examples
    --------
    >>> from confmat.intervals.scales import from_line
    >>> from_line([-float("inf"), 0.0, float("inf")], 0.0, 1.0).tolist()
    [0.0, 0.5, 1.0]
    """
    numbers = np.asarray(values, np.float64)
    with np.errstate(over="ignore"):
        if math.isfinite(lo) and math.isfinite(hi):
            return np.asarray(lo + (hi - lo) / (1 + np.exp(-numbers)))
        if math.isfinite(lo):
            return np.asarray(lo + np.exp(numbers))
        return np.asarray(hi - np.exp(-numbers)) if math.isfinite(hi) else numbers
