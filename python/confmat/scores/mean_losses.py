"""Losses that are means over the rows of a sweep, with the variance of these means."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from confmat.intervals.levels import Side, z_of
from confmat.intervals.scales import on_scale
from confmat.intervals.wilson import limits
from confmat.scores.points import points
from confmat.scores.state import Floats, ScoreState

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
        if self.se > 0:
            ends = on_scale(value, self.se, self.lo, self.hi, level, side)
            return float(ends[0]), float(ends[1])
        some = float(limits(np.float64(0.0), np.float64(self.rows), z_of(level, side))[1])
        low = value + some * (self.least - value) if side != "upper" else self.lo
        high = value + some * (self.most - value) if side != "lower" else self.hi
        return low, high


def mean_loss(state: ScoreState, name: str) -> MeanLoss:
    """Return a loss of a sweep of counts, from one pass over the distinct scores.

    Parameters
    ----------
    state : ScoreState
        Scores in [0, 1]; those of a bin are taken to be at its middle.
    name : {"brier", "brier_skill", "log_loss"}

    Returns
    -------
    MeanLoss
        The standard error is that of a mean of independent rows; of the skill, a ratio to the
        variance of the outcome, by the delta method.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.scores.mean_losses import mean_loss
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(mean_loss(s, "brier").se, 4)
    0.0939
    """
    at, positives, negatives = points(state, name)
    s = at.astype(np.float64)
    p, q = positives.astype(np.float64), negatives.astype(np.float64)
    rows = float(p.sum() + q.sum())
    if name == "log_loss":
        s = np.clip(s, state.clip, 1 - state.clip)
        error, most = _error(-np.log(s), -np.log1p(-s), p, q), -math.log(state.clip)
        return MeanLoss(error, 0.0, math.inf, 0.0, most, rows)
    of_positives, of_negatives = (1 - s) ** 2, s**2
    if name == "brier":
        error = _error(of_positives, of_negatives, p, q)
        return MeanLoss(error, 0.0, 1.0, 0.0, 1.0, rows)
    share = float(p.sum()) / rows
    spread = share * (1 - share)
    if not spread:
        return MeanLoss(math.nan, -math.inf, 1.0, math.nan, math.nan, rows)
    brier = float((p * of_positives + q * of_negatives).sum()) / rows
    # The skill is 1 - brier / spread, and spread moves by 1 - 2 share for each positive.
    turn = brier / spread * (1 - 2 * share)
    error = _error(of_positives - turn, of_negatives, p, q) / spread
    return MeanLoss(error, -math.inf, 1.0, 1 - 1 / spread, 1.0, rows)


def _error(of_positives: Floats, of_negatives: Floats, p: Floats, q: Floats) -> float:
    """Return the standard error of the mean of values that rows of each class have; nan of none."""
    rows = float(p.sum() + q.sum())
    if rows < 2:
        return 0.0 if rows else math.nan
    mean = float((p * of_positives).sum() + (q * of_negatives).sum()) / rows
    squares = float((p * (of_positives - mean) ** 2).sum() + (q * (of_negatives - mean) ** 2).sum())
    return math.sqrt(squares / (rows - 1) / rows)
