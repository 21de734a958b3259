"""Values of groups against others: differences and ratios, with intervals of counted rows."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from confmat.fairness.groups import Ints
from confmat.fairness.measures import Measure
from confmat.intervals.differences import newcombe, of_limits
from confmat.intervals.levels import Floats, level_of
from confmat.intervals.quantiles import z_of_all_pairs
from confmat.intervals.ratios import score_ratio

ITSELF = "the group itself"
NEGATIVE = "a value below 0 has no ratio"
NOTHING = "what it is compared with is undefined"
ZERO = "what it is divided by is 0"
NOT_YET = "there is no interval of this comparison yet"
Ends: TypeAlias = tuple[Floats, Floats]


class Compared(NamedTuple):
    """What groups are compared with, differences and ratios, their ends, and why some are not."""

    other: Floats
    difference: Floats
    difference_ends: Ends
    ratio: Floats
    ratio_ends: Ends
    reasons: tuple[str | None, ...]


def with_rest(m: Measure, rest: Measure, level: float) -> Compared:
    """Compare each group with the rows of all others."""
    if m.counts is None or rest.counts is None:
        difference = of_limits(m.at(level)[:3], rest.at(level)[:3])
        return _compared(m, rest.value, difference, _nothing(m), m.no_interval)
    counts = (*m.counts, *rest.counts)
    return _compared(m, rest.value, newcombe(*counts, level), score_ratio(*counts, level), "")


def with_all(m: Measure, rest: Measure, whole: Floats, level: float) -> Compared:
    """Compare each group with the rows of all groups, its own among them.

    Its rate minus that of all is a share of its rate minus that of the rest, and the ratio follows
    from that to the rest.
    """
    made = with_rest(m, rest, level)
    if m.counts is None or rest.counts is None:
        return _compared(m, whole, _nothing(m), _nothing(m), m.no_interval or NOT_YET)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = m.counts[1] / (m.counts[1] + rest.counts[1])
        low, high = ((1 - share) * end for end in made.difference_ends)
        least, most = (1 / (share + (1 - share) / end) for end in made.ratio_ends)
    all_made = _compared(m, whole, (low, high), (least, most), "")
    reasons = (own or rest.reasons[row] for row, own in enumerate(all_made.reasons))
    return all_made._replace(reasons=tuple(reasons))


def with_groups(m: Measure, at: Ints, level: float, among: Ints | None = None) -> Compared:
    """Compare each group with the one at a place; -1: with none.

    `among`: it was chosen by its value among so many groups, so the intervals of all pairs of them
    hold together.
    """
    if among is None:
        return _with_groups(m, at, level)
    made = None
    for groups in np.unique(among):
        one = _with_groups(m, at, level_of(z_of_all_pairs(level, max(int(groups), 2))))
        made = one if made is None else _chosen(among == groups, one, made)
    return _with_groups(m, at, level) if made is None else made


def _with_groups(m: Measure, at: Ints, level: float) -> Compared:
    other = m.take(np.maximum(at, 0)).without(at < 0, NOTHING)
    if m.counts is None or other.counts is None:
        difference = of_limits(m.at(level)[:3], other.at(level)[:3])
        ratio = _nothing(m)
    else:
        difference = newcombe(*m.counts, *other.counts, level)
        ratio = score_ratio(*m.counts, *other.counts, level)
    itself = at == np.arange(len(at))
    made = _compared(m, other.value, difference, ratio, m.no_interval, itself)
    reasons = (
        reason if m.reasons[row] or not itself[row] else ITSELF
        for row, reason in enumerate(made.reasons)
    )
    return made._replace(reasons=tuple(reasons))


def _chosen(rows: Any, one: Compared, other: Compared) -> Compared:
    """Return comparisons with the intervals of `one` in these rows; all else is the same."""
    ends = (
        (np.where(rows, a[0], b[0]), np.where(rows, a[1], b[1]))
        for a, b in (
            (one.difference_ends, other.difference_ends),
            (one.ratio_ends, other.ratio_ends),
        )
    )
    difference, ratio = ends
    return other._replace(difference_ends=difference, ratio_ends=ratio)


def _compared(
    m: Measure, other: Floats, difference: Ends, ratio: Ends, why: str, without: object = False
) -> Compared:
    """Put differences and ratios together; `without`: the groups that have no interval."""
    value = m.value
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where((value >= 0) & (other > 0), value / other, np.nan)
    missing = np.isnan(value) | np.isnan(other) | np.asarray(without)
    ends = [tuple(np.where(missing, np.nan, end) for end in both) for both in (difference, ratio)]
    reasons = tuple(
        reason or _why(value[at], other[at], share[at], why) for at, reason in enumerate(m.reasons)
    )
    return Compared(other, value - other, ends[0], share, ends[1], reasons)  # type: ignore[arg-type]


def _why(value: float, other: float, share: float, why: str) -> str | None:
    if np.isnan(other):
        return NOTHING
    if np.isnan(share) and not why:
        return NEGATIVE if min(value, other) < 0 else ZERO
    return why or None


def _nothing(m: Measure) -> Ends:
    return np.full_like(m.value, np.nan), np.full_like(m.value, np.nan)
