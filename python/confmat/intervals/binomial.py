"""Intervals of a rate, by method."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.errors import InputError
from confmat.intervals.distributions import distributions
from confmat.intervals.levels import Floats, Side, counts, on_side, z_of
from confmat.intervals.wilson import wilson
from confmat.own_errors import own_errors

METHODS = ("wilson", "clopper_pearson", "jeffreys", "agresti_coull")


@own_errors
def rate_interval(
    numerators: Any,
    denominators: Any,
    method: str = "wilson",
    level: float = 0.95,
    side: Side = "both",
) -> tuple[Floats, Floats]:
    """Return the interval of each rate.

    Parameters
    ----------
    numerators, denominators : array-like
        Counts, whole or effective, of one shape or such as broadcast.
    method : {"wilson", "clopper_pearson", "jeffreys", "agresti_coull"}, default "wilson"
        Clopper and Pearson's holds the rate at least as often as the level says, and is wide for
        that. Jeffreys' and Wilson's do so on average. Agresti and Coull's is Wilson's, made
        simpler and wider. Those of Clopper and Pearson and of Jeffreys need SciPy.
    level, side
        As in `wilson`.

    Returns
    -------
    tuple of ndarray
        (low, high); nan where the denominator is 0 or one of the two is nan.

    Raises
    ------
    InputError
        An unknown method, a level outside (0, 1), numbers that are no counts.
    ConfmatError
        SciPy is not installed.

    References
    ----------
    Brown, Cai and DasGupta (2001), https://doi.org/10.1214/ss/1009213286

    Examples
    --------
    >>> from confmat.intervals.binomial import rate_interval
    >>> low, high = rate_interval([0, 15], 30, "clopper_pearson")
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.313], [0.1157, 0.687])
    """
    if method not in METHODS:
        raise InputError(f"`method` is {method!r}; wanted one of {', '.join(METHODS)}")
    if method == "wilson":
        return wilson(numerators, denominators, level, side)
    k, n = counts(numerators, denominators, ("numerators", "denominators"))
    z = z_of(level, side)
    with np.errstate(invalid="ignore", divide="ignore"):
        if method == "agresti_coull":
            whole = n + z * z
            share = (k + z * z / 2) / whole
            half = z * np.sqrt(share * (1 - share) / whole)
            low, high = np.maximum(share - half, 0.0), np.minimum(share + half, 1.0)
        else:
            low, high = _beta_limits(k, n, method, (1 - level) / (2 if side == "both" else 1))
    low, high = (np.where(n > 0, end, np.nan) for end in (low, high))
    return on_side(low, high, side, (0.0, 1.0))


def _beta_limits(k: Floats, n: Floats, method: str, tail: float) -> tuple[Floats, Floats]:
    """Return quantiles of beta distributions; the ends where nothing or everything was counted."""
    beta = distributions(f"the method {method!r}").beta
    inner, outer = (0.5, 0.5) if method == "jeffreys" else (0.0, 1.0)
    low = beta.ppf(tail, k + inner, n - k + outer)
    high = beta.ppf(1 - tail, k + outer, n - k + inner)
    return np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)
