"""The share of positives in bins of the probability: the points of a calibration curve."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import calibration
from sklearn.utils.validation import (
    _check_pos_label_consistency,
    check_consistent_length,
    column_or_1d,
)

from confmat.sklearn import plain_columns
from confmat.sklearn.drop_in import drop_in

__all__ = ["calibration_curve"]

Floats = npt.NDArray[np.float64]
_FEW = 64
_USUAL = ((0, 1), (-1, 1), (0, 0), (1, 1), (-1, -1))


@drop_in(calibration.calibration_curve)
def calibration_curve(
    y_true: Any,
    y_prob: Any,
    *,
    pos_label: Any = None,
    n_bins: int = 5,
    strategy: str = "uniform",
) -> tuple[Floats, Floats]:
    """Return the share of positives and the mean probability of each bin that has rows."""
    found = _at_a_glance(y_true, y_prob, pos_label)
    positive, proba = _checked(y_true, y_prob, pos_label) if found is None else found
    shares = np.linspace(0.0, 1.0, n_bins + 1)
    edges = np.percentile(proba, shares * 100) if strategy == "quantile" else shares
    count = np.searchsorted if found is None else _below
    bins = count(edges[1:-1], proba)
    both = np.bincount(bins + n_bins * positive, minlength=2 * n_bins)
    positives, rows = both[n_bins:], both[:n_bins] + both[n_bins:]
    sums = np.bincount(bins, weights=proba, minlength=n_bins)
    held = rows != 0
    return positives[held] / rows[held], sums[held] / rows[held]


def _below(edges: Any, proba: Any) -> Any:
    """Return how many edges lie below each number; few are compared one after the other."""
    if len(edges) > _FEW:
        return np.searchsorted(edges, proba)
    bins = np.zeros(len(proba), dtype=np.uint8)
    for edge in edges:
        bins += proba > edge
    return bins.astype(np.intp)


def _at_a_glance(y_true: Any, y_prob: Any, pos_label: Any) -> tuple[Any, Any] | None:
    truth, proba = plain_columns.labels(y_true), plain_columns.floats(y_prob)
    if truth is None or proba is None or len(truth) != len(proba):
        return None
    ends = plain_columns.ends(truth)
    if ends is None or not (proba.min() >= 0 and proba.max() <= 1):
        return None
    if pos_label is None:
        if plain_columns.texts(truth) or ends not in _USUAL:
            return None
        pos_label = 1
    classes = list(dict.fromkeys(ends))
    found = plain_columns.coded(truth, classes)
    if found is None:
        return None  # a third class
    codes = found[1]
    if pos_label not in classes:
        return np.zeros(len(codes), dtype=np.bool_), proba
    return codes == classes.index(pos_label), proba


def _checked(y_true: Any, y_prob: Any, pos_label: Any) -> tuple[Any, Any]:
    y_true = column_or_1d(y_true)
    y_prob = column_or_1d(y_prob)
    check_consistent_length(y_true, y_prob)
    pos_label = _check_pos_label_consistency(pos_label, y_true)
    if y_prob.min() < 0 or y_prob.max() > 1:
        raise ValueError("y_prob has values outside [0, 1].")
    labels = np.unique(y_true)
    if len(labels) > 2:
        raise ValueError(f"Only binary classification is supported. Provided labels {labels}.")
    return y_true == pos_label, y_prob
