"""Losses that are means over the rows of a sweep, with the variance of these means."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.intervals.levels import Side, z_of
from confmat.intervals.wilson import limits
from confmat.scores.points import points
from confmat.scores.state import Counts, Floats, ScoreState
from confmat.scores.values import value as number_of

_BLOCK = 1 << 15  # scores at once: they stay in the cache
_ROUNDING = 1e-12
NAMES = ("brier", "brier_skill", "log_loss")


class MeanLoss(NamedTuple):
    """A loss of a sweep: its standard error, its range, how far one row can move it, the rows."""

    se: float
    lo: float
    hi: float
    least: float
    most: float
    rows: float

    def interval(
        self, value: float, level: float, side: Side, z: float | None = None
    ) -> tuple[float, float]:
        """Return the interval around a value of the loss; `z`: standard errors that it reaches.

        Where all rows have the same loss, so that nothing is known of its spread, a share of them
        that Wilson's interval of 0 of so many rows allows could have any.
        """
        z = z_of(level, side) if z is None else z
        below, above = (math.inf if side == end else z for end in ("upper", "lower"))
        if self.se > _ROUNDING * abs(value):
            of = (np.float64(value), np.float64(self.se))
            ends = _core.on_scale(*of, self.lo, self.hi, below, above)
            return float(ends[0]), float(ends[1])
        some = float(limits(np.float64(0.0), np.float64(self.rows), z)[1])
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
    rows = float(positives.sum()) + float(negatives.sum())
    if not rows:
        return MeanLoss(math.nan, -math.inf, math.inf, math.nan, math.nan, 0.0)
    added = row_losses(state, name)
    error = math.nan
    if added is not None:
        error = _error(at, positives, negatives, added.of, added.mean) / added.scale
    if name == "log_loss":
        return MeanLoss(error, 0.0, math.inf, 0.0, -math.log(state.clip), rows)
    if name == "brier":
        return MeanLoss(error, 0.0, 1.0, 0.0, 1.0, rows)
    least = math.nan if added is None else 1 - 1 / added.scale
    return MeanLoss(error, -math.inf, 1.0, least, math.nan if added is None else 1.0, rows)


class RowLosses(NamedTuple):
    """What rows add to a loss: (of - mean) / scale, over the number of rows.

    `of` gives that of positives and that of negatives at each score.
    """

    of: Callable[[Floats], tuple[Floats, Floats]]
    mean: float
    scale: float


def row_losses(state: ScoreState, name: str) -> RowLosses | None:
    """Return what rows add to a loss; None: it is undefined. Needs: there are rows."""
    if name == "log_loss":
        clip = state.clip

        def logs(s: Floats) -> tuple[Floats, Floats]:
            s = np.clip(s, clip, 1 - clip)
            return -np.log(s), -np.log1p(-s)

        return RowLosses(logs, number_of(state, name), 1.0)
    mean = number_of(state, "brier")
    if name == "brier":
        return RowLosses(lambda s: ((1 - s) ** 2, s * s), mean, 1.0)
    share = float(state._positives.sum()) / float(state._positives.sum() + state._negatives.sum())
    spread = share * (1 - share)
    if not spread:
        return None
    # The skill is 1 - brier / spread, and spread moves by 1 - 2 share for each positive.
    turn = mean / spread * (1 - 2 * share)
    return RowLosses(lambda s: ((1 - s) ** 2 - turn, s * s), mean - turn * share, spread)


def _error(
    scores: npt.NDArray[Any],
    positives: Counts,
    negatives: Counts,
    of: Callable[[Floats], tuple[Floats, Floats]],
    mean: float,
) -> float:
    """Return the standard error of the mean of what rows of both classes have at each score.

    `mean` is that mean, give or take rounding.
    """
    rows = total = squares = 0.0
    for first in range(0, len(scores), _BLOCK):
        some = slice(first, first + _BLOCK)
        for counts, numbers in zip(
            (positives[some], negatives[some]), of(scores[some].astype(np.float64)), strict=True
        ):
            away = numbers - mean
            weighed = counts * away
            rows += float(counts.sum())
            total += float(weighed.sum())
            squares += float((weighed * away).sum())
    if rows < 2:
        return 0.0
    return math.sqrt(max(squares - total * total / rows, 0.0) / (rows - 1) / rows)
