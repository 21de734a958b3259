"""Intervals of means of numbers that may err together, as how they go together is not known."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from confmat.intervals.interval import Interval
from confmat.intervals.levels import Floats

CONSERVATIVE = "conservative"


def spread_of_support(rows: Floats, squares: Floats) -> Floats:
    """Return the standard error of how many rows of all have each label.

    Both of shape (L, 2): sums of weights, and of their squares, of rows without it and with it.

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.intervals.together import spread_of_support
    >>> rows = np.array([[75.0, 25.0]])
    >>> spread_of_support(rows, rows).round(3).tolist()
    [4.33]
    """
    share = rows[:, 1] / rows.sum(axis=1)
    spread: Floats = np.sqrt(squares[:, 1] * (1 - share) ** 2 + squares[:, 0] * share**2)
    return spread


def mean_together(
    number: float,
    shares: Sequence[float],
    parts: Sequence[Interval] | Floats,
    ends: tuple[float, float],
    z: tuple[float, float],
    moved: float = 0.0,
) -> Interval:
    """Return the interval of a mean of numbers of the same rows, whatever their correlations.

    The standard error of a sum is at most the sum of the standard errors, which it is where all
    numbers rise and fall together. So the mean reaches as far as the mean of their intervals does:
    it holds at least as often as these, and is wide where errors cancel.

    Parameters
    ----------
    number : float
        The mean.
    shares : sequence of float
        What each number weighs in it; the sum is 1.
    parts : sequence of Interval, or ndarray of shape (n, 4)
        The numbers with their intervals, of the same level; or their values, ends and errors.
    ends : tuple of float
        The range of the mean.
    z : tuple of float
        How many standard errors the intervals reach down and up; inf: to the end of the range.
    moved : float, default 0
        The standard error that shares which vary with the rows add, at most.

    References
    ----------
    Dhaene et al. (2002), https://doi.org/10.1016/S0167-6687(02)00134-8, for sums of what goes
    together in an unknown way

    Examples
    --------
    >>> from confmat.intervals.interval import Interval
    >>> from confmat.intervals.together import mean_together
    >>> parts = [Interval(0.8, 0.7, 0.9, 0.05, "delta"), Interval(0.6, 0.4, 0.8, 0.1, "delta")]
    >>> print(mean_together(0.7, [0.5, 0.5], parts, (0.0, 1.0), (1.96, 1.96)))
    0.7000 [0.5500, 0.8500] (conservative)
    """
    low, high = ends
    of = parts if isinstance(parts, np.ndarray) else np.array([part[:4] for part in parts])
    of_value, of_low, of_high, of_se = of.reshape(-1, 4).T
    share = np.asarray(shares)
    if not math.isinf(z[0]):
        low = max(low, number - math.fsum(share * (of_value - of_low)) - z[0] * moved)
    if not math.isinf(z[1]):
        high = min(high, number + math.fsum(share * (of_high - of_value)) + z[1] * moved)
    se = math.fsum(share * of_se) + moved
    return Interval(number, low, high, se, CONSERVATIVE)
