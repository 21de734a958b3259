"""Intervals of a difference of two rates, or of two numbers that have intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.intervals.levels import Floats, Side, counts, on_side, z_of
from confmat.intervals.wilson import limits
from confmat.own_errors import own_errors


@own_errors
def newcombe(
    numerators: Any,
    denominators: Any,
    other_numerators: Any,
    other_denominators: Any,
    level: float = 0.95,
    side: Side = "both",
) -> tuple[Floats, Floats]:
    """Return Newcombe's interval of the difference of two rates of independent rows.

    Each end is as far from the difference as Wilson's intervals of the two rates say together
    (Newcombe's method 10, without a correction for continuity).

    Parameters
    ----------
    numerators, denominators : array-like
        Counts of the rate.
    other_numerators, other_denominators : array-like
        Counts of the rate that is taken from it.
    level, side
        As in `wilson`; a side that is not asked for is -1 or 1.

    Returns
    -------
    tuple of ndarray
        (low, high); nan where a denominator is 0.

    References
    ----------
    Newcombe (1998), https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I

    Examples
    --------
    >>> from confmat.intervals.differences import newcombe
    >>> low, high = newcombe(56, 70, 48, 80)  # the first example of the paper
    >>> round(float(low), 4), round(float(high), 4)
    (0.0524, 0.3339)
    """
    z = z_of(level, side)
    k, n = counts(numerators, denominators, ("numerators", "denominators"))
    names = ("other_numerators", "other_denominators")
    k2, n2 = counts(other_numerators, other_denominators, names)
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = of_limits((k / n, *limits(k, n, z)), (k2 / n2, *limits(k2, n2, z)))
    return on_side(low, high, side, (-1.0, 1.0))


def of_limits(one: Any, other: Any) -> tuple[Floats, Floats]:
    """Return the interval of one - other, each (value, low, high) of independent rows.

    References
    ----------
    Zou and Donner (2008), https://doi.org/10.1002/sim.3095
    """
    value, low, high = one
    value2, low2, high2 = other
    difference = value - value2
    below = difference - np.hypot(value - low, high2 - value2)
    above = difference + np.hypot(high - value, value2 - low2)
    return below, above
