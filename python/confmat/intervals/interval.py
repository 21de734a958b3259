"""A number with its confidence interval."""

from __future__ import annotations

import math
from typing import NamedTuple

from confmat.render.figures import figure

NONE = "none: "  # what a method begins with that is a reason


class Interval(NamedTuple):
    """A value, the interval around it, its standard error, and how these were found.

    Unpacks like a tuple. nan stands for what is undefined.

    Attributes
    ----------
    value : float
        The number itself.
    low, high : float
        The ends. Of a one-sided interval the other end is that of the range of the number.
    se : float
        The standard error of the value; nan where it has no gradient.
    method : str
        Such as "wilson", "delta" or "delong".

    Examples
    --------
    >>> from confmat.intervals.interval import Interval
    >>> print(Interval(0.8, 0.703, 0.871, 0.042, "wilson"))
    0.8000 [0.7030, 0.8710] (wilson)
    """

    value: float
    low: float
    high: float
    se: float
    method: str

    def __str__(self) -> str:
        value, low, high = map(figure, self[:3])
        return f"{value} [{low}, {high}] ({self.method})"


def without_ends(value: float, why: str) -> Interval:
    """Return a value that has no interval, with "none: " and the reason in place of a method.

    Examples
    --------
    >>> print(without_ends(0.5, "the squared weights are not known"))
    0.5000 [-, -] (none: the squared weights are not known)
    """
    return Interval(value, math.nan, math.nan, math.nan, f"{NONE}{why}")


def why_none(found: Interval) -> str | None:
    """Return why there is no interval; None where there is one.

    Examples
    --------
    >>> from confmat.intervals.interval import why_none
    >>> why_none(without_ends(0.5, "the squared weights are not known"))
    'the squared weights are not known'
    """
    return found.method.removeprefix(NONE) if math.isnan(found.low) else None


def no_interval(found: Interval) -> str | None:
    """Return why there is no interval, as tables say it; None where there is one.

    Examples
    --------
    >>> from confmat.intervals.interval import no_interval
    >>> no_interval(without_ends(0.5, "the squared weights are not known"))
    'no interval: the squared weights are not known'
    """
    why = why_none(found)
    return None if why is None else f"no interval: {why}"
