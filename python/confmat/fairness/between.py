"""The largest difference and the smallest ratio among groups, by criterion."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confmat.fairness.comparisons import NEGATIVE
from confmat.fairness.criteria import Criterion, Kind
from confmat.fairness.measures import OWN, Measure
from confmat.intervals.levels import level_of
from confmat.intervals.quantiles import z_of_all_pairs
from confmat.intervals.ranges import largest_difference, smallest_ratio
from confmat.registry import find

_TOO_FEW = "fewer than two groups have a value"
ALL_ZERO = "all values are 0"


class Spread(NamedTuple):
    """How far groups lie apart: nan where it is unknown, places of the lowest and the highest."""

    value: float
    low: float
    high: float
    lowest: int | None
    highest: int | None
    groups: int
    reason: str | None


def spread(of: Criterion, measures: list[Measure], level: float) -> Spread:
    """Return a criterion of measures of the same groups.

    Of the worst of several metrics the lower ends of all must hold together; the upper one need
    not, as the worst is one of them. Ends of a mean are means of ends that all hold together.
    """
    many = len(measures)
    together = level ** (1 / many)
    alone = 1 - (1 - level) / many if of.is_mean else level
    found = [_of_one(of.kind, m, together, alone) for m in measures]
    if many == 1:
        return found[0]
    unknown = next((one for one in found if np.isnan(one.value)), None)
    if unknown is not None:
        return unknown
    values = np.array([one[:3] for one in found])
    if of.is_mean:
        value, low, high = map(float, values.mean(0))
        reason = next((one.reason for one in found if one.reason), None)
        return Spread(value, low, high, None, None, found[0].groups, reason)
    is_ratio = of.kind == "ratio"
    worst = int(values[:, 0].argmin() if is_ratio else values[:, 0].argmax())
    _, low, high = map(float, values.min(0) if is_ratio else values.max(0))
    return found[worst]._replace(low=low, high=high)


def _of_one(kind: Kind, m: Measure, together: float, alone: float) -> Spread:
    known = np.flatnonzero(~np.isnan(m.value))
    groups = len(known)
    if groups < 2:
        reasons = [_TOO_FEW, *[reason for reason in m.reasons if reason][:1]]
        why = ": ".join(reasons)
        return Spread(np.nan, np.nan, np.nan, None, None, groups, why)
    least = int(known[m.value[known].argmin()])
    most = int(known[m.value[known].argmax()])
    if kind == "ratio" and not (m.value[least] >= 0 and m.value[most] > 0):
        reason = NEGATIVE if m.value[least] < 0 else ALL_ZERO
        return Spread(np.nan, np.nan, np.nan, least, most, groups, reason)
    level = level_of(z_of_all_pairs(together, groups))
    ends = (m.at(level), m.at(alone))
    if kind == "ratio":
        value, low, high = map(float, smallest_ratio(*ends))
    else:
        value, low, high = map(float, largest_difference(*ends))
        high = min(high, _widest(m))
    without = np.isnan(ends[0].low[known]) | np.isnan(ends[0].high[known])
    if without.any():
        low = high = np.nan
    missing = m.no_interval or None if without.any() else None
    return Spread(value, low, high, least, most, groups, missing)


def _widest(m: Measure) -> float:
    if m.name in OWN:
        return np.inf if m.step is None else 1.0
    fact = find(m.name)
    return fact["hi"] - fact["lo"]
