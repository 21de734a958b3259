"""How far predictions agree with the truth, over all classes: accuracy, kappa, MCC and kin."""

from __future__ import annotations

import math
import warnings
from typing import Any, Literal

import numpy as np
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

from confmat.sklearn.classes import OF_ROWS, Classes
from confmat.sklearn.confusion import wanted_labels, warn_of_one_label
from confmat.sklearn.drop_in import drop_in
from confmat.sklearn.sets import Sets
from confmat.sklearn.targets import class_targets, targets

__all__ = [
    "accuracy_score",
    "balanced_accuracy_score",
    "cohen_kappa_score",
    "hamming_loss",
    "matthews_corrcoef",
    "zero_one_loss",
]

_OR_ZERO = OF_ROWS._replace(undefined=0.0)


def _wrong(counted: Classes | Sets) -> Any:
    """Return the rows that are not all right, or the sum of their weights."""
    if isinstance(counted, Sets):
        return counted.unequal()[0]
    return counted.total - counted.right


def _right(counted: Classes | Sets) -> Any:
    """Return the rows that are all right, or the sum of their weights."""
    if isinstance(counted, Sets):
        return counted.total - counted.unequal()[0]
    return counted.right


def _total(counted: Classes | Sets) -> Any:
    """Return the rows, or the sum of their weights, that shares are of."""
    if not counted.total:  # of negative weights
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return counted.total


@drop_in(metrics.accuracy_score)
def accuracy_score(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float:
    """Return the share of the rows whose prediction is right.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, L)
        True and predicted classes, or sets of labels, which must agree in all labels.
    normalize : bool, default True
        A share; False: the number of rows, or the sum of their weights.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float

    See Also
    --------
    sklearn.metrics.accuracy_score : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import accuracy_score
    >>> accuracy_score([0, 1, 1, 1], [0, 0, 1, 1])
    0.75
    """
    counted = targets(y_true, y_pred, sample_weight)
    right = _right(counted)
    return float(right / _total(counted) if normalize else right)


@drop_in(metrics.zero_one_loss)
def zero_one_loss(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float:
    """Return the share of the rows whose prediction is wrong.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, L)
        True and predicted classes, or sets of labels, wrong where one label is.
    normalize : bool, default True
        A share; False: the number of rows, or the sum of their weights.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float

    See Also
    --------
    sklearn.metrics.zero_one_loss : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import zero_one_loss
    >>> zero_one_loss([0, 1, 1, 1], [0, 0, 1, 1])
    0.25
    """
    counted = targets(y_true, y_pred, sample_weight)
    return float(1 - _right(counted) / _total(counted) if normalize else _wrong(counted))


@drop_in(metrics.hamming_loss)
def hamming_loss(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the share of the labels that are wrong.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, L)
        True and predicted classes, one a row, or sets of labels.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float

    See Also
    --------
    sklearn.metrics.hamming_loss : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import hamming_loss
    >>> hamming_loss([[0, 1], [1, 1]], [[0, 0], [1, 1]])
    0.25
    """
    counted = targets(y_true, y_pred, sample_weight)
    if isinstance(counted, Sets):
        return float(counted.unequal()[1] / (counted.total * counted.width))
    return float(_wrong(counted) / _total(counted))


@drop_in(metrics.balanced_accuracy_score)
def balanced_accuracy_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, adjusted: bool = False
) -> float:
    """Return the mean over the true classes of the share of their rows that are right.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    adjusted : bool, default False
        Scale it so that guessing gives 0.

    Returns
    -------
    float

    See Also
    --------
    sklearn.metrics.balanced_accuracy_score : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import balanced_accuracy_score
    >>> balanced_accuracy_score([0, 1, 1, 1], [0, 0, 1, 1])
    0.8333333333333333
    """
    counted = class_targets(y_true, y_pred, sample_weight)
    warn_of_one_label(len(counted.labels))
    true, _, right = counted.sums
    there = true != 0
    if not there.all():
        warnings.warn("y_pred contains classes not in y_true", UserWarning, stacklevel=3)
    shares = right[there] / true[there]
    score = shares.mean()
    if adjusted:
        chance = 1 / len(shares)
        score = (score - chance) / (1 - chance)
    return float(score)


@drop_in(metrics.cohen_kappa_score)
def cohen_kappa_score(
    y1: Any,
    y2: Any,
    *,
    labels: Any = None,
    weights: Literal["linear", "quadratic"] | None = None,
    sample_weight: Any = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Return how far two columns of classes agree beyond chance.

    Parameters
    ----------
    y1, y2 : array-like of shape (n,)
        Classes that two raters gave.
    labels : array-like, optional
        The classes whose rows count, in order. Default: those found, ascending.
    weights : {"linear", "quadratic"} or None, default None
        How disagreement grows with the distance of the classes in their order.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    replace_undefined_by : float, default nan
        What stands for 0/0, which warns.

    Returns
    -------
    float

    See Also
    --------
    sklearn.metrics.cohen_kappa_score : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import cohen_kappa_score
    >>> cohen_kappa_score([0, 1, 1, 1], [0, 0, 1, 1])
    0.5
    """
    counted = class_targets(y1, y2, sample_weight)
    chosen = wanted_labels(
        counted,
        labels,
        "At least one label in `labels` must be present in `y1` (even though "
        "`cohen_kappa_score` is otherwise agnostic to the order of `y1` and `y2`).",
    )
    if chosen is not None:
        counted = counted.among(chosen)
    warn_of_one_label(len(counted.labels))
    kappa = counted.value("kappa" if weights is None else f"kappa_{weights}")
    if not math.isnan(kappa):
        return kappa
    if not counted.total:
        _warn_of_kappa(
            "`y2` contains no labels that are present in both `y1` and `labels`."
            "`cohen_kappa_score` is undefined and set to the value defined by "
            f"the `replace_undefined_by` param, which is set to {replace_undefined_by}."
        )
    else:
        _warn_of_kappa(
            "`y1`, `y2` and `labels` have only one label in common. "
            "`cohen_kappa_score` is undefined and set to the value defined by the "
            f"the `replace_undefined_by` param, which is set to {replace_undefined_by}."
        )
    return replace_undefined_by


@drop_in(metrics.matthews_corrcoef)
def matthews_corrcoef(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the correlation of true and predicted classes, 0.0 where there is none to speak of.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float

    See Also
    --------
    sklearn.metrics.matthews_corrcoef : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import matthews_corrcoef
    >>> matthews_corrcoef([0, 1, 1, 1], [0, 0, 1, 1])
    0.5773502691896258
    """
    counted = targets(y_true, y_pred, sample_weight)
    if isinstance(counted, Sets):
        raise ValueError(f"{counted.kind} is not supported")
    warn_of_one_label(len(counted.labels))
    return counted.value("mcc", _OR_ZERO)


def _warn_of_kappa(message: str) -> None:
    warnings.warn(message, UndefinedMetricWarning, stacklevel=4)
