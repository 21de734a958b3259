"""Curves of the rates of a sweep as frames: ROC, precision and recall, DET."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.intervals.levels import Side
from confmat.scores.bands import Band, bands, checked_band
from confmat.scores.convex_hull import upper_hull
from confmat.scores.curve_frames import frame, ratio
from confmat.scores.cuts import path, squares_along
from confmat.scores.state import ScoreState
from confmat.scores.thinning import kept


def roc_curve(
    state: ScoreState,
    max_points: int | None = None,
    max_error: float | None = None,
    thresholds: Any = None,
    hull: bool = False,
    *,
    ci: float | None = None,
    side: Side = "both",
    band: Band = "pointwise",
) -> pl.DataFrame:
    """Return the ROC curve, or its convex hull.

    Parameters
    ----------
    max_points, max_error
        At most so many points, or enough of them for an error of `fpr` and `tpr` of at most
        this; see the class. Default: all.
    thresholds : array-like of float, optional
        Increasing finite numbers. Default: +inf and every score.
    hull : bool, default False
        Only the corners of the upper convex hull: the thresholds that are best for some
        ratio of costs.
    ci : float, optional
        The level of intervals, such as 0.95: columns `fpr_low`, `fpr_high`, `tpr_low` and
        `tpr_high`; null for float weights whose squares are not known.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below, in each pair of columns; the other end
        is that of the range. For the least recall and the largest fpr ask twice.
    band : {"pointwise", "simultaneous"}, default "pointwise"
        "pointwise": Wilson's interval of each rate at each threshold by itself; most such bands
        leave some part of the true curve out. "simultaneous": intervals that hold both rates at
        all thresholds at once at least as often as the level says, for any number of rows; the
        whole true curve then lies between the lines `fpr_low`, `tpr_high` and `fpr_high`,
        `tpr_low`. Float weights count by effective rows, an approximation.

    Returns
    -------
    polars.DataFrame
        Columns `threshold`, `fpr`, `tpr`, `fp`, `tp`; rows from the highest threshold down,
        the first one being +inf at (0, 0). A rate is null where its class has no rows.

    References
    ----------
    Fawcett (2006), https://doi.org/10.1016/j.patrec.2005.10.010; for the hull Provost and
    Fawcett (2001), https://doi.org/10.1023/A:1007601015854; for simultaneous bands Campbell
    (1994), https://doi.org/10.1002/sim.4780130513, with the band of Berk and Jones (1979),
    https://doi.org/10.1007/BF00533250, for both distributions.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.roc_curve().select("threshold", "fpr", "tpr").rows()[:3]
    [(inf, 0.0, 0.0), (0.8, 0.0, 0.5), (0.4, 0.5, 0.5)]
    >>> s.roc_curve(hull=True)["threshold"].to_list()
    [inf, 0.8, 0.35, 0.1]
    """
    band = checked_band(band, ci, side)
    whole = thresholds is None and max_points is None and max_error is None and not hull
    if whole and ci is None:
        return _whole(_core.roc_curve(state._state))
    at, tp, fp = path(state, thresholds)
    if hull:
        if thresholds is not None:
            raise InputError("give one of `hull` and `thresholds`, not both")
        corners = upper_hull(fp, tp)
        at, tp, fp = at[corners], tp[corners], fp[corners]
    fpr, tpr = ratio(fp, state.n_negative), ratio(tp, state.n_positive)
    keep = kept([fpr, tpr], max_points, max_error)
    columns = {"threshold": at, "fpr": fpr, "tpr": tpr, "fp": fp, "tp": tp}
    if ci is not None:
        squares = squares_along(state, thresholds)
        if squares is not None and hull:
            squares = (squares[0][corners], squares[1][corners])
        columns |= bands(state, {"fpr": "fpr", "tpr": "tpr"}, (tp, fp), squares, (ci, side), band)
    return frame(columns, keep)


def pr_curve(
    state: ScoreState,
    max_points: int | None = None,
    max_error: float | None = None,
    thresholds: Any = None,
    *,
    ci: float | None = None,
    side: Side = "both",
    band: Band = "pointwise",
) -> pl.DataFrame:
    """Return precision against recall.

    Parameters
    ----------
    max_points, max_error, thresholds
        As in `roc_curve`, for `recall` and `precision`. Precision goes up and down, so only
        `max_error` promises an error.
    ci : float, optional
        As in `roc_curve`: columns `recall_low`, `recall_high`, `precision_low`, `precision_high`.
    side : {"both", "lower", "upper"}, default "both"
        As in `roc_curve`.
    band : {"pointwise", "simultaneous"}, default "pointwise"
        As in `roc_curve`. Simultaneous limits of precision are the least and the greatest that
        those of both rates and an interval of the prevalence allow: they hold it more often than
        the level says, and are wide where few rows are predicted positive.

    Returns
    -------
    polars.DataFrame
        Columns `threshold`, `recall`, `precision`, `tp`, `fp`, one row a score, from the
        highest down. No point is added at recall 0, where precision is 0/0.

    References
    ----------
    Davis & Goadrich (2006), https://doi.org/10.1145/1143844.1143874.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.pr_curve().select("threshold", "recall", "precision").rows()[:2]
    [(0.8, 0.5, 1.0), (0.4, 0.5, 0.5)]
    """
    band = checked_band(band, ci, side)
    if thresholds is None and max_points is None and max_error is None and ci is None:
        return _whole(_core.pr_curve(state._state))
    at, tp, fp = path(state, thresholds, origin=False)
    recall, precision = ratio(tp, state.n_positive), ratio(tp, tp + fp)
    keep = kept([recall, precision], max_points, max_error)
    columns = {"recall": recall, "precision": precision, "tp": tp, "fp": fp}
    if ci is not None:
        squares = squares_along(state, thresholds, origin=False)
        columns |= bands(
            state, {"recall": "tpr", "precision": "ppv"}, (tp, fp), squares, (ci, side), band
        )
    return frame({"threshold": at} | columns, keep)


def det_curve(
    state: ScoreState,
    max_points: int | None = None,
    max_error: float | None = None,
    thresholds: Any = None,
    *,
    ci: float | None = None,
    side: Side = "both",
    band: Band = "pointwise",
) -> pl.DataFrame:
    """Return the detection error trade-off: false negatives against false positives.

    Parameters
    ----------
    max_points, max_error, thresholds
        As in `roc_curve`, for `fpr` and `fnr`.
    ci : float, optional
        As in `roc_curve`: columns `fpr_low`, `fpr_high`, `fnr_low` and `fnr_high`.
    side : {"both", "lower", "upper"}, default "both"
        As in `roc_curve`.
    band : {"pointwise", "simultaneous"}, default "pointwise"
        As in `roc_curve`.

    Returns
    -------
    polars.DataFrame
        Columns `threshold`, `fpr`, `fnr`, from the threshold +inf at (0, 1) down.

    References
    ----------
    Martin et al. (1997), https://doi.org/10.21437/Eurospeech.1997-504.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.det_curve().rows()[:2]
    [(inf, 0.0, 1.0), (0.8, 0.0, 0.5)]
    """
    band = checked_band(band, ci, side)
    at, tp, fp = path(state, thresholds)
    fpr, fnr = ratio(fp, state.n_negative), ratio(state.n_positive - tp, state.n_positive)
    keep = kept([fpr, fnr], max_points, max_error)
    columns = {"threshold": at, "fpr": fpr, "fnr": fnr}
    if ci is not None:
        squares = squares_along(state, thresholds)
        columns |= bands(state, {"fpr": "fpr", "fnr": "fnr"}, (tp, fp), squares, (ci, side), band)
    return frame(columns, keep)


def _whole(columns: _core.ArrowData) -> pl.DataFrame:
    return pl.Series(columns).struct.unnest()  # less work for Polars than the same as a frame
