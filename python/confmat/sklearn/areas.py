"""Areas under curves: ROC, and average precision; of two classes, of many, of sets of labels."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.preprocessing import label_binarize
from sklearn.utils import check_array
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_consistent_length, column_or_1d

from confmat import _core
from confmat.sklearn import plain_columns
from confmat.sklearn.curves import NO_POSITIVES, roc_curve, trapezoid
from confmat.sklearn.drop_in import drop_in
from confmat.sklearn.ladders import (
    Ladder,
    at_a_glance,
    ladder,
)

__all__ = ["average_precision_score", "roc_auc_score"]

Floats = npt.NDArray[np.float64]
Area = Callable[[Any, Any, Any], float]


@drop_in(metrics.roc_auc_score)
def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    sample_weight: Any = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: Any = None,
) -> Any:
    """Return the area under the ROC curve, ties counting half."""
    found = _of_two_plain_classes(y_true, y_score, sample_weight)
    if found is not None:
        return _roc_area_of(found, max_fpr)
    if plain_columns.indicators(y_true) is not None and plain_columns.table(y_score) is not None:
        y_type = "multilabel-indicator"
    else:
        y_type = type_of_target(y_true, input_name="y_true")
        y_true = check_array(y_true, ensure_2d=False, dtype=None)
        y_score = check_array(y_score, ensure_2d=False)
    if sample_weight is not None:
        sample_weight = column_or_1d(sample_weight)
    wide = y_score.ndim == 2 and y_score.shape[1] > 2
    if y_type == "multiclass" or (y_type == "binary" and wide):
        if max_fpr is not None and max_fpr != 1.0:
            raise ValueError(
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be "
                f"set to `None`, received `max_fpr={max_fpr}` instead"
            )
        if multi_class == "raise":
            raise ValueError("multi_class must be in ('ovo', 'ovr')")
        return _of_many_classes(y_true, y_score, labels, multi_class, average, sample_weight)
    if y_type == "binary":
        y_true = label_binarize(y_true, classes=np.unique(y_true))[:, 0]
    area = partial(_roc_area, max_fpr=max_fpr)
    return _averaged(area, y_true, y_score, average, sample_weight)


def _of_two_plain_classes(y_true: Any, y_score: Any, sample_weight: Any) -> Ladder | None:
    """Return the ladder of rows whose larger label is positive; None: look closer."""
    truth = plain_columns.labels(y_true)
    if truth is None or plain_columns.floats(y_score) is None:
        return None
    ends = plain_columns.ends(truth)
    if ends is None or ends[0] == ends[1]:
        return None
    positive = None if ends[1] in (1, True) else ends[1]
    found = at_a_glance(truth, y_score, positive, sample_weight)
    return found if found is not None and found.classes == 2 else None


def _roc_area(
    y_true: Any, y_score: Any, sample_weight: Any = None, max_fpr: float | None = None
) -> float:
    """Return the area of 0 and 1, as any validator of scikit-learn has left them."""
    found = at_a_glance(y_true, y_score, None, sample_weight)
    if found is not None and found.classes == 2:
        return _roc_area_of(found, max_fpr)
    if len(np.unique(y_true)) != 2:
        warnings.warn(
            "Only one class is present in y_true. ROC AUC score is not defined in that case.",
            UndefinedMetricWarning,
            stacklevel=2,
        )
        return math.nan
    checked_rows = ladder(y_true, y_score, None, sample_weight)
    if isinstance(checked_rows, Ladder):
        area = _roc_area_of(checked_rows, max_fpr)
        if not math.isnan(area):
            return area
    # Weights below 0, or of one class alone: what the curve says of them.
    fpr, tpr, _ = roc_curve(y_true, y_score, sample_weight=sample_weight)
    return trapezoid(fpr, tpr) if max_fpr in (None, 1) else _partial(fpr, tpr, max_fpr)


def _roc_area_of(found: Ladder, max_fpr: float | None) -> float:
    if max_fpr is None or max_fpr == 1:
        return found.value("roc_auc")
    fps, tps = np.append(0.0, found.fps), np.append(0.0, found.tps)
    if not (fps[-1] > 0 and tps[-1] > 0):
        return math.nan
    return _partial(fps / fps[-1], tps / tps[-1], max_fpr)


def _partial(fpr: Floats, tpr: Floats, max_fpr: float) -> float:
    """Return the area up to a false positive rate, on a scale where chance has 0.5."""
    stop = int(np.searchsorted(fpr, max_fpr, "right"))
    last = np.interp(max_fpr, fpr[[stop - 1, stop]], tpr[[stop - 1, stop]])
    partial = trapezoid(np.append(fpr[:stop], max_fpr), np.append(tpr[:stop], last))
    least, most = 0.5 * max_fpr**2, max_fpr
    return float(0.5 * (1 + (partial - least) / (most - least)))


def _of_many_classes(
    y_true: Any, y_score: Any, labels: Any, multi_class: str, average: str | None, weight: Any
) -> Any:
    if y_score.ndim != 2:
        raise ValueError(_shape_message(y_score))
    if not np.allclose(1, y_score.sum(axis=1)):
        raise ValueError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum "
            "up to 1.0 over classes"
        )
    averages: tuple[str | None, ...] = ("macro", "weighted", None)
    if multi_class == "ovr":
        averages = ("micro", *averages)
    if average not in averages:
        raise ValueError(f"average must be one of {averages} for multiclass problems")
    if average is None and multi_class == "ovo":
        raise NotImplementedError("average=None is not implemented for multi_class='ovo'.")
    classes = _classes_of(y_true, y_score, labels)
    if multi_class == "ovo":
        if weight is not None:
            raise ValueError(
                "sample_weight is not supported for multiclass one-vs-one ROC AUC, "
                "'sample_weight' must be None in this case."
            )
        return _one_against_one(np.searchsorted(classes, y_true), y_score, average)
    binarized = label_binarize(y_true, classes=classes)
    return _averaged(_roc_area, binarized, y_score, average, weight)


def _shape_message(y_score: Any) -> str:
    return (
        "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple "
        f"classes. Got `y_score.shape={y_score.shape}`."
    )


def _classes_of(y_true: Any, y_score: Any, labels: Any) -> Any:
    if labels is None:
        classes = np.unique(y_true)
        if len(classes) != y_score.shape[1]:
            raise ValueError(
                "Number of classes in y_true not equal to the number of columns in 'y_score'"
            )
        return classes
    labels = column_or_1d(labels)
    classes = np.unique(labels)
    if len(classes) != len(labels):
        raise ValueError("Parameter 'labels' must be unique")
    if not np.array_equal(classes, labels):
        raise ValueError("Parameter 'labels' must be ordered")
    if len(classes) != y_score.shape[1]:
        raise ValueError(
            f"Number of given labels, {len(classes)}, not equal to the number of columns in "
            f"'y_score', {y_score.shape[1]}"
        )
    if len(np.setdiff1d(y_true, classes)):
        raise ValueError("'y_true' contains labels not in parameter 'labels'")
    return classes


def _one_against_one(codes: Any, y_score: Any, average: str | None) -> Any:
    columns = list(y_score.T)
    wins, _ = _core.class_ladders(columns, codes.astype(np.uint16), None, False, 0)
    sizes = np.bincount(codes, minlength=len(columns))
    pairs = list(combinations(np.flatnonzero(sizes), 2))
    areas = [
        (wins[a, b] + wins[b, a]) / (4.0 * float(sizes[a]) * float(sizes[b])) for a, b in pairs
    ]
    shares = [(sizes[a] + sizes[b]) / len(codes) for a, b in pairs]
    return np.average(areas, weights=shares if average == "weighted" else None)


@drop_in(metrics.average_precision_score)
def average_precision_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    pos_label: Any = 1,
    sample_weight: Any = None,
) -> Any:
    """Return the mean precision over the steps of recall."""
    found = at_a_glance(y_true, y_score, pos_label, sample_weight)
    if found is not None and found.classes == 2:
        return found.value("average_precision")
    if sample_weight is not None:
        sample_weight = column_or_1d(sample_weight)
    y_type = type_of_target(y_true, input_name="y_true")
    present = np.unique(y_true)
    if y_type == "binary":
        if len(present) == 2 and pos_label not in present:
            raise ValueError(
                f"pos_label={pos_label} is not a valid label. It should be one of {present}"
            )
    elif y_type == "multilabel-indicator" and pos_label != 1:
        raise ValueError(_FIXED.format("multilabel-indicator"))
    elif y_type == "multiclass":
        if pos_label != 1:
            raise ValueError(_FIXED.format("multiclass"))
        y_true = label_binarize(y_true, classes=present)
        if y_score.shape != y_true.shape:
            raise ValueError(_shape_message(y_score))
    precision = partial(_precision, pos_label=pos_label)
    return _averaged(precision, y_true, y_score, average, sample_weight)


_FIXED = (
    "Parameter pos_label is fixed to 1 for {0} y_true. Do not set pos_label or set pos_label to 1."
)


def _precision(y_true: Any, y_score: Any, sample_weight: Any, pos_label: Any) -> float:
    found = ladder(y_true, y_score, pos_label, sample_weight)
    total = found.tps[-1]
    if total == 0:
        warnings.warn(NO_POSITIVES, stacklevel=2)
        return 0.0
    if isinstance(found, Ladder):
        value = found.value("average_precision")
        if not math.isnan(value):
            return value
    tps, fps = found.tps, found.fps
    predicted = tps + fps
    precision = np.divide(tps, predicted, out=np.zeros(len(tps)), where=predicted != 0)
    return float(max(0.0, np.sum(np.diff(tps / total, prepend=0.0) * precision)))


def _averaged(area: Area, y_true: Any, y_score: Any, average: str | None, weight: Any) -> Any:
    """Return the mean over labels or rows of an area, or all of them."""
    if plain_columns.indicators(y_true) is None or plain_columns.table(y_score) is None:
        y_type = type_of_target(y_true)
        if y_type not in ("binary", "multilabel-indicator"):
            raise ValueError(f"{y_type} format is not supported")
        if y_type == "binary":
            return area(y_true, y_score, weight)
        y_true, y_score = _checked_tables(y_true, y_score, weight)
    else:
        check_consistent_length(y_true, y_score, weight)
    shares = None
    if average == "micro":
        weights = None if weight is None else np.repeat(weight, y_true.shape[1])
        return float(area(y_true.ravel(), y_score.ravel(), weights))
    if average == "weighted":
        shares = (y_true if weight is None else y_true * np.reshape(weight, (-1, 1))).sum(axis=0)
        if np.isclose(shares.sum(), 0.0):
            return 0
    elif average == "samples":
        shares, weight = weight, None
        y_true, y_score = y_true.T, y_score.T
    score = np.array(
        [area(y_true[:, at], y_score[:, at], weight) for at in range(y_score.shape[1])]
    )
    if average is None:
        return score
    if shares is not None:
        score[shares == 0] = 0
    return float(np.average(score, weights=shares))


def _checked_tables(y_true: Any, y_score: Any, weight: Any) -> tuple[Any, Any]:
    check_consistent_length(y_true, y_score, weight)
    return check_array(y_true), check_array(y_score)
