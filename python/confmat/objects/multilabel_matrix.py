"""Sets of labels, true and predicted: a 2 x 2 table a label, averages, exact matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy.typing as npt

from confmat import _core
from confmat.attributes import MultilabelAttributes
from confmat.labels import Label, Origin, position
from confmat.labelsets import confidence, screen, tables, values
from confmat.labelsets.powerset import powerset
from confmat.labelsets.rows import read_rows
from confmat.labelsets.state import LabelSetState
from confmat.objects.base import Counted
from confmat.objects.class_report import classification_report
from confmat.objects.matrix import ConfusionMatrix
from confmat.own_errors import own_errors
from confmat.render.text import left_out, many, number


class MultilabelMatrix(MultilabelAttributes, LabelSetState, Counted):
    """Counts of rows that have sets of labels, made by `multilabel`, and every metric of them.

    `+` and `-` merge the counts of two logs and take those of one away; `to_bytes` saves them.
    `pickle` and `copy` work. Every number of `overall()` is an item and an attribute, too:
    `m["f1_samples"]`, `m.jaccard_macro`. `print` and notebooks show 95 % intervals of what has one.

    Attributes
    ----------
    labels : tuple
    counts : ndarray of shape (L, 2, 2)
        [[tn, fp], [fn, tp]] of each label; int64, or float64 for weights.
    n : int or float
        Rows counted, or the sum of their weights.
    n_dropped : int
        Rows left out for a null.
    """

    _made_by = "cm.multilabel(y_true, y_pred)"
    _index = "index with the name of a metric; the tables are in `counts`"

    value = values.value
    reason = values.reason
    n_used = values.n_used
    ci = confidence.ci
    overall = tables.overall
    per_class = tables.per_class
    classification_report = classification_report
    powerset = powerset
    _frames = screen.frames_of_sets

    @property
    def exact_match(self) -> float:
        """The share of rows whose set is predicted exactly (subset accuracy); nan without rows."""
        return values.exact_match(self)

    @property
    def hamming_loss(self) -> float:
        """The share of wrong labels of all rows, (fp + fn) / (n L); nan without rows."""
        return values.hamming_loss(self)

    def _names(self) -> tuple[str, ...]:
        return values.NAMES

    def label(self, label: Label) -> ConfusionMatrix:
        """Return the 2 x 2 matrix of one label.

        Parameters
        ----------
        label : label
            One of `labels`.

        Returns
        -------
        ConfusionMatrix
            Of the classes False and True, whether a row has the label.

        Examples
        --------
        >>> import confmat as cm
        >>> m = cm.multilabel([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]])
        >>> m.label("a").counts.tolist(), m.label("a").recall
        ([[1, 0], [1, 1]], 0.5)
        """
        at = position(self.labels, label, "label")
        squares = self._state.squares
        return ConfusionMatrix._of(
            self.counts[at].copy(),
            [False, True],
            None if squares is None else squares[at].copy(),
            self.n_dropped,
        )

    def _title(self) -> str:
        labels = many(len(self.labels), "label")
        return f"Sets of {labels}, n = {number(self.n, 2)}{left_out(self.n_dropped)}"

    def __repr__(self) -> str:
        dropped = f", n_dropped={self.n_dropped}" if self.n_dropped else ""
        return f"<MultilabelMatrix of {len(self.labels)} labels, n={self.n}{dropped}>"


@own_errors
def multilabel(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    nulls: Literal["drop", "raise"] = "drop",
) -> MultilabelMatrix:
    """Count rows that have sets of labels, true against predicted.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n, L), or n lists of names
        Indicators: NumPy Booleans or 0 and 1, a list of rows (lists, tuples or arrays of 0 and 1),
        a DataFrame, a dict of columns, a list of L Polars Series, a List Series of Booleans, an
        Array Series or a SciPy sparse matrix. Or the labels of each row: a List Series of texts or
        integers, a pyarrow list array, lists of texts, sets, or a column of objects that are lists
        or sets.
    labels : sequence of int, bool or str, optional
        The labels in order. Default: the column names of a frame; 0, ..., L - 1 of an array; the
        sorted names that occur in lists.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows; integers give integer counts.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null out and count them in `n_dropped`, or refuse them.

    Returns
    -------
    MultilabelMatrix

    Raises
    ------
    InputError
        Shapes or labels that do not fit, a value other than 0 and 1, a name that is not in
        `labels`, bad weights; with the row.

    Notes
    -----
    Lists and sparse matrices take memory for the rows, the labels that these have and the number of
    labels L, which may be millions; no n x L table is made. Other indicators take n x L bytes for
    each side where they are not Booleans already. Sets of labels are counted as they occur.

    References
    ----------
    Sorower (2010), A literature survey on algorithms for multi-label learning.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.multilabel([[1, 0, 1], [0, 1, 0]], [[1, 0, 0], [0, 1, 1]], labels=["a", "b", "c"])
    >>> m.exact_match, round(m.hamming_loss, 4), m["jaccard_samples"]
    (0.0, 0.3333, 0.5)
    >>> m.per_class(["precision", "recall"]).rows()
    [('a', 1.0, 1.0), ('b', 1.0, 1.0), ('c', 0.0, 0.0)]
    """
    rows = read_rows(y_true, y_pred, labels, sample_weight, nulls)
    return count_tables(rows.true.sets, rows.pred.sets, *rows[2:])


def count_tables(
    true: Any,
    pred: Any,
    weights: npt.NDArray[Any] | None,
    labels: Sequence[Label],
    origin: Origin,
    n_dropped: int,
) -> MultilabelMatrix:
    """Count rows of tables of Booleans, or of lists, that are checked."""
    state = _core.count_sets(true, pred, weights, labels, origin, n_dropped, 0)
    return MultilabelMatrix._around(state)
