"""Tests of rates: of one against a number, and of two of independent rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confmat.intervals.levels import Floats, counts
from confmat.own_errors import own_errors
from confmat.significance.checks import whole_number
from confmat.significance.discrete_tails import log_binomial_tail
from confmat.significance.result import TestResult, result, undefined


@own_errors
def no_information(
    right: int, majority: int, n: int, *, label: str = "the most frequent class"
) -> TestResult:
    """Test whether an accuracy is above the share of the most frequent class.

    That share is the accuracy of always predicting this class, the no-information rate.

    Parameters
    ----------
    right, majority, n : int
        Rows that are right, rows of the most frequent true class, all rows.
    label : str
        That class, in words.

    Returns
    -------
    TestResult
        The statistic is `right`; p is the exact upper tail of the binomial distribution, with the
        share taken as known, as in `confusionMatrix` of the R package caret.

    References
    ----------
    Kuhn (2008), https://doi.org/10.18637/jss.v028.i05

    Examples
    --------
    >>> from confmat.significance.rates import no_information
    >>> found = no_information(1000, 500, 1000)
    >>> f"{found.p_value:.6e}", round(found.log_p, 3)
    ('9.332636e-302', -693.147)
    """
    name, method = "nir", "exact binomial"
    right, majority = whole_number("right", right), whole_number("majority", majority)
    n = whole_number("n", n)
    if not n:
        return undefined(name, "n = 0", "accuracy of no rows", method=method)
    compared = (
        f"accuracy {right / n:.4f} of {n} rows against the share {majority / n:.4f} of {label}"
    )
    log_p = log_binomial_tail(right, n, majority, n - majority)
    return result(name, right, log_p, compared, method=method, alternative="greater")


@own_errors
def score_z(k: Any, n: Any, k2: Any, n2: Any, difference: float = 0.0) -> Floats:
    """Return the score statistic of two rates of independent rows, standard normal.

    (p - p2 - d) over its standard error where the rates are those that fit best among rates that
    are d apart; for d = 0 the pooled rate.

    Parameters
    ----------
    k, n, k2, n2 : array-like
        Counts of the one rate and of the other.
    difference : float, default 0
        The difference of the hypothesis.

    Returns
    -------
    ndarray
        nan where there are no rows; 0 where both rates are the same, of all rows or of none.

    References
    ----------
    Miettinen and Nurminen (1985), https://doi.org/10.1002/sim.4780040211; Farrington and Manning
    (1990), https://doi.org/10.1002/sim.4780091208

    Examples
    --------
    >>> from confmat.significance.rates import score_z
    >>> score_z([56, 5], [70, 5], [48, 9], [80, 9]).round(4).tolist()
    [2.6502, 0.0]
    """
    k, n = counts(k, n, ("k", "n"))
    k2, n2 = counts(k2, n2, ("k2", "n2"))
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = k / n - k2 / n2 - difference
        q, q2 = _fitting(k, n, k2, n2, difference)
        spread = np.sqrt(q * (1 - q) / n + q2 * (1 - q2) / n2)
        return _over(gap, spread)


@own_errors
def score_z_of_one(k: Any, n: Any, share: float) -> Floats:
    """Return the score statistic of a rate against a number, standard normal.

    The values that it does not reject are Wilson's interval.

    Examples
    --------
    >>> from confmat.significance.rates import score_z_of_one
    >>> score_z_of_one([60, 0], [100, 0], 0.5).round(3).tolist()
    [2.0, nan]
    """
    k, n = counts(k, n, ("k", "n"))
    known = min(max(share, 0.0), 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return _over(k / n - share, np.sqrt(known * (1 - known) / n))


def _over(gap: Floats, spread: Floats) -> Floats:
    of_none = np.where(gap == 0, 0.0, np.copysign(np.inf, gap))
    found = np.where(spread > 0, gap / spread, of_none)
    out: Floats = np.where(np.isnan(gap), np.nan, found)
    return out


def _fitting(
    k: Floats, n: Floats, k2: Floats, n2: Floats, difference: float
) -> tuple[Floats, Floats]:
    """Return the rates that fit best among those that are so far apart: a root of a cubic."""
    if difference == 0:
        pooled = (k + k2) / (n + n2)
        return pooled, pooled
    p, p2, times = k / n, k2 / n2, n2 / n
    a = 1 + times
    b = -(1 + times + p + times * p2 + difference * (times + 2))
    c = difference * difference + difference * (2 * p + times + 1) + p + times * p2
    d = -p * difference * (1 + difference)
    v = (b / (3 * a)) ** 3 - b * c / (6 * a * a) + d / (2 * a)
    u = np.copysign(np.sqrt(np.maximum((b / (3 * a)) ** 2 - c / (3 * a), 0)), v)
    angle = (math.pi + np.arccos(np.clip(v / u**3, -1, 1))) / 3
    q = np.where(u == 0, -b / (3 * a), 2 * u * np.cos(angle) - b / (3 * a))
    q = np.clip(q, max(0.0, difference), min(1.0, 1.0 + difference))
    return q, q - difference
