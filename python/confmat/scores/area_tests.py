"""The areas under two ROC curves of different rows, compared."""

from __future__ import annotations

import math

from confmat.errors import InputError
from confmat.intervals.areas import area_interval, variance_of_area
from confmat.intervals.differences import of_limits
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Side, z_of
from confmat.render.figures import figure
from confmat.scores.delong import delong
from confmat.scores.state import ScoreState
from confmat.significance.result import Alternative, TestResult, result, undefined
from confmat.significance.tails import log_normal

# A lower end asks whether this area is larger.
_MORE: dict[Side, Alternative] = {"both": "two-sided", "lower": "greater", "upper": "less"}
_WEIGHTED = "the squared weights are not known"
_ONE_CLASS = "there are rows of one class alone"


def test_auc(
    state: ScoreState,
    other: ScoreState,
    level: float = 0.95,
    *,
    side: Side = "both",
) -> TestResult:
    """Test whether the area under the ROC curve is the same as that of a sweep of other rows.

    Of scores of the same rows `cm.compare` says much more.

    Parameters
    ----------
    other : Sweep or BinnedSweep
        Of rows that are independent of these.
    level : float, default 0.95
        Of the interval of the difference.
    side : {"both", "lower", "upper"}, default "both"
        As in `ci`; a side that is not asked for is -1 or 1.

    Returns
    -------
    TestResult
        With the `difference` of the two areas and its interval, which puts together those that
        `ci` gives both. The test is of the same side: with "lower" a small p-value says that this
        area is the larger one, with "upper" that it is the smaller one. The difference over the
        root of the sum of DeLong's two variances is standard normal. Where these are 0 or unknown,
        as of two areas of 1, it takes those that a model expects of one common area.

    Raises
    ------
    InputError
        `other` is no sweep.
    ConfmatError
        SciPy is not installed.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), https://doi.org/10.2307/2531595; Zou and Donner
    (2008), https://doi.org/10.1002/sim.3095, for the interval.

    Examples
    --------
    >>> import confmat as cm
    >>> one = cm.sweep([0, 0, 1, 1] * 20, [0.1, 0.4, 0.35, 0.8] * 20)
    >>> other = cm.sweep([0, 0, 1, 1] * 20, [0.1, 0.4, 0.6, 0.8] * 20)
    >>> found = one.test_auc(other)
    >>> round(found.statistic, 2)
    -4.42
    >>> print(found.difference)
    -0.2500 [-0.3750, -0.1438] (delong)
    """
    z_of(level, side)  # refuses what is no level or side
    if not isinstance(other, ScoreState):
        raise InputError(f"`other` is {type(other).__name__}; wanted a sweep")
    (area, variance), (area2, variance2) = delong(state), delong(other)
    difference = area - area2
    words = f"roc_auc {_of_rows(area, state)} against {_of_rows(area2, other)}"
    sizes = [s._effective_rows() for s in (state, other)]
    if math.isnan(difference) or any(map(math.isnan, (*sizes[0], *sizes[1]))):
        why = _ONE_CLASS if math.isnan(difference) else _WEIGHTED
        told = without_ends(difference, why)
        return undefined("equal", why, words, method="delong", difference=told)
    ends = [
        (at, *area_interval(at, spread, *size, level)[:2])
        if side == "both"
        else (at, *_one_sided(at, spread, size, level))
        for at, spread, size in zip((area, area2), (variance, variance2), sizes, strict=True)
    ]
    low, high = map(float, of_limits(*ends))
    if side != "both":
        low, high = (low, 1.0) if side == "lower" else (-1.0, high)
    error = math.sqrt(variance + variance2)
    if not error > 0:
        common = sum(at * sum(size) for at, size in zip((area, area2), sizes, strict=True))
        common /= sum(map(sum, sizes))
        error = math.sqrt(sum(variance_of_area(common, *size) for size in sizes))
    z = difference / error if error > 0 else 0.0
    alternative = _MORE[side]
    log_p = log_normal(z, alternative)
    told = Interval(difference, low, high, error, "delong")
    return result(
        "equal", z, log_p, words, method="delong", alternative=alternative, difference=told
    )


def _of_rows(area: float, state: ScoreState) -> str:
    return f"{figure(area)} of {state.n:,.12g} rows"


def _one_sided(
    area: float, variance: float, sizes: tuple[float, float], level: float
) -> tuple[float, float]:
    """Return the lower end of one one-sided interval and the upper end of the other."""
    low = area_interval(area, variance, *sizes, level, "lower")[0]
    return low, area_interval(area, variance, *sizes, level, "upper")[1]
