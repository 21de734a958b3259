"""Differences of metrics of two scores of the same rows, from their joint state alone.

The values are those of the two sweeps. Their covariance is read from coarser bins: what rows of one
cell add, beyond the mean of their bins, is not known, and counted as if it made the variance of the
difference as large as it can be.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Floats, Side, z_of
from confmat.registry import find
from confmat.scores.certain_bounds import bounds
from confmat.scores.joint_state import JointScoreState, of_model
from confmat.scores.mean_losses import NAMES, row_losses
from confmat.scores.points import points
from confmat.scores.score_names import full_name
from confmat.scores.state import ScoreState
from confmat.scores.values import reason, value
from confmat.significance.result import Alternative

METRICS = ("roc_auc", *NAMES)
ONE_ROW = "a class has one row alone"
NO_SQUARES = "the squared weights are not known"
_ROUNDING = 1e-13  # of the variance of a difference, beside those of both
_K = 1 << 20  # beyond any number of bins
_MODELS: tuple[Literal["a"], Literal["b"]] = ("a", "b")
Places = npt.NDArray[np.int64]


class JointDifference(NamedTuple):
    """Values of a and of b, the least and the largest difference, b - a, and its standard error.

    The least and the largest are not the same where bins hold several scores. The standard error is
    nan where it is not known; `why` says why, or why a value is missing.
    """

    value_a: float
    value_b: float
    least: float
    most: float
    se: float
    why: str | None = None

    def least_telling(self, alternative: Alternative = "two-sided") -> float:
        """Return, of the differences that there may be, the one that tells least against none."""
        if alternative == "two-sided":
            return min(max(0.0, self.least), self.most)
        return self.least if alternative == "greater" else self.most


def joint_difference(state: JointScoreState, metric: str) -> JointDifference:
    """Return the difference of a metric with its standard error.

    Parameters
    ----------
    metric : {"roc_auc", "brier", "brier_skill", "log_loss"}

    Raises
    ------
    InputError
        A metric that is none of them.
    """
    name = canonical(metric)
    if name not in METRICS:
        raise InputError(
            f"`metric` is {metric!r}; of two scores of the same rows there are differences of "
            f"{', '.join(METRICS)}"
        )
    a, b = (of_model(state, model) for model in _MODELS)
    whys = [reason(one, name) if state.n else "there are no rows" for one in (a, b)]
    values = [math.nan if why else value(one, name) for why, one in zip(whys, (a, b), strict=True)]
    for model, why in zip(_MODELS, whys, strict=True):
        if why:
            told = f"{model}: {why}" if state.n else why
            return JointDifference(values[0], values[1], math.nan, math.nan, math.nan, told)
    (low_a, high_a), (low_b, high_b) = (
        (number, number) if one.is_exact else bounds(one, name)
        for one, number in zip((a, b), values, strict=True)
    )
    found = JointDifference(values[0], values[1], low_b - high_a, high_b - low_a, math.nan)
    if any(one.weighted and one._squares is None for one in (a, b)):
        return found._replace(why=NO_SQUARES)
    level = state._state.level
    variance = sum(_variance(state, *parts) for parts in _strata(a, b, name, level))
    if math.isnan(variance):
        return found._replace(why=ONE_ROW)
    return found._replace(se=math.sqrt(variance))


def difference(
    state: JointScoreState,
    metric: str = "roc_auc",
    level: float = 0.95,
    *,
    side: Side = "both",
) -> Interval:
    """Return the difference of a metric of the two models, b - a, with its interval.

    Parameters
    ----------
    metric : {"roc_auc", "brier", "brier_skill", "log_loss"}, default "roc_auc"
    level : float, default 0.95
        How often the interval is to hold the difference.
    side : {"both", "lower", "upper"}, default "both"
        "lower": the interval has a lower end alone; "upper": an upper end.

    Returns
    -------
    Interval
        Of the area under the ROC curve by DeLong's method for paired scores, of the others by the
        mean of the differences of the rows. Where bins hold several scores, the method ends in
        "bins": the interval is wider by what the scores within the bins may add, and the standard
        error is the largest that they allow. The ends are nan where there is none; `method` says
        why.

    Raises
    ------
    InputError
        Another metric; a level outside (0, 1).

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), https://doi.org/10.2307/2531595

    Examples
    --------
    >>> import confmat as cm
    >>> y = [0, 0, 0, 1, 1, 1] * 10
    >>> a, b = [0.1, 0.4, 0.2, 0.35, 0.8, 0.9] * 10, [0.1, 0.2, 0.6, 0.5, 0.3, 0.7] * 10
    >>> print(cm.joint_sweep(y, a, b).difference("roc_auc"))
    -0.1111 [-0.2729, 0.0506] (delong)
    """
    z = z_of(level, side)
    found = joint_difference(state, metric)
    middle = found.value_b - found.value_a
    if math.isnan(found.se):
        return without_ends(middle, f"{found.why}")
    fact = find(canonical(metric))
    most = float(fact["hi"] - fact["lo"])
    low = max(found.least - z * found.se, -most) if side != "upper" else -most
    high = min(found.most + z * found.se, most) if side != "lower" else most
    return Interval(middle, low, high, found.se, method_of(metric, found))


def canonical(metric: str) -> str:
    """Return the name of a metric that may be called by another one of its names."""
    name, _, parameters = full_name(metric, {}).partition("(")
    return str(find(name)["name"]) if not parameters else metric


def method_of(metric: str, found: JointDifference) -> str:
    """Return how an interval was found, in words."""
    base = "delong" if canonical(metric) == "roc_auc" else "mean"
    return f"{base}, bins" if found.least < found.most else base


class _Added(NamedTuple):
    """What rows of one model add to a mean of them, at each score of each class that takes part.

    `of`: that, beyond the mean; `amounts`, `squares`: rows, or sums of weights, and of their
    squares; `places`: the class and the bin that is counted together with those of the other model,
    as class * K + bin.
    """

    of: Floats
    amounts: Floats
    squares: Floats
    places: Places


def _strata(a: ScoreState, b: ScoreState, name: str, level: int) -> list[tuple[_Added, _Added]]:
    """Return what a and b add to each of the means whose differences make the difference."""
    of_a, of_b = (
        _core.unit_bins(np.asarray(one._lower, dtype=np.float64), level).astype(np.int64)
        for one in (a, b)
    )
    if name != "roc_auc":
        return [(_losses(a, name, of_a), _losses(b, name, of_b))]
    return [(_placements(a, at, of_a), _placements(b, at, of_b)) for at in (0, 1)]


def _sides(state: ScoreState) -> list[tuple[Floats, Floats]]:
    """Return amounts and squares of each class, negatives first."""
    amounts = [side.astype(np.float64) for side in (state._negatives, state._positives)]
    if not state.weighted:
        return [(side, side) for side in amounts]
    assert state._squares is not None
    positives, negatives = state._squares
    return list(zip(amounts, (negatives, positives), strict=True))


def _placements(state: ScoreState, at: int, bins: Places) -> _Added:
    """Return what the placements of one class lack to 1, beyond their mean."""
    sides = _sides(state)  # by descending score
    own, other = sides[at], sides[1 - at][0]
    above = np.cumsum(other)
    beyond = above - other / 2 if at else above[-1] - above + other / 2
    lost = beyond / above[-1]
    amounts, squares = own
    mean = float(amounts @ lost) / float(amounts.sum())
    return _Added(lost - mean, amounts, squares, at * _K + bins)


def _losses(state: ScoreState, name: str, bins: Places) -> _Added:
    added = row_losses(state, name)
    assert added is not None  # the value is defined
    scores = points(state, name)[0]
    of_positives, of_negatives = added.of(np.asarray(scores, dtype=np.float64))
    parts = [
        _Added((of - added.mean) / added.scale, *side, at * _K + bins)
        for at, (of, side) in enumerate(
            zip((of_negatives, of_positives), _sides(state), strict=True)
        )
    ]
    return _Added(*(np.concatenate(fields) for fields in zip(*parts, strict=True)))


def _variance(state: JointScoreState, a: _Added, b: _Added) -> float:
    """Return the largest variance of the difference of two means over the same rows."""
    total = float(a.amounts.sum())
    rest = total * total - float(a.squares.sum())
    if not rest > 0:
        return math.nan
    bins_a, bins_b = _by_bin(a), _by_bin(b)
    joint = state._state.bins
    k = _core.UNIT_BINS[state._state.level]
    truth, both = np.divmod(joint.places, k * k)
    at_a, at_b = np.divmod(both, k)
    held = joint.squares if joint.cells.dtype.kind == "f" else joint.cells
    assert held is not None
    places_a, places_b = truth * _K + at_a, truth * _K + at_b
    # Not of the other class, nor where a difference of float weights left a cell and no bin.
    takes_part = np.isin(places_a, bins_a.places) & np.isin(places_b, bins_b.places)
    q = held[takes_part].astype(np.float64)
    at_a = np.searchsorted(bins_a.places, places_a[takes_part])
    at_b = np.searchsorted(bins_b.places, places_b[takes_part])
    moved_a, moved_b = bins_a.means[at_a], bins_b.means[at_b]
    within_a, within_b = bins_a.left, bins_b.left
    rest_a, rest_b = _left(moved_a, at_b, q), _left(moved_b, at_a, q)
    known = float(q @ (moved_a - moved_b) ** 2) + within_a + within_b
    roots = [math.sqrt(x * y) for x, y in ((within_a, rest_b), (within_b, rest_a))]
    unknown = 2 * (sum(roots) + math.sqrt(within_a * within_b))
    apart = float(q @ (moved_a**2 + moved_b**2)) + within_a + within_b
    variance = (known + unknown) / rest
    return variance if not known + unknown <= _ROUNDING * apart else 0.0


class _Binned(NamedTuple):
    """What rows of each bin that is counted together add on average, and the squares beyond."""

    places: Places  # ascending
    means: Floats
    left: float


def _by_bin(added: _Added) -> _Binned:
    places, at = np.unique(added.places, return_inverse=True)
    means = _means(added.of, at, added.squares)
    left = added.of - means[at]
    return _Binned(places, means, float(added.squares @ (left * left)))


def _means(values: Floats, groups: Places, q: Floats) -> Floats:
    weights = np.bincount(groups, q)
    sums = np.bincount(groups, q * values)
    out: Floats = np.divide(sums, weights, out=np.zeros(len(sums)), where=weights > 0)
    return out


def _left(values: Floats, groups: Places, q: Floats) -> float:
    """Return the sum of squares of values beyond the means of their groups."""
    left = values - _means(values, groups, q)[groups]
    return float(q @ (left * left))
