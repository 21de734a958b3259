"""Curves of a sweep as frames: ROC, precision and recall, DET, lift, cost, net benefit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core
from confmat.costs import total_cost
from confmat.errors import InputError
from confmat.intervals.levels import checked_level
from confmat.scores.bands import bands
from confmat.scores.convex_hull import upper_hull
from confmat.scores.cuts import counts_at, cuts_at, path, squares_along
from confmat.scores.grid import increasing
from confmat.scores.points import outside
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
        `tpr_high`, Wilson's interval of each rate at each threshold by itself; null for float
        weights.

    Returns
    -------
    polars.DataFrame
        Columns `threshold`, `fpr`, `tpr`, `fp`, `tp`; rows from the highest threshold down,
        the first one being +inf at (0, 0). A rate is null where its class has no rows.

    References
    ----------
    Fawcett (2006), https://doi.org/10.1016/j.patrec.2005.10.010; for the hull Provost and
    Fawcett (2001), https://doi.org/10.1023/A:1007601015854.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.roc_curve().select("threshold", "fpr", "tpr").rows()[:3]
    [(inf, 0.0, 0.0), (0.8, 0.0, 0.5), (0.4, 0.5, 0.5)]
    >>> s.roc_curve(hull=True)["threshold"].to_list()
    [inf, 0.8, 0.35, 0.1]
    """
    whole = thresholds is None and max_points is None and max_error is None and not hull
    if whole and ci is None:
        return _whole(_core.roc_curve(state._state))
    at, tp, fp = path(state, thresholds)
    if hull:
        if thresholds is not None:
            raise InputError("give one of `hull` and `thresholds`, not both")
        corners = upper_hull(fp, tp)
        at, tp, fp = at[corners], tp[corners], fp[corners]
    fpr, tpr = _ratio(fp, state.n_negative), _ratio(tp, state.n_positive)
    keep = kept([fpr, tpr], max_points, max_error)
    columns = {"threshold": at, "fpr": fpr, "tpr": tpr, "fp": fp, "tp": tp}
    if ci is not None:
        squares = squares_along(state, thresholds)
        if squares is not None and hull:
            squares = (squares[0][corners], squares[1][corners])
        columns |= bands(
            state, {"fpr": "fpr", "tpr": "tpr"}, (tp, fp), squares, checked_level(ci, "ci")
        )
    return _frame(columns, keep)


def pr_curve(
    state: ScoreState,
    max_points: int | None = None,
    max_error: float | None = None,
    thresholds: Any = None,
    *,
    ci: float | None = None,
) -> pl.DataFrame:
    """Return precision against recall.

    Parameters
    ----------
    max_points, max_error, thresholds
        As in `roc_curve`, for `recall` and `precision`. Precision goes up and down, so only
        `max_error` promises an error.
    ci : float, optional
        As in `roc_curve`: columns `recall_low`, `recall_high`, `precision_low`, `precision_high`.

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
    if thresholds is None and max_points is None and max_error is None and ci is None:
        return _whole(_core.pr_curve(state._state))
    at, tp, fp = path(state, thresholds, origin=False)
    recall, precision = _ratio(tp, state.n_positive), _ratio(tp, tp + fp)
    keep = kept([recall, precision], max_points, max_error)
    columns = {"recall": recall, "precision": precision, "tp": tp, "fp": fp}
    if ci is not None:
        squares = squares_along(state, thresholds, origin=False)
        columns |= bands(
            state, {"recall": "tpr", "precision": "ppv"}, (tp, fp), squares, checked_level(ci, "ci")
        )
    return _frame({"threshold": at} | columns, keep)


def det_curve(
    state: ScoreState,
    max_points: int | None = None,
    max_error: float | None = None,
    thresholds: Any = None,
    *,
    ci: float | None = None,
) -> pl.DataFrame:
    """Return the detection error trade-off: false negatives against false positives.

    Parameters
    ----------
    max_points, max_error, thresholds
        As in `roc_curve`, for `fpr` and `fnr`.
    ci : float, optional
        As in `roc_curve`: columns `fpr_low`, `fpr_high`, `fnr_low` and `fnr_high`.

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
    at, tp, fp = path(state, thresholds)
    fpr, fnr = _ratio(fp, state.n_negative), _ratio(state.n_positive - tp, state.n_positive)
    keep = kept([fpr, fnr], max_points, max_error)
    columns = {"threshold": at, "fpr": fpr, "fnr": fnr}
    if ci is not None:
        squares = squares_along(state, thresholds)
        columns |= bands(
            state, {"fpr": "fpr", "fnr": "fnr"}, (tp, fp), squares, checked_level(ci, "ci")
        )
    return _frame(columns, keep)


