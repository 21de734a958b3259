"""A band that holds a whole distribution function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confmat.intervals.levels import Floats, checked_level
from confmat.intervals.likelihood import likelihood_limits

_ROUNDS = 100


def distribution_band(counts: Any, rows: float, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return a band that holds a whole distribution function, from that of a sample.

    It holds the function at all its points at once at least as often as the level says, for any
    number of rows and whatever the distribution, and is narrow where the function is near 0 or 1.

    Parameters
    ----------
    counts : array-like of float
        How many of the rows lie up to a point (or from it on), at as many points as wanted.
    rows : float
        Of how many.
    level : float, default 0.95
        How often the band is to hold the function.

    Returns
    -------
    tuple of ndarray
        (low, high), within [0, 1]; nan where there are no rows, or nan of them.

    Notes
    -----
    The band of Berk and Jones: everywhere n times the Kullback-Leibler divergence of the share from
    the function is at most c. A function of n uniform rows leaves it with a probability of about
    2 (1 + sqrt(c / pi) log n) exp(-c), of which c is the root: exactly so at n = 1, and the second
    part is the rate at which a normalized Brownian bridge leaves two lines. Exact probabilities
    from 2 to 2,500 rows and levels from 0.6 to 0.9999 are 0.6 to 0.85 of it; for more rows they
    come nearer to it, from below, as the limit says.

    References
    ----------
    Berk and Jones (1979), https://doi.org/10.1007/BF00533250; as a band Owen (1995),
    https://doi.org/10.1080/01621459.1995.10476543

    Examples
    --------
    >>> from confmat.intervals.distribution_band import distribution_band
    >>> low, high = distribution_band([0, 100, 200], 200)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.381, 0.971], [0.029, 0.619, 1.0])
    """
    checked_level(level)
    k = np.asarray(counts, np.float64)
    if not rows > 0:
        return np.full_like(k, np.nan), np.full_like(k, np.nan)
    return likelihood_limits(k, rows, 2 * divergence_bound(rows, level))


def divergence_bound(n: float, level: float) -> float:
    """Return how far, in rows times divergence, a band of n rows reaches at this level."""
    logarithm = math.log(max(n, 1.0))
    found = 1.0
    for _ in range(_ROUNDS):
        found = math.log(2 * (1 + math.sqrt(found / math.pi) * logarithm) / (1 - level))
    return found
