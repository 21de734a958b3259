"""Plain functions of numbers that are no rows of the registry: those of matrices."""

from __future__ import annotations

from typing import Any, Literal

from confmat.matrices import adjusted_information, aickin
from confmat.objects.counting import confusion_matrix


def adjusted_mutual_information(
    y_true: Any,
    y_pred: Any,
    *,
    average: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic",
    labels: Any = None,
    nulls: Literal["drop", "raise"] = "drop",
) -> float:
    """Return the adjusted mutual information of truth and prediction.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (n,)
        True and predicted classes: integers, booleans or strings.
    average : {"arithmetic", "geometric", "min", "max"}, default "arithmetic"
        Which mean of the entropies of truth and prediction is the most that they could share.
    labels : sequence of int, bool or str, or pl.Enum, optional
        The classes; by default those present.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null out, or refuse them.

    Returns
    -------
    float
        At most 1; about 0 where neither tells the other more than chance does. nan with a warning
        where there are no rows, or all that could be shared is shared by chance.

    Raises
    ------
    InputError
        Arguments of other lengths or types, a label outside `labels`, another average.

    See Also
    --------
    confmat.ConfusionMatrix.adjusted_mutual_information : The same of a matrix, and how it is found.

    Examples
    --------
    >>> import confmat as cm
    >>> round(cm.adjusted_mutual_information([0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 2, 2]), 4)
    0.5024
    """
    matrix = confusion_matrix(y_true, y_pred, labels=labels, nulls=nulls)
    return adjusted_information.adjusted_mutual_information(matrix, average)


def aickin_alpha(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    nulls: Literal["drop", "raise"] = "drop",
) -> float:
    """Return Aickin's alpha: the share of rows that agree for a cause, not by chance.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (n,)
        True and predicted classes, or those of two raters: integers, booleans or strings.
    labels : sequence of int, bool or str, or pl.Enum, optional
        The classes; by default those present.
    sample_weight : array_like of shape (n,), optional
        Weight of each row.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null out, or refuse them.

    Returns
    -------
    float
        From 0 to 1, at least kappa. nan with a warning where there are no rows, or all are of one
        class and predicted so.

    Raises
    ------
    InputError
        Arguments of other lengths or types, a label outside `labels`.

    See Also
    --------
    confmat.ConfusionMatrix.aickin_alpha : The same of a matrix, and how it is found.
    confmat.ConfusionMatrix.agreement : Weighted kappa, Gwet's AC2, Krippendorff's alpha and others.

    Examples
    --------
    >>> import confmat as cm
    >>> true = ["a"] * 49 + ["b"] * 51
    >>> pred = ["a"] * 40 + ["b"] * 9 + ["a"] * 6 + ["b"] * 45
    >>> round(cm.aickin_alpha(true, pred), 4)
    0.7028
    """
    matrix = confusion_matrix(
        y_true, y_pred, labels=labels, sample_weight=sample_weight, nulls=nulls
    )
    return aickin.aickin_alpha(matrix)
