"""What follows from a confusion matrix: smaller matrices, other scalings, tables, costs."""

from __future__ import annotations

import math
from typing import Any, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat import _core, positive_class
from confmat.costs import checked_costs
from confmat.errors import InputError
from confmat.labels import Label, position
from confmat.matrices.base import MatrixBase
from confmat.matrices.cells import Cells
from confmat.matrices.normalize import Normalization, rates
from confmat.matrices.sparse import SparseCells, held, is_large, packed, require_table, smoothable
from confmat.matrices.top_confusions import leading
from confmat.options import checked_smoothing

M = TypeVar("M", bound=MatrixBase)


def one_vs_rest(state: M, label: Label) -> M:
    """Return the 2 x 2 matrix of one class against all others.

    Parameters
    ----------
    label : label
        The class that becomes positive.

    Returns
    -------
    ConfusionMatrix
        Labels (False, True), negative first: [[tn, fp], [fn, tp]], True being `label`.

    Raises
    ------
    InputError
        `label` is not in the matrix.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[20, 6, 0], [2, 20, 0], [12, 12, 8]], labels=["a", "b", "c"])
    >>> m.one_vs_rest("b").counts.tolist()
    [[40, 18], [2, 20]]
    """
    at = position(state._labels, label, "label")
    if isinstance(state._cells, SparseCells):
        cells = state._cells.against_rest(state._cells.values, at)
        squares = None
        if state._squares is not None:
            squares = state._cells.against_rest(state._squares, at)
    else:
        squares = None if state._squares is None else _against_rest(state._squares, at)
        cells = _against_rest(state._smoothed(), at)
    return state._of(cells, (False, True), squares, state.n_dropped, state.n_other)


def one_vs_one(state: M, a: Label, b: Label) -> M:
    """Return the 2 x 2 matrix of the rows of class `a` or `b` predicted as `a` or `b`.

    Parameters
    ----------
    a, b : label
        Two different classes; they stay the labels. `b` becomes positive, unless the matrix
        has a positive class that is one of them.

    Returns
    -------
    ConfusionMatrix
        Rows of other classes are added to `n_other`. With weights it is not known how many
        rows they are, and `n_other` stays.

    Raises
    ------
    InputError
        A label is not in the matrix, or the two are the same.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[20, 6, 0], [2, 20, 0], [12, 12, 8]], labels=["a", "b", "c"])
    >>> m.one_vs_one("a", "c").counts.tolist()
    [[20, 0], [12, 8]]
    """
    i, j = position(state._labels, a, "a"), position(state._labels, b, "b")
    if i == j:
        raise InputError(f"`a` and `b` are both {a!r}; wanted two classes")
    if isinstance(state._cells, SparseCells):
        cells = state._cells.of_pair(state._cells.values, i, j)
        squares = state._squares
        squares = None if squares is None else state._cells.of_pair(squares, i, j)
    else:
        pick = np.ix_([i, j], [i, j])
        squares = None if state._squares is None else state._squares[pick]
        cells = state._cells[pick]
    weighted = squares is not None or cells.dtype.kind != "i"
    others = 0 if weighted else int(state.n) - int(cells.sum())
    made = state._of(
        cells,
        (state._labels[i], state._labels[j]),
        squares,
        state.n_dropped,
        state.n_other + others,
        state.smoothing,
    )
    if state._positive in made._labels:
        return made._about(state._positive)
    return made if positive_class.are_usual(made._labels) else made._about(state._labels[j])


def pair_counts(state: M) -> M:
    """Return the 2 x 2 matrix over pairs of rows, as for comparing two clusterings.

    Returns
    -------
    ConfusionMatrix
        Labels (False, True), negative first; True: the two rows are in the same class, by
        truth (rows) and by prediction (columns). The total is n (n - 1) / 2. Smoothing is not
        applied.

    Raises
    ------
    InputError
        The cells are not whole numbers.

    Examples
    --------
    >>> import confmat as cm
    >>> cm.ConfusionMatrix([[2, 0], [1, 1]]).pair_counts().counts.tolist()
    [[2, 2], [1, 1]]
    """
    cells = held(state._cells)
    whole = cells.astype(np.int64)
    if (whole != cells).any():
        raise InputError("pair_counts needs whole counts; this matrix holds float weights")
    if isinstance(state._cells, SparseCells):
        whole = state._cells._replace(values=whole)
    tp, fn, fp, tn = _core.pair_counts(whole).tolist()
    return state._of(np.array([[tn, fp], [fn, tp]], dtype=np.int64), (False, True))


def balanced(state: M) -> M:
    """Return the matrix scaled by the square roots of the class sizes.

    C'[i, j] = C[i, j] sqrt(r[j] / r[i]), r the row sums; any metric can be asked of it.
    """
    scaled: Any = _core.balanced(state._smoothed())
    if isinstance(state._cells, SparseCells):
        # The cells of a predicted class that is never true are 0 now.
        scaled, _ = packed(state._cells.k, state._cells.places, scaled, None)
    return state._of(scaled, state._labels, implied=state._implied)._about(state._positive)


def smooth(state: M, alpha: float) -> M:
    """Return the matrix with additive smoothing: metrics see every cell plus `alpha`.

    `counts` stay as counted. The new `alpha` takes the place of an earlier one; 0 removes it.
    A matrix of more than 11,585 classes is not smoothed: an InputError.
    """
    alpha = checked_smoothing(alpha)
    cells, squares = smoothable(state._cells, state._squares, alpha)
    return state._of(
        cells, state._labels, squares, state.n_dropped, state.n_other, alpha, state._implied
    )._about(state._positive)


