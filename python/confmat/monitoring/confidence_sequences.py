"""Confidence sequences of a rate: intervals that hold at all times together, however often seen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from confmat.errors import InputError, Row
from confmat.intervals.levels import Floats, checked_level, counts
from confmat.own_errors import own_errors

_STEPS = 90  # halvings of how far a rate falls, which may be 1e-9
_SERIES = 20.0  # from where on the series of the gamma function is exact to 1e-12
_LGAMMA = np.frompyfunc(math.lgamma, 1, 1)
PRIOR = (0.5, 0.5)


@own_errors
def confidence_sequence(
    k: Any, n: Any, level: float = 0.95, *, prior: tuple[float, float] = PRIOR
) -> pl.DataFrame:
    """Return intervals of a rate that hold at all times together, with this probability.

    An interval of a fixed number of rows holds 95 % of the time where it is looked at once; looked
    at every day, it misses sooner or later. These may be looked at after every row or day, and the
    counting may stop or go on for any reason.

    Parameters
    ----------
    k, n : array-like of shape (t,)
        Counts up to each time, from the start on: events, and rows. Neither falls, nor does n - k.
    level : float, default 0.95
        How often all intervals together, to infinity, are to hold the rate.
    prior : tuple of float, default (0.5, 0.5)
        The two parameters of the beta distribution that rates are mixed over. They say where the
        intervals are narrow and never whether they hold: (1, 99) suits rates of about 1 %.

    Returns
    -------
    polars.DataFrame
        A row a time: `k`, `n`, `value` (null for no rows), `low`, `high`.

    Raises
    ------
    InputError
        Counts that are none, not whole, or that fall; with the first row.

    Notes
    -----
    The rates p whose likelihood is more than 1 - level of the mean likelihood over the prior. That
    ratio is a martingale at the true rate, so that by Ville's inequality it exceeds
    1 / (1 - level) ever with probability 1 - level at most: exactly, for any number of rows.

    References
    ----------
    Robbins (1970), https://doi.org/10.1214/aoms/1177696786;
    Howard, Ramdas, McAuliffe and Sekhon (2021), https://doi.org/10.1214/20-AOS1991

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> cm.confidence_sequence([8, 85, 880], [10, 100, 1000]).with_columns(
    ...     pl.col("low", "high").round(3)
    ... ).rows()
    [(8, 10, 0.8, 0.342, 0.991), (85, 100, 0.85, 0.708, 0.942), (880, 1000, 0.88, 0.839, 0.914)]
    """
    events, rows = _checked(k, n)
    low, high = ends(events, rows, level, prior)
    with np.errstate(invalid="ignore"):
        value = pl.Series("value", events / rows, nan_to_null=True)
    whole = {"k": events.astype(np.int64), "n": rows.astype(np.int64)}
    return pl.DataFrame(whole | {"value": value, "low": low, "high": high})


def ends(
    k: Floats, n: Floats, level: float, prior: tuple[float, float] = PRIOR
) -> tuple[Floats, Floats]:
    """Return the two ends of each interval; (0, 1) where there are no rows."""
    a, b = _checked_prior(prior)
    room = _log_beta_of(a, b) - math.log(1 - checked_level(level)) - _mean_over_most(k, n, a, b)
    with np.errstate(invalid="ignore", divide="ignore"):
        low = k / n * (1 - _fall(k, n - k, room))
        high = 1 - (n - k) / n * (1 - _fall(n - k, k, room))
    return np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)


def _fall(k: Floats, others: Floats, room: Floats) -> Floats:
    """Return by what share the rate k / n falls until its log-likelihood has fallen by `room`."""
    below, above = np.zeros(k.shape), np.ones(k.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = k / others
        for _ in range(_STEPS):
            middle = (below + above) / 2
            lost = np.where(others > 0, -others * np.log1p(middle * odds), 0.0)
            is_within = lost - k * np.log1p(-middle) < room
            below, above = np.where(is_within, middle, below), np.where(is_within, above, middle)
    return above  # outside: an interval is never too narrow


def _mean_over_most(k: Floats, n: Floats, a: float, b: float) -> Floats:
    """Return the logarithm of B(k + a, n - k + b) over the likelihood of the rate k / n.

    By Stirling's formula and what it leaves, so that what cancels for large counts is not there.
    """
    others = n - k
    x, y, whole = k + a, others + b, n + (a + b)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.log1p((a + b) / n)
        of_events = np.where(k > 0, k * (np.log1p(a / k) - apart), 0.0)
        of_others = np.where(others > 0, others * (np.log1p(b / others) - apart), 0.0)
    corners = (a - 0.5) * np.log(x) + (b - 0.5) * np.log(y) - (a + b - 0.5) * np.log(whole)
    rest = math.log(2 * math.pi) / 2 + _left(x) + _left(y) - _left(whole)
    found: Floats = of_events + of_others + corners + rest
    return found


def _left(x: Floats) -> Floats:
    """Return what Stirling's formula leaves of the logarithm of the gamma function."""
    small = np.minimum(x, _SERIES)
    of_small = np.asarray(_LGAMMA(small), np.float64)
    exact = of_small - (small - 0.5) * np.log(small) + small - math.log(2 * math.pi) / 2
    inverse = 1 / np.maximum(x, _SERIES)
    square = inverse * inverse
    series = inverse * (1 / 12 - square * (1 / 360 - square / 1260))
    return np.where(x < _SERIES, exact, series)


def _log_beta_of(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _checked(k: Any, n: Any) -> tuple[Floats, Floats]:
    """Return counts that are whole and never fall."""
    events, rows = (np.atleast_1d(part) for part in counts(k, n, ("k", "n")))
    if events.ndim != 1:
        raise InputError(f"`k` and `n` have shape {events.shape}; wanted one dimension, of times")
    for name, part in (("k", events), ("n", rows)):
        broken = ~(part == np.rint(part))
        if broken.any():
            at = int(broken.argmax())
            raise InputError(f"`{name}` holds {part[at]} ", Row(at), "; wanted whole numbers")
    for name, part in (("k", events), ("n", rows), ("n - k", rows - events)):
        falls = part[1:] < part[:-1]
        if falls.any():
            at = int(falls.argmax()) + 1
            raise InputError(
                f"`{name}` falls from {part[at - 1]:g} to {part[at]:g} ",
                Row(at),
                "; wanted counts from the start on, which never fall",
            )
    return events, rows


def _checked_prior(prior: Any) -> tuple[float, float]:
    try:
        a, b = (float(part) for part in prior)
    except (TypeError, ValueError):
        a = b = math.nan
    if not (0 < a < math.inf and 0 < b < math.inf):
        raise InputError(f"`prior` is {prior!r}; wanted two positive numbers")
    return a, b
