"""Variance of averages over labels of scores, by what each row adds with all its labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confmat.intervals.area_means import mean_area_interval
from confmat.intervals.areas import area_interval
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Side
from confmat.intervals.mean_loss import MeanLoss
from confmat.labelsets.averages import of_each_label, pooled
from confmat.labelsets.ranking import of_rows
from confmat.labelsets.scored import ScoredSets
from confmat.multiclass.inputs import Floats
from confmat.scores.influence import PRECISION, influence
from confmat.scores.state import ScoreState

_AREA, _GINI = "roc_auc", "gini"
OF_ROWS = (_AREA, _GINI, PRECISION)
_ONE_ROW = "one row alone has no spread"


def mean_of_rows(
    state: ScoredSets, name: str, number: float, wanted: tuple[float, Side]
) -> Interval:
    """Return the interval of a number of the order of labels, which is a mean over rows."""
    values = of_rows(name, state._truth, state._scores)
    se = _error(state, (values - number) / float(state.n))
    most = float(len(state.labels)) if name == "coverage_error" else 1.0
    if math.isnan(se):
        return without_ends(number, _ONE_ROW)
    loss = MeanLoss(se, 0.0, most, 0.0, most, _rows(state))
    return Interval(number, *loss.interval(number, *wanted), se, "mean")


def mean_over_labels(
    state: ScoredSets, base: str, kind: str, number: float, wanted: tuple[float, Side]
) -> Interval:
    """Return the interval of an average of areas or of average precision.

    Needs: it is defined, and no label is filled in; the squared weights are known.
    """
    if base == _GINI:
        found = mean_over_labels(state, _AREA, kind, (number + 1) / 2, wanted)
        low, high = 2 * found.low - 1, 2 * found.high - 1
        return Interval(number, low, high, 2 * found.se, found.method)
    if kind == "micro":
        return _of_pooled(state, base, number, wanted)
    values, weights = of_each_label(state, base, kind, {})
    used: list[int] = np.flatnonzero(~np.isnan(values) & (weights > 0)).tolist()
    total = float(weights[used].sum())
    added = np.zeros(state.n_rows)
    for at in used:
        sweep = state._sweeps[at]
        added += weights[at] / total * _added(state, at, sweep, influence(sweep, base))
        if kind == "weighted":  # supports vary with the rows
            added += (values[at] - number) / total * state._truth[:, at]
    se = _error(state, added)
    if math.isnan(se):
        return without_ends(number, _ONE_ROW)
    sizes = [state._sweeps[at]._effective_rows() for at in used]
    if base == _AREA:
        of = (values[used].tolist(), sizes, (weights[used] / total).tolist())
        return mean_area_interval(number, se**2, *of, *wanted)
    return _precision(number, se, min(size[0] for size in sizes), wanted)


def _of_pooled(state: ScoredSets, base: str, number: float, wanted: tuple[float, Side]) -> Interval:
    """Return the same of the one curve of all decisions."""
    whole = pooled(state)
    of_rows = influence(whole, base)
    each = [_added(state, at, whole, of_rows) for at in range(len(state.labels))]
    se = _error(state, np.sum(each, axis=0))
    if math.isnan(se):
        return without_ends(number, _ONE_ROW)
    alone = math.fsum(float(_squares(state) @ part**2) for part in each)
    sizes = whole._effective_rows()
    effect = se**2 / alone if alone > 0 else float(len(state.labels))
    positives, negatives = (size / effect if effect > 0 else size for size in sizes)
    if base == PRECISION:
        return _precision(number, se, positives, wanted)
    low, high, se, method = area_interval(number, se**2, positives, negatives, *wanted)
    return Interval(number, low, high, se, method)


def _precision(number: float, se: float, rows: float, wanted: tuple[float, Side]) -> Interval:
    loss = MeanLoss(se, 0.0, 1.0, 0.0, 1.0, rows)
    return Interval(number, *loss.interval(number, *wanted), se, "delta")


def _added(state: ScoredSets, at: int, sweep: ScoreState, of_rows: tuple[Floats, Floats]) -> Floats:
    """Return what the decision about one label adds to a metric, of each row.

    `of_rows`: what a row of each score of the sweep adds, with the label and without.
    """
    of_true, of_others = of_rows
    ascending = np.asarray(sweep._at, np.float64)[::-1]
    scores = np.asarray(state._scores[at], np.float64)
    place = len(ascending) - 1 - np.searchsorted(ascending, scores)
    added: Floats = np.where(state._truth[:, at], of_true[place], of_others[place])
    return added


def _error(state: ScoredSets, added: Floats) -> float:
    """Return the standard error of a sum over rows; nan of one row."""
    rows = _rows(state)
    if rows <= 1:
        return math.nan
    return math.sqrt(float(_squares(state) @ added**2) * rows / (rows - 1))


def _rows(state: ScoredSets) -> float:
    """Return Kish's effective number of rows."""
    return float(state.n) ** 2 / float(_squares(state).sum())


def _squares(state: ScoredSets) -> Any:
    """Return the square of the weight of each row."""
    weights = state._weights
    return np.ones(state.n_rows) if weights is None else np.asarray(weights, np.float64) ** 2