def lift(
    state: ScoreState,
    max_points: int | None = None,
    max_error: float | None = None,
    thresholds: Any = None,
) -> pl.DataFrame:
    """Return lift and cumulative gain against the fraction of rows predicted positive.

    Parameters
    ----------
    max_points, max_error, thresholds
        As in `roc_curve`, for `fraction` and `gain`.

    Returns
    -------
    polars.DataFrame
        Columns `threshold`, `fraction` of the rows predicted positive, `lift` (precision over
        prevalence; null at fraction 0) and `gain` (recall), from the threshold +inf down.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.lift().rows()[:2]
    [(inf, 0.0, None, 0.0), (0.8, 0.25, 2.0, 0.5)]
    """
    at, tp, fp = path(state, thresholds)
    fraction, gain = _ratio(tp + fp, state.n), _ratio(tp, state.n_positive)
    keep = kept([fraction, gain], max_points, max_error)
    columns = {"fraction": fraction, "lift": _ratio(gain, fraction), "gain": gain}
    return _frame({"threshold": at} | columns, keep)


def cost_curve(
    state: ScoreState,
    cost: Any = None,
    max_points: int | None = None,
    max_error: float | None = None,
    thresholds: Any = None,
) -> pl.DataFrame:
    """Return the cost at every threshold.

    Parameters
    ----------
    cost : array-like, shape (2, 2)
        Needed. Rows true, columns predicted, negative first: `[[0, fp], [fn, 0]]`.
    max_points, max_error, thresholds
        As in `roc_curve`, for `mean_cost`, in its unit. The cost goes up and down, so only
        `max_error` promises an error.

    Returns
    -------
    polars.DataFrame
        Columns `threshold`, `cost` (total) and `mean_cost` (of one row), from the threshold
        +inf, at which no row is predicted positive, down.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.cost_curve([[0, 3], [5, 0]]).rows()[:2]
    [(inf, 10.0, 2.5), (0.8, 5.0, 1.25)]
    """
    at, tp, fp = path(state, thresholds)
    total = total_cost(cost, tp, fp, state.n_positive, state.n_negative)
    mean = _ratio(total, state.n)
    keep = kept([mean], max_points, max_error)
    return _frame({"threshold": at, "cost": total, "mean_cost": mean}, keep)


def decision_curve(
    state: ScoreState,
    probabilities: Any = None,
    max_points: int | None = None,
    max_error: float | None = None,
) -> pl.DataFrame:
    """Return the net benefit of acting on scores that are probabilities.

    Parameters
    ----------
    probabilities : array-like of float in [0, 1), optional
        Increasing thresholds. Default: every score in [0, 1).
    max_points, max_error
        As in `roc_curve`, for `net_benefit`; it goes up and down, so only `max_error`
        promises an error.

    Returns
    -------
    polars.DataFrame
        Columns `probability`, ascending, `net_benefit` (tp / n - fp / n * p / (1 - p)),
        `treat_all` (the same with every row predicted positive) and `treat_none`, 0.

    Raises
    ------
    InputError
        A score outside [0, 1].

    References
    ----------
    Vickers & Elkin (2006), https://doi.org/10.1177/0272989X06295361.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.decision_curve([0.2, 0.5]).rows()
    [(0.2, 0.4375, 0.375, 0.0), (0.5, 0.25, 0.0, 0.0)]
    """
    why = outside(state)
    if why:
        raise InputError(f"`y_score`: {why}; a decision curve needs probabilities")
    if probabilities is None:
        at = state._at.astype(np.float64)
        cuts = np.flatnonzero((at >= 0) & (at < 1))[::-1] + 1
        p = at[cuts - 1]
    else:
        p = increasing(probabilities, "probabilities")
        bad = (p < 0) | (p >= 1)
        if bad.any():
            raise InputError(
                f"`probabilities` holds {p[bad][0]} at position {int(bad.argmax())}; "
                "wanted numbers in [0, 1)"
            )
        cuts = cuts_at(state, p)
    tp, fp = counts_at(state, cuts)
    odds = p / (1 - p)
    benefit = _ratio(tp, state.n) - _ratio(fp, state.n) * odds
    everyone = _ratio(state.n_positive + 0 * p, state.n) - odds * _ratio(
        state.n_negative + 0 * p, state.n
    )
    keep = kept([benefit], max_points, max_error)
    columns = {"probability": p, "net_benefit": benefit, "treat_all": everyone}
    return _frame(columns | {"treat_none": 0 * p}, keep)


def _whole(columns: _core.ArrowData) -> pl.DataFrame:
    return pl.Series(columns).struct.unnest()  # less work for Polars than the same as a frame


def _ratio(part: npt.NDArray[Any], total: Any) -> npt.NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: npt.NDArray[np.float64] = np.true_divide(part, total, dtype=np.float64)
    return ratio


def _frame(
    columns: dict[str, npt.NDArray[Any]], keep: slice | npt.NDArray[np.intp]
) -> pl.DataFrame:
    series = [
        pl.Series(name, column[keep], nan_to_null=name != "threshold")
        for name, column in columns.items()
    ]
    return pl.DataFrame(series)  # much cheaper for few rows than a dict of arrays and a query
