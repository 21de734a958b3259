"""Curves over the thresholds of a score: ROC, precision and recall, detection errors, counts."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.validation import (
    _deprecate_positional_args,
    check_consistent_length,
    column_or_1d,
)

from confmat.sklearn import plain_columns
from confmat.sklearn.drop_in import REPLACED, drop_in
from confmat.sklearn.ladders import Ladder, SummedLadder, checked, descending, ladder

__all__ = [
    "auc",
    "confusion_matrix_at_thresholds",
    "det_curve",
    "metric_at_thresholds",
    "precision_recall_curve",
    "roc_curve",
]

Floats = npt.NDArray[np.float64]
Curve = tuple[Any, Any, Any]


def _first_and_last(changes: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    return np.flatnonzero(np.concatenate([[True], changes, [True]]))


def _corners(found: Ladder | SummedLadder) -> npt.NDArray[np.intp]:
    """Return the points where the ROC curve turns, with the first and the last one."""
    if isinstance(found, SummedLadder):
        changes = (np.diff(found.fps, 2) != 0) | (np.diff(found.tps, 2) != 0)
    else:
        up, across = found.positives, found.negatives
        changes = (up[2:] != up[1:-1]) | (across[2:] != across[1:-1])
    return _first_and_last(changes)


def _moves_up(found: Ladder | SummedLadder) -> npt.NDArray[np.intp]:
    """Return the points before or after which true positives are found, with both ends."""
    found_more = (
        np.diff(found.tps) != 0 if isinstance(found, SummedLadder) else found.positives[1:] != 0
    )
    return _first_and_last(found_more[:-1] | found_more[1:])


@drop_in(metrics.auc)
def auc(x: Any, y: Any) -> float:
    """Return the area under a curve by its points, by the trapezoidal rule."""
    across, up = plain_columns.floats(x), plain_columns.floats(y)
    if across is not None and up is not None and len(across) == len(up) > 1:
        return trapezoid(across, up)
    check_consistent_length(x, y)
    x, y = column_or_1d(x), column_or_1d(y)
    return trapezoid(x, y)


def trapezoid(x: Any, y: Any) -> float:
    """Return the area under points whose x only rise or only fall."""
    if x.shape[0] < 2:
        raise ValueError(
            f"At least 2 points are needed to compute area under curve, but x.shape = {x.shape[0]}"
        )
    steps = np.diff(x)
    direction = 1
    if (steps < 0).any():
        if not (steps <= 0).all():
            raise ValueError(f"x is neither increasing nor decreasing : {x}.")
        direction = -1
    return float(direction * np.add.reduce(steps * (y[1:] + y[:-1]) / 2.0))


@drop_in(metrics.confusion_matrix_at_thresholds)
def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> tuple[Floats, Floats, Floats, Floats, Any]:
    """Return true negatives, false positives, false negatives, true positives and thresholds."""
    found = ladder(y_true, y_score, pos_label, sample_weight, by_rows=True)
    fps, tps = found.fps, found.tps
    return fps[-1] - fps, fps, tps[-1] - tps, tps, _own(found.scores)


confusion_matrix_at_thresholds = _deprecate_positional_args(version="1.11")(
    confusion_matrix_at_thresholds
)
REPLACED[metrics.confusion_matrix_at_thresholds] = confusion_matrix_at_thresholds


def _own(scores: Any) -> Any:
    return scores if scores.flags.writeable else scores.copy()


@drop_in(metrics.metric_at_thresholds)
def metric_at_thresholds(
    y_true: Any,
    y_score: Any,
    metric_func: Callable[..., Any],
    *,
    sample_weight: Any = None,
    metric_params: dict[str, Any] | None = None,
) -> tuple[Any, Any]:
    """Return the values of a function of labels and predictions at each score, and the scores."""
    truth, scores, weight = checked(y_true, y_score, sample_weight)
    options = dict(metric_params or {})
    if weight is not None:
        heavy = weight != 0
        truth, scores, weight = truth[heavy], scores[heavy], weight[heavy]
    order = descending(scores)
    truth, scores = truth[order], scores[order]
    if weight is not None:
        options["sample_weight"] = weight[order]
    ends = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
    predicted = np.zeros(len(scores), dtype=np.int32)
    values, before = [], 0
    for end in ends:  # scores descend: those before stay predicted
        predicted[before : end + 1] = 1
        before = end + 1
        values.append(metric_func(truth, predicted.copy(), **options))
    return np.asarray(values), scores[ends]


@drop_in(metrics.roc_curve)
def roc_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = True,
) -> Curve:
    """Return false positive rates, true positive rates and thresholds, from the highest down."""
    found = ladder(y_true, y_score, pos_label, sample_weight, by_rows=True)
    fps, tps, scores = found.fps, found.tps, found.scores
    if drop_intermediate and len(fps) > 2:
        kept = _corners(found)
        fps, tps, scores = fps[kept], tps[kept], scores[kept]
    fps, tps = np.concatenate([[0.0], fps]), np.concatenate([[0.0], tps])
    thresholds = np.concatenate([[np.inf], scores.astype(np.float64, copy=False)])
    fpr = _rate(fps, "No negative samples in y_true, false positive value should be meaningless")
    tpr = _rate(tps, "No positive samples in y_true, true positive value should be meaningless")
    return fpr, tpr, thresholds


def _rate(sums: Floats, message: str) -> Floats:
    if sums[-1] <= 0:
        warnings.warn(message, UndefinedMetricWarning, stacklevel=3)
        return np.full(sums.shape, np.nan)
    sums /= sums[-1].copy()
    return sums


@drop_in(metrics.precision_recall_curve)
def precision_recall_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> Curve:
    """Return precision, recall and thresholds, from the lowest threshold up."""
    found = ladder(y_true, y_score, pos_label, sample_weight, by_rows=True)
    fps, tps, scores = found.fps, found.tps, found.scores
    if drop_intermediate and len(fps) > 2:
        kept = _moves_up(found)
        fps, tps, scores = fps[kept], tps[kept], scores[kept]
    precision, recall = np.empty(len(tps) + 1), np.empty(len(tps) + 1)
    precision[-1], recall[-1] = 1.0, 0.0
    predicted = (fps + tps)[::-1]
    precision[:-1] = 0.0
    np.divide(tps[::-1], predicted, out=precision[:-1], where=predicted != 0)
    if tps[-1] == 0:
        warnings.warn(NO_POSITIVES, stacklevel=2)
        recall[:-1] = 1.0
    else:
        np.divide(tps[::-1], tps[-1], out=recall[:-1])
    return precision, recall, scores[::-1].copy()


NO_POSITIVES = "No positive class found in y_true, recall is set to one for all thresholds."


@drop_in(metrics.det_curve)
def det_curve(
    y_true: Any,
    y_score: Any,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> Curve:
    """Return false positive rates, false negative rates and thresholds, from the lowest up."""
    found = ladder(y_true, y_score, pos_label, sample_weight, by_rows=True)
    fps, tps = np.concatenate([[0.0], found.fps]), np.concatenate([[0.0], found.tps])
    scores = np.concatenate([[np.inf], found.scores.astype(np.float64, copy=False)])
    if drop_intermediate and len(fps) > 2:
        more = np.diff(tps) != 0
        kept = _first_and_last(more[:-1] | more[1:])
        fps, tps, scores = fps[kept], tps[kept], scores[kept]
    if found.classes != 2 and len(np.unique(y_true)) != 2:
        raise ValueError(
            "Only one class is present in y_true. Detection error tradeoff curve is not defined "
            "in that case."
        )
    first = int(np.searchsorted(fps, fps[0], side="right")) - 1
    last = int(np.searchsorted(tps, tps[-1])) + 1
    some = slice(first, last)
    negatives, positives = fps[-1], tps[-1]
    return (
        fps[some][::-1] / negatives,
        (positives - tps[some])[::-1] / positives,
        scores[some][::-1].copy(),
    )
