"""Bands that hold a whole ROC or precision-recall curve."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from confmat.intervals.distribution_band import distribution_band, divergence_bound
from confmat.intervals.effective_rows import effective_rows
from confmat.intervals.levels import Floats, checked_level
from confmat.intervals.likelihood import likelihood_limits
from confmat.intervals.wilson import wilson
from confmat.scores.state import ScoreState

Ends = tuple[Floats, Floats]
_ROUNDING = 1e-12  # of rates of float weights


def simultaneous_bands(
    state: ScoreState,
    rates: Iterable[str],
    counts: tuple[Any, Any],
    squares: tuple[Floats, Floats] | None,
    level: float,
) -> dict[str, Ends]:
    """Return the ends of rates at each threshold, which hold them at all thresholds at once.

    tpr, fpr and fnr are shares of the positives and of the negatives, two samples: so each of two
    bands at the square root of the level. Precision follows from both and from the prevalence,
    each at the third root, unless it was set: it is least where tpr and the prevalence are low and
    fpr is high.

    Arguments: rates of "tpr", "fpr", "fnr" and "ppv"; tp and fp at each threshold, and the squared
    weights in them. nan where a class has no rows, and of float weights whose squares are not
    known.
    """
    wanted = tuple(rates)
    has_share = "ppv" in wanted and state._counted is None
    each = checked_level(level) ** (1 / 3 if has_share else 1 / 2)
    if state.weighted:
        tpr, fpr = (_weighted(state, at, counts, squares, each) for at in range(2))
    else:
        tpr = distribution_band(counts[0], float(state.n_positive), each)
        fpr = distribution_band(counts[1], float(state.n_negative), each)
    found = {"tpr": tpr, "fpr": fpr, "fnr": (1 - tpr[1], 1 - tpr[0])}
    if "ppv" in wanted:
        share = _prevalence(state, each)
        found["ppv"] = (
            _precision(share[0], tpr[0], fpr[1]),
            _precision(share[1], tpr[1], fpr[0]),
        )
    return {rate: found[rate] for rate in wanted}


def _weighted(
    state: ScoreState,
    at: int,
    counts: tuple[Any, Any],
    squares: tuple[Floats, Floats] | None,
    level: float,
) -> Ends:
    """Return the band of the positives, or of the negatives where `at` is 1, by effective rows.

    A rate is of as many rows as give it its variance, and of no more than Kish's number: a light
    row at an end says no more than another. Where it is 0 or 1, it is of as many as where it is
    known worst: what is not seen there may be heavy.
    """
    part = np.asarray(counts[at], np.float64)
    along = (state.tp, state.fp)[at]
    known = state._squares_within()
    if known is None or squares is None or not (len(along) and along[-1] > 0):
        return np.full_like(part, np.nan), np.full_like(part, np.nan)
    total, taken = float(along[-1]), np.cumsum(known[at])
    kish = total * (total / taken[-1])

    def rows(of: Any, their_squares: Floats) -> Floats:
        found = effective_rows(of, total, (their_squares, taken[-1]))[1]
        least: Floats = np.minimum(found, kish)
        return least

    share = np.clip(part / total, 0.0, 1.0)
    n = rows(part, squares[at])
    n = np.where((share < _ROUNDING) | (share > 1 - _ROUNDING), rows(along, taken).min(), n)
    return likelihood_limits(share * n, n, 2 * divergence_bound(float(kish), level))


def _prevalence(state: ScoreState, level: float) -> Ends:
    part, whole = float(state.n_positive), float(state.n)
    if state._counted is not None:
        known = np.asarray(part / whole)
        return known, known
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
