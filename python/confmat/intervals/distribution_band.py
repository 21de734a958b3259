"""A band that holds a whole distribution function."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.intervals.levels import Floats, checked_level


def distribution_band(share: Any, n: float, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return a band that holds a whole distribution function, from that of n rows.

    It is as wide everywhere, and holds the function, at all its points at once, at least as often
    as the level says: for any n, and whatever the distribution.

    Parameters
    ----------
    share : array-like of float
        The share of the n rows up to a point (or from it on), at as many points as wanted.
    n : float
        Rows.
    level : float, default 0.95
        How often the band is to hold the function.

    Returns
    -------
    tuple of ndarray
        (low, high), within [0, 1]; nan where n is 0 or nan.

    References
    ----------
    Dvoretzky, Kiefer and Wolfowitz (1956), https://doi.org/10.1214/aoms/1177728174; the constant
    is that of Massart (1990), https://doi.org/10.1214/aop/1176990746

    Examples
    --------
    >>> from confmat.intervals.distribution_band import distribution_band
    >>> low, high = distribution_band([0, 0.5, 1], 200)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.404, 0.904], [0.096, 0.596, 1.0])
    """
    checked_level(level)
    at = np.asarray(share, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = np.sqrt(np.log(2 / (1 - level)) / (2 * np.float64(n)))
        reach = reach if n > 0 else np.nan
        return np.maximum(at - reach, 0.0), np.minimum(at + reach, 1.0)
