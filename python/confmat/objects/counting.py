"""Confusion matrices made from two columns of labels: `cm.confusion_matrix`."""

from __future__ import annotations

from typing import Any, Literal

from confmat import _core
from confmat.categories import coded
from confmat.errors import InputError, Row
from confmat.inputs import column, label_column
from confmat.labels import MAX_CLASSES, Label, Origin, kind_of, label_set, listing
from confmat.matrices.sparse import is_large
from confmat.missing import null_error
from confmat.objects.matrix import ConfusionMatrix
from confmat.options import check_choice, checked_smoothing
from confmat.own_errors import own_errors
from confmat.positive_class import named


@own_errors
def confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    pos_label: Label | None = None,
    nulls: Literal["drop", "raise"] = "drop",
    other: Literal["raise", "bucket"] = "raise",
    smoothing: float = 0.0,
) -> ConfusionMatrix:
    """Count true against predicted labels.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Labels of one kind: integers, booleans or texts. NumPy, Polars, pandas, pyarrow, lists and
        any object with `__arrow_c_stream__`, `__arrow_c_array__` or `__array__`.
    labels : sequence of int, bool or str, or pl.Enum, optional
        The classes, in the order wanted. Default: the categories, where both columns are of the
        same Enum or pandas category; otherwise the sorted union of the labels present.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights. Integers give integer cells, floats correctly rounded sums.
    pos_label : label, optional
        The positive class, which the matrix keeps. Default: 1 or True of {0, 1}, {False, True} and
        {-1, 1}.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null out and count them in `n_dropped`, or refuse them.
    other : {"raise", "bucket"}, default "raise"
        Refuse a label that is not in `labels`, or leave its row out and count it in `n_other`.
    smoothing : float, default 0
        Added to every cell before a metric (Laplace); the counts stay as counted.

    Returns
    -------
    ConfusionMatrix
        Rows are true classes, columns predicted ones.

    Raises
    ------
    InputError
        Unequal lengths, not one-dimensional, mixed kinds of labels, float labels, a label outside
        `labels`, weights that are negative or not finite, smoothing of more than 11,585 classes.

    Notes
    -----
    The cells are a table, or, of more than 1,024 classes and where they are few, those that are
    not 0 (16 bytes each, 24 with weights, and 16 bytes a row, 32 with weights, while they are
    counted); `counts` and all else are the same. Of more than 11,585 classes there is no table, up
    to 2,147,483,647 labels found or 16,777,216 `labels`: then metrics of determinants, of
    eigenvalues and of all pairs of classes are not computed.

    One pass over the rows on every core, without a copy of native columns, whatever their stride
    and byte order; the counts are the same for any number of threads.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.confusion_matrix(["cat", "dog", "cat"], ["cat", "dog", "dog"])
    >>> m.labels
    ('cat', 'dog')
    >>> m.counts
    array([[1, 1],
           [0, 1]])
    >>> m = cm.confusion_matrix([0, 1, 7], [0, 1, 1], labels=[0, 1], other="bucket")
    >>> m.n, m.n_other
    (2, 1)
    """
    check_choice("nulls", nulls, "drop", "raise")
    check_choice("other", other, "raise", "bucket")
    alpha = checked_smoothing(smoothing)
    truth, declared, _ = label_column(y_true, "y_true")
    pred, also, _ = label_column(y_pred, "y_pred")
    weight = None if sample_weight is None else column(sample_weight, "sample_weight").data
    wanted = declared if declared == also else None
    if labels is not None:
        wanted = label_set(labels, most=MAX_CLASSES)
    state, outsider = _core.count(coded(truth), coded(pred), weight, wanted, 0)
    if state.n_dropped and nulls == "raise":
        columns = {"y_true": truth, "y_pred": pred}
        if weight is not None:
            columns["sample_weight"] = weight
        raise null_error(columns, state.n_dropped)
    found = list(state.labels)
    if outsider is not None and other == "raise":
        raise outsider_error(outsider, found)
    if wanted is None:
        refuse_identifiers(found, state.rows)
    elif labels is None:
        state = state.about(Origin.OF_TYPE, None)
    made = ConfusionMatrix._around(state)._about(named(found, pos_label))
    return made.smooth(alpha) if alpha else made


def refuse_identifiers(labels: list[Label], rows: int) -> None:
    """Refuse labels that nobody gave, are more than a table holds, and hardly recur."""
    if is_large(len(labels)) and len(labels) > rows // 2:
        raise InputError(
            f"`y_true` and `y_pred` have {len(labels):,} labels in {rows:,} rows; are they "
            'identifiers? Of classes, give those that count as labels=, with other="bucket" for '
            "the rest"
        )


def outsider_error(outsider: tuple[str, int, str], labels: list[Label]) -> InputError:
    """Say which label, of which argument and row, is not among the labels."""
    argument, row, label = outsider
    bare = kind_of(labels) != "text" or label.startswith('"')
    name = label if bare else f"'{label}'"
    return InputError(
        f"label {name} ",
        Row(row),
        f" of `{argument}` is not in labels {listing(labels)}; "
        'add it, or pass other="bucket" to leave such rows out and count them in n_other',
    )
