"""Intervals of a ratio of two rates of independent rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confmat.intervals.levels import Floats, Side, counts, on_side, z_of
from confmat.own_errors import own_errors

_WIDEST = 45.0  # |log ratio|: beyond that of any two counts that are whole in float64
_STEPS = 60  # halvings: to the last bits of a double


@own_errors
def katz(
    numerators: Any,
    denominators: Any,
    other_numerators: Any,
    other_denominators: Any,
    level: float = 0.95,
    side: Side = "both",
) -> tuple[Floats, Floats]:
    """Return the interval of the ratio of two rates by the logarithm of the ratio.

    Parameters
    ----------
    numerators, denominators : array-like
        Counts of the rate.
    other_numerators, other_denominators : array-like
        Counts of the rate by which it is divided.
    level, side
        As in `wilson`; a side that is not asked for is 0 or inf.

    Returns
    -------
    tuple of ndarray
        (low, high); nan where a numerator or a denominator is 0: `score_ratio` has an interval
        where one of the numerators is not.

    References
    ----------
    Katz et al. (1978), https://doi.org/10.2307/2530610

    Examples
    --------
    >>> from confmat.intervals.ratios import katz
    >>> low, high = katz(36, 40, 16, 80)
    >>> round(float(low), 2), round(float(high), 2)
    (2.87, 7.06)
    """
    k, n, k2, n2 = _pairs(numerators, denominators, other_numerators, other_denominators)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = np.log(k / n) - np.log(k2 / n2)
        half = z_of(level, side) * np.sqrt(1 / k - 1 / n + 1 / k2 - 1 / n2)
        low, high = np.exp(middle - half), np.exp(middle + half)
    some = (k > 0) & (k2 > 0)
    low, high = (np.where(some, end, np.nan) for end in (low, high))
    return on_side(low, high, side, (0.0, math.inf))


@own_errors
def score_ratio(
    numerators: Any,
    denominators: Any,
    other_numerators: Any,
    other_denominators: Any,
    level: float = 0.95,
    side: Side = "both",
) -> tuple[Floats, Floats]:
    """Return the score interval of the ratio of two rates (Koopman; Miettinen and Nurminen).

    The ratios that a score test of the two rates does not reject, without the factor N / (N - 1)
    that Miettinen and Nurminen put on the variance.

    Parameters
    ----------
    numerators, denominators, other_numerators, other_denominators, level, side
        As in `katz`.

    Returns
    -------
    tuple of ndarray
        (low, high): low is 0 where the first numerator is 0, high is inf where the second is. nan
        where both are, or a denominator is.

    References
    ----------
    Koopman (1984), https://doi.org/10.2307/2531405;
    Miettinen and Nurminen (1985), https://doi.org/10.1002/sim.4780040211

    Examples
    --------
    >>> from confmat.intervals.ratios import score_ratio
    >>> low, high = score_ratio([36, 0], [40, 30], [16, 5], [80, 30])
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([2.94, 0.0], [7.15, 0.71])
    """
    k, n, k2, n2 = _pairs(numerators, denominators, other_numerators, other_denominators)
    z = z_of(level, side)
    low = np.where(k == 0, 0.0, _ratio_at(z, k, n, k2, n2))
    high = np.where(k2 == 0, np.inf, _ratio_at(-z, k, n, k2, n2))
    unknown = ~((n > 0) & (n2 > 0)) | ((k == 0) & (k2 == 0))
    low, high = (np.where(unknown, np.nan, end) for end in (low, high))
    return on_side(low, high, side, (0.0, math.inf))


def _pairs(k: Any, n: Any, k2: Any, n2: Any) -> list[Floats]:
    one = counts(k, n, ("numerators", "denominators"))
    other = counts(k2, n2, ("other_numerators", "other_denominators"))
    return list(np.broadcast_arrays(*one, *other))


def _ratio_at(z: float, k: Floats, n: Floats, k2: Floats, n2: Floats) -> Floats:
    """Return the ratio whose score statistic is z; the statistic falls as the ratio grows."""
    below, above = np.full(k.shape, -_WIDEST), np.full(k.shape, _WIDEST)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        for _ in range(_STEPS):
            middle = (below + above) / 2
            too_low = _statistic(np.exp(middle), k, n, k2, n2) > z
            below, above = np.where(too_low, middle, below), np.where(too_low, above, middle)
    ratio: Floats = np.exp((below + above) / 2)
    return ratio


def _statistic(ratio: Floats, k: Floats, n: Floats, k2: Floats, n2: Floats) -> Floats:
    """Return the score statistic of the hypothesis that the rates have this ratio."""
    whole = (n + n2) * ratio
    slope = ratio * (n + k2) + k + n2
    # The rates that fit best: of the roots of a quadratic, the one where both are at most 1.
    root = np.sqrt(np.maximum(slope * slope - 4 * whole * (k + k2), 0))
    q2 = np.minimum(2 * (k + k2) / (slope + root), 1.0)
    q = np.minimum(ratio * q2, 1.0)
    spread = np.sqrt(q * (1 - q) / n + ratio * ratio * q2 * (1 - q2) / n2)
    gap = k / n - ratio * k2 / n2
    of_none = np.where(gap == 0, 0.0, np.copysign(np.inf, gap))
    statistic: Floats = np.where(spread > 0, gap / spread, of_none)
    return statistic
