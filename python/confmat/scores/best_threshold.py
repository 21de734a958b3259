"""The threshold at which a metric is best, with an interval of what it is worth on other rows."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, overload

from confmat.errors import InputError
from confmat.intervals.interval import Interval, why_none
from confmat.intervals.levels import Side, checked_ci
from confmat.registry import find
from confmat.scores.chosen_thresholds import Choice, interval_of_choice
from confmat.scores.cuts import path
from confmat.scores.limits import Limits, in_words, read_limits, why_unmet, within
from confmat.scores.state import Floats, ScoreState
from confmat.scores.thresholds import OTHERS, Best, metrics_at, pick


class _ChosenBest(NamedTuple):
    threshold: float
    value: float
    interval: Interval


class ChosenBest(_ChosenBest):
    """A threshold, the value of a metric there, and an interval that knows that it was chosen.

    Attributes
    ----------
    threshold, value : float
        As of `Best`: of these rows.
    interval : Interval
        Of all rows that there could be, around a value without what the choice flatters.
    reason : str or None
        As of `Best`.
    """

    @property
    def reason(self) -> str | None:  # noqa: D102
        return why_none(self.interval) if math.isnan(self.threshold) else None


@overload
def best(
    state: ScoreState,
    metric: str,
    cost: Any = ...,
    subject_to: Any = ...,
    thresholds: Any = ...,
    *,
    ci: None = ...,
    side: Side = ...,
    seed: None = ...,
    replicates: None = ...,
) -> Best: ...
@overload
def best(
    state: ScoreState,
    metric: str,
    cost: Any = ...,
    subject_to: Any = ...,
    thresholds: Any = ...,
    *,
    ci: float,
    side: Side = ...,
    seed: int | None = ...,
    replicates: int | None = ...,
) -> ChosenBest: ...
def best(
    state: ScoreState,
    metric: str,
    cost: Any = None,
    subject_to: Any = None,
    thresholds: Any = None,
    *,
    ci: float | None = None,
    side: Side = "both",
    seed: int | None = None,
    replicates: int | None = None,
) -> Best | ChosenBest:
    """Return the threshold at which a metric is best, and its value there.

    Parameters
    ----------
    metric : str
        A name of `list_metrics()` with a better direction; "cost" or "mean_cost", which a
        cost matrix defines; "top_left", the point of the ROC curve closest to (0, 1).
        Youden's index is "informedness".
    cost : array-like, shape (2, 2), optional
        For "cost": rows true, columns predicted, negative first.
    subject_to : dict of str to float or pair, optional
        Only thresholds where every metric named is at least the number if higher is better,
        at most if lower is better: `{"recall": 0.9, "fpr": 0.1}`. A pair (low, high), either
        may be None, says both. "alert_rate" (`predicted_prevalence`) is at most the number.
    thresholds : array-like of float, optional
        Increasing finite numbers to choose from. Default: every score, and +inf, at which no
        row is predicted positive.
    ci : float, optional
        The level of an interval of the metric at this threshold of all rows that there could be,
        such as 0.95. That it was chosen on the same rows is part of it: rows are drawn again, a
        threshold is chosen again, and what it gains on the rows that it was chosen on is taken off
        the interval of `at(threshold)`, on the scale of that interval.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.
    seed, replicates
        Of `ci` alone: how often rows are drawn again, 200 times by default; the same seed gives the
        same interval.

    Returns
    -------
    tuple of float
        (threshold, value). Of equally good thresholds the highest. (nan, nan) where the
        metric is undefined at, or the limits leave out, every threshold; its attribute `reason`
        then says why, as does printing. With `ci` (threshold,
        value, interval), whose own value is less than that of these rows by what they flatter it.

    Raises
    ------
    InputError
        An unknown metric, one that is neither better higher nor lower, a cost matrix of
        another shape; `seed` or `replicates` without `ci`.

    Notes
    -----
    Of more than 2,000 scores the rows drawn again choose among 2,000 thresholds, about as many rows
    apart. Coverage, and how little the interval of `at(threshold)` covers, stands in
    `docs/uncertainty.md`. "top_left" has no interval.

    References
    ----------
    Efron (1986), https://doi.org/10.1080/01621459.1986.10478291, for the optimism; Noma, Shinozaki,
    Iba, Teramukai and Furukawa (2021), https://doi.org/10.1002/sim.9148, for intervals moved by it.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.best("f1")
    Best(threshold=0.35, value=0.8)
    >>> s.best("precision", subject_to={"recall": 0.9}).threshold
    0.35
    >>> s.best("f1", subject_to={"recall": 0.9, "fpr": 0.1}).reason
    'no threshold has recall >= 0.9 and fpr <= 0.1; with recall >= 0.9 fpr is at least 0.5'
    """
    level = checked_ci(ci, side)
    if level is None:
        for name, given in (("seed", seed), ("replicates", replicates)):
            if given is not None:
                raise InputError(f"`{name}` is {given!r} without a level; wanted ci= too")
    limits = read_limits(subject_to, "subject_to")
    sign = -1.0 if _lower_is_better(metric) else 1.0
    at, tp, fp = path(state, thresholds, origin=state._start())
    columns = metrics_at(state, (metric, *limits), tp, fp, cost)
    values = columns.pop(metric) if metric not in limits else columns[metric]
    found = pick(at, sign * values, values, within(columns, limits))
    if math.isnan(found.threshold):
        found = found.because(_why(state, metric, columns, limits))
    if level is None:
        return found
    choice = Choice(metric, sign, cost, limits, thresholds)
    return ChosenBest(
        *found, interval_of_choice(state, choice, found, (level, side), seed, replicates)
    )


def _why(state: ScoreState, metric: str, columns: dict[str, Floats], limits: Limits) -> str:
    """Return why no threshold qualifies."""
    if not state.n:
        return "there are no rows"
    unmet = why_unmet(columns, limits)
    if unmet is not None:
        return unmet
    among = f" that has {in_words(limits)}" if limits else ""
    return f"{metric} is undefined at every threshold{among}"


def _lower_is_better(metric: Any) -> bool:
    if not isinstance(metric, str):
        raise InputError(f"`metric` is {metric!r}; wanted the name of a metric")
    better = "lower" if metric in OTHERS else find(metric)["better"]
    if better == "neither":
        raise InputError(f"{metric} is neither better higher nor lower; wanted a metric that is")
    return better == "lower"
