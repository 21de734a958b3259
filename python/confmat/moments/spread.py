"""How truth and error vary together: what the standard errors of a regression follow from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import TypeAlias

import numpy as np

from confmat import _core
from confmat.intervals.levels import Floats
from confmat.moments.names import INTERVALS

Powers: TypeAlias = dict[tuple[int, int], float]

_WEIGHT, _SQUARED, _SUMS = 0, 1, 8
# Where sums of y^i p^j lie among those that every state has, and among the powers, which come last.
_LOW = {(1, 0): 2, (0, 1): 3, (2, 0): 5, (0, 2): 6, (1, 1): 7}
_HIGH = [(3, 0), (2, 1), (1, 2), (0, 3), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4)]
# The statistics whose covariances there are: u, e, uu, ue and ee of what lies off the means.
_STATISTICS = [(1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]


@dataclass(frozen=True)
class Spread:
    """Means of truth and error, and of the products of what lies off them.

    With u the truth less its mean, and e the error (prediction less truth) less its own.
    """

    n: float  # rows, or as many as weigh as much
    truth: float
    error: float
    uu: float
    ue: float
    ee: float
    covariance: Floats | None  # of u, e, uu, ue, ee in one row; None: without higher powers
    normal: Floats  # the same, of a normal distribution


def spread_of(state: _core.Moments) -> Spread:
    """Return the spread of the rows of a state: exact, and rounded once.

    Sums are whole numbers of one small unit, and moments of one degree have one denominator: with
    fractions of their own, each in lowest terms, it takes ten times as long.
    """
    sums, unit = _whole(state.exact_sums())
    weight = sums[_WEIGHT]
    if weight == 0:
        empty = np.full((5, 5), math.nan)
        none = math.nan
        return Spread(0.0, none, none, none, none, none, None, normal=empty)
    of = {at: sums[i] for at, i in _LOW.items()}
    if is_powered := state.holds(INTERVALS) and sums[-1] == 0:
        of |= {at: sums[i - 10] for i, at in enumerate(_HIGH)}
    top = 4 if is_powered else 2
    y, p = of[1, 0], of[0, 1]
    off_y, off_p, scale = (_powers(one, top) for one in (-y, -p, weight))

    def about(i: int, j: int) -> int:
        """Return the mean of u^i (p less its mean)^j, times weight^(i + j)."""
        terms = (
            comb(i, k) * comb(j, m) * off_y[i - k] * off_p[j - m] * of[k, m] * scale[k + m - 1]
            for k in range(i + 1)
            for m in range(j + 1)
            if k + m > 0
        )
        return sum(terms, off_y[i] * off_p[j])

    off = {(i, j): about(i, j) for i in range(top + 1) for j in range(top + 1 - i)}

    def of_error(i: int, j: int) -> float:
        """Return the mean of u^i e^j."""
        terms = ((-1) ** (j - k) * comb(j, k) * off[i + j - k, k] for k in range(j + 1))
        mean: float = sum(terms) / scale[i + j]
        return mean

    found = {at: of_error(*at) for at in off}
    uu, ue, ee = found[2, 0], found[1, 1], found[0, 2]
    return Spread(
        weight * weight / (sums[_SQUARED] * unit),
        y / weight,
        (p - y) / weight,
        uu,
        ue,
        ee,
        covariance=_covariance(found) if is_powered else None,
        normal=_covariance(found | _of_normal(uu, ue, ee)),
    )


def _whole(sums: Sequence[Sequence[float]]) -> tuple[list[int], int]:
    """Return sums as whole numbers, and how many of these make 1."""
    ratios = [[part.as_integer_ratio() for part in parts] for parts in sums]
    unit = max((below for parts in ratios for _, below in parts), default=1)
    return [sum(above * (unit // below) for above, below in parts) for parts in ratios], unit


def _powers(number: int, top: int) -> list[int]:
    return [number**power for power in range(top + 1)]


def _of_normal(uu: float, ue: float, ee: float) -> Powers:
    """Return third and fourth powers of a normal distribution (Isserlis)."""
    fourths = {
        (4, 0): 3 * uu * uu,
        (3, 1): 3 * uu * ue,
        (2, 2): uu * ee + 2 * ue * ue,
        (1, 3): 3 * ue * ee,
        (0, 4): 3 * ee * ee,
    }
    return {(3 - j, j): 0.0 for j in range(4)} | fourths


def _covariance(means: Powers) -> Floats:
    off = {(1, 0): 0.0, (0, 1): 0.0} | {at: means[at] for at in _STATISTICS[2:]}
    return np.array(
        [
            [means[a[0] + b[0], a[1] + b[1]] - off[a] * off[b] for b in _STATISTICS]
            for a in _STATISTICS
        ]
    )
