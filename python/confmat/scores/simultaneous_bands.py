"""Bands that hold a whole ROC or precision-recall curve."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from confmat.intervals.distribution_band import distribution_band
from confmat.intervals.effective_rows import effective_rows
from confmat.intervals.levels import Floats, checked_level
from confmat.intervals.wilson import wilson
from confmat.scores.state import ScoreState

Ends = tuple[Floats, Floats]


def simultaneous_bands(
    state: ScoreState, rates: Iterable[str], counts: tuple[Any, Any], level: float
) -> dict[str, Ends]:
    """Return the ends of rates at each threshold, which hold them at all thresholds at once.

    tpr, fpr and fnr are shares of the positives and of the negatives, two samples: so each of two
    bands at the square root of the level. Precision follows from both and from the prevalence,
    each at the third root: it is least where tpr and the prevalence are low and fpr is high.

    Arguments: rates of "tpr", "fpr", "fnr" and "ppv"; tp and fp at each threshold. nan where a
    class has no rows, and of float weights whose squares are not known.
    """
    wanted = tuple(rates)
    checked_level(level)
    each = level ** (1 / 3 if "ppv" in wanted else 1 / 2)
    tp, fp = counts
    squares = (None, None) if state._squares is None else state._squares
    positives = _rows(state.tp, squares[0], state.weighted)
    negatives = _rows(state.fp, squares[1], state.weighted)
    with np.errstate(divide="ignore", invalid="ignore"):
        tpr = distribution_band(np.true_divide(tp, state.n_positive), positives, each)
        fpr = distribution_band(np.true_divide(fp, state.n_negative), negatives, each)
    found = {"tpr": tpr, "fpr": fpr, "fnr": (1 - tpr[1], 1 - tpr[0])}
    if "ppv" in wanted:
        share = _prevalence(state, each)
        found["ppv"] = (
            _precision(share[0], tpr[0], fpr[1]),
            _precision(share[1], tpr[1], fpr[0]),
        )
    return {rate: found[rate] for rate in wanted}


def _rows(taken: Any, squares: Floats | None, weighted: bool) -> float:
    """Return the rows of a class whose weights add up to `taken` along the scores.

    With weights as many as have the variance of the share at the threshold where it is largest,
    and at most Kish's effective number; nan where the squares are not known.
    """
    if not len(taken) or not taken[-1] > 0:
        return 0.0
    whole = float(taken[-1])
    if not weighted:
        return whole
    if squares is None:
        return np.nan
    share, part = taken / whole, np.cumsum(squares)
    variance = (part * (1 - share) ** 2 + (part[-1] - part) * share**2).max() / whole / whole
    kish = whole * (whole / part[-1])
    return float(min(kish, 0.25 / variance) if variance > 0 else kish)


def _prevalence(state: ScoreState, level: float) -> Ends:
    part, whole = float(state.n_positive), float(state.n)
    if not state.weighted:
        return wilson(part, whole, level)
    squares = None
    if state._squares is not None:
        positives, negatives = (float(side.sum()) for side in state._squares)
        squares = (positives, positives + negatives)
    return wilson(*effective_rows(part, whole, squares), level)


def _precision(prevalence: Floats, tpr: Floats, fpr: Floats) -> Floats:
    right, wrong = prevalence * tpr, (1 - prevalence) * fpr
    with np.errstate(invalid="ignore"):
        return np.where(right + wrong == 0, 0.0, right / (right + wrong))
