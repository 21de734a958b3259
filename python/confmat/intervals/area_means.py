"""Intervals of means of areas under ROC curves, from their variance and the rows behind each."""

from __future__ import annotations

import math
from collections.abc import Sequence

from confmat.intervals.areas import area_interval, steadied, variance_of_area
from confmat.intervals.interval import Interval
from confmat.intervals.levels import Side


def mean_area_interval(
    number: float,
    variance: float,
    areas: Sequence[float],
    sizes: Sequence[tuple[float, float]],
    shares: Sequence[float],
    level: float,
    side: Side,
) -> Interval:
    """Return the interval of a mean of areas of the same rows.

    Its variance is steadied as that of one area, the model taking the areas to rise and fall
    together: `sizes` are the positives and negatives of each, `shares` what it weighs.

    Examples
    --------
    >>> from confmat.intervals.area_means import mean_area_interval
    >>> sizes = [(40, 60), (30, 70)]
    >>> found = mean_area_interval(0.85, 0.001, [0.9, 0.8], sizes, [0.5, 0.5], 0.95, "both")
    >>> print(found)
    0.8500 [0.7703, 0.9054] (delong)
    """
    if not 0 < number < 1:
        ends = [
            area_interval(area, math.nan, *size, level, side, "newcombe")[:3]
            for area, size in zip(areas, sizes, strict=True)
        ]
        low, high, se = (
            math.fsum(s * end for s, end in zip(shares, part, strict=True))
            for part in zip(*ends, strict=True)
        )
        return Interval(number, low, high, se, "newcombe")
    spreads = (
        share * math.sqrt(variance_of_area(area, *size))
        for share, area, size in zip(shares, areas, sizes, strict=True)
    )
    least = min(map(min, sizes))
    low, high, se = steadied(number, variance, math.fsum(spreads) ** 2, least, level, side)
    return Interval(number, low, high, se, "delong")
