"""Whether the highest scores of a row are those of its labels: top-k accuracy, label ranking."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_array
from sklearn.utils._encode import _encode
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_consistent_length, column_or_1d

from confmat import _core
from confmat.labelsets.ranking import of_rows
from confmat.sklearn import plain_columns
from confmat.sklearn.drop_in import drop_in

__all__ = [
    "coverage_error",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "top_k_accuracy_score",
]


@drop_in(metrics.label_ranking_average_precision_score)
def label_ranking_average_precision_score(
    y_true: Any, y_score: Any, *, sample_weight: Any = None
) -> float:
    """Return the mean share of true labels among those ranked at least as high as each."""
    found = _at_a_glance(y_true, y_score, sample_weight)
    if found is None:
        check_consistent_length(y_true, y_score, sample_weight)
        y_true = check_array(y_true, ensure_2d=False, accept_sparse="csr")
        y_score = check_array(y_score, ensure_2d=False)
        if y_true.shape != y_score.shape:
            raise ValueError("y_true and y_score have different shape")
        y_type = type_of_target(y_true, input_name="y_true")
        if y_type != "multilabel-indicator" and not (y_type == "binary" and y_true.ndim == 2):
            raise ValueError(f"{y_type} format is not supported")
        found = _dense(y_true), y_score
    each = of_rows("label_ranking_average_precision", found[0], list(found[1].T))
    if sample_weight is None:
        return float(np.mean(each))
    weight = np.asarray(sample_weight)
    return float(np.sum(each * weight) / np.sum(weight))


@drop_in(metrics.coverage_error)
def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return how many labels, from the highest score down, hold all true ones, on average."""
    found = _at_a_glance(y_true, y_score, sample_weight)
    if found is None:
        y_true = check_array(y_true, ensure_2d=True)
        y_score = check_array(y_score, ensure_2d=True)
        found = _checked(y_true, y_score, sample_weight)
    true, scores = found
    least = np.where(true, scores, np.inf).min(axis=1, keepdims=True)
    return float(np.average((scores >= least).sum(axis=1), weights=sample_weight))


