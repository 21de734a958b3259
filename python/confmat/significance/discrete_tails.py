"""Logarithms of binomial and hypergeometric tails, right for any counts and however small.

The point probability in 50 digits, times the sum of the terms relative to it. The tails of SciPy
are 0 where a float is, slow for hypergeometric counts of billions, and lose digits from 10^10 on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from typing import Any

import numpy as np

from confmat.intervals.levels import Floats

_DIGITS = Context(prec=50)
_EXACT = 128  # factorials up to here are multiplied out
_AT_ONCE = 1 << 16
_SAME = 1e-7  # point probabilities this close are equal
_HALF_LOG_TAU = Decimal("0.91893853320467274178032973640561763986139747363778")
# B(2 i) / (2 i (2 i - 1)), of Stirling's series
_STIRLING = (
    *((1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156)),
    *((-3617, 122400), (43867, 244188), (-174611, 125400)),
)


def log_factorial(n: int) -> Decimal:
    """Return the logarithm of n!, in 50 digits."""
    if n <= _EXACT:
        return Decimal(math.factorial(n)).ln(_DIGITS)
    with localcontext(_DIGITS):
        x = Decimal(n)
        total = (x + Decimal("0.5")) * x.ln() - x + _HALF_LOG_TAU
        return total + sum(
            Decimal(over) / (under * x ** (2 * i + 1)) for i, (over, under) in enumerate(_STIRLING)
        )


def log_binomial(k: int, n: int, yes: int, no: int) -> float:
    """Return the logarithm of the probability of k of n, each at yes / (yes + no).

    Examples
    --------
    >>> from confmat.significance.discrete_tails import log_binomial
    >>> log_binomial(10, 10, 1, 1) / math.log(2)
    -10.0
    """
    if not 0 <= k <= n or (k and not yes) or (k < n and not no):
        return -math.inf
    with localcontext(_DIGITS):
        total = log_factorial(n) - log_factorial(k) - log_factorial(n - k)
        for times, share in ((k, yes), (n - k, no)):
            if times:
                total += times * (Decimal(share) / (yes + no)).ln()
        return float(total)


def log_binomial_tail(k: int, n: int, yes: int, no: int) -> float:
    """Return the logarithm of the probability of at least k of n, each at yes / (yes + no).

    Examples
    --------
    >>> from confmat.significance.discrete_tails import log_binomial_tail
    >>> round(math.exp(log_binomial_tail(9, 10, 1, 1)) * 1024, 9)
    11.0
    """
    if k <= 0 or not no:
        return 0.0 if k <= n else -math.inf
    if k * (yes + no) <= n * yes:  # not above the mean: all that is not below
        return _log_rest(log_binomial_tail(n - k + 1, n, no, yes))
    odds = yes / no

    def ratio(j: Any) -> Any:
        return (n - j) / (j + 1.0) * odds

    return log_binomial(k, n, yes, no) + _log_sum(ratio, k)


def log_fisher(a: int, b: int, c: int, d: int) -> float:
    """Return the logarithm of Fisher's two-sided p-value of a 2 x 2 table.

    The probability, given the margins, of tables that are no more probable than this one.

    Examples
    --------
    >>> from confmat.significance.discrete_tails import log_fisher
    >>> round(math.exp(log_fisher(3, 1, 1, 3)) * 70, 9)  # the tea tasting
    34.0
    """
    row, other, column = a + b, c + d, a + c
    mode = (row + 1) * (column + 1) // (row + other + 2)
    if a < mode:
        a, b, c, d = b, a, d, c
        column = a + c
        mode = (row + 1) * (column + 1) // (row + other + 2)

    def log_point(x: int) -> float:
        return _log_hypergeometric(x, row, other, column)

    most = log_point(a) + math.log1p(_SAME)
    low, high = max(column - other, 0) - 1, min(mode, a)
    if log_point(high) <= most:  # the mode itself, or one as probable
        high = a
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if log_point(middle) <= most else (low, middle)
    above = log_point(a) + _log_sum(
        lambda j: (row - j) * (column - j) / ((j + 1.0) * (other - column + j + 1.0)), a
    )
    if low < max(column - other, 0):
        return min(above, 0.0)
    below = log_point(low) + _log_sum(
        lambda i: (
            (low - i)
            * (other - column + low - i)
            / ((row - low + i + 1.0) * (column - low + i + 1.0))
        ),
        0,
    )
    return min(float(np.logaddexp(above, below)), 0.0)


def _log_hypergeometric(x: int, row: int, other: int, column: int) -> float:
    """Return the logarithm of the probability of x in the corner, given the margins."""
    with localcontext(_DIGITS):
        whole = row + other
        parts = (x, row - x, column - x, other - column + x)
        given = (row, other, column, whole - column)
        total = sum(map(log_factorial, given)) - log_factorial(whole)
        return float(total - sum(map(log_factorial, parts)))


def _log_sum(ratio: Callable[[Floats], Floats], start: int) -> float:
    """Return log(1 + r(start) + r(start) r(start + 1) + ...), of ratios that fall to 0."""
    total, term = 1.0, 1.0
    while term:
        ratios = ratio(np.arange(start, start + _AT_ONCE, dtype=np.float64))
        terms = term * np.cumprod(np.maximum(ratios, 0.0))
        total += float(terms.sum())
        term, last = float(terms[-1]), float(ratios[-1])
        if last < 1 and term < 1e-17 * total * (1 - last):
            break
        start += _AT_ONCE
    return math.log(total)


def _log_rest(log_p: float) -> float:
    """Return the logarithm of 1 - p."""
    return math.log1p(-math.exp(log_p)) if log_p < 0 else -math.inf
