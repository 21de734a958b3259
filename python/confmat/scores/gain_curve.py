"""The curve of precision gain against recall gain."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from confmat.scores.cuts import path
from confmat.scores.state import ScoreState
from confmat.scores.thinning import kept


def pr_gain_curve(
    state: ScoreState,
    max_points: int | None = None,
    max_error: float | None = None,
    thresholds: Any = None,
) -> pl.DataFrame:
    """Return precision gain against recall gain: how much of what a guess lacks is gained.

    Parameters
    ----------
    max_points, max_error, thresholds
        As in `roc_curve`, for `recall_gain` and `precision_gain`.

    Returns
    -------
    polars.DataFrame
        Columns `threshold`, `recall_gain`, from 0 to 1, and `precision_gain`, at most 1; from
        recall gain 0, which lies on the line to the first score beyond it. Both gains are (x - π) /
        ((1 - π) x) of recall or precision x and the share of the positives π: 0 for guesses.
        The area below straight lines is `pr_gain_auc`. Empty without rows of both classes.

    References
    ----------
    Flach and Kull (2015), Precision-recall-gain curves: PR analysis done right, NeurIPS 28.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> s = cm.sweep([0, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.2])
    >>> s.pr_gain_curve().select(pl.col("recall_gain", "precision_gain").round(3)).rows()
    [(0.0, 1.0), (0.333, 1.0), (0.333, 0.333), (1.0, 0.667), (1.0, 0.333), (1.0, 0.0)]
    """
    at, found_tp, found_fp = path(state, thresholds, origin=True)
    names = ("threshold", "recall_gain", "precision_gain")
    if not state.n_positive or not state.n_negative:
        return pl.DataFrame({name: pl.Series([], dtype=pl.Float64) for name in names})
    tp = np.asarray(found_tp, dtype=np.float64) / state.n_positive
    fp = np.asarray(found_fp, dtype=np.float64) / state.n_negative
    share = float(state.n_positive / (state.n_positive + state.n_negative))
    first = int(np.searchsorted(tp, share))
    if 0 < first < len(tp) and tp[first] > share:
        way = (share - tp[first - 1]) / (tp[first] - tp[first - 1])
        crossed = fp[first - 1] + way * (fp[first] - fp[first - 1])
        tp, fp = np.insert(tp, first, share), np.insert(fp, first, crossed)
        at = np.insert(np.asarray(at, dtype=np.float64), first, at[first])
    at, tp, fp = at[first:], tp[first:], fp[first:]
    odds = share / (1 - share)
    recall_gain, precision_gain = np.maximum(1 - odds * (1 - tp) / tp, 0), 1 - fp / tp
    keep = kept([recall_gain, precision_gain], max_points, max_error)
    columns = zip(names, (at, recall_gain, precision_gain), strict=True)
    return pl.DataFrame([pl.Series(name, column[keep]) for name, column in columns])
