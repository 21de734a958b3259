"""Quantiles of the range of independent normals, for comparisons of all groups at once."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from confmat.intervals.levels import Floats, checked_level

_REACH, _POINTS = 8.5, 4001  # of the integral, in standard deviations; errors are below 1e-9
_STEPS = 60


@lru_cache(maxsize=256)
def z_of_all_pairs(level: float, groups: int) -> float:
    """Return how far a difference of two of so many groups lies at most, at this level.

    In standard deviations of a difference: the quantile of Tukey's studentized range, with infinite
    degrees of freedom, over the root of 2. That of two groups is the one of a pair.

    Examples
    --------
    >>> from confmat.intervals.quantiles import z_of_all_pairs
    >>> [round(z_of_all_pairs(0.95, groups), 4) for groups in (2, 3, 20)]
    [1.96, 2.3437, 3.5438]
    """
    checked_level(level)
    if groups < 2:
        return 0.0
    low, high = 0.0, 64.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _of_range(middle, groups) < level else (low, middle)
    return (low + high) / 2 / math.sqrt(2)


@lru_cache(maxsize=1)
def _normal() -> tuple[Floats, Floats, Floats]:
    """Return points, the normal density there, and the distribution."""
    x = np.linspace(-_REACH, _REACH, _POINTS)
    below = np.array([math.erfc(-at / math.sqrt(2)) / 2 for at in x])
    return x, np.exp(-x * x / 2) / math.sqrt(2 * math.pi), below


def _of_range(most: float, groups: int) -> float:
    """Return the probability that the range of so many standard normals is at most `most`."""
    x, density, below = _normal()
    within = np.interp(x + most, x, below, right=1.0) - below
    return float(groups * (density * within ** (groups - 1)).sum() * (x[1] - x[0]))
