"""What follows from a confusion matrix: smaller matrices, other scalings, costs."""

from __future__ import annotations

from typing import Any, TypeVar, overload

import numpy as np

from confmat import _core, positive_class
from confmat.errors import InputError
from confmat.intervals.interval import Interval
from confmat.intervals.levels import Side, checked_ci
from confmat.labels import Label, position
from confmat.matrices.base import MatrixBase
from confmat.matrices.class_costs import cell_costs, total_cost
from confmat.matrices.cost_interval import cost_interval
from confmat.matrices.sparse import (
    SparseCells,
    held,
    packed,
    smoothable,
)
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
    return state._of(scaled, state._labels, origin=state._origin)._about(state._positive)


def smooth(state: M, alpha: float) -> M:
    """Return the matrix with additive smoothing: metrics see every cell plus `alpha`.

    `counts` stay as counted. The new `alpha` takes the place of an earlier one; 0 removes it.
    A matrix of more than 11,585 classes is not smoothed: an InputError.
    """
    alpha = checked_smoothing(alpha)
    if not isinstance(state._cells, SparseCells):
        return state._around(state._state, alpha)
    cells, squares = smoothable(state._cells, state._squares, alpha)
    return state._of(
        cells,
        state._labels,
        squares,
        state.n_dropped,
        state.n_other,
        alpha,
        state._origin,
    )._about(state._positive)


@overload
def cost(state: MatrixBase, cost_matrix: Any, *, ci: None = ..., side: Side = ...) -> float: ...
@overload
def cost(state: MatrixBase, cost_matrix: Any, *, ci: float, side: Side = ...) -> Interval: ...
def cost(
    state: MatrixBase, cost_matrix: Any, *, ci: float | None = None, side: Side = "both"
) -> float | Interval:
    """Return the total cost, the sum over the cells of count times cost.

    Parameters
    ----------
    cost_matrix : array-like, shape (K, K)
        Rows true, columns predicted, in label order. Negative costs are gains.
    ci : float, optional
        The level of an interval, such as 0.95, of what as many other rows cost on average: each
        share of the rows that cost the same moves it as far as Wilson's interval reaches, and all
        together as far as shares of one sample do. After `at_prevalence` the rows of each class are
        a sample of their own.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is the least or the most
        that so many rows can cost.

    Returns
    -------
    float or Interval
        Over the raw counts: smoothing is not applied. With `ci` the value and its interval, nan
        where the squared weights are not known.

    Raises
    ------
    InputError
        Another shape, a cost that is not finite, a total beyond the range of floats, or more
        than 11,585 classes.

    References
    ----------
    Zou, Huo and Taleban (2009), https://doi.org/10.1002/env.919, for the interval.

    Examples
    --------
    >>> import confmat as cm
    >>> cm.ConfusionMatrix([[40, 3], [2, 69]]).cost([[0, 3], [5, 0]])
    19.0
    >>> print(cm.ConfusionMatrix([[40, 3], [2, 69]]).cost([[0, 3], [5, 0]], ci=0.95))
    19.0000 [9.7378, 48.7925] (mover)
    """
    level = checked_ci(ci, side)
    costs, products = cell_costs(state, cost_matrix)
    total = total_cost(products)
    return total if level is None else cost_interval(state, costs, total, level, side)


def _against_rest(cells: Any, at: int) -> Any:
    tp = cells[at, at]
    fn, fp = cells[at].sum() - tp, cells[:, at].sum() - tp
    if cells.dtype.kind == "f":  # no cancellation: add what is left instead
        fn, fp = np.delete(cells[at], at).sum(), np.delete(cells[:, at], at).sum()
    rest = np.delete(np.delete(cells, at, axis=0), at, axis=1)
    return np.array([[rest.sum(), fp], [fn, tp]], dtype=cells.dtype)
