"""Areas under monotone curves given by points: whole or in part, and bounds between the points."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from confmat.scores.state import Floats


def partial_area(
    x: Floats, y: Floats, limit: float, rule: Literal["chord", "lower", "upper"] = "chord"
) -> float:
    """Return the area under the curve where x is at most `limit`.

    Parameters
    ----------
    x, y : ndarray of float64, shape (m,)
        Points in [0, 1] from (0, 0) to (1, 1); neither coordinate falls.
    limit : float
        In (0, 1].
    rule : {"chord", "lower", "upper"}
        Join the points by straight lines, or take the smallest or the largest area that a rising
        curve through the points can have: horizontal first, then vertical, or the other way.

    Returns
    -------
    float
        In [0, `limit`]; nan where a point is nan, and of one point alone.
    """
    if len(x) < 2 or not math.isfinite(x[0] + x[-1] + y[0] + y[-1]):
        return math.nan
    end = int(np.searchsorted(x, limit, side="right"))
    if end < len(x):  # the part of the next step up to the limit
        share = (limit - x[end - 1]) / (x[end] - x[end - 1])
        height = {"chord": y[end - 1] + share * (y[end] - y[end - 1]), "lower": y[end - 1]}
        x = np.append(x[:end], limit)
        y = np.append(y[:end], height.get(rule, y[end]))
    width = np.diff(x)
    height_of = {"chord": (y[1:] + y[:-1]) / 2, "lower": y[:-1], "upper": y[1:]}
    return float((width * height_of[rule]).sum())


def standardized(area: float, limit: float) -> float:
    """Return McClish's rescaling: 0.5 for a diagonal, 1 for a perfect curve."""
    least = limit * limit / 2
    return 0.5 * (1 + (area - least) / (limit - least))
