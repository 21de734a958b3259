"""Power of tests of rates, and how many rows a wanted power needs."""

from __future__ import annotations

import math
from statistics import NormalDist

from confmat.errors import InputError
from confmat.intervals.levels import Side, checked_level, z_of
from confmat.intervals.sample_size import checked_share
from confmat.own_errors import own_errors

_NORMAL = NormalDist()


@own_errors
def rows_for_one_rate(
    rate: float, other: float, power: float = 0.8, level: float = 0.95, side: Side = "both"
) -> int:
    """Return the rows that tell a rate from a fixed number that it is tested against.

    Parameters
    ----------
    rate : float
        The number that the hypothesis names.
    other : float
        What the rate really is.
    power : float, default 0.8
        How often the test is to reject then.
    level : float, default 0.95
        One minus the size of the test.
    side : {"both", "lower", "upper"}, default "both"
        Both ends, or one alone.

    References
    ----------
    Fleiss, Levin and Paik (2003), https://doi.org/10.1002/0471445428, section 2.4.

    Examples
    --------
    >>> from confmat.intervals.power import rows_for_one_rate
    >>> rows_for_one_rate(0.9, 0.85)
    316
    """
    null, true = _two(rate, other)
    z, reach = z_of(level, side), _quantile(power)
    root = z * math.sqrt(null * (1 - null)) + reach * math.sqrt(true * (1 - true))
    return _rows(root, true - null)


@own_errors
def rows_for_two_rates(
    rate: float, other: float, power: float = 0.8, level: float = 0.95, side: Side = "both"
) -> int:
    """Return the rows, of each of two independent samples, that tell one rate from the other.

    Parameters
    ----------
    rate, other : float
        The two rates.
    power, level, side
        As in `rows_for_one_rate`, of the test of equal rates with a pooled variance.

    References
    ----------
    Fleiss, Levin and Paik (2003), https://doi.org/10.1002/0471445428, section 4.2, without the
    correction for continuity.

    Examples
    --------
    >>> from confmat.intervals.power import rows_for_two_rates
    >>> rows_for_two_rates(0.5, 0.75, power=0.9)
    77
    """
    one, two = _two(rate, other)
    z, reach = z_of(level, side), _quantile(power)
    return _rows(z * _pooled(one, two) + reach * _apart(one, two), one - two)


@own_errors
def power_of_two_rates(
    n: int, rate: float, other: float, level: float = 0.95, side: Side = "both"
) -> float:
    """Return how often a test of two samples of `n` rows tells one rate from the other.

    The far tail of a two-sided test, which would reject for the wrong reason, is left out.

    Parameters
    ----------
    n : int
        Rows of each sample.
    rate, other, level, side
        As in `rows_for_two_rates`.

    Examples
    --------
    >>> from confmat.intervals.power import power_of_two_rates
    >>> round(power_of_two_rates(50, 0.5, 0.75), 4)
    0.7402
    """
    one, two = _two(rate, other)
    if not n >= 1:
        raise InputError(f"`n` is {n!r}; wanted a number of rows, at least 1")
    gap = abs(one - two) * math.sqrt(n) - z_of(level, side) * _pooled(one, two)
    spread = _apart(one, two)
    return _NORMAL.cdf(gap / spread) if spread else float(gap > 0)


@own_errors
def rows_for_mcnemar(
    only_one: float, only_other: float, power: float = 0.8, level: float = 0.95, side: Side = "both"
) -> int:
    """Return the rows, judged by two models each, whose McNemar test tells the models apart.

    Parameters
    ----------
    only_one, only_other : float
        Shares of all rows that one model alone has right, and the other alone.
    power, level, side
        As in `rows_for_one_rate`.

    References
    ----------
    Connor (1987), https://doi.org/10.2307/2531961

    Examples
    --------
    >>> from confmat.intervals.power import rows_for_mcnemar
    >>> rows_for_mcnemar(0.1, 0.05)
    469
    """
    one, two = _two(only_one, only_other, "only_one", "only_other")
    differ, gap = one + two, one - two
    if differ > 1:
        raise InputError(f"`only_one` and `only_other` add up to {differ:g}; wanted at most 1")
    z, reach = z_of(level, side), _quantile(power)
    return _rows(z * math.sqrt(differ) + reach * math.sqrt(differ - gap * gap), gap)


def _two(
    one: float, other: float, first: str = "rate", second: str = "other"
) -> tuple[float, float]:
    found = checked_share(one, first, ends=True), checked_share(other, second, ends=True)
    if found[0] == found[1]:
        raise InputError(f"`{first}` and `{second}` are both {one:g}; wanted two that differ")
    return found


def _quantile(power: float) -> float:
    try:
        return _NORMAL.inv_cdf(checked_level(power))
    except InputError:
        raise InputError(
            f"`power` is {power!r}; wanted a number between 0 and 1, such as 0.8"
        ) from None


def _pooled(one: float, two: float) -> float:
    mean = (one + two) / 2
    return math.sqrt(2 * mean * (1 - mean))


def _apart(one: float, two: float) -> float:
    return math.sqrt(one * (1 - one) + two * (1 - two))


def _rows(root: float, gap: float) -> int:
    """Return the rows whose standard errors make the gap as wide as wanted."""
    rows = (max(root, 0.0) / gap) ** 2
    return max(math.ceil(rows * (1 - 1e-12)), 1)
