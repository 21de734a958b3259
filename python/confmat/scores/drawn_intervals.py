"""Intervals of score metrics by bootstrap, of several metrics from the same draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from confmat.errors import InputError
from confmat.intervals.bootstrap import bca, deviations, percentile
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Floats, Side, on_side, two_sided
from confmat.name_calls import base_of
from confmat.options import checked_replicates, checked_seed
from confmat.scores.bootstrapping import accelerations, bootstrap
from confmat.scores.certain_bounds import bounds
from confmat.scores.cuts import counts_at, spread, squares_at_cuts
from confmat.scores.roc_areas import partial_area, partial_auc, standardized, turned
from confmat.scores.score_names import PARTIAL_AUC, facts
from confmat.scores.state import ScoreState

_STEPS = 2_000  # of a curve that is drawn again
_METHOD = "bootstrap"


_ALIKE = "rows that are drawn again all give the same"


def drawn_intervals(
    state: ScoreState,
    names: Sequence[str],
    level: float,
    side: Side,
    replicates: int,
    seed: int | None,
    parameters: dict[str, Any],
) -> list[Interval]:
    """Return the BCa interval of each metric, from the same draws of all rows together.

    Where all replicates lie on one side of the value, as those of a calibration error near 0, the
    interval is the hull of the value, the percentiles, and these reflected at the value.
    """
    if PARTIAL_AUC in names:
        values, drawn = _partial_areas(state, replicates, seed, parameters)
        rates = np.zeros(1)
    else:
        values, drawn = bootstrap(state, names, replicates, seed, stratified=False, **parameters)
        rates = accelerations(state, names, stratified=False, **parameters)
    both = two_sided(level, side)
    ends = np.stack(bca(values, drawn, rates, both)[:2])
    simple = np.stack(percentile(drawn, both)[:2])
    errors = deviations(drawn)
    found = []
    for i, name in enumerate(names):
        low, high = ends[:, i].tolist()
        if not errors[i] > 0:
            found.append(without_ends(float(values[i]), _ALIKE))
            continue
        if math.isnan(low + high) and not math.isinf(low + high):
            low, high = _hull(float(values[i]), simple[:, i])
        low, high = map(float, on_side(low, high, side, (-math.inf, math.inf)))
        number = Interval(float(values[i]), low, high, float(errors[i]), _METHOD)
        found.append(_within(state, name, number, parameters))
    return found


def _hull(value: float, ends: Floats) -> tuple[float, float]:
    reflected = 2 * value - ends[::-1]
    low, high = (float(end) for end in ends)
    return min(value, low, float(reflected[0])), max(value, high, float(reflected[1]))


def _within(state: ScoreState, name: str, number: Interval, parameters: dict[str, Any]) -> Interval:
    """Return an interval within the range of its metric, of bins widened by what they hide."""
    low, high, method = number.low, number.high, number.method
    if not state.is_exact:
        try:
            least, most = bounds(state, name, **parameters)
        except InputError as error:
            return without_ends(number.value, str(error))
        low, high = low + (least - number.value), high + (most - number.value)
        method = f"{method}, bins"
    lo, hi = _range(name, parameters)
    return number._replace(low=max(low, lo), high=min(high, hi), method=method)


def _range(name: str, parameters: dict[str, Any]) -> tuple[float, float]:
    if name != PARTIAL_AUC:
        about = facts()[base_of(name)]
        return about["lo"], about["hi"]
    most = parameters.get("max_fpr")
    limit = float(most) if most is not None else 1 - float(parameters["min_tpr"])
    if not parameters.get("standardize", True):
        return 0.0, limit
    return standardized(0.0, limit), 1.0


def _steps(parts: tuple[Any, Any]) -> Floats:
    """Return what is between the cuts, of positives and then of negatives."""
    found = np.concatenate([np.diff(part, prepend=0) for part in parts]).astype(np.float64)
    return np.maximum(found, 0.0)


def _partial_areas(
    state: ScoreState, replicates: int, seed: int | None, parameters: dict[str, Any]
) -> tuple[Floats, Floats]:
    """Return a partial area, and those of curves whose rows are drawn again.

    Of many scores the curve is drawn in steps of about as many rows, and the little that these
    change of the value is taken off again.
    """
    value = partial_auc(state, **parameters)
    count = checked_replicates(replicates, 1)
    random = np.random.default_rng(checked_seed(seed))
    cuts = spread(state, _STEPS)
    cells = _steps(counts_at(state, cuts))
    half = len(cells) // 2
    squares = squares_at_cuts(state, cuts)
    units = np.ones(len(cells))
    if squares is not None:
        np.divide(_steps(squares), cells, out=units, where=cells > 0)

    def area(drawn: Any) -> float:
        rates = []
        for part in (drawn[half:], drawn[:half]):
            total = part.sum() or math.nan
            rates.append(np.append(0.0, np.cumsum(part) / total))
        x, y, limit = turned(
            rates[0], rates[1], parameters.get("max_fpr"), parameters.get("min_tpr")
        )
        found = partial_area(x, y, limit)
        return standardized(found, limit) if parameters.get("standardize", True) else found

    def again() -> Any:
        if squares is not None:
            return random.poisson(cells / units) * units
        rows = int(cells.sum())
        return random.multinomial(rows, cells / rows)

    found = [area(again()) for _ in range(count)]
    return np.array([value]), np.array(found)[:, np.newaxis] + (value - area(cells))
