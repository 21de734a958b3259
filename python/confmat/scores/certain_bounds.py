"""Intervals of a sweep's numbers: what is known for certain, of no width when it is exact."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from confmat.errors import InputError
from confmat.metric_names import COUNTS
from confmat.named_numbers import called
from confmat.registry import find
from confmat.scores import bounds as score_bounds
from confmat.scores.bounds import Bounds, widened
from confmat.scores.cuts import counts_at, cuts_around
from confmat.scores.grid import as_threshold
from confmat.scores.points import span
from confmat.scores.roc_areas import partial_area, rates, standardized, turned_part
from confmat.scores.score_names import PARTIAL_AUC, full_name, reading
from confmat.scores.split_bounds import extremes
from confmat.scores.state import Floats, ScoreState
from confmat.scores.thresholds import OTHERS, metrics_at
from confmat.scores.values import value

# Sizes that move one way as tp and fp grow.
_AT_ENDS = frozenset(COUNTS) - {"hamming_distance"}


def bounds(state: ScoreState, name: str, **parameters: Any) -> tuple[float, float]:
    """Return the least and the largest value that a score metric can have.

    Parameters
    ----------
    name : str
        As for `value`. A binned sweep bounds "roc_auc", "gini", "average_precision", "ks",
        "eer", "brier", "brier_skill", "log_loss", "d2_log_loss", "ece" and "partial_auc".
    **parameters
        As for `value`.

    Returns
    -------
    tuple of float
        (low, high): the value twice where the sweep `is_exact`; else an interval that holds
        the value of the exact scores, whatever they are within their bins. For metrics
        of probabilities, scores are taken to be in [0, 1]. (nan, nan) where undefined.

    Raises
    ------
    InputError
        A metric that has no such interval on a binned sweep that is not exact.

    Examples
    --------
    >>> import confmat as cm
    >>> y, scores = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    >>> cm.sweep(y, scores).bounds("roc_auc")
    (0.75, 0.75)
    >>> low, high = cm.sweep(y, scores, bins=[0.0, 0.3, 0.6, 1.0]).bounds("roc_auc")
    >>> round(low, 6), round(high, 6)
    (0.75, 1.0)
    """
    if name == PARTIAL_AUC:
        return called(partial(partial_auc_bounds, state), name, parameters)  # type: ignore[no-any-return]
    return _score_bounds(state, full_name(name, parameters))


def _score_bounds(state: ScoreState, name: str) -> Bounds:
    number = value(state, name)  # refuses unknown names and scores that are no probabilities
    if state.is_exact or math.isnan(number):
        return number, number
    base, bins = reading(name)
    fpr, tpr = rates(state)
    if base in ("roc_auc", "gini"):
        low, high = partial_auc_bounds(state, max_fpr=1.0)
        return (low, high) if base == "roc_auc" else widened(2 * low - 1, 2 * high - 1, -1.0)
    if base in ("ks", "eer"):
        return getattr(score_bounds, base)(fpr, tpr)  # type: ignore[no-any-return]
    if base == "average_precision":
        tp, fp = (np.append(0.0, part) for part in (state.tp, state.fp))
        whole = state.tp.dtype.kind in "iu"
        return score_bounds.average_precision(tp, fp, whole)
    p, n = state._positives.astype(np.float64), state._negatives.astype(np.float64)
    rows = (p, n, *span(state))
    if base in ("brier", "log_loss"):
        return score_bounds.losses(*rows, base, state.clip)
    if base in ("brier_skill", "d2_log_loss"):
        loss = "brier" if base == "brier_skill" else "log_loss"
        low, high = score_bounds.losses(*rows, loss, state.clip)
        shares = np.array([p.sum(), n.sum()]) / (p + n).sum()
        spread = shares.prod() if loss == "brier" else -float(shares @ np.log(shares))
        return widened(1 - high / spread, 1 - low / spread, -math.inf)
    if base == "ece":
        return score_bounds.ece(*rows, bins)
    raise InputError(f"{name} has no bounds on a binned sweep; an exact one has its value")


def partial_auc_bounds(
    state: ScoreState,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardize: bool = True,
) -> Bounds:
    """Return the interval of `partial_auc`; the arguments are the same."""
    x, y, limit = turned_part(state, max_fpr, min_tpr)
    if state.is_exact:  # of ties, on the chord
        areas = (partial_area(x, y, limit),) * 2
    else:
        lower, upper = (partial_area(x, y, limit, rule) for rule in ("lower", "upper"))
        areas = widened(lower, upper, most=limit)
    low, high = (standardized(area, limit) if standardize else area for area in areas)
    return low, high


def metric_bounds(state: ScoreState, metric: str, threshold: float, cost: Any = None) -> Bounds:
    """Return the least and the largest value that a metric can have at a threshold.

    Parameters
    ----------
    metric : str
        A name of `list_metrics()`, "cost", "mean_cost" or "top_left".
    threshold : float
        Any number.
    cost : array-like, shape (2, 2), optional
        For "cost": rows true, columns predicted, negative first.

    Returns
    -------
    tuple of float
        (low, high): holds the value, where it is defined, however the threshold splits the
        rows of its bin; of float weights up to the rounding of their sums. (nan, nan) where it
        is undefined for every split. No width at an edge, between bins and on an exact sweep.

    Raises
    ------
    InputError
        An unknown metric, or one of a whole sweep.

    Notes
    -----
    Both ends are attained, rounding apart, but for bins of float weights and bins of more than
    a million splits. There association (`cramer_v`, mutual information), entropies and
    confusion entropies can have an interval a little wider, and metrics of pairs of rows
    (`rand`) their whole range; with float weights also a metric that may be undefined at an
    end of the bin.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=[0.0, 0.3, 0.6, 1.0])
    >>> s.metric_bounds("recall", 0.3)
    (1.0, 1.0)
    >>> [round(bound, 6) for bound in s.metric_bounds("recall", 0.5)]
    [0.5, 1.0]
    >>> [round(bound, 6) for bound in s.metric_bounds("mutual_information", 0.5)]
    [0.0, 1.0]
    """
    at = np.array([as_threshold(threshold)])
    few, many = cuts_around(state, at)
    tp, fp = counts_at(state, np.concatenate([few, many]))

    def at_counts(tp: Any, fp: Any, undefined: float | None = None) -> Floats:
        return metrics_at(state, (metric,), tp, fp, cost, undefined)[metric]

    values = at_counts(tp, fp)
    if few[0] == many[0]:
        return float(values[0]), float(values[0])
    shape, limits, edges = "linear", (-math.inf, math.inf), False
    if metric in _AT_ENDS:  # extreme at the ends of the bin, and not rounded
        return float(values.min()), float(values.max())
    if metric not in OTHERS:
        fact = find(metric)
        shape, limits, edges = fact["shape"], (fact["lo"], fact["hi"]), fact["edges"]
    sizes = state.n_positive, state.n_negative
    return extremes(at_counts, shape, tp, fp, sizes, limits, edges=edges)
