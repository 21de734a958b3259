"""How many rows an interval of a wanted width needs, and what few or no events say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confmat.errors import InputError
from confmat.intervals.levels import checked_level, z_of
from confmat.intervals.wilson import limits
from confmat.own_errors import own_errors

MOST_ROWS = 1 << 62


@own_errors
def rows_for_width(width: float, rate: float = 0.5, level: float = 0.95) -> int:
    """Return the least number of rows whose Wilson interval of a rate is at most so wide.

    Parameters
    ----------
    width : float
        From the lower end to the upper one; below 1.
    rate : float, default 0.5
        What the rate is expected to be. That of 1/2 needs the most rows.
    level : float, default 0.95
        Of the interval.

    Returns
    -------
    int
        Rows that the rate is a share of: of recall those of the class.

    References
    ----------
    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953

    Examples
    --------
    >>> from confmat.intervals.sample_size import rows_for_width
    >>> rows_for_width(0.1), rows_for_width(0.1, rate=0.95)
    (381, 83)
    """
    z2 = z_of(level) ** 2
    w2 = checked_share(width, "width") ** 2
    rate = checked_share(rate, "rate", ends=True)
    spread = 4 * z2 * rate * (1 - rate)
    # w2 N^2 - spread N + z2 (spread - z2) = 0 of N = n + z2: where the width is the wanted one.
    root = math.sqrt(spread * spread - 4 * w2 * z2 * (spread - z2))
    near = max(counted(math.ceil((spread + root) / (2 * w2) - z2)), 1)
    tried = np.arange(max(near - 1, 1), near + 2, dtype=np.float64)
    low, high = limits(rate * tried, tried, math.sqrt(z2))
    return int(next((n for n in tried[high - low <= width]), tried[-1]))


@own_errors
def zero_events_bound(n: int | float, level: float = 0.95) -> float:
    """Return the largest rate of which no event among `n` rows is still likely enough.

    The exact one-sided bound 1 - (1 - level)^(1 / n), at 95 % about 3 / n: the rule of three. A
    two-sided interval of the same level ends at that of (1 + level) / 2.

    Parameters
    ----------
    n : int or float
        Rows, none of which is an event; of weighted rows their effective number.
    level : float, default 0.95
        How often the bound is to hold; one-sided.

    Returns
    -------
    float
        1 where there are no rows.

    References
    ----------
    Hanley and Lippman-Hand (1983), https://doi.org/10.1001/jama.1983.03330370053031

    Examples
    --------
    >>> from confmat.intervals.sample_size import zero_events_bound
    >>> [round(zero_events_bound(n), 4) for n in (0, 14, 100)]
    [1.0, 0.1926, 0.0295]
    """
    missed = math.log1p(-checked_level(level))
    return -math.expm1(missed / n) if n > 0 else 1.0


@own_errors
def rows_to_see(share: float, level: float = 0.95) -> int:
    """Return how many rows hold at least one of a class, with this probability.

    Parameters
    ----------
    share : float
        Of all rows, those of the class.
    level : float, default 0.95
        The probability.

    Examples
    --------
    >>> from confmat.intervals.sample_size import rows_to_see
    >>> rows_to_see(1e-5)
    299572
    """
    missed = math.log1p(-checked_level(level))
    rows = missed / math.log1p(-checked_share(share, "share"))
    return max(counted(math.ceil(rows * (1 - 1e-12))), 1)


@own_errors
def rows_for_events(events: int, share: float) -> int:
    """Return how many rows have so many of a class on average, rounded up.

    Examples
    --------
    >>> from confmat.intervals.sample_size import rows_for_events
    >>> rows_for_events(381, 1e-5)
    38100000
    """
    rows = events / checked_share(share, "share", ends=True) if share else math.inf
    return counted(math.ceil(rows * (1 - 1e-12)) if math.isfinite(rows) else math.inf)


def checked_share(value: Any, argument: str, ends: bool = False) -> float:
    """Return a number inside (0, 1), or in [0, 1]; refuse any other."""
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (0 <= number <= 1 if ends else 0 < number < 1):
        wanted = "from 0 to 1" if ends else "between 0 and 1"
        raise InputError(f"`{argument}` is {value!r}; wanted a number {wanted}")
    return number


def counted(rows: float) -> int:
    """Return a number of rows; refuse one beyond what counts hold."""
    if rows > MOST_ROWS:
        raise InputError(f"that needs {rows:.3g} rows, more than can be counted")
    return int(rows)
