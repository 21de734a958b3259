"""Confidence intervals of the metrics of a sweep, from its distinct scores or bins alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from confmat.errors import InputError
from confmat.intervals.areas import METHODS as AREA_METHODS
from confmat.intervals.areas import area_interval
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Side, refuse_elsewhere, z_of
from confmat.intervals.mean_loss import MeanLoss
from confmat.scores import mean_losses
from confmat.scores.certain_bounds import bounds
from confmat.scores.delong import delong
from confmat.scores.drawn_intervals import drawn_intervals
from confmat.scores.influence import PRECISION, influence
from confmat.scores.score_names import PARTIAL_AUC, full_name, reading
from confmat.scores.set_share import mean_at_share, why_not
from confmat.scores.state import ScoreState
from confmat.scores.values import reason, value

AREAS = ("roc_auc", "gini")
_WITHIN = (*AREAS, PARTIAL_AUC, "ks", "eer")  # which the shares of the classes do not change
_MEAN, _BOOTSTRAP, DELTA = "mean", "bootstrap", "delta"
_NO_SQUARES = "the squared weights are not known"
_SHARES_SET = (
    "the share of positives was set, and rows are not drawn again there: `at(t)` and curves have "
    "intervals"
)
_ROUNDING = 1e-12  # of areas of float weights
REPLICATES = 2_000
SLOW = ("smooth_ece",)  # to draw again, so that tables of all metrics leave it out
# Rows of each class from which on what a row adds to average precision tells as much as draws.
_SETTLED = 200
SEED = 0  # of the draws behind a table: it is the same each time


def ci(
    state: ScoreState,
    name: str,
    level: float = 0.95,
    *,
    method: str | None = None,
    side: Side = "both",
    seed: int | None = None,
    replicates: int = 2_000,
    **parameters: Any,
) -> Interval:
    """Return a score metric with its confidence interval, from the sweep alone.

    Parameters
    ----------
    name : str
        As for `value`.
    level : float, default 0.95
        How often the interval is to hold the number of all rows that there could be.
    method : str, optional
        Of "roc_auc" and "gini" "delong", the default, "delong_logit", "delong_plain" or "newcombe",
        as `confmat.intervals.areas.area_interval` says. Of "brier", "log_loss" and "brier_skill"
        "mean", the default: by the variance over the rows, on a scale on which the interval stays
        in the range. Of "average_precision" "delta", the default from 200 rows of each class on:
        by what each row adds to it, in one pass. Of all metrics "bootstrap", the default of the
        others, and of fewer rows.
    side : {"both", "lower", "upper"}, default "both"
        "lower" puts all that may be missed below; the other end is that of the range.
    seed, replicates
        Of "bootstrap": rows are drawn again so often, 2,000 times by default, as many as there are
        from all of them; the interval is BCa.
    **parameters
        As for `value`.

    Returns
    -------
    Interval
        value, low, high, se and method. The ends are nan where the number is undefined, and of
        float weights whose squares are not known; `method` says why.

    Raises
    ------
    InputError
        A level outside (0, 1), an unknown method or side, a method of another metric; what `value`
        refuses.

    Notes
    -----
    Float weights count by their squares, in the default intervals and in draws alike; integer ones
    are counts of equal rows. The weights of a score are drawn as a Poisson number of rows of equal
    weight, of the same mean and variance. With exponential weights and normal scores the interval
    of an area of 0.76 held it in 94.5 to 95 % of 1,500 samples, of 10 to 100 positives.

    A binned sweep that is not exact has an interval of the exact number: its low end is that of the
    least value that `bounds` allows, its high end that of the largest, and the method ends in
    "bins". `s.at(threshold).ci("recall")` has intervals of the metrics at a threshold.

    After `at_prevalence` areas under the ROC curve, "ks" and "eer" have the intervals of the rows
    as they were counted. "brier", "brier_skill", "log_loss" and "average_precision" take the rows
    of each class as a sample of their own, and the share as known. Average precision has none where
    a negative stands for more than a positive does, and negatives are fewer than come with 200
    positives: it rests on the few of them that lie above. Other numbers have none.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), https://doi.org/10.2307/2531595; Sun and Xu (2014),
    https://doi.org/10.1109/LSP.2014.2337313; Efron (1987),
    https://doi.org/10.1080/01621459.1987.10478410; Bohm and Zech (2014),
    https://doi.org/10.1016/j.nima.2014.02.021, for weights that are drawn

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1] * 20, [0.1, 0.4, 0.35, 0.8] * 20)
    >>> print(s.ci("roc_auc"))
    0.7500 [0.6250, 0.8438] (delong)
    >>> print(s.ci("roc_auc", method="delong_plain"))
    0.7500 [0.6390, 0.8610] (delong_plain)
    >>> print(s.ci("brier"))
    0.1581 [0.1255, 0.1974] (mean)
    """
    z_of(level, side)  # refuses what is no level or side
    refuse_elsewhere(parameters)
    base = name if name == PARTIAL_AUC else reading(full_name(name, parameters))[0]
    variance = math.nan
    if name == "roc_auc" and not parameters:
        number, variance = delong(state)
    else:
        number = value(state, name, **parameters)
    used = _method(state, base, method)
    if state._counted is not None and base in _WITHIN:
        drawn: dict[str, Any] = {"seed": seed, "replicates": replicates}
        same = ci(state._counted, name, level, method=method, side=side, **drawn, **parameters)
        return same._replace(value=number)
    if math.isnan(number):
        return without_ends(number, f"{reason(state, name, **parameters)}")
    if not _is_known(state):
        return without_ends(number, _NO_SQUARES)
    if state._counted is not None:
        why = _SHARES_SET if used == _BOOTSTRAP else why_not(state, base)
        if why is not None:
            return without_ends(number, why)
    if used == _BOOTSTRAP:
        return drawn_intervals(state, [name], level, side, replicates, seed, parameters)[0]
    exact = state.is_exact
    numbers = (number, *((number, number) if exact else bounds(state, name, **parameters)))
    if base == "gini":
        variance = delong(state)[1]
    if base in AREAS:
        found = _of_area(state, numbers, variance, base == "gini", level, side, used)
    else:
        found = _of_mean(state, numbers, base, level, side, used)
    return found if exact else found._replace(method=f"{found.method}, bins")


def several(
    state: ScoreState,
    names: Sequence[str],
    level: float,
    replicates: int,
    seed: int | None,
    side: Side = "both",
) -> dict[str, Interval]:
    """Return the intervals of several metrics, those by bootstrap from the same draws."""
    z_of(level, side)

    def of(name: str) -> Interval:
        return ci(state, name, level, side=side)

    if state._counted is not None:
        within = [name for name in names if reading(name)[0] in _WITHIN]
        same = several(state._counted, within, level, replicates, seed, side)
        return {name: same[name] if name in same else of(name) for name in names}
    drawn = [name for name in names if _method(state, reading(name)[0], None) == _BOOTSTRAP]
    drawn = [n for n in drawn if not math.isnan(value(state, n))] if _is_known(state) else []
    found = drawn_intervals(state, drawn, level, side, replicates, seed, {}) if drawn else []
    known = dict(zip(drawn, found, strict=True))
    return {name: known[name] if name in known else of(name) for name in names}


def has_formula(name: str) -> bool:
    """Return whether the default interval of a metric has a formula for any number of rows."""
    base = reading(name)[0]
    return base in AREAS or base in mean_losses.NAMES


def not_asked(name: str) -> str:
    """Return why a table has no interval of a metric that is drawn, and was not named."""
    return f"that of {name} takes rows drawn again; name it in `metrics`"


def _method(state: ScoreState, base: str, method: str | None) -> str:
    """Return the method, the first of those that a metric has by default."""
    known: Sequence[str] = (_BOOTSTRAP,)
    if base in AREAS:
        known = (*AREA_METHODS, _BOOTSTRAP)
    elif base in mean_losses.NAMES:
        known = (_MEAN, _BOOTSTRAP)
    elif base == PRECISION:
        is_drawn = state._counted is None and not min(state._effective_rows()) >= _SETTLED
        known = (_BOOTSTRAP, DELTA) if is_drawn else (DELTA, _BOOTSTRAP)
    if method is None:
        return known[0]
    if method not in known:
        raise InputError(f"`method` is {method!r}; {base} has {', '.join(map(repr, known))}")
    return method


def _is_known(state: ScoreState) -> bool:
    """Return whether it is known for how many rows the weights stand."""
    return not any(map(math.isnan, state._effective_rows()))


def _of_area(
    state: ScoreState,
    numbers: tuple[float, float, float],
    variance: float,
    is_gini: bool,
    level: float,
    side: Side,
    method: str,
) -> Interval:
    sizes = state._effective_rows()
    areas = [(number + 1) / 2 if is_gini else number for number in numbers]
    if state.weighted:  # of which 0 and 1 come out within rounding
        areas = [round(area) if min(area, 1 - area) < _ROUNDING else area for area in areas]
    found = [
        area_interval(area, variance, *sizes, level, side, method)
        for area in (areas if areas[1] < areas[2] else areas[:1])
    ]
    low, high = found[min(1, len(found) - 1)][0], found[-1][1]
    se, used = found[0][2:]
    if is_gini:
        low, high, se = 2 * low - 1, 2 * high - 1, 2 * se
    return Interval(numbers[0], low, high, se, used)


def _of_mean(
    state: ScoreState,
    numbers: tuple[float, float, float],
    base: str,
    level: float,
    side: Side,
    used: str,
) -> Interval:
    if state._counted is not None:
        loss = mean_at_share(state, base)
    else:
        loss = _of_precision(state) if base == PRECISION else mean_losses.mean_loss(state, base)
    number, least, most = numbers
    return Interval(number, *loss.around(least, most, level, side), loss.se, used)


def _of_precision(state: ScoreState) -> MeanLoss:
    """Return average precision as a mean, by what each row adds to it."""
    squares = state._effective_squares()
    assert squares is not None
    added = influence(state, PRECISION)
    variance = sum(float(side @ of**2) for side, of in zip(squares, added, strict=True))
    rows = state._effective_rows()[0]
    return MeanLoss(math.sqrt(variance), 0.0, 1.0, 0.0, 1.0, rows)
