"""Losses that are means over the rows of a sweep, with the variance of these means."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from confmat.intervals.levels import Side, z_of
from confmat.intervals.scales import on_scale
from confmat.intervals.wilson import limits
from confmat.scores.points import points
from confmat.scores.state import Counts, Floats, ScoreState
from confmat.scores.values import value as number_of

_BLOCK = 1 << 15  # scores at once: they stay in the cache
_ROUNDING = 1e-12
Sides: TypeAlias = tuple[tuple[Counts, Counts], ...]  # sums of weights and of their squares
NAMES = ("brier", "brier_skill", "log_loss")


class MeanLoss(NamedTuple):
    """A loss of a sweep: its standard error, its range, how far one row can move it, the rows."""

    se: float
    lo: float
    hi: float
    least: float
    most: float
    rows: float

    def interval(self, value: float, level: float, side: Side) -> tuple[float, float]:
        """Return the interval around a value of the loss.

        Where all rows have the same loss, so that nothing is known of its spread, a share of them
        that Wilson's interval of 0 of so many rows allows could have any.
        """
        if self.se > _ROUNDING * abs(value):
            ends = on_scale(value, self.se, self.lo, self.hi, level, side)
            return float(ends[0]), float(ends[1])
        some = float(limits(np.float64(0.0), np.float64(self.rows), z_of(level, side))[1])
        low = value + some * (self.least - value) if side != "upper" else self.lo
        high = value + some * (self.most - value) if side != "lower" else self.hi
        return low, high


def mean_loss(state: ScoreState, name: str) -> MeanLoss:
    """Return a loss of a sweep, from one pass over the distinct scores.

    Parameters
    ----------
    state : ScoreState
        Scores in [0, 1]; those of a bin are taken to be at its middle.
    name : {"brier", "brier_skill", "log_loss"}

    Returns
    -------
    MeanLoss
        The standard error is that of a mean of independent rows, of weighted ones by their squared
        weights, which have to be known, and the rows are the effective ones; of the skill, a ratio
        to the variance of the outcome, by the delta method.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.scores.mean_losses import mean_loss
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(mean_loss(s, "brier").se, 4)
    0.0939
    """
    at, positives, negatives = points(state, name)
    squares = state._effective_squares()
    assert squares is not None
    sides = tuple(zip((positives, negatives), squares, strict=True))
    of_positives, of_negatives = float(positives.sum()), float(negatives.sum())
    total = of_positives + of_negatives
    rows = total
    if total and state.weighted:
        rows = total * (total / float(squares[0].sum() + squares[1].sum()))
    if not total:
        return MeanLoss(math.nan, -math.inf, math.inf, math.nan, math.nan, 0.0)
    if name == "log_loss":
        clip = state.clip
        mean = number_of(state, name)

        def logs(s: Floats) -> tuple[Floats, Floats]:
            s = np.clip(s, clip, 1 - clip)
            return -np.log(s), -np.log1p(-s)

        error = _error(at, sides, logs, mean)
        return MeanLoss(error, 0.0, math.inf, 0.0, -math.log(clip), rows)
    mean = number_of(state, "brier")
    if name == "brier":
        error = _error(at, sides, lambda s: ((1 - s) ** 2, s * s), mean)
        return MeanLoss(error, 0.0, 1.0, 0.0, 1.0, rows)
    share = of_positives / total
    spread = share * (1 - share)
    if not spread:
        return MeanLoss(math.nan, -math.inf, 1.0, math.nan, math.nan, rows)
    # The skill is 1 - brier / spread, and spread moves by 1 - 2 share for each positive.
    turn = mean / spread * (1 - 2 * share)
    middle = mean - turn * share
    error = _error(at, sides, lambda s: ((1 - s) ** 2 - turn, s * s), middle)
    return MeanLoss(error / spread, -math.inf, 1.0, 1 - 1 / spread, 1.0, rows)


def _error(
    scores: npt.NDArray[Any],
    sides: Sides,
    of: Callable[[Floats], tuple[Floats, Floats]],
    mean: float,
) -> float:
    """Return the standard error of the mean of what rows of both classes have at each score.

    `mean` is that mean, give or take rounding.
    """
    rows = total = squares = turn = whole = 0.0
    for first in range(0, len(scores), _BLOCK):
        some = slice(first, first + _BLOCK)
        numbers = of(scores[some].astype(np.float64))
        for (counts, squared), each in zip(sides, numbers, strict=True):
            away = each - mean
            of_squares = squared[some] * away
            rows += float(counts[some].sum())
            total += float((counts[some] * away).sum())
            whole += float(squared[some].sum())
            turn += float(of_squares.sum())
            squares += float((of_squares * away).sum())
    if not whole or rows * (rows / whole) < 2:
        return 0.0
    # Of counts: the sum of squares around the mean, by rows - 1 and rows.
    rest = total / rows
    spread = squares - 2 * rest * turn + rest * rest * whole
    return math.sqrt(max(spread, 0.0) / (rows * rows - whole))
