"""Intervals of numbers that follow from the rates of several samples, each with its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from confmat.intervals.levels import Floats
from confmat.intervals.wilson import limits


def moved_by_rates(
    of: Callable[..., Any],
    rates: Sequence[tuple[Any, Any]],
    z: float,
    together: Mapping[tuple[int, int], Any] | None = None,
) -> tuple[Floats, Floats]:
    """Return the interval of a number that follows from rates (MOVER).

    Each rate moves the number as far as Wilson's interval of that rate reaches, and all together
    as far as the root of the sum of squares. So rates of 0 and 1, which seem to be sure, are not
    taken for known.

    Parameters
    ----------
    of : callable
        From the rates, in order, to the number; of arrays, element by element.
    rates : sequence of pairs of array-like
        Numerators and denominators, counts or effective rows.
    z : float
        How many standard deviations to reach.
    together : mapping of pairs of positions to array-like, optional
        Correlations of rates that are not independent.

    Returns
    -------
    tuple of ndarray
        (low, high); nan where the number is undefined. A limit of a rate at which it is undefined
        does not move it.

    References
    ----------
    Zou and Donner (2008), https://doi.org/10.1002/sim.3095; with correlations Zou, Huo and Taleban
    (2009), https://doi.org/10.1002/env.919

    Examples
    --------
    The difference of two rates, whose interval is then Newcombe's:

    >>> from confmat.intervals.moved_rates import moved_by_rates
    >>> low, high = moved_by_rates(lambda a, b: a - b, [(56, 70), (48, 80)], 1.959964)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0524, 0.3339)
    """
    counts = [tuple(np.asarray(x, np.float64) for x in pair) for pair in rates]
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = [part / whole for part, whole in counts]
        value = np.asarray(of(*middle), np.float64)
        reaches = []
        for at, (part, whole) in enumerate(counts):
            ends = [
                np.asarray(of(*middle[:at], end, *middle[at + 1 :]), np.float64)
                for end in limits(part, whole, z)
            ]
            reaches.append(
                (
                    value - np.fmin(value, np.fmin(*ends)),
                    np.fmax(value, np.fmax(*ends)) - value,
                    np.where(ends[1] < ends[0], -1.0, 1.0),  # whether it falls as the rate rises
                )
            )
        found = [_length([(reach[end], reach[2]) for reach in reaches], together) for end in (0, 1)]
    return value - found[0], value + found[1]


def _length(
    reaches: Sequence[tuple[Any, Any]], together: Mapping[tuple[int, int], Any] | None
) -> Floats:
    """Return how far several reaches, each with its direction, are together."""
    whole = sum(reach * reach for reach, _ in reaches)
    for (one, other), correlation in (together or {}).items():
        (reach, sign), (reach2, sign2) = reaches[one], reaches[other]
        whole = whole + 2 * correlation * sign * sign2 * reach * reach2
    length: Floats = np.sqrt(np.maximum(whole, 0.0))
    return length
