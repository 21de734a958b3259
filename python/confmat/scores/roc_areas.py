"""Areas under the ROC curve: the exact fraction, parts of it, bounds between its points."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from confmat import _core
from confmat.errors import AbsentError, InputError
from confmat.scores.state import Floats, ScoreState


def roc_auc_fraction(state: ScoreState) -> Fraction:
    """Return the area under the ROC curve as an exact fraction; ties count half."""
    if state.weighted:
        raise AbsentError("roc_auc_fraction needs counts; this sweep holds float weights")
    if not (state.n_positive and state.n_negative):
        raise AbsentError("roc_auc_fraction needs rows of both classes")
    return Fraction(*_core.auc_fraction(state._positives, state._negatives))


def partial_auc(
    state: ScoreState,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = True,
) -> float:
    """Return the area under a part of the ROC curve; `value` says more."""
    x, y, limit = turned_part(state, max_fpr, min_tpr)
    area = partial_area(x, y, limit)
    return standardized(area, limit) if standardize else area


def turned_part(
    state: ScoreState, max_fpr: float | None, min_tpr: float | None
) -> tuple[Floats, Floats, float]:
    """Return the ROC curve turned so that the part wanted is that of x at most a limit."""
    if (max_fpr is None) == (min_tpr is None):
        raise InputError("partial_auc needs one of `max_fpr` and `min_tpr`")
    return turned(*rates(state), max_fpr, min_tpr)


def turned(
    fpr: Floats, tpr: Floats, max_fpr: float | None, min_tpr: float | None
) -> tuple[Floats, Floats, float]:
    """Return a curve turned as `turned_part` does."""
    if max_fpr is not None:
        limit = _number(max_fpr, "max_fpr")
        if not 0 < limit <= 1:
            raise InputError(f"`max_fpr` is {max_fpr!r}; wanted a number in (0, 1]")
        return fpr, tpr, limit
    limit = 1 - _number(min_tpr, "min_tpr")
    if not 0 < limit <= 1:
        raise InputError(f"`min_tpr` is {min_tpr!r}; wanted a number in [0, 1)")
    return 1 - tpr[::-1], 1 - fpr[::-1], limit


def rates(state: ScoreState) -> tuple[Floats, Floats]:
    """Return fpr and tpr from (0, 0) on; nan where a class has no rows."""
    both = []
    for counts, total in ((state.fp, state.n_negative), (state.tp, state.n_positive)):
        rate = np.zeros(len(counts) + 1)
        with np.errstate(invalid="ignore"):
            np.divide(counts, total or math.nan, out=rate[1:])
        both.append(rate)
    return both[0], both[1]


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


def _number(value: Any, argument: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"`{argument}` is {value!r}; wanted a number") from None
