"""Intervals of the cost of all rows, from the shares of the rows that cost the same."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from confmat.intervals.effective_rows import effective_rows
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Floats, Side, z_of
from confmat.intervals.wilson import limits
from confmat.matrices.base import MatrixBase
from confmat.matrices.gradients import standard_error
from confmat.matrices.sparse import full

_MOST = 4  # costs on either side of the usual one


def cost_interval(
    state: MatrixBase, costs: Floats, total: float, level: float, side: Side = "both"
) -> Interval:
    """Return the interval of a total cost, of as many rows as there are (MOVER).

    Each share of rows of one cost moves it as far as Wilson's interval of the share reaches; all
    together as far as shares of one sample do, of which one is small where others are large. Where
    the sizes of the true classes are known, the rows of each class are a sample of their own.

    References
    ----------
    Zou, Huo and Taleban (2009), https://doi.org/10.1002/env.919
    """
    z = z_of(level, side)
    if state._mixed is not None:
        source, shares = state._mixed
        return cost_interval(source, shares.T @ costs, total, level, side)
    known = state._effective_squares()
    if known is None:
        return without_ends(total, "the squared weights are not known")
    if not state.n > 0:
        return without_ends(total, "there are no rows")
    cells, squares = np.asarray(state.counts, np.float64), full(state._cells, known)
    samples = list(zip(cells, squares, costs, strict=True))
    if not state.class_sizes_known:
        samples = [(cells, squares, costs)]
    found = [
        _reach(own.ravel(), squared.ravel(), priced.ravel(), z)
        for own, squared, priced in samples
        if own.sum() > 0
    ]
    se = standard_error(state, costs)
    below, above = (math.hypot(*ends) for ends in zip(*found, strict=True))
    least, most = (sum(one[0].sum() * end(one[2]) for one in samples) for end in (np.min, np.max))
    low = min(max(total - below, float(least)), total) if side != "upper" else float(least)
    high = max(min(total + above, float(most)), total) if side != "lower" else float(most)
    return Interval(total, low, high, se, "mover")


def _reach(cells: Floats, squares: Floats, costs: Floats, z: float) -> tuple[float, float]:
    """Return how far the cost of the rows of one sample reaches down and up."""
    kinds, of = np.unique(costs, return_inverse=True)
    parts, own = (_sums(of.ravel(), x) for x in (cells, squares))
    usual = kinds[parts.argmax()]
    away = kinds - usual
    # What no row has costs as much as the dearest of it, or as little as the cheapest.
    kept = (parts > 0) | (away == away.max()) | (away == away.min())
    away, parts, own, within = _few(away[kept], parts[kept], own[kept])
    whole, square = float(parts.sum()), float(own.sum())
    told, rows = effective_rows(parts, whole, (own, square))
    low, high = limits(told, rows, z)
    share = parts / whole
    spread = np.sqrt(share * (1 - share) / rows)

    def length(reach: Floats) -> float:
        """Return how far they reach together; shares a and b vary by (..) / whole² together."""
        steps = np.divide(np.sign(away) * reach, spread, out=np.zeros_like(reach), where=spread > 0)
        a, b = float(steps @ share), float(steps @ own)
        pairs = square * a * a - 2 * a * b
        pairs -= float(steps**2 @ (share * share * square - 2 * share * own))
        apart = whole**2 * float(reach @ reach) + pairs
        return math.sqrt(max(apart, 0.0) + z * z * within)

    rises = away > 0
    down = np.where(rises, share - low, high - share) * np.abs(away)
    up = np.where(rises, high - share, share - low) * np.abs(away)
    return length(down), length(up)


def _few(away: Floats, parts: Floats, own: Floats) -> tuple[Floats, Floats, Floats, float]:
    """Return at most so many costs above the usual one, and below it, neighbours taken together.

    Shares of a row or two each reach too little down and too far up, and many of them add that up.
    Returns also the variance within those that were taken together.
    """
    side = np.sign(away)
    groups = np.arange(len(away), dtype=np.intp)
    for sign in (-1, 1):
        seen = np.flatnonzero((side == sign) & (parts > 0))
        if len(seen) > _MOST:
            before = np.cumsum(parts[seen]) - parts[seen] / 2
            groups[seen] = seen[0] + (_MOST * before / parts[seen].sum()).astype(np.intp)
    _, of = np.unique(groups, return_inverse=True)
    rows, squares, costs = (_sums(of, x) for x in (parts, own, parts * away))
    alone = _sums(of, away) / np.bincount(of)
    mean = np.divide(costs, rows, out=alone, where=rows > 0)
    return mean, rows, squares, float(own @ (away - mean[of]) ** 2)


def _sums(of: npt.NDArray[np.intp], values: Floats) -> Floats:
    return np.bincount(of, weights=values).astype(np.float64)
