"""Intervals along a sweep of numbers that follow from both rates and the share of positives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from confmat.intervals.effective_rows import effective_rows
from confmat.intervals.levels import Floats, Side, on_side, z_of
from confmat.intervals.moved_rates import moved_by_rates
from confmat.scores.state import ScoreState

_TPR, _FPR, _SHARE = 0, 1, 2
Of = Callable[[Any, Any, Any], Any]  # tpr, fpr and the share of positives


def moved_bands(
    state: ScoreState,
    of: Of,
    counts: tuple[Any, Any],
    squares: tuple[Floats, Floats] | None,
    wanted: tuple[float, Side],
    ends: tuple[Any, Any] = (-math.inf, math.inf),
) -> tuple[Floats, Floats]:
    """Return the interval of a number at each threshold by itself, within the ends of its range.

    Positives and negatives are two samples, and their share is a third one: none where it was set
    by `at_prevalence`. `counts` are tp and fp, `squares` the squared weights in them, `wanted` the
    level and the side. nan where the number is undefined, a class has no rows, or the squares of
    float weights are not known.
    """
    z = z_of(*wanted, "ci")
    tp, fp = (np.asarray(part, np.float64) for part in counts)
    sizes = float(state.n_positive), float(state.n_negative)
    parts = [(tp, sizes[0]), (fp, sizes[1]), (np.full_like(tp, sizes[0]), sum(sizes))]
    together: dict[tuple[int, int], Any] = {}
    if state.weighted:
        totals = state._squares_within()
        if totals is None or squares is None:
            return np.full_like(tp, np.nan), np.full_like(tp, np.nan)
        of_class = [float(side.sum()) for side in totals]
        known = [*zip(squares, of_class, strict=True), (of_class[0], sum(of_class))]
        rows = [effective_rows(*part, both) for part, both in zip(parts, known, strict=True)]
        if state._counted is None:
            together = _together(parts, known, rows)
    else:
        rows = [(part, np.float64(whole)) for part, whole in parts]
    if state._counted is not None:
        share = sizes[0] / sum(sizes)
        low, high = moved_by_rates(lambda tpr, fpr: of(tpr, fpr, share), rows[:_SHARE], z)
    else:
        low, high = moved_by_rates(of, rows, z, together)
    return on_side(np.maximum(low, ends[0]), np.minimum(high, ends[1]), wanted[1], ends)


def _together(parts: Any, squares: Any, rows: Any) -> dict[tuple[int, int], Any]:
    """Return how the share of positives and each rate vary together, where weights tell of scores.

    What a row adds to the share is its weight, and to a rate within a class that as well: of rows
    of one weight the two are not correlated.
    """
    found = {}
    (positive, total), shares = parts[_SHARE], rows[_SHARE]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = positive / total
        of_share = share * (1 - share) / shares[1]
        for at, lever in ((_TPR, 1 - share), (_FPR, -share)):
            (part, whole), (k, n) = parts[at], squares[at]
            rate = part / whole
            covariance = lever * (k - rate * n) / (whole * total)
            correlation = covariance / np.sqrt(of_share * rate * (1 - rate) / rows[at][1])
            found[at, _SHARE] = np.nan_to_num(correlation, nan=0.0, posinf=0.0, neginf=0.0)
    return found
