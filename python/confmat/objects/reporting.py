"""The report of classes of two columns of labels, or of sets of labels, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.inputs import is_table
from confmat.intervals.levels import Side
from confmat.labels import finder, label_set, listing
from confmat.objects import class_report
from confmat.objects.class_report import COLUMNS, Format
from confmat.objects.counting import confusion_matrix
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.multilabel_matrix import MultilabelMatrix, multilabel
from confmat.own_errors import own_errors


@own_errors
def classification_report(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    target_names: Sequence[str] | None = None,
    sample_weight: Any = None,
    columns: Sequence[str] = COLUMNS,
    ci: float | None = None,
    side: Side = "both",
    undefined: float | Literal["warn"] = "warn",
    digits: int = 2,
    format: Format = "text",
) -> Any:
    """Return precision, recall, F1 and support of each class, and their averages.

    The text is that of scikit-learn's function of this name, but that counts are whole also where
    no row is right.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,) or (n, L), or n lists of names
        Labels, as `confusion_matrix` takes them; or sets of labels, as `multilabel` does.
    labels : sequence, optional
        Which classes, in the order wanted, also such as no row has. Default: those that occur.
    target_names : sequence of str, optional
        What the classes are called, in the order of `labels`.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    columns : sequence of str, default precision, recall, f1 and support
        Metrics of one class, such as "specificity", "jaccard" or "mcc_binary".
    ci : float, optional
        The level of intervals, such as 0.95, behind each number.
    side : {"both", "lower", "upper"}, default "both"
        With `ci`: "lower" puts all that intervals may miss below; the other end is that of the
        range.
    undefined : float or "warn", default "warn"
        Takes the place of values that are 0/0, before they are averaged; nan: averages leave them
        out. "warn": 0.0, with a warning.
    digits : int, default 2
        Decimals, of formats that are texts.
    format : {"text", "polars", "dict", "markdown", "html", "json", "latex"}, default "text"
        "dict" and "json" have the keys of scikit-learn, unrounded, nan being null in JSON; "polars"
        is a frame.

    Returns
    -------
    str, dict or polars.DataFrame
        The line "accuracy" stands for "micro avg" where no row has a class that is left out.

    Raises
    ------
    InputError
        What `confusion_matrix` and `multilabel` refuse; an unknown label, metric or format.

    Warns
    -----
    UndefinedMetricWarning
        Values are 0/0, and `undefined` is "warn".

    See Also
    --------
    ConfusionMatrix.classification_report : the same of counts that are there already.

    Examples
    --------
    >>> import confmat as cm
    >>> print(cm.classification_report(["a", "b", "b", "b"], ["a", "a", "b", "b"]))
                  precision    recall  f1-score   support
    <BLANKLINE>
               a       0.50      1.00      0.67         1
               b       1.00      0.67      0.80         3
    <BLANKLINE>
        accuracy                           0.75         4
       macro avg       0.75      0.83      0.73         4
    weighted avg       0.88      0.75      0.77         4
    <BLANKLINE>
    >>> table = cm.classification_report([0, 1, 1], [0, 1, 0], columns=["f1"], format="polars")
    >>> table.select("label", "f1").rows()[0]
    ('0', 0.6666666666666666)
    """
    wanted = None if labels is None else label_set(labels)
    m: ConfusionMatrix | MultilabelMatrix
    if _are_sets(y_true):
        m = _sets(y_true, y_pred, wanted, sample_weight)
    else:
        m, wanted = _classes(y_true, y_pred, wanted, sample_weight)
    return class_report.classification_report(
        m,
        labels=wanted or None,
        target_names=target_names,
        columns=columns,
        ci=ci,
        side=side,
        undefined=undefined,
        digits=digits,
        format=format,
    )


def _classes(
    y_true: Any, y_pred: Any, wanted: list[Any] | None, sample_weight: Any
) -> tuple[ConfusionMatrix, list[Any]]:
    """Return the matrix of all classes, and those that the report is of."""
    m = confusion_matrix(y_true, y_pred, sample_weight=sample_weight)
    if wanted is None:
        rows = m.per_class(["tp", "fp", "fn"])
        occurs = rows.select(pl.any_horizontal(pl.col("tp", "fp", "fn") != 0)).to_series()
        return m, [label for label, is_so in zip(m.labels, occurs, strict=True) if is_so]
    known = set(m.labels)
    if not known.issuperset(wanted):
        asked = set(wanted)
        more = [*wanted, *(label for label in m.labels if label not in asked)]
        m = confusion_matrix(y_true, y_pred, labels=more, sample_weight=sample_weight)
    return m, wanted


def _sets(
    y_true: Any, y_pred: Any, wanted: list[Any] | None, sample_weight: Any
) -> MultilabelMatrix:
    """Return the tables of the labels wanted alone, over which averages of rows are."""
    m = multilabel(y_true, y_pred, sample_weight=sample_weight)
    known = set(m.labels)
    if wanted is None or set(wanted) == known:
        return m
    unknown = [label for label in wanted if label not in known]
    if unknown:
        raise InputError(f"`labels` holds {unknown[0]!r}; wanted some of {listing(m.labels)}")
    at = list(map(finder(m.labels, "labels"), wanted))
    sides = []
    for name, side in (("y_true", y_true), ("y_pred", y_pred)):
        if hasattr(side, "tocsr"):
            sides.append(side.tocsr()[:, at])
        elif isinstance(side, pl.DataFrame):
            sides.append(side[:, at])
        elif hasattr(side, "iloc"):
            sides.append(side.iloc[:, at])
        else:
            if not _is_table(side):
                raise InputError(
                    f"`labels` leaves some of {listing(m.labels)} out of `{name}`, which holds "
                    "lists; wanted an array of 0 and 1, a column a label"
                )
            sides.append(np.asarray(side)[:, at])
    return multilabel(*sides, labels=wanted, sample_weight=sample_weight)


def _are_sets(values: Any) -> bool:
    """Return whether each row is a set of labels."""
    if hasattr(values, "tocsr"):
        return True
    if isinstance(values, pl.Series):
        return isinstance(values.dtype, (pl.List, pl.Array))
    if isinstance(values, (list, tuple)):
        return len(values) > 0 and isinstance(values[0], (list, tuple, set, frozenset, np.ndarray))
    if is_table(values):
        return len(getattr(values, "columns", ())) > 1
    shape = getattr(values, "shape", ())
    return isinstance(shape, tuple) and len(shape) == 2 and shape[1] > 1


def _is_table(values: Any) -> bool:
    """Return whether all rows are as long, and hold 0 and 1."""
    if isinstance(values, np.ndarray):
        return values.ndim == 2
    return isinstance(values, (list, tuple)) and not any(
        isinstance(item, str) or isinstance(row, (set, frozenset)) for row in values for item in row
    )
