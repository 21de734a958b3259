"""Plain functions of agreement beyond chance under any weights of errors."""

from __future__ import annotations

from typing import Any, Literal

from confmat.errors import undefined
from confmat.matrices.agreement import agreement
from confmat.objects.counting import confusion_matrix
from confmat.objects.matrix import ConfusionMatrix


def gwet_ac2(
    y_true: Any,
    y_pred: Any,
    *,
    weights: Any = "quadratic",
    labels: Any = None,
    sample_weight: Any = None,
    keep_empty: bool = False,
    other: Literal["raise", "bucket"] = "raise",
    nulls: Literal["drop", "raise"] = "drop",
) -> float:
    """Return Gwet's AC2: agreement beyond chance that stays high where one class prevails.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (n,)
        True and predicted classes, or those of two raters: integers, booleans or strings.
    weights : {"nominal", "linear", "quadratic", "ordinal"} or array-like of shape (K, K), \
default "quadratic"
        How right it is to call one class the other, as in `ConfusionMatrix.agreement`. With
        "nominal" it is AC1. "ordinal" is Krippendorff's metric, which depends on the margins; for
        the ordinal weights of Gwet, which do not, give a matrix: see Examples.
    labels : sequence of int, bool or str, or pl.Enum, optional
        The classes, in order; by default the sorted ones of those present.
    sample_weight : array_like of shape (n,), optional
        Weight of each row.
    keep_empty : bool, default False
        Count classes of `labels` that no row has, too.
    other : {"raise", "bucket"}, default "raise"
        Refuse labels outside `labels`, or leave their rows out.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null out, or refuse them.

    Returns
    -------
    float
        At most 1; 0 where agreement is that of chance. nan with a warning where there are no rows,
        or no more than one class counts.

    Raises
    ------
    InputError
        Arguments of other lengths or types, a label outside `labels`, weights of another shape or
        range.

    See Also
    --------
    confmat.gwet_ac2_linear, confmat.gwet_ac2_quadratic : Metrics at every door, with intervals; all
        classes of `labels` count there.
    confmat.ConfusionMatrix.agreement : Other coefficients under the same weights.

    Examples
    --------
    >>> import confmat as cm
    >>> true, pred = [1, 1, 2, 2, 3, 3, 3, 3], [1, 1, 2, 3, 3, 3, 3, 2]
    >>> round(cm.gwet_ac2(true, pred), 4), round(cm.gwet_ac2(true, pred, weights="nominal"), 4)
    (0.8333, 0.6364)

    With the ordinal weights of Gwet, 1 - C(d + 1, 2) / C(K, 2) of classes d apart:

    >>> import numpy as np
    >>> d = abs(np.subtract.outer(range(3), range(3)))
    >>> round(cm.gwet_ac2(true, pred, weights=1 - d * (d + 1) / (3 * 2)), 4)
    0.7966
    """
    matrix = confusion_matrix(
        y_true, y_pred, labels=labels, sample_weight=sample_weight, other=other, nulls=nulls
    )
    return _coefficient("gwet_ac2", matrix, weights, keep_empty=keep_empty)


def weighted_alpha(
    y_true: Any,
    y_pred: Any,
    *,
    weights: Any = "quadratic",
    labels: Any = None,
    sample_weight: Any = None,
    other: Literal["raise", "bucket"] = "raise",
    nulls: Literal["drop", "raise"] = "drop",
) -> float:
    """Return Krippendorff's alpha of classes some of which are near others.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (n,)
        True and predicted classes, or those of two raters: integers, booleans or strings.
    weights : {"nominal", "linear", "quadratic", "ordinal"} or array-like of shape (K, K), \
default "quadratic"
        How right it is to call one class the other, as in `ConfusionMatrix.agreement`: "quadratic"
        is Krippendorff's interval metric of equal steps, "ordinal" his ordinal one.
    labels : sequence of int, bool or str, or pl.Enum, optional
        The classes, in order; by default the sorted ones of those present.
    sample_weight : array_like of shape (n,), optional
        Weight of each row.
    other : {"raise", "bucket"}, default "raise"
        Refuse labels outside `labels`, or leave their rows out.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null out, or refuse them.

    Returns
    -------
    float
        At most 1; 0 where agreement is that of chance. nan with a warning where there are no rows,
        or all are of one class.

    Raises
    ------
    InputError
        Arguments of other lengths or types, a label outside `labels`, weights of another shape or
        range.

    See Also
    --------
    confmat.krippendorff_alpha, confmat.krippendorff_alpha_linear, \
confmat.krippendorff_alpha_quadratic : Metrics at every door, with intervals.
    confmat.ConfusionMatrix.agreement : Other coefficients under the same weights.

    Examples
    --------
    >>> import confmat as cm
    >>> true, pred = [1, 1, 2, 2, 3, 3, 3, 3], [1, 1, 2, 3, 3, 3, 3, 2]
    >>> round(cm.weighted_alpha(true, pred, weights="ordinal"), 4)
    0.7656
    """
    matrix = confusion_matrix(
        y_true, y_pred, labels=labels, sample_weight=sample_weight, other=other, nulls=nulls
    )
    return _coefficient("krippendorff_alpha", matrix, weights)


def _coefficient(
    name: str, matrix: ConfusionMatrix, weights: Any, *, keep_empty: bool = False
) -> float:
    """Return one coefficient of `agreement`, with a warning where it is undefined."""
    table = agreement(matrix, weights, keep_empty=keep_empty)
    [(number, why)] = table.filter(coefficient=name).select("value", "reason").rows()
    return undefined(name, why) if number is None else float(number)
