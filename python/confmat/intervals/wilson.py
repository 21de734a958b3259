"""Wilson's score interval of a rate."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.intervals.levels import Floats, Side, counts, on_side, z_of
from confmat.own_errors import own_errors


@own_errors
def wilson(
    numerators: Any, denominators: Any, level: float = 0.95, side: Side = "both"
) -> tuple[Floats, Floats]:
    """Return Wilson's score interval of each rate.

    It stays within [0, 1], has width where nothing or everything was counted, and its coverage is
    close to the level for small counts, too.

    Parameters
    ----------
    numerators, denominators : array-like
        Counts, of one shape or such as broadcast.
    level : float, default 0.95
        How often the interval is to hold the rate.
    side : {"both", "lower", "upper"}, default "both"
        "lower" puts all that may be missed below: the upper end is 1. "upper": the lower end is 0.

    Returns
    -------
    tuple of ndarray
        (low, high); nan where the denominator is 0 or one of the two is nan.

    References
    ----------
    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953

    Examples
    --------
    >>> from confmat.intervals.wilson import wilson
    >>> low, high = wilson([0, 15, 30], 30)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.332, 0.886], [0.114, 0.668, 1.0])
    """
    k, n = counts(numerators, denominators, ("numerators", "denominators"))
    return on_side(*limits(k, n, z_of(level, side)), side, (0.0, 1.0))


def limits(k: Floats, n: Floats, z: Any) -> tuple[Floats, Floats]:
    """Return the two ends that lie z standard deviations of their own from the rate."""
    with np.errstate(invalid="ignore", divide="ignore"):
        share = k / n
        middle = (k + z * z / 2) / (n + z * z)
        half = z / (n + z * z) * np.sqrt(share * (n - k) + z * z / 4)
        low = np.where(k == 0, 0.0, np.minimum(middle - half, share))
        high = np.where(k == n, 1.0, np.maximum(middle + half, share))
    some = n > 0
    return np.where(some, low, np.nan), np.where(some, high, np.nan)
