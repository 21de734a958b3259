"""How far a row moves a metric of a sweep, by its class and score."""

from __future__ import annotations

import numpy as np

from confmat.intervals.levels import Floats
from confmat.scores import mean_losses
from confmat.scores.points import points
from confmat.scores.state import ScoreState

PRECISION = "average_precision"


def influence(state: ScoreState, name: str) -> tuple[Floats, Floats]:
    """Return what a positive and a negative of each score add to a metric, beyond the mean row.

    Of "roc_auc", "average_precision" and the means over rows. Needs: the metric is defined.
    """
    p, q = (x.astype(np.float64) for x in (state._positives, state._negatives))
    if name == "roc_auc":
        # The share of negatives that a positive beats, and of positives that beat a negative.
        beaten = _above(q[::-1])[::-1] / q.sum()
        beating = _above(p) / p.sum()
        area = float(p @ beaten) / p.sum()
        return (beaten - area) / p.sum(), (beating - area) / q.sum()
    if name == PRECISION:
        return of_precision(p, q)
    rows = mean_losses.row_losses(state, name)
    assert rows is not None  # the metric is defined
    at, p, q = points(state, name)
    scale = rows.scale * float(p.sum() + q.sum())
    costs = rows.of(at.astype(np.float64))
    return (costs[0] - rows.mean) / scale, (costs[1] - rows.mean) / scale


def _above(amounts: Floats) -> Floats:
    """Return what lies at larger scores, ties counting half: scores descend."""
    sums: Floats = np.cumsum(amounts) - amounts / 2
    return sums


def of_precision(p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Return how fast average precision changes with positives and negatives of each score."""
    tp, predicted = np.cumsum(p), np.cumsum(p + q)
    precision = tp / predicted
    # Whoever has a score is among the predicted positives of that and of every lower threshold.
    lower = p / predicted**2
    gained = np.cumsum((lower * (predicted - tp))[::-1])[::-1]
    lost = np.cumsum((lower * tp)[::-1])[::-1]
    total = p.sum()
    mean = float(p @ precision) / total
    return (precision + gained - mean) / total, -lost / total
