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
    near = max(_counted(math.ceil((spread + root) / (2 * w2) - z2)), 1)
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
    return max(_counted(math.ceil(rows * (1 - 1e-12))), 1)


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
    return _counted(math.ceil(rows * (1 - 1e-12)) if math.isfinite(rows) else math.inf)


@own_errors
def hanley_mcneil(auc: float, n_positive: float, n_negative: float) -> float:
    """Return the standard error of an area under the ROC curve that its size alone suggests.

    For planning, before there are scores: those of the classes are taken as exponential.

    Parameters
    ----------
    auc : float
        The area, from 0 to 1.
    n_positive, n_negative : float
        Rows of the two classes.

    Returns
    -------
    float
        nan where a class has no rows.

    References
    ----------
    Hanley and McNeil (1982), https://doi.org/10.1148/radiology.143.1.7063747

    Examples
    --------
    >>> from confmat.intervals.sample_size import hanley_mcneil
    >>> round(hanley_mcneil(0.893, 51, 58), 4)
    0.0325
    """
    if not (n_positive > 0 and n_negative > 0) or math.isnan(auc):
        return math.nan
    area = checked_share(auc, "auc", ends=True)
    square = area * area
    of_positives = (n_positive - 1) * (area / (2 - area) - square)
    of_negatives = (n_negative - 1) * (2 * square / (1 + area) - square)
    spread = area * (1 - area) + of_positives + of_negatives
    return math.sqrt(max(spread, 0.0) / n_positive / n_negative)


@own_errors
def positives_for_auc(width: float, auc: float, share: float = 0.5, level: float = 0.95) -> int:
    """Return the positives that an interval of the area under the ROC curve of a width needs.

    Parameters
    ----------
    width : float
        From the lower end to the upper one, 2 z standard errors.
    auc : float
        What the area is expected to be.
    share : float, default 0.5
        Of all rows, the positive ones; the negatives that go with them are counted on.
    level : float, default 0.95
        Of the interval.

    Examples
    --------
    >>> from confmat.intervals.sample_size import positives_for_auc
    >>> positives_for_auc(0.1, 0.8), positives_for_auc(0.1, 0.8, share=0.01)
    (151, 110)
    """
    wanted = checked_share(width, "width") / (2 * z_of(level))
    of_one = (1 - checked_share(share, "share")) / share
    checked_share(auc, "auc", ends=True)
    few, many = 0, 1
    while hanley_mcneil(auc, many, max(many * of_one, 1.0)) > wanted:
        few, many = many, _counted(2 * many)
    while many - few > 1:
        middle = (few + many) // 2
        is_enough = hanley_mcneil(auc, middle, max(middle * of_one, 1.0)) <= wanted
        few, many = (few, middle) if is_enough else (middle, many)
    return many


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


def _counted(rows: float) -> int:
    if rows > MOST_ROWS:
        raise InputError(f"that needs {rows:.3g} rows, more than can be counted")
    return int(rows)
