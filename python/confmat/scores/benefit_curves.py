"""Curves of what acting on a score brings: lift and gain, cost, net benefit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl

from confmat.costs import checked_costs, total_cost
from confmat.errors import InputError
from confmat.intervals.levels import Side, checked_ci
from confmat.scores.bands import bands
from confmat.scores.curve_frames import frame, ratio
from confmat.scores.cuts import counts_at, cuts_at, path, squares_along, squares_at_cuts
from confmat.scores.grid import increasing
from confmat.scores.moved_bands import Of, moved_bands
from confmat.scores.points import outside
from confmat.scores.state import Floats, ScoreState
from confmat.scores.thinning import kept


def lift(
    state: ScoreState,
    max_points: int | None = None,
    max_error: float | None = None,
    thresholds: Any = None,
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return lift and cumulative gain against the fraction of rows predicted positive.

    Parameters
    ----------
    max_points, max_error, thresholds
        As in `roc_curve`, for `fraction` and `gain`.
    ci : float, optional
        The level of intervals, such as 0.95: columns `lift_low`, `lift_high`, `gain_low` and
        `gain_high`, at each threshold by itself. Gain has Wilson's; Wilson's intervals of both
        rates within classes and of the prevalence, unless `at_prevalence` has set it, move the
        lift as far as they do together. Null for float weights whose squares are not known.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Returns
    -------
    polars.DataFrame
        Columns `threshold`, `fraction` of the rows predicted positive, `lift` (precision over
        prevalence; null at fraction 0) and `gain` (recall), from the threshold +inf down.

    References
    ----------
    Zou and Donner (2008), https://doi.org/10.1002/sim.3095, for the intervals of the lift.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.lift().rows()[:2]
    [(inf, 0.0, None, 0.0), (0.8, 0.25, 2.0, 0.5)]
    """
    checked_ci(ci, side)
    at, tp, fp = path(state, thresholds)
    fraction, gain = ratio(tp + fp, state.n), ratio(tp, state.n_positive)
    keep = kept([fraction, gain], max_points, max_error)
    columns = {"fraction": fraction, "lift": ratio(gain, fraction), "gain": gain}
    if ci is not None:
        squares = squares_along(state, thresholds)
        ends = moved_bands(state, _lift, (tp, fp), squares, (ci, side), (0.0, math.inf))
        columns |= _ends("lift", ends)
        columns |= bands(state, {"gain": "tpr"}, (tp, fp), squares, (ci, side))
    return frame({"threshold": at} | columns, keep)


def cost_curve(
    state: ScoreState,
    cost: Any = None,
    max_points: int | None = None,
    max_error: float | None = None,
    thresholds: Any = None,
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return the cost at every threshold.

    Parameters
    ----------
    cost : array-like, shape (2, 2)
        Needed. Rows true, columns predicted, negative first: `[[0, fp], [fn, 0]]`.
    max_points, max_error, thresholds
        As in `roc_curve`, for `mean_cost`, in its unit. The cost goes up and down, so only
        `max_error` promises an error.
    ci : float, optional
        As in `lift`: columns `cost_low`, `cost_high`, `mean_cost_low` and `mean_cost_high`. Costs
        are known; the cheapest threshold of these rows tends to cost more of others.
    side : {"both", "lower", "upper"}, default "both"
        As in `lift`. The range is that of the costs.

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
    checked_ci(ci, side)
    at, tp, fp = path(state, thresholds)
    total = total_cost(cost, tp, fp, state.n_positive, state.n_negative)
    mean = ratio(total, state.n)
    keep = kept([mean], max_points, max_error)
    columns = {"threshold": at, "cost": total, "mean_cost": mean}
    if ci is not None:
        costs, squares = checked_costs(cost, 2, "cost"), squares_along(state, thresholds)
        ends = cost_ends(state, costs, (tp, fp), squares, (ci, side))
        columns |= _ends("cost", (ends[0] * state.n, ends[1] * state.n)) | _ends("mean_cost", ends)
    return frame(columns, keep)


def decision_curve(
    state: ScoreState,
    probabilities: Any = None,
    max_points: int | None = None,
    max_error: float | None = None,
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return the net benefit of acting on scores that are probabilities.

    Parameters
    ----------
    probabilities : array-like of float in [0, 1), optional
        Increasing thresholds. Default: every score in [0, 1).
    max_points, max_error
        As in `roc_curve`, for `net_benefit`; it goes up and down, so only `max_error`
        promises an error.
    ci : float, optional
        As in `lift`: columns `net_benefit_low` and `net_benefit_high`.
    side : {"both", "lower", "upper"}, default "both"
        As in `lift`. The range is that of any share of positives: from -p / (1 - p) to 1.

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
    checked_ci(ci, side)
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
    benefit = ratio(tp, state.n) - ratio(fp, state.n) * odds
    everyone = ratio(state.n_positive + 0 * p, state.n) - odds * ratio(
        state.n_negative + 0 * p, state.n
    )
    keep = kept([benefit], max_points, max_error)
    columns = {"probability": p, "net_benefit": benefit, "treat_all": everyone, "treat_none": 0 * p}
    if ci is not None:

        def of(tpr: Any, fpr: Any, share: Any) -> Any:
            return share * tpr - (1 - share) * fpr * odds

        squares = squares_at_cuts(state, cuts)
        ends = moved_bands(state, of, (tp, fp), squares, (ci, side), (-odds, 1.0))
        columns |= _ends("net_benefit", ends)
    return frame(columns, keep)


def cost_ends(
    state: ScoreState,
    costs: Floats,
    counts: tuple[Any, Any],
    squares: tuple[Floats, Floats] | None,
    wanted: tuple[float, Side],
) -> tuple[Floats, Floats]:
    """Return the interval of the mean cost of a row at each pair of counts, as `moved_bands`."""
    ends = (costs.min(), costs.max())
    return moved_bands(state, _cost_of(costs), counts, squares, wanted, ends)


def _ends(name: str, ends: tuple[Floats, Floats]) -> dict[str, Floats]:
    return {f"{name}_low": ends[0], f"{name}_high": ends[1]}


def _lift(tpr: Any, fpr: Any, share: Any) -> Any:
    return tpr / (share * tpr + (1 - share) * fpr)


def _cost_of(costs: Floats) -> Of:
    """Return the mean cost of a row, by both rates and the share of positives."""
    (of_tn, of_fp), (of_fn, of_tp) = costs.tolist()

    def mean(tpr: Any, fpr: Any, share: Any) -> Any:
        negatives = of_tn + (of_fp - of_tn) * fpr
        return (1 - share) * negatives + share * (of_fn + (of_tp - of_fn) * tpr)

    return mean
