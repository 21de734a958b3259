"""Quantiles and tails of Student's t distribution, without SciPy."""

from __future__ import annotations

import math

import numpy as np

_LARGE = 1000.0  # degrees of freedom from which the series has as many digits
_STEPS = 50


def t_quantile(z: float, df: float) -> float:
    """Return the quantile of the t distribution at the probability that `z` has of the normal one.

    Parameters
    ----------
    z : float
        A quantile of the normal distribution, above 0.
    df : float
        Degrees of freedom, at least 1.

    Returns
    -------
    float
        Right to 1e-9 of its size; from 1,000 degrees of freedom on by the series of Abramowitz and
        Stegun (1964), 26.7.5, below by Newton's steps from there.

    Examples
    --------
    >>> from confmat.intervals.student import t_quantile
    >>> round(t_quantile(1.959963984540054, 1), 6), round(t_quantile(1.959963984540054, 9), 6)
    (12.706205, 2.262157)
    """
    t = _series(z, df)
    if df >= _LARGE:
        return t
    wanted = math.log(math.erfc(z / math.sqrt(2)) / 2)
    scale = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(df * math.pi) / 2
    for _ in range(_STEPS):
        tail = t_tail(t, df)
        density = math.exp(scale - (df + 1) / 2 * math.log1p(t * t / df))
        # The logarithm of a heavy tail is nearly straight in that of t.
        step = (math.log(tail) - wanted) * tail / (density * t)
        t *= math.exp(step)
        if abs(step) < 1e-13:
            break
    return t


def _series(z: float, df: float) -> float:
    powers = z ** np.arange(1, 10, 2)
    terms = [
        powers[:2] @ [1, 1] / 4,
        powers[:3] @ [3, 16, 5] / 96,
        powers[:4] @ [-15, 17, 19, 3] / 384,
        powers @ [-945, -1920, 1482, 776, 79] / 92160,
    ]
    return float(z + sum(term / df**k for k, term in enumerate(terms, 1)))


def t_tail(t: float, df: float) -> float:
    """Return how likely a number above `t` is, which is not negative.

    Half an incomplete beta function.

    Examples
    --------
    >>> from confmat.intervals.student import t_tail
    >>> round(t_tail(2.262157, 9), 6)
    0.025
    """
    x = df / (df + t * t)
    a, b = df / 2, 0.5
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly
        return 0.5 - _beta(b, a, t * t / (df + t * t)) / 2
    return _beta(a, b, x) / 2


def _beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (DLMF 8.17.22)."""
    if x == 0:
        return 0.0
    front = a * math.log(x) + b * math.log1p(-x) - math.log(a)
    front += math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 500):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + factor * d)
            c = 1 + factor / c
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(front) * fraction
