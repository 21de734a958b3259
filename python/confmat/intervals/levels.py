"""From a level to the quantile of the normal distribution, and counts that intervals take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confmat.errors import InputError, Row

Floats: TypeAlias = NDArray[np.float64]
Side: TypeAlias = Literal["both", "lower", "upper"]
SIDES = ("both", "lower", "upper")
_NORMAL = NormalDist()


class Confidence(NamedTuple):
    """The level of intervals, and on which side of them all that they may miss lies."""

    level: float
    side: Side = "both"


def z_of(level: float, side: Side = "both", argument: str = "level") -> float:
    """Return how many standard deviations an interval of this level reaches.

    Raises
    ------
    InputError
        A level outside (0, 1), of one side one up to 0.5; another side.

    Examples
    --------
    >>> from confmat.intervals.levels import z_of
    >>> round(z_of(0.95), 6), round(z_of(0.95, "lower"), 6)
    (1.959964, 1.644854)
    """
    check_side(side)
    number = checked_level(level, argument)
    below = (1 + number) / 2 if side == "both" else number
    if not 0.5 < below < 1:
        least = "" if side == "both" else ", of one side more than 0.5"
        raise InputError(
            f"`{argument}` is {level!r}, which no interval has; wanted a number such as 0.95{least}"
        )
    return _NORMAL.inv_cdf(below)


def check_side(side: Any) -> None:
    """Refuse what is no side."""
    if not isinstance(side, str) or side not in SIDES:
        raise InputError(f"`side` is {side!r}; wanted one of {', '.join(SIDES)}")


def checked_level(level: Any, argument: str = "level") -> float:
    """Return a level; refuse what is not inside (0, 1)."""
    try:
        number = float(level) if isinstance(level, Real) and level is not True else math.nan
    except OverflowError:
        number = math.inf
    if not 0 < number < 1:
        raise InputError(
            f"`{argument}` is {level!r}; wanted a number between 0 and 1, such as 0.95"
        )
    return number


def refuse_elsewhere(parameters: Mapping[str, Any]) -> None:
    """Refuse what other doors take for intervals, and say what it is here."""
    if "ci" in parameters:
        level = parameters["ci"]
        raise InputError(f"`ci` is of tables; here the level is `level`: level={level!r}")
    if "cluster" in parameters:
        raise InputError(
            "`cluster` needs the rows: cm.evaluate(..., cluster=, ci=) keeps what it asks for"
        )


def checked_ci(level: Any, side: Any = "both") -> float | None:
    """Return a level, or None where no interval is asked for; refuse a side of no interval."""
    if level is not None:
        z_of(level, side, "ci")
        return checked_level(level, "ci")
    check_side(side)
    if side != "both":
        raise InputError(f"`side` is {side!r} without a level; wanted ci= too, such as ci=0.95")
    return None


def confidence(level: Any, side: Any = "both") -> Confidence | None:
    """Return what is asked of intervals, None where none are; refuse as `checked_ci` does."""
    checked = checked_ci(level, side)
    return None if checked is None else Confidence(checked, side)


def arguments_of(ci: Confidence | None) -> dict[str, Any]:
    """Return what is asked of intervals as functions take it."""
    return {} if ci is None else {"ci": ci.level, "side": ci.side}


def on_side(low: Any, high: Any, side: Side, ends: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return limits, that of a side not asked for being the end of the range; nan stays.

    Examples
    --------
    >>> import numpy as np
    >>> from confmat.intervals.levels import on_side
    >>> low, high = on_side(np.array([0.2, np.nan]), np.array([0.5, np.nan]), "lower", (0, 1))
    >>> low.tolist(), high.tolist()
    ([0.2, nan], [1.0, nan])
    """
    if side == "lower":
        return low, np.where(np.isnan(low), np.nan, ends[1])
    if side == "upper":
        return np.where(np.isnan(high), np.nan, ends[0]), high
    return low, high


def two_sided(level: float, side: Side) -> float:
    """Return the level of the two-sided interval that has the end of this one.

    Examples
    --------
    >>> from confmat.intervals.levels import two_sided
    >>> round(two_sided(0.95, "lower"), 6), two_sided(0.95, "both")
    (0.9, 0.95)
    """
    z_of(level, side)  # refuses what is no level or side
    return level if side == "both" else 2 * level - 1


def level_of(z: float) -> float:
    """Return the level of a two-sided interval that reaches so many standard deviations."""
    return 2 * _NORMAL.cdf(z) - 1


def counts(numerators: Any, denominators: Any, names: tuple[str, str]) -> tuple[Floats, Floats]:
    """Return numerators and denominators as float64 of one shape; nan in either is nan in both.

    Raises
    ------
    InputError
        Numbers that are no counts, with the first one.
    """
    try:
        k, n = np.broadcast_arrays(
            np.asarray(numerators, np.float64), np.asarray(denominators, np.float64)
        )
    except (TypeError, ValueError) as error:
        raise InputError(f"`{names[0]}` and `{names[1]}` are no counts: {error}") from None
    unknown = np.isnan(k) | np.isnan(n)
    wrong = ~unknown & ~((k >= 0) & (k <= n) & np.isfinite(n))
    if wrong.any():
        at = int(wrong.ravel().argmax())
        raise InputError(
            f"`{names[0]}` is {k.ravel()[at]:g} of `{names[1]}` {n.ravel()[at]:g} ",
            Row(at),
            "; wanted 0 to that many",
        )
    return np.where(unknown, np.nan, k), np.where(unknown, np.nan, n)
