"""Probabilities of many classes against the true class: every number that follows from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.inputs import column, first_null
from confmat.labels import Label, label_set, listing
from confmat.matrices.summary import number
from confmat.multiclass.curves import MulticlassCurves
from confmat.multiclass.inputs import (
    Table,
    agree,
    check_weights,
    in_column_order,
    normalized,
    read_table,
    read_weights,
)
from confmat.multiclass.losses import MulticlassLosses
from confmat.multiclass.ranking import MulticlassRanking
from confmat.multiclass.views import MulticlassViews
from confmat.overview import Overview, left_out, numbers

_NUMBERS: dict[str, Callable[[MulticlassSweep], Any]] = {
    "roc_auc_macro": lambda s: s.roc_auc("macro"),
    "roc_auc_weighted": lambda s: s.roc_auc("weighted"),
    "roc_auc_micro": lambda s: s.roc_auc("micro"),
    "roc_auc_ovo": lambda s: s.roc_auc("macro", "ovo"),
    "average_precision_macro": lambda s: s.average_precision("macro"),
    "average_precision_weighted": lambda s: s.average_precision("weighted"),
    "average_precision_micro": lambda s: s.average_precision("micro"),
    "log_loss": lambda s: s.log_loss(),
    "brier": lambda s: s.brier(),
    "top_1_accuracy": lambda s: s.top_k_accuracy(1),
    "top_2_accuracy": lambda s: s.top_k_accuracy(2),
    "classwise_ece": lambda s: s.classwise_ece(),
    "top_label_ece": lambda s: s.top_label_ece(),
}
_METHODS = ("roc_auc", "average_precision", "top_k_accuracy")  # with averages, or k, to choose


class MulticlassSweep(
    MulticlassRanking, MulticlassLosses, MulticlassViews, MulticlassCurves, Overview
):
    """Probabilities of K classes and the true class of each row, made by `multiclass_sweep`.

    Losses and top-k accuracies are there from the start; ranks and curves are computed when first
    asked for, from the columns, which are not copied: do not change them. `pickle` and `copy`
    work.

    Attributes
    ----------
    labels : tuple
        The class of each column.
    n : int or float
        Rows counted, or the sum of their weights.
    n_rows, n_dropped : int
        Rows counted, and rows left out for a null label or weight.
    n_clipped : int
        Rows whose probability of the true class `log_loss` raised.
    support : ndarray of shape (K,)
        Rows of each class, or the sum of their weights.
    n_classes_used, n_pairs_used : int
        Classes, and pairs of classes, that have rows: what averages are of.
    """

    def reason(self, name: str) -> str | None:
        """Return why a number is nan, or None.

        Parameters
        ----------
        name : str
            The method, such as "roc_auc" or "log_loss", or a name of `overall`.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multiclass_sweep([1, 1], [[0.6, 0.4], [0.7, 0.3]], labels=[0, 1])
        >>> s.roc_auc(), s.reason("roc_auc")
        (nan, 'all rows are of one class')
        """
        if name not in _NUMBERS and name not in _METHODS:
            wanted = ", ".join((*_METHODS, *_NUMBERS))
            raise InputError(f"`name` is {name!r}; wanted one of {wanted}")
        pooled = name == "roc_auc_micro" and len(self.labels) > 1  # each row is a decision of each
        return self._why_undefined(two_classes=name.startswith("roc_auc") and not pooled)

    def overall(self) -> pl.DataFrame:
        """Return the usual numbers: `metric`, `value` (null where undefined) and `reason`.

        ROC AUC and average precision with every average, and `roc_auc_ovo`, the mean over pairs of
        classes; log loss, Brier score, top-1 and top-2 accuracy and calibration errors, as the
        methods of these names have them by default.

        Examples
        --------
        >>> import confmat as cm
        >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
        >>> s.overall().row(0)
        ('roc_auc_macro', 0.5, None)
        """
        values = [float(of(self)) for of in _NUMBERS.values()]
        return numbers(tuple(_NUMBERS), values, map(self.reason, _NUMBERS))

    def _title(self) -> str:
        classes = f"{len(self.labels)} class{'' if len(self.labels) == 1 else 'es'}"
        return f"Probabilities of {classes}, n = {number(self.n, 2)}{left_out(self.n_dropped)}"

    def _frames(self) -> list[pl.DataFrame]:
        return [self.overall(), self.per_class()]

    def __repr__(self) -> str:
        return f"<MulticlassSweep of {len(self.labels)} classes, n={self.n}>"


def multiclass_sweep(
    y_true: Any,
    proba: Any,
    labels: Any = None,
    *,
    sample_weight: Any = None,
    normalize: bool = False,
    tolerance: float | None = None,
    nulls: Literal["drop", "raise"] = "drop",
) -> MulticlassSweep:
    """Read probabilities of K classes: AUC, log loss, Brier score, top-k accuracy, calibration.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Integers, booleans or texts, as for `confusion_matrix`.
    proba : array-like of shape (n, K)
        A NumPy array of any strides, a List or Array Series, a Polars or pandas DataFrame, a
        pyarrow Table, or a list of K columns (arrays or Series). float32 and float64 are read
        where they lie.
    labels : sequence of int, bool or str, optional
        The class of each column, in order. Default: the column names of a frame, where they hold
        every label of `y_true`; the categories of an Enum; otherwise the sorted labels of `y_true`,
        of which there must be K. Where all column names of a frame are such a label with the same
        text before it and after it, as in "p_short" and "p_long", each column is of its label, in
        whatever order they are.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights.
    normalize : bool, default False
        Divide each row by its sum, in a copy. There is no softmax: give probabilities.
    tolerance : float, optional
        How far the sum of a row may be from 1. Default: 1e-5, or 1e-3 for float16.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null label or weight out and count them in `n_dropped`, or refuse them.
        Their probabilities are not looked at. A null probability is always an error.

    Returns
    -------
    MulticlassSweep

    Raises
    ------
    InputError
        Shapes and labels that do not fit; a value outside [0, 1], nan or null, or a row that does
        not sum to 1, with the first row of it; bad weights.

    Notes
    -----
    One pass over the rows on every core. Results do not depend on the number of threads.

    Examples
    --------
    >>> import confmat as cm
    >>> proba = [[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]]
    >>> s = cm.multiclass_sweep(["a", "a", "b", "c"], proba)
    >>> s.roc_auc(), s.top_k_accuracy(2), s.at_argmax().accuracy
    (1.0, 0.75, 0.75)
    """
    if nulls not in ("drop", "raise"):
        raise InputError(f"`nulls` is {nulls!r}; wanted 'drop' or 'raise'")
    truth, declared, _ = column(y_true, "y_true")
    table = read_table(proba)
    known = _labels(truth, declared, table, labels)
    codes = _core.class_codes(truth, known, 0)
    k, rows = len(known), len(codes)
    if table.rows != rows:
        raise InputError(f"`proba` has {table.rows} rows and `y_true` {rows}")
    weights = weight_column = None
    if sample_weight is not None:
        weight_column = column(sample_weight, "sample_weight").data
        weights, missing = read_weights(sample_weight, rows)
        if missing is not None:
            codes = np.where(missing, np.uint16(k + 1), codes)
    used = codes < k
    if nulls == "raise" and not used.all():
        argument = "y_true" if first_null(truth) == int(used.argmin()) else "sample_weight"
        raise InputError(
            f"null at row {int(used.argmin())} of `{argument}`; "
            'nulls="drop" leaves such rows out and counts them in n_dropped'
        )
    if weights is not None:
        check_weights(weights, used)
    if normalize:
        table = normalized(table, used)
    half = table.half and not normalize
    return MulticlassSweep(
        table.columns,
        codes,
        tuple(known),
        weights,
        weight_column,
        _tolerance(tolerance, half),
        float(np.finfo(np.float64 if half else table.columns[0].dtype).eps),
    )


def _labels(truth: Any, declared: list[Label] | None, table: Table, given: Any) -> list[Label]:
    k = len(table.columns)
    if given is not None:
        known = label_set(given)
        if len(known) != k:
            raise InputError(f"`labels` has {len(known)} labels for {k} columns of `proba`")
        agree(table.names, known)
        return known
    found = _core.count(truth, truth, None, None, False, 0)[0]
    names = table.names
    if names is not None and len(set(names)) == k and set(found) <= set(names):
        return list(names)
    known = found if declared is None else declared
    if len(known) != k:
        raise InputError(
            f"`proba` has {k} columns and `y_true` {len(known)} classes, {listing(known)}; "
            "pass labels=..., the class of each column in order"
        )
    return (None if names is None else in_column_order(names, known)) or known


def _tolerance(given: Any, half: bool) -> float:
    if given is None:
        return 1e-3 if half else 1e-5
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given <= 1:
        raise InputError(f"`tolerance` is {given!r}; wanted a number from 0 to 1")
    return float(given)
