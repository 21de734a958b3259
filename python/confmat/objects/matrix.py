"""The confusion matrix: counted from two columns of labels, or made from given counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from confmat import _core, positive_class
from confmat.categories import coded
from confmat.errors import InputError
from confmat.inputs import column, label_column
from confmat.labels import MAX_CLASSES, Label, kind_of, label_set, listing, one_label, position
from confmat.matrices import heatmap, summary
from confmat.matrices.base import MatrixBase
from confmat.matrices.cells import read_cells
from confmat.matrices.merging import Merged, added, taken_away
from confmat.matrices.normalize import Normalization
from confmat.matrices.sparse import SparseCells, checked, is_large, of_core, smoothable
from confmat.matrices.views import MatrixViews
from confmat.missing import null_message
from confmat.objects.base import ObjectBase
from confmat.objects.pictures import heat_map
from confmat.options import checked_smoothing
from confmat.own_errors import own_errors

if TYPE_CHECKING:
    from collections.abc import Callable

    import altair as alt
    from typing_extensions import Self


class ConfusionMatrix(MatrixViews, ObjectBase):
    """A K x K confusion matrix, rows true, columns predicted, and every metric of it.

    Immutable; `+` merges, `-` takes away, `to_bytes`, `pickle` and `copy` work. Every metric of
    `list_metrics()` that needs no positive class is an attribute (`m.mcc`, `m.f1_macro`); where the
    positive class is known the others are too (`m.precision`).

    Parameters
    ----------
    counts : array-like of shape (K, K), dict of dicts, crosstab, long frame or ConfusionMatrix
        Non-negative cells. A dict of dicts is `{true: {pred: n}}`, missing cells being zero. A
        pandas crosstab has the true labels as index. A long frame has the columns `true`, `pred`
        and `count` (or `y_true`, `y_pred` and `n`); rows of the same cell are added up. A
        ConfusionMatrix is copied with all that it knows.
    labels : sequence of int, bool or str, optional
        The class labels in order. Default: 0, ..., K - 1 for an array; the categories of an Enum
        column; otherwise the sorted labels found.
    pos_label : label, optional
        The positive class: metrics about one class, such as `m.precision`, are of it. Default: 1
        or True of {0, 1}, {False, True} and {-1, 1}.

    Attributes
    ----------
    counts : ndarray of shape (K, K)
        int64, or float64 for weights; read-only.
    labels : tuple
    pos_label : label or None
        The positive class, where it is named or the usual one.
    n : int or float
        Rows counted, or the sum of their weights.
    n_dropped : int
        Rows left out for a null.
    n_other : int
        Rows left out for a label outside `labels`.
    smoothing : float
        Added to every cell before a metric; `counts` do not hold it.
    weights_sq : ndarray of shape (K, K) or None
        Sums of squared weights.

    Raises
    ------
    InputError
        Cells that are negative or not finite, a shape that is not square, labels that do not fit.

    Notes
    -----
    An undefined metric (0/0) is nan, without a warning; `m.reason(name)` says why, and
    `m.value(name, undefined=0.0)` replaces it.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> m.accuracy, m.mcc, m.precision
    (0.9, 0.8, 0.9)
    >>> m.labels, m.n
    ((0, 1), 200)
    >>> (m + m).n
    400
    """

    __slots__ = ()

    def __init__(self, counts: Any, labels: Any = None, *, pos_label: Label | None = None) -> None:
        if isinstance(counts, ConfusionMatrix):
            cells, known = read_cells(counts._cells, counts.labels if labels is None else labels)
            self._fill(
                cells,
                known,
                counts._squares,
                counts.n_dropped,
                counts.n_other,
                counts.smoothing,
                counts._implied and labels is None,
            )
            if pos_label is None and counts._positive is not None:
                self._about(known[counts.labels.index(counts._positive)])
        else:
            cells, known = read_cells(counts, labels)
            self._fill(cells, known, None, 0, 0, 0.0)
        self._about(positive_of(known, pos_label))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        if isinstance(self._cells, SparseCells):
            parts = (self._squares, self.n_dropped, self.n_other, self.smoothing, self._implied)
            return read_sparse, (*self._cells, self._labels, *parts, self._positive)
        return read_matrix, (self.to_bytes(),)

    def __add__(self, other: object) -> Self:
        """Merge: the matrix of the rows of both. Labels and smoothing must be equal."""
        if not isinstance(other, MatrixBase):
            return NotImplemented
        return self._merged(other, added)

    def __sub__(self, other: object) -> Self:
        """Take the rows of `other` away. No cell may go below zero."""
        if not isinstance(other, MatrixBase):
            return NotImplemented
        return self._merged(other, taken_away)

    def _merged(self, other: MatrixBase, merge: Callable[[MatrixBase, MatrixBase], Merged]) -> Self:
        made = self._of(
            *merge(self, other),
            smoothing=self.smoothing,
            implied=self._implied and other._implied,
        )
        return made._about(self._positive if self._positive is not None else other._positive)

    def __str__(self) -> str:
        return summary.text(self)

    def plot(
        self,
        normalize: Normalization | None = "true",
        *,
        title: str | None = None,
        width: float | None = None,
    ) -> alt.LayerChart:
        """Draw the matrix as a heat map, true classes down, predicted classes across.

        Parameters
        ----------
        normalize : {"true", "pred", "all", "bistochastic"} or None, default "true"
            The share that shades the cells and is written below the counts: of the true class
            (recall on the diagonal), of the predicted class, of all rows, or with rows and columns
            scaled to 1. None: counts only, shaded by count.
        title : str, optional
            In place of "Confusion matrix".
        width : float, optional
            Of the cells together, in pixels. Default: what their number and texts need.

        Returns
        -------
        altair.LayerChart
            Notebooks show it; `.save("matrix.png")`, `.svg` and `.html` need no browser. Right
            cells are blue and wrong ones orange; cells of a class without rows, whose share is
            0/0, are grey. Above 40 classes there is no text in the cells. A name that is cut has
            the whole as a tooltip.

        Raises
        ------
        InputError
            An unknown `normalize`, no class, or more than 200; a `title` or `width` that is none.
        ConfmatError
            Altair is not installed: `pip install 'confmat[plot]'`.

        Examples
        --------
        >>> import confmat as cm
        >>> m = cm.ConfusionMatrix([[90, 10], [20, 80]], labels=["cat", "dog"])
        >>> chart = m.plot()
        >>> chart.title.text
        'Confusion matrix'
        >>> chart.save("matrix.svg")  # doctest: +SKIP
        """
        return heat_map(self, normalize, title, width)

    def _repr_html_(self) -> str:
        return heatmap.html(self)


def read_matrix(data: bytes) -> ConfusionMatrix:
    """Return the matrix that `to_bytes` wrote; what unpickling calls."""
    return ConfusionMatrix.from_bytes(data)


def read_sparse(
    k: int, places: Any, values: Any, labels: tuple[Label, ...], *parts: Any
) -> ConfusionMatrix:
    """Return a matrix of sparse cells; what unpickling calls."""
    cells = checked(SparseCells(k, places, values), parts[0], len(labels))
    made = ConfusionMatrix._of(cells, labels, *parts[:-1])
    return made._about(parts[-1])


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
    if nulls not in ("drop", "raise"):
        raise InputError(f"`nulls` is {nulls!r}; wanted 'drop' or 'raise'")
    if other not in ("raise", "bucket"):
        raise InputError(f"`other` is {other!r}; wanted 'raise' or 'bucket'")
    alpha = checked_smoothing(smoothing)
    truth, declared, _ = label_column(y_true, "y_true")
    pred, also, _ = label_column(y_pred, "y_pred")
    weight = None if sample_weight is None else column(sample_weight, "sample_weight").data
    wanted = declared if declared == also else None
    if labels is not None:
        wanted = label_set(labels, most=MAX_CLASSES)
    found, counted, squares, rows, dropped, outside, outsider = _core.count(
        coded(truth), coded(pred), weight, wanted, 0
    )
    if dropped and nulls == "raise":
        columns = {"y_true": truth, "y_pred": pred}
        raise InputError(
            null_message(
                columns if weight is None else columns | {"sample_weight": weight}, dropped
            )
        )
    if outside and other == "raise":
        raise InputError(outsider_message(cast("tuple[str, int, str]", outsider), found))
    if wanted is None:
        refuse_identifiers(found, rows - dropped)
    cells = of_core(len(found), counted)
    cells, squares = smoothable(cells, squares, alpha)
    implied = labels is None and (wanted is not None or kind_of(found) == "bool")
    matrix = ConfusionMatrix._of(cells, found, squares, dropped, outside, alpha, implied)
    return matrix._about(positive_of(found, pos_label))


def positive_of(labels: list[Label], pos_label: Any) -> Label | None:
    """Return the positive class as the labels write it; None where it is the usual one.

    Raises
    ------
    InputError
        It is none of the labels.
    """
    if pos_label is None:
        return None
    wanted = one_label(pos_label, "pos_label")
    if not labels or positive_class.may_add(labels, wanted):
        return None
    return labels[position(labels, wanted, "pos_label")]


def refuse_identifiers(labels: list[Label], rows: int) -> None:
    """Refuse labels that nobody gave, are more than a table holds, and hardly recur."""
    if is_large(len(labels)) and len(labels) > rows // 2:
        raise InputError(
            f"{len(labels):,} labels in {rows:,} rows; are they identifiers? Of classes, give "
            'those that count as labels=, with other="bucket" for the rest'
        )


def outsider_message(outsider: tuple[str, int, str], labels: list[Label]) -> str:
    """Say which label, of which argument and row, is not among the labels."""
    argument, row, label = outsider
    bare = kind_of(labels) != "text" or label.startswith('"')
    name = label if bare else f"'{label}'"
    return (
        f"label {name} at row {row} of `{argument}` is not in labels {listing(labels)}; "
        'add it, or pass other="bucket" to leave such rows out and count them in n_other'
    )
