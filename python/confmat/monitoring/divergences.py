"""How far two distributions of counted rows lie apart, part by part."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from confmat.errors import ConfmatError
from confmat.intervals.distributions import distributions
from confmat.intervals.levels import Floats

NAMES = ("psi", "jensen_shannon", "total_variation", "chi_squared")


class Apart(NamedTuple):
    """What each part, a class, a cell or a bin, adds to each measure; all of shape (m,).

    `smoothed` says whether the population stability index needed rows added to a part without any.
    """

    a: Floats
    b: Floats
    psi: Floats
    jensen_shannon: Floats
    total_variation: Floats
    chi_squared: Floats
    smoothed: bool

    def totals(self) -> dict[str, float]:
        """Return each measure of the whole; nan where one of the two has no rows."""
        return {name: math.fsum(getattr(self, name)) for name in NAMES}


def apart(a: Any, b: Any, smoothing: float, are_rows: bool) -> Apart:
    """Compare two vectors of counts over the same parts, some of which have rows in one of them.

    `are_rows`: they are numbers of rows, not of weights, so that a test of them is one.
    """
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        p, q = a / a.sum(), b / b.sum()
        middle = (p + q) / 2
        shared = (_entropy(p, middle) + _entropy(q, middle)) / 2
        has_none = bool(((a == 0) | (b == 0)).any())
        more, other = (a + smoothing, b + smoothing) if has_none else (a, b)
        stability = _stability(more / more.sum(), other / other.sum())
        expected = [(a + b) * (part.sum() / (a.sum() + b.sum())) for part in (a, b)]
        squared = sum((part - e) ** 2 / e for part, e in zip((a, b), expected, strict=True))
    if not (a.sum() > 0 and b.sum() > 0):
        stability, shared, squared = (np.full(a.shape, np.nan) for _ in range(3))
    if not are_rows:
        squared = np.full(a.shape, np.nan)
    smoothed = has_none and smoothing > 0
    return Apart(a, b, stability, shared, abs(q - p) / 2, np.asarray(squared), smoothed)


def p_value(found: Apart) -> tuple[float, str | None]:
    """Return the p-value of the chi-squared test of one distribution, or why there is none."""
    statistic = found.totals()["chi_squared"]
    if math.isnan(statistic):
        return math.nan, None
    freedom = len(found.a) - 1
    if freedom < 1:
        return math.nan, "there is one part alone"
    try:
        return float(distributions("a p-value").chi2.sf(statistic, freedom)), None
    except ConfmatError as error:
        return math.nan, str(error)


def least_expected(found: Apart) -> float:
    """Return the smallest number of rows that a part of one distribution would have on average."""
    total = found.a.sum() + found.b.sum()
    fewer = min(found.a.sum(), found.b.sum())
    return (
        float((found.a + found.b).min() * (fewer / total)) if len(found.a) and total else math.nan
    )


def _entropy(p: Floats, middle: Floats) -> Floats:
    """Return p log2(p / middle), 0 where p is."""
    found: Floats = np.where(p > 0, p * np.log2(np.where(p > 0, p / middle, 1.0)), 0 * p)
    return found


def _stability(p: Floats, q: Floats) -> Floats:
    """Return (q - p) ln(q / p), 0 where both are equal."""
    found: Floats = np.where(p == q, 0 * p, (q - p) * np.log(q / p))
    return found
