"""Losses that are means over the rows of a sweep, with the variance of these means."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from confmat.intervals.mean_loss import MeanLoss
from confmat.scores.points import points
from confmat.scores.state import Counts, Floats, ScoreState
from confmat.scores.values import value as number_of

_BLOCK = 1 << 15  # scores at once: they stay in the cache
Sides: TypeAlias = tuple[tuple[Counts, Counts], ...]  # sums of weights and of their squares
NAMES = ("brier", "brier_skill", "log_loss")


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
    added = row_losses(state, name)
    if added is None:
        return MeanLoss(math.nan, -math.inf, 1.0, math.nan, math.nan, rows)
    error = _error(at, sides, added.of, added.mean) / added.scale
    return loss_of(state, name, added, error, rows)


def loss_of(state: ScoreState, name: str, added: RowLosses, error: float, rows: float) -> MeanLoss:
    """Return a loss of a known standard error, and of so many rows."""
    if name == "log_loss":
        return MeanLoss(error, 0.0, math.inf, 0.0, -math.log(state.clip), rows)
    if name == "brier":
        return MeanLoss(error, 0.0, 1.0, 0.0, 1.0, rows)
    return MeanLoss(error, -math.inf, 1.0, 1 - 1 / added.scale, 1.0, rows)


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
    of_positives = float(state._positives.sum())
    share = of_positives / (of_positives + float(state._negatives.sum()))
    spread = share * (1 - share)
    if not spread:
        return None
    # The skill is 1 - brier / spread, and spread moves by 1 - 2 share for each positive.
    turn = mean / spread * (1 - 2 * share)
    return RowLosses(lambda s: ((1 - s) ** 2 - turn, s * s), mean - turn * share, spread)


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
