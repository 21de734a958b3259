"""Tests and intervals of a difference by how far the interval of each number reaches to each side.

A number with few rows behind it is skewed: its interval is longer on one side. A difference is told
by the sides that face each other, and where standard errors rest on few rows by Student's t.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from confmat.intervals.distributions import distributions
from confmat.intervals.levels import Floats, Side
from confmat.significance.differences import delta_z


class Estimates(NamedTuple):
    """Numbers, their standard errors downwards and upwards, and the degrees of freedom of these."""

    value: Floats
    down: Floats
    up: Floats
    freedom: Floats


def estimates(limits: Any, freedom: Any, level: float, *, by_t: bool) -> Estimates:
    """Return what intervals say: value, low and high in the columns of `limits`.

    `by_t`: they reach as far as the t distribution of their degrees of freedom says.
    """
    value, low, high = np.asarray(limits, np.float64).T
    known = np.broadcast_to(np.asarray(freedom, np.float64), value.shape)
    reach = _quantile(level, known if by_t else np.full(value.shape, np.inf))
    return Estimates(value, (value - low) / reach, (high - value) / reach, known)


def told_apart(one: Estimates, other: Estimates, side: Side = "both") -> tuple[Floats, Floats]:
    """Return the statistic of each difference of independent numbers, and its p-value.

    The statistic is distributed as Student's t, with degrees of freedom by Satterthwaite. `side`:
    "lower" asks whether the one is more, "upper" whether it is less.

    References
    ----------
    Zou and Donner (2008), https://doi.org/10.1002/sim.3095, for the sides;
    Satterthwaite (1946), https://doi.org/10.2307/3002019

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.significance.own_sides import estimates, told_apart
    >>> one = estimates([[0.9, 0.7, 0.95]], 9, 0.95, by_t=False)
    >>> other = estimates([[0.75, 0.74, 0.76]], np.inf, 0.95, by_t=False)
    >>> [round(float(x[0]), 4) for x in told_apart(one, other)]
    [1.4681, 0.176]
    """
    statistic, freedom = compared(one, other)
    t = distributions("a test of a difference").t
    return statistic, p_of(statistic, side, lambda above: t.sf(above, freedom))


def p_of(statistic: Floats, side: Side, tail: Callable[[Floats], Floats]) -> Floats:
    """Return the p-values of statistics whose distribution, even in both ways, has these tails."""
    if side == "both":
        return 2 * tail(np.abs(statistic))
    return tail(statistic if side == "lower" else -statistic)


def compared(one: Estimates, other: Estimates) -> tuple[Floats, Floats]:
    """Return the statistic of each difference, and its degrees of freedom.

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.significance.own_sides import compared, estimates
    >>> one = estimates([[0.9, 0.7, 0.95]], 9, 0.95, by_t=False)
    >>> other = estimates([[0.75, 0.74, 0.76]], np.inf, 0.95, by_t=False)
    >>> [round(float(x[0]), 4) for x in compared(one, other)]
    [1.4681, 9.0451]
    """
    gap = one.value - other.value
    is_above = gap > 0
    sides = np.where(is_above, one.down, one.up), np.where(is_above, other.up, other.down)
    return delta_z(gap, *sides), _freedom(*sides, one.freedom, other.freedom)


def ends(one: Estimates, other: Estimates, level: float) -> tuple[Floats, Floats]:
    """Return the ends of the interval of each difference.

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.significance.own_sides import ends, estimates
    >>> one = estimates([[0.9, 0.7, 0.95]], np.inf, 0.95, by_t=False)
    >>> other = estimates([[0.75, 0.74, 0.76]], np.inf, 0.95, by_t=False)
    >>> [round(float(x[0]), 4) for x in ends(one, other, 0.95)]
    [-0.0502, 0.201]
    """
    gap = one.value - other.value
    below, above = (
        np.hypot(*sides) * _quantile(level, _freedom(*sides, one.freedom, other.freedom))
        for sides in ((one.down, other.up), (one.up, other.down))
    )
    return gap - below, gap + above


def _quantile(level: float, freedom: Floats) -> Floats:
    out: Floats = distributions("a test of a difference").t.ppf((1 + level) / 2, freedom)
    return out


def _freedom(se: Floats, se2: Floats, freedom: Floats, freedom2: Floats) -> Floats:
    """Return the degrees of freedom of the standard error of a difference."""
    share = np.square(se) / np.maximum(np.square(se) + np.square(se2), np.finfo(float).tiny)
    with np.errstate(divide="ignore"):
        out: Floats = 1 / (np.square(share) / freedom + np.square(1 - share) / freedom2)
    return out