@drop_in(metrics.label_ranking_loss)
def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the share of pairs of a true label and another one that are ranked the wrong way."""
    found = _at_a_glance(y_true, y_score, sample_weight)
    if found is None:
        y_true = check_array(y_true, ensure_2d=False, accept_sparse="csr")
        y_score = check_array(y_score, ensure_2d=False)
        found = _checked(y_true, y_score, sample_weight)
    each = of_rows("label_ranking_loss", found[0], list(found[1].T))
    return float(np.average(each, weights=sample_weight))


def _at_a_glance(y_true: Any, y_score: Any, sample_weight: Any) -> tuple[Any, Any] | None:
    true, scores = plain_columns.indicators(y_true), plain_columns.table(y_score)
    if true is None or scores is None or true.shape != scores.shape:
        return None
    if sample_weight is not None and plain_columns.weights(sample_weight, len(true)) is None:
        return None
    return true, scores


def _checked(y_true: Any, y_score: Any, sample_weight: Any) -> tuple[Any, Any]:
    check_consistent_length(y_true, y_score, sample_weight)
    y_type = type_of_target(y_true, input_name="y_true")
    if y_type != "multilabel-indicator":
        raise ValueError(f"{y_type} format is not supported")
    if y_true.shape != y_score.shape:
        raise ValueError("y_true and y_score have different shape")
    return _dense(y_true), y_score


def _dense(y_true: Any) -> Any:
    return (y_true.toarray() if issparse(y_true) else y_true).astype(np.bool_)


@drop_in(metrics.top_k_accuracy_score)
def top_k_accuracy_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
) -> float:
    """Return the share of rows whose class has one of the k highest scores."""
    hits = None if labels is not None else _hits_at_a_glance(y_true, y_score, k)
    if hits is None or (sample_weight is not None and len(sample_weight) != len(hits)):
        hits = _hits_of_checked(y_true, y_score, k, sample_weight, labels)
    if normalize:
        return float(np.average(hits, weights=sample_weight))
    if sample_weight is None:
        return float(np.sum(hits))
    return float(np.dot(hits, sample_weight))


def _hits_at_a_glance(y_true: Any, y_score: Any, k: int) -> Any:
    truth, scores = plain_columns.labels(y_true), plain_columns.floats(y_score)
    table = plain_columns.table(y_score) if scores is None else None
    if truth is None or (scores is None and table is None):
        return None
    found = plain_columns.coded(truth)
    if found is None or not k < len(found[0]):
        return None
    classes, codes = found
    if scores is not None and len(classes) == 2 and len(truth) == len(scores):
        return _hits_of_two(codes, scores, k) if np.isfinite(scores.sum()) else None
    if table is not None and 2 < len(classes) == table.shape[1] and len(truth) == len(table):
        return _hits(codes, table, k)
    return None


def _hits_of_checked(y_true: Any, y_score: Any, k: int, sample_weight: Any, labels: Any) -> Any:
    y_true = column_or_1d(check_array(y_true, ensure_2d=False, dtype=None))
    y_type = type_of_target(y_true, input_name="y_true")
    if y_type == "binary" and labels is not None and len(labels) > 2:
        y_type = "multiclass"
    if y_type not in {"binary", "multiclass"}:
        raise ValueError(f"y type must be 'binary' or 'multiclass', got '{y_type}' instead.")
    y_score = check_array(y_score, ensure_2d=False)
    if y_type == "binary":
        if y_score.ndim == 2 and y_score.shape[1] != 1:
            raise ValueError(
                f"`y_true` is binary while y_score is 2d with {y_score.shape[1]} classes. If "
                "`y_true` does not contain all the labels, `labels` must be provided."
            )
        y_score = column_or_1d(y_score)
    elif y_score.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
            f"multiple classes. Got `y_score.shape={y_score.shape}`."
        )
    check_consistent_length(y_true, y_score, sample_weight)
    classes = _classes(y_true, y_score.shape[1] if y_score.ndim == 2 else 2, labels)
    if k >= len(classes):
        warnings.warn(
            f"'k' ({k}) greater than or equal to 'n_classes' ({len(classes)}) will result in a "
            "perfect score and is therefore meaningless.",
            UndefinedMetricWarning,
            stacklevel=3,
        )
    codes = _encode(y_true, uniques=classes)
    if y_type == "binary":
        return _hits_of_two(codes, y_score, k)
    return _hits(codes, y_score, min(k, len(classes)))


def _classes(y_true: Any, columns: int, labels: Any) -> Any:
    if labels is None:
        classes = np.unique(y_true)
        if len(classes) != columns:
            raise ValueError(
                f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of "
                f"classes in 'y_score' ({columns}).You can provide a list of all known classes "
                "by assigning it to the `labels` parameter."
            )
        return classes
    labels = column_or_1d(labels)
    classes = np.unique(labels)
    if len(classes) != len(labels):
        raise ValueError("Parameter 'labels' must be unique.")
    if not np.array_equal(classes, labels):
        raise ValueError("Parameter 'labels' must be ordered.")
    if len(classes) != columns:
        raise ValueError(
            f"Number of given labels ({len(classes)}) not equal to the number of classes in "
            f"'y_score' ({columns})."
        )
    if len(np.setdiff1d(y_true, classes)):
        raise ValueError("'y_true' contains labels not in parameter 'labels'.")
    return classes


def _hits_of_two(codes: Any, y_score: Any, k: int) -> Any:
    if k > 1:
        return np.ones_like(y_score, dtype=np.bool_)
    threshold = 0.5 if y_score.min() >= 0 and y_score.max() <= 1 else 0
    return (y_score > threshold) == codes


def _hits(codes: Any, y_score: Any, k: int) -> Any:
    """Return whether each class is among the k highest scores; the last of equal ones is first."""
    scores = y_score if y_score.dtype.char in "fd" else y_score.astype(np.float64)
    classes = codes.astype(np.uint16)
    return _core.predict_top_k(list(scores.T), classes, k, True, 0) == classes
