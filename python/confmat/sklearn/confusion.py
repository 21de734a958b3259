"""Tables of counts: confusion matrices of all classes, of each, and the ratios of two."""

from __future__ import annotations

import math
import warnings
from numbers import Real
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_scalar

from confmat.sklearn.classes import Classes
from confmat.sklearn.drop_in import drop_in
from confmat.sklearn.sets import Sets
from confmat.sklearn.targets import class_targets, targets

__all__ = ["class_likelihood_ratios", "confusion_matrix", "multilabel_confusion_matrix"]

Table = npt.NDArray[Any]


@drop_in(metrics.confusion_matrix)
def confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    normalize: Literal["true", "pred", "all"] | None = None,
) -> Table:
    """Count true against predicted classes.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes.
    labels : array-like, optional
        The classes whose rows count, in order. Default: those found, ascending.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    normalize : {"true", "pred", "all"} or None, default None
        Shares of the true class, of the predicted one, or of all rows.

    Returns
    -------
    ndarray of shape (K, K)
        Rows are true classes.

    See Also
    --------
    sklearn.metrics.confusion_matrix : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import confusion_matrix
    >>> confusion_matrix(["cat", "dog", "cat"], ["cat", "dog", "dog"])
    array([[1, 1],
           [0, 1]])
    """
    return _matrix(class_targets(y_true, y_pred, sample_weight), labels, normalize)


def _matrix(counted: Classes, labels: Any, normalize: str | None = None) -> Table:
    cells = counted.matrix(wanted_labels(counted, labels))
    if normalize is not None:
        axis = {"true": 1, "pred": 0, "all": None}[normalize]
        sums = cells.sum(axis=axis, keepdims=True)
        cells = np.divide(cells, sums, where=sums != 0, out=np.zeros(cells.shape))
    warn_of_one_label(len(cells), level=5)
    return cells


def wanted_labels(
    counted: Classes,
    labels: Any,
    none_is_true: str = "At least one label specified must be in y_true",
) -> npt.NDArray[Any] | None:
    """Return the labels that rows must have to count; None where all do.

    Raises
    ------
    ValueError
        There is none, or none is true of any row.
    """
    if labels is None:
        return None
    chosen = np.asarray(labels)
    if not chosen.size:
        raise ValueError("'labels' should contain at least one label.")
    if not counted.are_true(chosen):
        raise ValueError(none_is_true)
    return chosen


def warn_of_one_label(size: int, level: int = 4) -> None:
    """Warn, as scikit-learn does, where the matrix has one cell."""
    if size == 1:
        warnings.warn(
            "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have "
            "the correct shape, use the 'labels' parameter to pass all known labels.",
            UserWarning,
            stacklevel=level,
        )


@drop_in(metrics.multilabel_confusion_matrix)
def multilabel_confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    labels: Any = None,
    samplewise: bool = False,
) -> Table:
    """Count, for each class or label, the rows that have it against those predicted to.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, L)
        True and predicted classes, or sets of labels.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    labels : array-like, optional
        The classes to tell of, or the columns, in order. Default: all.
    samplewise : bool, default False
        Of sets of labels a table of each row.

    Returns
    -------
    ndarray of shape (k, 2, 2)
        [[tn, fp], [fn, tp]] of each.

    See Also
    --------
    sklearn.metrics.multilabel_confusion_matrix : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import multilabel_confusion_matrix
    >>> multilabel_confusion_matrix(["cat", "dog", "cat"], ["cat", "dog", "dog"])
    array([[[1, 0],
            [1, 1]],
    <BLANKLINE>
           [[1, 1],
            [0, 1]]])
    """
    counted = targets(y_true, y_pred, sample_weight)
    if not samplewise:
        return counted.parts(labels).tables()
    if isinstance(counted, Classes):
        raise ValueError(
            "Samplewise metrics are not available outside of multilabel classification."
        )
    return counted.row_parts(labels).tables()


@drop_in(metrics.class_likelihood_ratios)
def class_likelihood_ratios(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    replace_undefined_by: Any = np.nan,
) -> tuple[float, float]:
    """Return how much likelier a positive, and a negative, prediction is of a positive row.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted classes, of which there are two.
    labels : array-like, optional
        The negative and the positive class. Default: those found, ascending.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    replace_undefined_by : nan, 1.0 or dict, default nan
        What stands for 0/0: a number, or `{"LR+": ..., "LR-": ...}`.

    Returns
    -------
    positive, negative : float

    See Also
    --------
    sklearn.metrics.class_likelihood_ratios : What this one stands for.

    Examples
    --------
    >>> from confmat.sklearn import class_likelihood_ratios
    >>> class_likelihood_ratios([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    (1.5, 0.75)
    """
    counted = targets(y_true, y_pred, sample_weight)
    if counted.kind != "binary" or isinstance(counted, Sets):
        raise ValueError(
            "class_likelihood_ratios only supports binary classification problems, got targets of "
            f"type: {counted.kind}"
        )
    instead = _replacements(replace_undefined_by)
    tn, fp, fn, tp = _matrix(counted, labels).ravel()
    positives, negatives = tp + fn, tn + fp
    if not positives:
        _warn(
            "No samples of the positive class are present in `y_true`. "
            "`positive_likelihood_ratio` and `negative_likelihood_ratio` are both set to `np.nan`. "
            + _ADVICE
        )
    positive, negative = instead
    if fp:
        positive = (tp * negatives) / (fp * positives)
    else:
        why = (
            "`positive_likelihood_ratio` is ill-defined and "
            if tp
            else "No samples were predicted for the positive class and "
            "`positive_likelihood_ratio` is "
        )
        _warn(f"{why}set to `np.nan`. Use the `replace_undefined_by` param to ")
    if tn:
        negative = (fn * negatives) / (tn * positives)
    else:
        _warn("`negative_likelihood_ratio` is ill-defined and set to `np.nan`. " + _ADVICE)
    return float(positive), float(negative)


_ADVICE = (
    "Use the `replace_undefined_by` param to control this behavior. To suppress this warning or "
    "turn it into an error, see Python's `warnings` module and `warnings.catch_warnings()`."
)


def _replacements(given: Any) -> tuple[float, float]:
    """Return what stands for an undefined positive, and negative, ratio."""
    if not isinstance(given, dict):
        return (1.0, 1.0) if given == 1.0 else (math.nan, math.nan)
    ranges = {"LR+": (1.0, None), "LR-": (0.0, 1.0)}
    try:
        for name, (low, high) in ranges.items():
            check_scalar(given[name], name, target_type=Real, min_val=low, max_val=high)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            "The dictionary passed as `replace_undefined_by` needs to be in the form "
            "`{'LR+': `value_1`, 'LR-': `value_2`}` where the value for `LR+` ranges from `1.0` to "
            "`np.inf` or is `np.nan` and the value for `LR-` ranges from `0.0` to `1.0` or is "
            f"`np.nan`; got `{given}`."
        ) from error
    return given["LR+"], given["LR-"]


def _warn(message: str) -> None:
    warnings.warn(message, UndefinedMetricWarning, stacklevel=4)
