"""The difference of one metric of two models, with its interval and test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from confmat.frames.reasons import too_few
from confmat.intervals.clusters import CLUSTER, ONE_CLUSTER
from confmat.intervals.jackknife import acceleration
from confmat.intervals.levels import Floats, Side
from confmat.intervals.paired import mover, tango
from confmat.matrices.joint_influence import (
    Influence,
    PairedRate,
    correlation,
    influence,
    paired_rate,
    standard_error,
)
from confmat.objects.joint_matrix import JointMatrix
from confmat.paired.asked import Asked
from confmat.paired.bootstrapping import (
    BOOTSTRAP,
    NO_SQUARES,
    drawn_ends,
    replicates,
    too_few_to_draw,
    units_of,
)
from confmat.paired.clusters import ClusterCells
from confmat.significance.paired import mcnemar
from confmat.significance.result import Alternative

NO_DISAGREEMENT = "every row says the same of both models, so that the interval has no width"
NO_ERROR = "every row says the same of the difference: there is no standard error"
NO_SLOPES = "the metric has no derivatives here, and so no standard error"
INFINITE = "a value is infinite"
NO_SPREAD = "the difference is the same in all draws"
NO_ENDS = "all tables that are drawn again lie on one side of the difference"
_ROUNDING = 1e-14  # of a value, which sums of what rows add differ by
DELTA, MOVER, TANGO = "delta", "mover", "tango"
_MODELS: tuple[Literal["a"], Literal["b"]] = ("a", "b")
# A lower end asks whether b has more: whether a has less.
_A_HAS: dict[Side, Alternative] = {"both": "two-sided", "lower": "less", "upper": "greater"}


class Difference(NamedTuple):
    """Values of a and of b, b - a with its interval and test; nan where undefined."""

    n: float
    value_a: float
    value_b: float
    difference: float
    low: float
    high: float
    se: float
    p_value: float
    method: str | None
    reason: str | None
    rate: PairedRate | None = None  # whose interval is still to be found, by `with_ends`


def nothing(n: float, why: str, a: float = math.nan, b: float = math.nan) -> Difference:
    """Return values without an interval, and why."""
    nan = math.nan
    return Difference(n, a, b, b - a, nan, nan, nan, nan, None, why)


def with_error(
    name: str,
    n: float,
    values: tuple[float, float],
    se: float,
    method: str,
    asked: Asked,
    clusters: int | None = None,
    without: str = NO_SQUARES,
) -> Difference:
    """Return a difference whose interval is symmetric; `without`: why there is no error."""
    a, b = values
    if math.isinf(a) or math.isinf(b):
        return nothing(n, INFINITE, a, b)
    if math.isnan(b - a) or math.isnan(se):
        return nothing(n, without, a, b)
    if se <= _ROUNDING * max(abs(a), abs(b)):
        se = 0.0
    if se == 0 and b != a:
        return nothing(n, NO_ERROR, a, b)
    ends = asked.ends(name, b - a, se, clusters)
    p = asked.p_value(b - a, se, clusters)
    why = None if se > 0 else NO_DISAGREEMENT
    return Difference(n, a, b, b - a, *ends, se, p, method, why)


def with_drawn(
    name: str,
    n: float,
    values: tuple[float, float],
    drawn: Floats,
    rate: float | None,
    asked: Asked,
) -> Difference:
    """Return a difference with the interval of those that were drawn, as `drawn_ends` has it."""
    a, b = values
    ends = drawn_ends(b - a, drawn, rate, asked, asked.most(name))
    if not ends.se > 0 and rate is None:
        return nothing(n, NO_SPREAD, a, b)
    if not ends.se > 0:
        return with_error(name, n, values, 0.0, BOOTSTRAP, asked)
    if math.isnan(ends.low) or math.isnan(ends.high):
        return nothing(n, NO_ENDS, a, b)
    return Difference(n, a, b, b - a, *ends, BOOTSTRAP, None)


def of_classes(
    joint: JointMatrix, name: str, asked: Asked, cells: ClusterCells | None = None
) -> Difference:
    """Return the difference of a metric of predicted classes.

    Rates of which both models share the rows have Tango's score interval and McNemar's mid-p value;
    others a standard error by the delta method, and an interval from those of the two models. The
    ends of rates are left to `with_ends`.
    """
    n = joint.n
    if n < asked.min_n:
        return nothing(n, str(too_few(asked.min_n)))
    if not n:
        return nothing(n, "there are no rows")
    found = influence(joint, name, asked.pos_label)
    values = (found.value_a, found.value_b)
    if found.reason is not None:
        return nothing(n, found.reason, *values)
    if cells is not None and cells.n_clusters < 2:
        return nothing(n, ONE_CLUSTER, *values)
    if asked.method == BOOTSTRAP:
        return _drawn(joint, name, found, asked, cells)
    if cells is not None:
        if np.isnan(found.difference).any():
            return nothing(n, NO_SLOPES, *values)
        se = math.sqrt(cells.variance(joint, found))
        told = with_error(name, n, values, se, CLUSTER, asked, cells.n_clusters)
        rate = paired_rate(joint, name, asked.pos_label)
        if told.reason != NO_DISAGREEMENT or rate is None:
            return told
        # Of models that agree in every row nothing is seen: each cluster counts as one row.
        rows = min(cells.n_clusters, sum(rate))
        return told._replace(reason=None, rate=PairedRate(both=rows, only_a=0, only_b=0, neither=0))
    se = standard_error(joint, found)
    without = NO_SLOPES if np.isnan(found.difference).any() else NO_SQUARES
    told = with_error(name, n, values, se, DELTA, asked, without=without)
    if asked.method == DELTA:
        return told
    rate = paired_rate(joint, name, asked.pos_label)
    if rate is not None:
        return of_rate(rate, told._replace(se=se), asked)
    return told if math.isnan(se) else _of_both(joint, name, found, told._replace(se=se), asked)


def with_ends(found: Sequence[Difference], asked: Asked) -> list[Difference]:
    """Return differences with the intervals of rates, all of which are found at once."""
    rates = [one.rate for one in found if one.rate is not None]
    counts = np.array([(rate.only_b, rate.only_a, sum(rate)) for rate in rates]).reshape(-1, 3)
    only_b, only_a, n = counts.T
    low, high = tango(only_b, only_a, n, asked.level, asked.side)
    ends = iter(zip(low.tolist(), high.tolist(), strict=True))
    return [
        one if one.rate is None else one._replace(low=low, high=high, rate=None)
        for one in found
        for low, high in [(0.0, 0.0) if one.rate is None else next(ends)]
    ]


def _drawn(
    joint: JointMatrix, name: str, found: Influence, asked: Asked, cells: ClusterCells | None
) -> Difference:
    """Return a difference with the interval of tables whose rows, or clusters, are drawn again."""
    n, values = joint.n, (found.value_a, found.value_b)
    if np.isnan(found.difference).any():
        return nothing(n, NO_SLOPES, *values)
    units = units_of(joint, found, cells)
    if units is None:
        return nothing(n, NO_SQUARES, *values)
    why = too_few_to_draw("rows" if cells is None else "clusters", float(units.draws.sum()))
    if why is not None:
        return nothing(n, why, *values)
    rate = float(acceleration(units.changes, units.draws))
    return with_drawn(name, n, values, replicates(joint, name, asked, units), rate, asked)


def of_rate(rate: PairedRate, told: Difference, asked: Asked) -> Difference:
    """Return the difference of a rate with McNemar's test; its ends are left to `with_ends`."""
    p = mcnemar(rate.only_a, rate.only_b, "mid-p", _A_HAS[asked.side]).p_value
    return told._replace(p_value=p, method=TANGO, reason=None, rate=rate)


def _of_both(
    joint: JointMatrix, name: str, found: Influence, told: Difference, asked: Asked
) -> Difference:
    """Return a difference with the interval that follows from those of the two models."""
    level = asked.level if asked.side == "both" else 2 * asked.level - 1
    if level <= 0:
        return told
    options: dict[str, Any] = {"level": level, "pos_label": asked.pos_label}
    a, b = (joint.matrix(model).ci(name, **options) for model in _MODELS)
    low, high = mover(a[:3], b[:3], correlation(joint, found))
    if math.isnan(low) or math.isnan(high):
        return told
    most = asked.most(name)
    low = low if asked.side != "upper" else -most
    high = high if asked.side != "lower" else most
    why = None if told.reason == NO_DISAGREEMENT else told.reason
    return told._replace(low=low, high=high, method=MOVER, reason=why)
