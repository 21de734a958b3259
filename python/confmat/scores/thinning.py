"""Fewer points of a curve, with a stated error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError


def kept(
    coordinates: list[npt.NDArray[Any]], max_points: int | None, max_error: float | None
) -> slice | npt.NDArray[np.intp]:
    """Return the points of a curve to keep: all, at most `max_points`, or enough for `max_error`.

    The way along the curve, the sum of the absolute steps of every coordinate, is cut in equal
    parts; the first point of each part and the last point of all stay. So each point left out
    lies within (way / (max_points - 1)) of the kept point before it, in every coordinate. A curve
    with two rates that only rise, such as ROC, has a way of at most 2.
    """
    if max_points is not None and max_error is not None:
        raise InputError("give one of `max_points` and `max_error`, not both")
    if max_points is None and max_error is None:
        return slice(None)
    size = len(coordinates[0])
    way = np.zeros(size)
    for axis in coordinates:
        way[1:] += np.nan_to_num(np.abs(np.diff(axis)), nan=0.0, posinf=0.0)
    way = np.cumsum(way)
    length = float(way[-1]) if size else 0.0
    parts = _parts(max_points, max_error, length)
    if size <= parts + 1:
        return slice(None)
    part = np.minimum(np.floor(way * (parts / (length or 1.0))), parts - 1)
    first = np.diff(part, prepend=-1.0) != 0
    first[-1] = True
    return np.flatnonzero(first)


def _parts(max_points: int | None, max_error: float | None, length: float) -> int:
    if max_points is not None:
        if not isinstance(max_points, (int, np.integer)) or max_points < 2:
            raise InputError(
                f"`max_points` is {max_points!r}; wanted a number of points, at least 2"
            )
        return int(max_points) - 1
    try:
        error = float(max_error)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        error = math.nan
    if not 0 < error < math.inf:
        raise InputError(f"`max_error` is {max_error!r}; wanted a number above 0")
    # Rounding in the sum of the steps must not stretch a part beyond the error asked for.
    return max(math.ceil(min(length / error * (1 + 1e-9), 2.0**53)), 1)