def normalize(
    state: MatrixBase, by: Normalization = "true", fill: float | None = None
) -> npt.NDArray[np.float64]:
    """Return the cells as shares.

    Parameters
    ----------
    by : {"true", "pred", "all", "bistochastic"}, default "true"
        Rows sum to 1 (recall on the diagonal), columns sum to 1 (precision on the diagonal),
        the whole sums to 1, or rows and columns both (Sinkhorn scaling).
    fill : float, optional
        The value for cells of an empty row or column, which are 0/0. Default: nan.

    Returns
    -------
    ndarray of float64, shape (K, K)
        Shares in [0, 1].

    Raises
    ------
    InputError
        An unknown `by`, "bistochastic" of a table with too many zeros to be scaled, or more
        than 11,585 classes.

    Examples
    --------
    >>> import confmat as cm
    >>> cm.ConfusionMatrix([[8, 2], [0, 0]]).normalize("true")
    array([[0.8, 0.2],
           [nan, nan]])
    """
    if isinstance(state._cells, SparseCells):
        require_table(
            len(state._labels),
            "normalize()",
            "m.to_polars() gives the cells that are not 0, and m.per_class() recall, precision "
            "and support",
        )
        return rates(state.counts, by, fill)
    return rates(cast("Cells", state._smoothed()), by, fill)


def top_confusions(
    state: MatrixBase, n: int | None = 10, by: Literal["count", "rate"] = "count"
) -> pl.DataFrame:
    """Return the most frequent mistakes.

    Parameters
    ----------
    n : int or None, default 10
        At most so many rows; None for all.
    by : {"count", "rate"}, default "count"
        What to sort by, descending; ties in label order.

    Returns
    -------
    polars.DataFrame
        Columns `true`, `pred`, `count` and `rate`, the share of the true class. Cells that
        are zero are left out.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[50, 0, 0], [0, 35, 15], [0, 7, 43]])
    >>> m.top_confusions(1).rows()
    [(1, 2, 15, 0.3)]
    """
    if by not in ("count", "rate"):
        raise InputError(f"`by` is {by!r}; wanted 'count' or 'rate'")
    if n is not None and (isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0):
        raise InputError(f"`n` is {n!r}; wanted a number of rows, at least 0")
    most = len(state._labels) ** 2 if n is None else int(n)
    found = leading(state._cells, most, by)
    return _long(state, found.true, found.pred).with_columns(
        count=pl.Series(found.counts), rate=pl.Series(found.rates)
    )


def cost(state: MatrixBase, cost_matrix: Any) -> float:
    """Return the total cost, the sum over the cells of count times cost.

    Parameters
    ----------
    cost_matrix : array-like, shape (K, K)
        Rows true, columns predicted, in label order. Negative costs are gains.

    Returns
    -------
    float
        Over the raw counts: smoothing is not applied.

    Raises
    ------
    InputError
        Another shape, a cost that is not finite, a total beyond the range of floats, or more
        than 11,585 classes.

    Examples
    --------
    >>> import confmat as cm
    >>> cm.ConfusionMatrix([[40, 3], [2, 69]]).cost([[0, 3], [5, 0]])
    19.0
    """
    if isinstance(state._cells, SparseCells):
        require_table(
            len(state._labels),
            "`cost_matrix`",
            "m.to_polars() gives the cells that are not 0, to be joined with their costs",
        )
    costs = checked_costs(cost_matrix, len(state._labels))
    with np.errstate(over="ignore"):
        products = state.counts * costs
    total = _core.exact_sum(products)
    if not math.isfinite(total):
        raise InputError("`cost_matrix`: the cost of all rows is beyond the range of floats")
    return total


def to_polars(state: MatrixBase) -> pl.DataFrame:
    """Return the counts as a long frame: columns `true`, `pred`, `count`, K² rows.

    Of a matrix of more than 11,585 classes only the cells that are not 0.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[8, 2], [1, 9]], labels=["cat", "dog"])
    >>> m.to_polars().rows()[1]
    ('cat', 'dog', 2)
    >>> cm.ConfusionMatrix(m.to_polars()) == m
    True
    """
    if isinstance(state._cells, SparseCells) and is_large(state._cells.k):
        return _long(state, state._cells.rows, state._cells.columns).with_columns(
            count=pl.Series(state._cells.values)
        )
    k = len(state._labels)
    each = np.arange(k, dtype=np.uint32)
    return _long(state, np.repeat(each, k), np.tile(each, k)).with_columns(
        count=pl.Series(state.counts.ravel())
    )


def _long(state: MatrixBase, true: npt.NDArray[Any], pred: npt.NDArray[Any]) -> pl.DataFrame:
    labels = pl.Series(list(state._labels))
    sides = {"true": pl.Series(true), "pred": pl.Series(pred)}
    return pl.DataFrame({name: labels.gather(at) for name, at in sides.items()})


def _against_rest(cells: Any, at: int) -> Any:
    tp = cells[at, at]
    fn, fp = cells[at].sum() - tp, cells[:, at].sum() - tp
    if cells.dtype.kind == "f":  # no cancellation: add what is left instead
        fn, fp = np.delete(cells[at], at).sum(), np.delete(cells[:, at], at).sum()
    rest = np.delete(np.delete(cells, at, axis=0), at, axis=1)
    return np.array([[rest.sum(), fp], [fn, tp]], dtype=cells.dtype)
