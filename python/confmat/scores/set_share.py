"""Means over a sweep whose share of positives was set: each class is a sample of its own."""

from __future__ import annotations

import math

from confmat.intervals.mean_loss import MeanLoss
from confmat.scores.influence import PRECISION, influence
from confmat.scores.mean_losses import loss_of, row_losses
from confmat.scores.state import ScoreState

_FEWEST = 2  # rows of each class, of which there is a variance
_ENOUGH = 200


def mean_at_share(state: ScoreState, name: str) -> MeanLoss:
    """Return average precision or a loss, whose standard error takes the share as known.

    By how far each row moves it beyond the mean row of its class. Needs: the metric is defined, and
    `why_not` says nothing.

    Examples
    --------
    >>> import confmat as cm
    >>> from confmat.scores.set_share import mean_at_share
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at_prevalence(0.5)
    >>> round(mean_at_share(s, "brier").se, 4)
    0.1027
    """
    squares = state._squares_within()
    assert squares is not None
    rows = state._effective_rows()
    sides = zip(
        influence(state, name), (state._positives, state._negatives), squares, rows, strict=True
    )
    variance = 0.0
    for moves, weights, squared, n in sides:
        away = moves - float(weights @ moves) / float(weights.sum())
        variance += float(squared @ away**2) * n / (n - 1)
    error = math.sqrt(variance)
    if name == PRECISION:
        return MeanLoss(error, 0.0, 1.0, 0.0, 1.0, min(rows[0], _positives_beside(state)))
    added = row_losses(state, name)
    assert added is not None
    return loss_of(state, name, added, error, min(rows))


def why_not(state: ScoreState, name: str) -> str | None:
    """Return why there is no interval of such a mean, or None."""
    rows = state._effective_rows()
    if min(rows) < _FEWEST:
        return "a class has one row alone"
    if name == PRECISION and _positives_beside(state) < min(rows[0], _ENOUGH) * (1 - 1e-9):
        return (
            f"at this share {rows[1]:,.10g} negatives come with {_positives_beside(state):.3g} "
            f"positives; it takes those of {min(rows[0], _ENOUGH):,.10g}"
        )
    return None


def _positives_beside(state: ScoreState) -> float:
    """Return how many positives there would be beside these negatives at the share that was set."""
    return state._effective_rows()[1] * float(state.n_positive) / float(state.n_negative)
