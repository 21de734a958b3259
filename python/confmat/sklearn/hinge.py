"""The hinge loss: how far decisions stay below a margin of 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import metrics
from sklearn.preprocessing import LabelBinarizer, LabelEncoder
from sklearn.utils import check_array
from sklearn.utils.validation import check_consistent_length, column_or_1d

from confmat.sklearn import plain_columns
from confmat.sklearn.drop_in import drop_in

__all__ = ["hinge_loss"]


@drop_in(metrics.hinge_loss)
def hinge_loss(
    y_true: Any, pred_decision: Any, *, labels: Any = None, sample_weight: Any = None
) -> float:
    """Return the mean of what decisions lack of a margin of 1."""
    margin = _at_a_glance(y_true, pred_decision) if labels is None else None
    if margin is None or (sample_weight is not None and len(sample_weight) != len(margin)):
        check_consistent_length(y_true, pred_decision, sample_weight)
        decisions = check_array(pred_decision, ensure_2d=False)
        y_true = column_or_1d(y_true)
        classes = np.unique(labels if labels is not None else y_true)
        if classes.size > 2:
            margin = _of_many(y_true, decisions, classes, labels)
        else:
            margin = _of_two(y_true, column_or_1d(decisions).ravel())
    losses = 1 - margin
    np.clip(losses, 0, None, out=losses)
    return float(np.average(losses, weights=sample_weight))


def _at_a_glance(y_true: Any, pred_decision: Any) -> npt.NDArray[Any] | None:
    truth, decisions = plain_columns.labels(y_true), plain_columns.floats(pred_decision)
    if truth is None:
        return None
    if decisions is None:
        return _of_plain_table(truth, plain_columns.table(pred_decision))
    ends = plain_columns.ends(truth)
    if len(truth) != len(decisions) or ends is None or ends[0] == ends[1]:
        return None
    found = plain_columns.coded(truth, list(ends))
    if found is None or not np.isfinite(decisions.sum()):
        return None
    return np.where(found[1] == 1, decisions, -decisions)


def _of_plain_table(truth: Any, decisions: Any) -> npt.NDArray[Any] | None:
    if decisions is None or len(decisions) != len(truth):
        return None
    found = plain_columns.coded(truth)
    if found is None or not 2 < len(found[0]) == decisions.shape[1]:
        return None
    return _to_best_other(decisions, found[1])


def _to_best_other(decisions: Any, codes: Any) -> npt.NDArray[Any]:
    """Return how far the decision for the class of each row exceeds the best other one."""
    rows = np.arange(len(codes))
    others = decisions.astype(np.float64)
    others[rows, codes] = -np.inf
    margin: npt.NDArray[Any] = decisions[rows, codes] - others.max(axis=1)
    return margin


def _of_two(y_true: Any, decisions: Any) -> Any:
    signs = LabelBinarizer(neg_label=-1).fit_transform(y_true)[:, 0]
    try:
        return signs * decisions
    except TypeError:
        raise TypeError("pred_decision should be an array of floats.") from None


def _of_many(y_true: Any, decisions: Any, classes: Any, labels: Any) -> Any:
    wanted = (
        "with a multiclass target"
        f"{{}} pred_decision shape must be (n_samples, n_classes), that is ({y_true.shape[0]}, "
        f"{classes.size}). Got: {decisions.shape}"
    )
    if decisions.ndim <= 1:
        raise ValueError("The shape of pred_decision cannot be 1d array" + wanted.format("."))
    if classes.size != decisions.shape[1]:
        if labels is None:
            raise ValueError("Please include all labels in y_true or pass labels as third argument")
        raise ValueError(
            "The shape of pred_decision is not consistent with the number of classes. "
            + wanted.format(",").replace("with", "With", 1)
        )
    codes = LabelEncoder().fit(classes if labels is None else labels).transform(y_true)
    return _to_best_other(decisions, codes)
