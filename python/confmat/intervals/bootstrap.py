"""Intervals from bootstrap replicates: percentiles, and these corrected for bias and skewness."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np

from confmat.errors import InputError
from confmat.intervals.levels import Floats, Side, z_of
from confmat.own_errors import own_errors

Ends: TypeAlias = tuple[Floats, Floats, Floats]
_BEYOND = 10  # replicates that lie beyond each end, at least
_NORMAL = NormalDist()


@own_errors
def percentile(replicates: Any, level: float = 0.95, side: Side = "both") -> Ends:
    """Return the percentile interval of bootstrap replicates.

    Parameters
    ----------
    replicates : array-like of shape (B,) or (B, m)
        Values of B resampled tables; nan where undefined. Each of m columns has an interval.
    level : float, default 0.95
        How often the interval is to hold the true value.
    side : {"both", "lower", "upper"}, default "both"
        "lower" and "upper" have the whole level on one side; the other end is -inf or inf.

    Returns
    -------
    tuple of ndarray
        (low, high, undefined), each of shape () or (m,): the ends, and the share of the replicates
        that are nan, which are left out. The ends are nan where too few are left.

    Raises
    ------
    InputError
        So few replicates that less than one is beyond an end; another level or side.

    Notes
    -----
    The end of the share p is number p (B + 1) of the B replicates in order, between two neighbours
    in proportion.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13;
    Davison and Hinkley (1997), https://doi.org/10.1017/CBO9780511802843, section 5.3.

    Examples
    --------
    >>> from confmat.intervals.bootstrap import percentile
    >>> low, high, undefined = percentile(range(999), 0.9)
    >>> float(low), float(high), float(undefined)
    (49.0, 949.0, 0.0)
    """
    low, high = _shares(level, side)
    columns, undefined, shape = _sorted(replicates)
    _require(_drawn(replicates), level, side, 1)
    ends = [(_end(column, low), _end(column, high)) for column in columns]
    return _shaped(ends, undefined, shape)


@own_errors
def bca(
    value: Any,
    replicates: Any,
    acceleration: Any,
    level: float = 0.95,
    side: Side = "both",
) -> Ends:
    """Return the bias-corrected and accelerated (BCa) interval of bootstrap replicates.

    Parameters
    ----------
    value : float or array-like of shape (m,)
        The value of the table itself.
    replicates : array-like of shape (B,) or (B, m)
        Values of B resampled tables; nan where undefined.
    acceleration : float or array-like of shape (m,)
        How fast the standard error changes with the value: see `jackknife.acceleration`.
    level, side
        As in `percentile`.

    Returns
    -------
    tuple of ndarray
        (low, high, undefined) as of `percentile`. The ends are nan where the value or the
        acceleration is nan, where all replicates are on one side of the value, and where an end
        lies beyond all of them. Where all replicates are the value, both ends are.

    Raises
    ------
    InputError
        Fewer replicates than put 10 beyond each end: 400 at the level 0.95. A level or side that
        is none.

    Notes
    -----
    The ends are the replicates of the shares Phi(z0 + (z0 + z) / (1 - a (z0 + z))), with the
    acceleration a, the normal quantiles z of the level, and z0 that of the share of replicates
    below the value, equal ones half. Efron and Tibshirani use 2,000 replicates, and call 1,000 the
    least that keep the error of drawing small.

    References
    ----------
    Efron (1987), https://doi.org/10.1080/01621459.1987.10478410;
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 14.3.

    Examples
    --------
    >>> from confmat.intervals.bootstrap import bca
    >>> low, high, undefined = bca(499, range(999), 0.0, 0.9)
    >>> round(float(low), 6), round(float(high), 6)
    (49.0, 949.0)
    """
    z = z_of(level, side)
    columns, undefined, shape = _sorted(replicates)
    _require(_drawn(replicates), level, side, _BEYOND)
    values = _of_columns(value, len(columns), "value")
    rates = _of_columns(acceleration, len(columns), "acceleration")
    ends = []
    for column, at, rate in zip(columns, values, rates, strict=True):
        middle = _middle(column, at)
        low = -math.inf if side == "upper" else _end(column, _moved(middle, -z, rate))
        high = math.inf if side == "lower" else _end(column, _moved(middle, z, rate))
        known = not math.isnan(low + high) or {low, high} == {-math.inf, math.inf}
        ends.append((low, high) if known else (math.nan, math.nan))
    return _shaped(ends, undefined, shape)


def deviations(replicates: Any) -> Floats:
    """Return the standard deviation of the replicates of each column, those that are nan left out.

    nan where fewer than two are left, or one is infinite.

    Examples
    --------
    >>> from confmat.intervals.bootstrap import deviations
    >>> deviations([[1.0], [float("nan")], [3.0]]).round(4).tolist()
    [1.4142]
    """
    drawn = np.asarray(replicates, np.float64)
    known = ~np.isnan(drawn)
    count = known.sum(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = np.where(known, drawn, 0.0).sum(0) / count
        squares = np.where(known, drawn - middle, 0.0) ** 2
        found = np.sqrt(squares.sum(0) / (count - 1))
    return np.where(count > 1, found, np.nan)


def least_replicates(level: float, side: Side = "both") -> int:
    """Return the fewest replicates that `bca` takes."""
    return math.ceil(_BEYOND / _tail(level, side) - 1e-6)


def _tail(level: float, side: Side) -> float:
    z_of(level, side)  # refuses what is no level or side
    return (1 - level) / 2 if side == "both" else 1 - level


def _shares(level: float, side: Side) -> tuple[float, float]:
    tail = _tail(level, side)
    return 0.0 if side == "upper" else tail, 1.0 if side == "lower" else 1 - tail


def _drawn(replicates: Any) -> int:
    return len(np.asarray(replicates))


def _require(drawn: int, level: float, side: Side, beyond: int) -> None:
    least = beyond / _tail(level, side) - (beyond == 1)
    if drawn < least - 1e-6:
        raise InputError(
            f"`replicates` are {drawn:,}: at the level {level:g} "
            f"at least {math.ceil(least - 1e-6):,} are needed"
        )


def _sorted(replicates: Any) -> tuple[list[Floats], Floats, tuple[int, ...]]:
    """Return the defined replicates of each column in order, the share of the others, a shape."""
    drawn = np.asarray(replicates, np.float64)
    if drawn.ndim not in (1, 2):
        raise InputError(f"`replicates` has shape {drawn.shape}; wanted (B,) or (B, m)")
    columns = drawn.reshape(len(drawn), -1).T if drawn.size else np.empty((0, 0))
    known = [np.sort(column[~np.isnan(column)]) for column in columns]
    undefined = np.isnan(drawn).mean(0) if len(drawn) else np.full(drawn.shape[1:], np.nan)
    return known, np.asarray(undefined), drawn.shape[1:]


def _of_columns(number: Any, columns: int, name: str) -> list[float]:
    numbers = np.asarray(number, np.float64)
    try:
        return np.broadcast_to(numbers, (columns,)).tolist()  # type: ignore[no-any-return]
    except ValueError:
        raise InputError(
            f"`{name}` has shape {numbers.shape} for {columns} columns of `replicates`"
        ) from None


def _shaped(ends: list[tuple[float, float]], undefined: Floats, shape: tuple[int, ...]) -> Ends:
    both = np.array(ends, np.float64).reshape(-1, 2)
    return both[:, 0].reshape(shape), both[:, 1].reshape(shape), undefined


def _end(column: Floats, share: float) -> float:
    """Return the replicate below which this share lies; nan where it is beyond all of them."""
    if share in (0.0, 1.0):
        return -math.inf if share == 0.0 else math.inf
    if not len(column) or math.isnan(share):
        return math.nan
    if column[0] == column[-1]:
        return float(column[0])
    place = share * (len(column) + 1)
    nearest = round(place)
    place = nearest if abs(place - nearest) < 1e-9 * place else place
    if not 1 <= place <= len(column):
        return math.nan
    at = int(place)
    low, high = float(column[at - 1]), float(column[min(at, len(column) - 1)])
    return low if low == high or place == at else low + (place - at) * (high - low)


def _middle(column: Floats, value: float) -> float:
    """Return the normal quantile of the share of replicates below the value, equal ones half."""
    below = int(np.searchsorted(column, value, "left"))
    up_to = int(np.searchsorted(column, value, "right"))
    if math.isnan(value) or not len(column) or up_to == 0 or below == len(column):
        return math.nan
    return _NORMAL.inv_cdf((below + up_to) / (2 * len(column)))


def _moved(middle: float, z: float, rate: float) -> float:
    far = middle + z
    under = 1 - rate * far
    return _NORMAL.cdf(middle + far / under) if under > 0 else math.nan
