"""Precision, recall, F and Jaccard's index of classes and of label sets, each and averaged."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sklearn import metrics

from confmat.sklearn import rates as of
from confmat.sklearn.drop_in import drop_in
from confmat.sklearn.rates import Average

__all__ = [
    "f1_score",
    "fbeta_score",
    "jaccard_score",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
]


@drop_in(metrics.precision_recall_fscore_support)
def precision_recall_fscore_support(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float = 1.0,
    labels: Any = None,
    pos_label: Any = 1,
    average: Average = None,
    warn_for: Collection[str] = ("precision", "recall", "f-score"),
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Return precision, recall, F and the number of rows of each class, or averages of these.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, L)
        True and predicted classes, or sets of labels.
    beta : float, default 1.0
        The weight of recall against precision in F.
    labels : array-like, optional
        The classes to tell of, in order. Default: those found, ascending.
    pos_label : label, default 1
        The class that `average="binary"` tells of.
    average : {"micro", "macro", "samples", "weighted", "binary"} or None, default None
        How the classes are averaged; None: each class.
    warn_for : collection of str
        Which of "precision", "recall" and "f-score" warn where they are 0/0.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    zero_division : {"warn", 0.0, 1.0, nan}, default "warn"
        What stands for 0/0; "warn" is 0.0 and a warning.

    Returns
    -------
    precision, recall, f : float, or ndarray of shape (k,)
    support : None, or ndarray of shape (k,)

    See Also
    --------
    sklearn.metrics.precision_recall_fscore_support : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import precision_recall_fscore_support
    >>> precision_recall_fscore_support([0, 1, 1, 1], [0, 0, 1, 1], average="macro")
    (0.75, 0.8333333333333333, 0.7333333333333334, None)
    """
    rates = of.asked(
        y_true, y_pred, sample_weight, labels, pos_label, average, zero_division, warn_for
    )
    precision, recall, f = of.precision(rates), of.recall(rates), of.f(rates, beta)
    if average is None:
        return precision, recall, f, rates.parts.true
    return rates.averaged(precision), rates.averaged(recall), rates.averaged(f), None


@drop_in(metrics.precision_score)
def precision_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: Average = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the share of the rows predicted to be of a class that are of it.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
        As those of `precision_recall_fscore_support`.

    Returns
    -------
    float, or ndarray of shape (k,)

    See Also
    --------
    sklearn.metrics.precision_score : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import precision_score
    >>> precision_score([0, 1, 1, 1], [0, 0, 1, 1])
    1.0
    """
    rates = of.asked(
        y_true, y_pred, sample_weight, labels, pos_label, average, zero_division, ("precision",)
    )
    return rates.averaged(of.precision(rates))


@drop_in(metrics.recall_score)
def recall_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: Average = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the share of the rows of a class that are predicted to be of it.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
        As those of `precision_recall_fscore_support`.

    Returns
    -------
    float, or ndarray of shape (k,)

    See Also
    --------
    sklearn.metrics.recall_score : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import recall_score
    >>> recall_score([0, 1, 1, 1], [0, 0, 1, 1])
    0.6666666666666666
    """
    rates = of.asked(
        y_true, y_pred, sample_weight, labels, pos_label, average, zero_division, ("recall",)
    )
    return rates.averaged(of.recall(rates))


@drop_in(metrics.f1_score)
def f1_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: Average = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the harmonic mean of precision and recall.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
        As those of `precision_recall_fscore_support`.

    Returns
    -------
    float, or ndarray of shape (k,)

    See Also
    --------
    sklearn.metrics.f1_score : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import f1_score
    >>> f1_score([0, 1, 1, 1], [0, 0, 1, 1])
    0.8
    """
    rates = of.asked(
        y_true, y_pred, sample_weight, labels, pos_label, average, zero_division, ("f-score",)
    )
    return rates.averaged(of.f(rates, 1.0))


@drop_in(metrics.fbeta_score)
def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    labels: Any = None,
    pos_label: Any = 1,
    average: Average = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the harmonic mean of precision and recall, with recall weighted.

    Parameters
    ----------
    beta : float
        The weight of recall against precision.
    y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
        As those of `precision_recall_fscore_support`.

    Returns
    -------
    float, or ndarray of shape (k,)

    See Also
    --------
    sklearn.metrics.fbeta_score : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import fbeta_score
    >>> fbeta_score([0, 1, 1, 1], [0, 0, 1, 1], beta=2)
    0.7142857142857143
    """
    rates = of.asked(
        y_true, y_pred, sample_weight, labels, pos_label, average, zero_division, ("f-score",)
    )
    return rates.averaged(of.f(rates, beta))


@drop_in(metrics.jaccard_score)
def jaccard_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: Average = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the share that is right of the rows that are, or are predicted to be, of a class.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
        As those of `precision_recall_fscore_support`.

    Returns
    -------
    float, or ndarray of shape (k,)

    See Also
    --------
    sklearn.metrics.jaccard_score : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import jaccard_score
    >>> jaccard_score([0, 1, 1, 1], [0, 0, 1, 1])
    0.6666666666666666
    """
    rates = of.asked(
        y_true, y_pred, sample_weight, labels, pos_label, average, zero_division, ("jaccard",)
    )
    return rates.averaged(of.jaccard(rates))
