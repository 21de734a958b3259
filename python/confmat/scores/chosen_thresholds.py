"""Intervals of a metric at the threshold that was chosen for it, on the same rows."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from confmat.costs import checked_costs
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Floats, Side
from confmat.intervals.scales import from_line, to_line
from confmat.matrices.base import MatrixBase
from confmat.matrices.confidence import ci as matrix_interval
from confmat.options import checked_replicates, checked_seed
from confmat.registry import find
from confmat.scores.benefit_curves import cost_ends
from confmat.scores.cuts import Cuts, counts_at, cuts_at, spread, squares_at_cuts
from confmat.scores.grid import increasing
from confmat.scores.limits import within
from confmat.scores.state import ScoreState
from confmat.scores.thresholds import (
    COST,
    MEAN_COST,
    TOP_LEFT,
    Best,
    matrix_at,
    metrics_of,
    place_of_best,
)

_DRAWS = 200
_STEPS = 2_000  # of a sweep that is drawn again
_NO_DRAWS = "the squared weights are not known"
_ONE_CLASS = "all rows are of one class"
_FEW = "in most draws of rows no threshold qualifies"
_APART = "in most draws of rows the metric is at an end of its range, and not on these rows"


class Choice(NamedTuple):
    """How a threshold is chosen."""

    metric: str
    sign: float  # -1 where lower is better
    cost: Any
    limits: dict[str, tuple[float, float]]
    thresholds: Any

    def columns(self, sizes: Any, tp: Any, fp: Any) -> tuple[Floats, Any]:
        """Return the metric at each pair of counts, and where the limits are kept."""
        found = metrics_of(sizes, (self.metric, *self.limits), tp, fp, self.cost)[0]
        values = found[self.metric]
        if self.metric not in self.limits:
            del found[self.metric]
        return values, within(found, self.limits)


def interval_of_choice(
    state: ScoreState,
    choice: Choice,
    found: Best,
    wanted: tuple[float, Side],
    seed: int | None,
    replicates: int | None,
) -> Interval:
    """Return the interval of a metric at the threshold found, moved by what the choice flatters."""
    count = checked_replicates(_DRAWS if replicates is None else replicates, 1)
    start = checked_seed(seed)
    if found.reason is not None or not state.n:
        return without_ends(math.nan, found.reason or "there are no rows")
    if choice.metric == TOP_LEFT:
        return without_ends(found.value, f"{TOP_LEFT} is a distance, which has no interval")
    if state.weighted and state._squares_within() is None:
        return without_ends(found.value, _NO_DRAWS)
    if choice.metric == COST:
        of_row, n = Best(found.threshold, found.value / state.n), float(state.n)
        mean = choice._replace(metric=MEAN_COST)
        value, low, high, se, method = interval_of_choice(state, mean, of_row, wanted, start, count)
        return Interval(value * n, low * n, high * n, se * n, method)
    here, (lo, hi) = _of_threshold(state, choice, found, wanted)
    if math.isnan(here.low) or lo == hi:  # nothing to choose among
        return here
    gains = _gains(state, choice, count, start, (lo, hi))
    gains = gains[~np.isnan(gains)]
    if len(gains) < count / 2:
        return without_ends(found.value, _FEW)
    # The mean would go by the few draws where the metric is at an end of its range.
    gain = float(np.median(gains))
    if math.isinf(gain):
        return without_ends(found.value, _APART)
    value, low, high = from_line(to_line(here[:3], lo, hi) - gain, lo, hi).tolist()
    return Interval(value, low, high, here.se, f"{here.method}, less optimism")


def _of_threshold(
    state: ScoreState, choice: Choice, found: Best, wanted: tuple[float, Side]
) -> tuple[Interval, tuple[float, float]]:
    """Return the interval at a threshold by itself, and the range of the metric."""
    cut = cuts_at(state, np.array([found.threshold]))
    if choice.metric != MEAN_COST:
        facts = find(choice.metric)
        at, (level, side) = matrix_at(state, int(cut[0]), MatrixBase), wanted
        interval = matrix_interval(at, choice.metric, level, side=side)
        return interval, (facts["lo"], facts["hi"])
    costs = checked_costs(choice.cost, 2, "cost")
    counts, squares = counts_at(state, cut), squares_at_cuts(state, cut)
    low, high = (float(end[0]) for end in cost_ends(state, costs, counts, squares, wanted))
    known = Interval(found.value, low, high, math.nan, "mover")
    if math.isnan(low):
        known = without_ends(found.value, _ONE_CLASS)
    return known, (float(costs.min()), float(costs.max()))


def _gains(
    state: ScoreState, choice: Choice, count: int, seed: int, ends: tuple[float, float]
) -> Floats:
    """Return how much more a metric is where it is chosen than at that threshold of the rows.

    On the line that its range is turned into; nan where no threshold qualifies in a draw.
    """
    cuts = _cuts(state, choice.thresholds)
    tp, fp = counts_at(state, cuts)
    sizes = (state.n_positive, state.n_negative)
    known = to_line(choice.columns(sizes, tp, fp)[0], *ends)
    cells = _between((tp, fp), sizes)
    units = np.ones(cells.shape)
    totals = state._squares_within()
    squares = squares_at_cuts(state, cuts)
    if squares is not None and totals is not None:
        of_classes = tuple(float(side.sum()) for side in totals)
        np.divide(_between(squares, of_classes), cells, out=units, where=cells > 0)
        units[~(units > 0)] = 1.0
    random = np.random.default_rng(seed)
    gains = np.full(count, np.nan)
    for i in range(count):
        sums = np.cumsum(_again(state, cells, units, random), axis=1)
        values, allowed = choice.columns(tuple(sums[:, -1]), *sums[:, :-1])
        place = place_of_best(choice.sign * values, allowed)
        if place is not None:
            new = float(to_line(values[place], *ends))
            gains[i] = 0.0 if new == known[place] else new - known[place]
    return gains


def _cuts(state: ScoreState, thresholds: Any) -> Cuts:
    """Return the cuts to choose from, of many scores as many as are quick to draw."""
    if thresholds is not None:
        return cuts_at(state, increasing(thresholds, "thresholds")[::-1])
    cuts = spread(state, _STEPS) if len(state) > _STEPS else np.arange(1, len(state) + 1)
    return np.concatenate([[0], cuts]) if state._start() else cuts


def _between(parts: Any, totals: Any) -> Floats:
    """Return what lies between cuts, and after the last, of each class: shape (2, cuts + 1)."""
    rows = [
        np.diff(np.asarray(part, np.float64), prepend=0.0, append=float(total))
        for part, total in zip(parts, totals, strict=True)
    ]
    return np.maximum(np.array(rows), 0.0)


def _again(state: ScoreState, cells: Floats, units: Floats, random: np.random.Generator) -> Any:
    """Return the cells of rows drawn again; of each class as many where the shares were set."""
    if not state.weighted:
        rows = int(cells.sum())
        return random.multinomial(rows, cells.ravel() / rows).reshape(cells.shape)
    drawn = random.poisson(cells / units) * units
    if state._counted is not None:
        before, after = cells.sum(1, keepdims=True), drawn.sum(1, keepdims=True)
        drawn *= np.divide(before, after, out=np.zeros_like(before), where=after > 0)
    return drawn
