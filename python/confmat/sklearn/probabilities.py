"""Losses of probabilities: log loss, Brier score, and the shares of them that a model explains."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics._classification import (
    _validate_binary_probabilistic_prediction,
    _validate_multiclass_probabilistic_prediction,
)
from sklearn.utils import check_array
from sklearn.utils.validation import _num_samples, check_consistent_length

from confmat import _core
from confmat.sklearn import plain_columns
from confmat.sklearn.drop_in import drop_in

__all__ = ["brier_score_loss", "d2_brier_score", "d2_log_loss_score", "log_loss"]

Sums = Mapping[str, Any]

_FLOATS = (np.float64, np.float32, np.float16)


@drop_in(metrics.log_loss)
def log_loss(
    y_true: Any,
    y_proba: Any = None,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
    y_pred: Any = "deprecated",
) -> float:
    """Return the mean of minus the logarithm of the probability of the true class."""
    y_proba = _renamed(y_proba, y_pred)
    sums, _ = _of_classes(y_true, y_proba, sample_weight, labels)
    return _mean(sums, "log_loss") if normalize else float(sums["log_loss"])


@drop_in(metrics.brier_score_loss)
def brier_score_loss(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    scale_by_half: Any = "auto",
) -> float:
    """Return the mean squared distance of probabilities to what came true."""
    sums, width = _of_pair_or_classes(y_true, y_proba, sample_weight, pos_label, labels)
    half = width < 3 if isinstance(scale_by_half, str) else scale_by_half
    return _mean(sums, "brier") * (0.5 if half else 1.0)


@drop_in(metrics.d2_log_loss_score)
def d2_log_loss_score(
    y_true: Any,
    y_proba: Any = None,
    *,
    sample_weight: Any = None,
    labels: Any = None,
    y_pred: Any = "deprecated",
) -> float:
    """Return the share of the log loss of the class shares alone that a model takes away."""
    y_proba = _renamed(y_proba, y_pred)
    if _too_few(y_true, y_proba, sample_weight):
        return float("nan")
    sums, _ = _of_classes(y_true, y_proba, sample_weight, labels)
    return 1 - float(sums["log_loss"]) / float(_of_shares(sums)["log_loss"])


@drop_in(metrics.d2_brier_score)
def d2_brier_score(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
) -> float:
    """Return the share of the Brier score of the class shares alone that a model takes away."""
    if _too_few(y_true, y_proba, sample_weight):
        return float("nan")
    sums, _ = _of_pair_or_classes(y_true, y_proba, sample_weight, pos_label, labels)
    # Arrays: they divide by 0 with the warning that scikit-learn's do.
    return float(1 - np.asarray(sums["brier"]) / np.asarray(_of_shares(sums)["brier"]))


def _of_shares(sums: Sums) -> Sums:
    """Return the sums as they are where each row has the shares of the classes."""
    if "of_shares" in sums:
        null: Sums = sums["of_shares"]
        return null
    weights = np.asarray(sums["class_weights"])
    width = len(weights)
    shares = np.tile(weights / weights.sum(), (width, 1))
    return _summed((np.eye(width), shares), weights)[0]


def _renamed(y_proba: Any, y_pred: Any) -> Any:
    if isinstance(y_pred, str) and y_pred == "deprecated":
        return y_proba
    if y_proba is not None:
        raise ValueError(
            "Cannot use both `y_pred` and `y_proba`. `y_pred` is deprecated, use `y_proba` instead."
        )
    warnings.warn(
        "`y_pred` was renamed to `y_proba` in version 1.9 and will be removed in 1.11. "
        "Use `y_proba` instead.",
        FutureWarning,
        stacklevel=3,
    )
    return y_pred


def _too_few(y_true: Any, y_proba: Any, sample_weight: Any) -> bool:
    check_consistent_length(y_proba, y_true, sample_weight)
    if _num_samples(y_proba) >= 2:
        return False
    warnings.warn(
        "D^2 score is not well-defined with less than two samples.",
        UndefinedMetricWarning,
        stacklevel=3,
    )
    return True


def _mean(sums: Sums, name: str) -> float:
    if sums["weight"] == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return float(sums[name] / sums["weight"])


def _of_classes(y_true: Any, y_proba: Any, weight: Any, labels: Any) -> tuple[Sums, int]:
    """Return sums over rows, and how many classes there are."""
    found = _at_a_glance(y_true, y_proba, weight, labels)
    if found is not None:
        return found
    y_proba = check_array(y_proba, ensure_2d=False, dtype=_FLOATS)
    checked = _validate_multiclass_probabilistic_prediction(y_true, y_proba, weight, labels)
    return _summed(checked, weight)


def _of_pair_or_classes(
    y_true: Any, y_proba: Any, weight: Any, pos_label: Any, labels: Any
) -> tuple[Sums, int]:
    if labels is None:
        found = _at_a_glance(y_true, y_proba, weight, None, pos_label, need_positive=True)
        if found is not None:
            return found
    y_proba = check_array(y_proba, ensure_2d=False, dtype=_FLOATS)
    if y_proba.ndim == 1 or y_proba.shape[1] == 1:
        checked = _validate_binary_probabilistic_prediction(y_true, y_proba, weight, pos_label)
    else:
        checked = _validate_multiclass_probabilistic_prediction(y_true, y_proba, weight, labels)
    return _summed(checked, weight)


def _at_a_glance(
    y_true: Any,
    y_proba: Any,
    sample_weight: Any,
    labels: Any,
    pos_label: Any = None,
    need_positive: bool = False,
) -> tuple[Sums, int] | None:
    """Return the sums of plain rows that are probabilities; None: look closer."""
    truth = plain_columns.labels(y_true)
    proba = plain_columns.floats(y_proba)
    if proba is None:
        proba = plain_columns.table(y_proba)
    if truth is None or proba is None or len(truth) != len(proba):
        return None
    weight = None
    if sample_weight is not None:
        weight = plain_columns.weights(sample_weight, len(truth))
        if weight is None:
            return None
        weight = weight.astype(np.float64, copy=False)
    if proba.ndim == 1:
        classes: list[Any] = list(plain_columns.ends(truth) or ())
        columns = [1 - proba, proba]
        if need_positive:
            if pos_label is None and plain_columns.texts(truth):
                return None
            if pos_label is not None and pos_label not in classes:
                return None
            if pos_label is not None and pos_label == classes[0]:
                columns.reverse()
    else:
        classes = [] if labels is not None else plain_columns.distinct(truth)
        columns = list(proba.T)
    if labels is not None:
        classes = _in_order(labels)
    if len(classes) != len(columns) or classes[0] == classes[-1]:
        return None
    if not (proba.min() >= 0 and proba.max() <= 1):
        return None
    least = float(np.finfo(proba.dtype).eps)
    found = plain_columns.coded(truth, classes)
    if found is None:
        return None
    sums = _core.probability_sums(columns, found[1], weight, least**0.5, least, False, 0)
    if sums["not_probabilities"]:
        return None
    return sums, len(columns)


def _in_order(labels: Any) -> list[Any]:
    """Return given labels where they are plain and ascend; otherwise none."""
    column = plain_columns.labels(labels)
    classes = [] if column is None else plain_columns.distinct(column)
    return classes if column is not None and column.tolist() == classes else []


def _summed(checked: tuple[Any, Any], weight: Any) -> tuple[Sums, int]:
    """Return the sums of rows that are checked, also of several classes a row."""
    targets, proba = checked
    width = proba.shape[1]
    least = float(np.finfo(proba.dtype).eps)
    weights = None if weight is None else np.asarray(weight, dtype=np.float64)
    if (weights is None or weights.min() >= 0) and (targets.sum(axis=1) == 1).all():
        codes = targets.argmax(axis=1).astype(np.uint16)
        wide = proba if proba.dtype.char in "fd" else proba.astype(np.float64)
        sums = _core.probability_sums(list(wide.T), codes, weights, np.inf, least, False, 0)
        return sums, width
    each = np.ones(len(targets)) if weights is None else weights
    shares = np.average(targets, axis=0, weights=weights)
    null = _added(targets, np.tile(shares, (len(targets), 1)), each)
    return {**_added(targets, proba, each), "of_shares": null}, width


def _added(targets: Any, proba: Any, weights: Any) -> dict[str, Any]:
    least = float(np.finfo(proba.dtype).eps)
    logs = np.log(np.clip(proba, least, 1 - least))
    return {
        "log_loss": -np.sum(weights * (targets * logs).sum(axis=1)),
        "brier": np.sum(weights * ((targets - proba) ** 2).sum(axis=1)),
        "weight": weights.sum(),
    }
