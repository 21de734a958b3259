"""What a matrix would be elsewhere: at other shares of classes, with other errors of labels."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from confmat import positive_class
from confmat.errors import InputError
from confmat.intervals.levels import Floats
from confmat.intervals.sample_size import checked_share
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.class_shares import class_shares
from confmat.matrices.sparse import SparseCells, full, margins, require_table
from confmat.options import check_choice

M = TypeVar("M", bound=MatrixBase)
_SLACK = 1e-9


def at_prevalence(state: M, prevalence: Any, pos_label: Label | None = None) -> M:
    """Return the matrix as it would be at other shares of the true classes.

    Each row of the matrix is scaled to its new share; the total stays. What happens to a row of
    a class does not change, so recall and specificity stay as they are; precision, accuracy, F1
    and all others follow.

    Parameters
    ----------
    prevalence : float, mapping or sequence
        The share of the positive class; of some classes by label, where the others share the
        rest as they do here; or of all in label order.
    pos_label : label, optional
        The class that a single number is of. Default: the positive one.

    Returns
    -------
    ConfusionMatrix
        Cells are sums of weights. The new shares are taken as known: intervals are of what the
        rows of each class say, however many of them there were (`class_sizes_known`).

    Raises
    ------
    InputError
        Shares outside [0, 1] or that do not add up to 1; a share of a class without rows.

    References
    ----------
    Mercaldo, Lau and Zhou (2007), https://doi.org/10.1002/sim.2677

    Examples
    --------
    A test with a sensitivity of 0.9 and a specificity of 0.95, tried on as many ill as healthy:

    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[190, 10], [20, 180]])
    >>> round(m.precision, 3), round(m.at_prevalence(0.01).precision, 3)
    (0.947, 0.154)
    >>> m.at_prevalence(0.01).recall
    0.9
    """
    cells = state._smoothed()
    support = margins(cells)[0].astype(np.float64)
    named = positive_class.named(list(state._labels), pos_label)
    positive = state._positive if named is None else named
    shares = class_shares(state._labels, positive, support, prevalence)
    empty = (shares > 0) & ~(support > 0)
    if empty.any():
        at = int(empty.argmax())
        raise InputError(
            f"`prevalence` of {state._labels[at]!r} is {shares[at]:g}, and no row is of that "
            "class: what would be predicted is not known"
        )
    wanted = shares * support.sum()
    factors = np.divide(wanted, support, out=np.zeros_like(wanted), where=support > 0)
    return scaled(state, cells, factors)._knowing_class_sizes()


def scaled(state: M, cells: Any, factors: Floats) -> M:
    """Return the matrix of these cells, each row multiplied by its factor, with squared weights."""
    squares = state._effective_squares()
    if isinstance(cells, SparseCells):
        of_cells = factors[cells.rows]
        new: Any = cells._replace(values=cells.values * of_cells)
    else:
        of_cells = factors[:, None]
        new = cells * of_cells
    squares = None if squares is None else squares * of_cells**2
    made = state._of(
        new, state._labels, squares, state.n_dropped, state.n_other, origin=state._origin
    )
    return made._about(state._positive)


def with_label_noise(state: M, noise: Any) -> M:
    """Return the matrix that is expected where the true labels are written down with errors.

    Which label is written depends on the true class alone, not on the prediction.

    Parameters
    ----------
    noise : float or array-like of shape (K, K)
        How often a class, a row, is written as each class, a column: rows add up to 1. Or the
        share of labels that are wrong, all wrong ones being equally likely.

    Returns
    -------
    ConfusionMatrix
        Rows are the labels as written. Cells are sums of weights. Intervals are of the expected
        matrix: the rows of `m` vary, the rates of errors are known, and what chance does to the
        labels of a few rows is not in them. They take the rows of `m`, so that they are wider after
        `to_bytes`, `+` or `smooth`, which keep the cells alone.

    Raises
    ------
    InputError
        Another shape, a probability outside [0, 1], rows that do not add up to 1.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[100, 0], [0, 100]])
    >>> m.with_label_noise([[0.9, 0.1], [0.2, 0.8]]).counts.tolist()
    [[90.0, 20.0], [10.0, 80.0]]
    """
    turned = _transition(state, noise).T
    cells = _table(state, state._smoothed())
    squares = state._effective_squares()
    if squares is not None:
        squares = turned @ _table(state, squares)
    return _like(state, turned @ cells, squares)._mixing(state, turned)


def without_label_noise(state: M, noise: Any, negative: str = "raise") -> M:
    """Return the matrix of the true labels, from one whose labels were written with known errors.

    The inverse of `with_label_noise`: unbiased, and less sure than the rows themselves.

    Parameters
    ----------
    noise : float or array-like of shape (K, K)
        As in `with_label_noise`.
    negative : {"raise", "zero"}, default "raise"
        Refuse a cell that comes out below 0, which no rows have, or set it to 0: the rows have
        fewer errors than `noise` says, by chance or for certain.

    Returns
    -------
    ConfusionMatrix
        Cells are sums of weights whose squares are not known. Intervals are by the rows of `m`, the
        rates of errors being known; there are none where cells were set to 0, or after `to_bytes`,
        `+` or `smooth`, which keep the cells alone.

    Raises
    ------
    InputError
        What `with_label_noise` refuses; errors that cannot be undone, as of classes that are
        written alike; a cell below 0.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[90, 20], [10, 80]])
    >>> m.without_label_noise([[0.9, 0.1], [0.2, 0.8]]).counts.round(9).tolist()
    [[100.0, 0.0], [0.0, 100.0]]
    """
    check_choice("negative", negative, "raise", "zero")
    turned = _transition(state, noise).T
    if np.linalg.cond(turned) > 1 / _SLACK:
        raise InputError("`noise` cannot be undone: some classes are written alike")
    inverse = np.linalg.inv(turned)
    cells = np.linalg.solve(turned, np.asarray(_table(state, state._smoothed()), np.float64))
    below = cells < 0
    if below.any():
        is_rounding = cells > -_SLACK * float(abs(cells).sum())
        if negative == "raise" and not is_rounding.all():
            i, j = (int(at) for at in np.argwhere(below & ~is_rounding)[0])
            true, predicted = state._labels[i], state._labels[j]
            raise InputError(
                f"`noise` is more than the rows hold: {cells[i, j]:.4g} rows would be of "
                f"{true!r} and predicted as {predicted!r}; negative='zero' sets such cells to 0"
            )
        cells = np.where(below, 0.0, cells)
    made = _like(state, cells, None)
    return made if below.any() and not is_rounding.all() else made._mixing(state, inverse)


def _transition(state: MatrixBase, noise: Any) -> Floats:
    """Return the probabilities of written classes, by true class."""
    k = len(state._labels)
    require_table(k, "`noise`", "wanted fewer classes, with labels= and other='bucket'")
    wanted = f"a number from 0 to 1, or {k} x {k} probabilities, rows true and adding up to 1"
    try:
        given = np.asarray(noise, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"`noise` is no array of numbers ({error}); wanted {wanted}") from None
    if not given.ndim:
        wrong = checked_share(noise, "noise", ends=True) / max(k - 1, 1)
        given = np.full((k, k), wrong) + np.eye(k) * (1 - wrong * k)
    if given.shape != (k, k):
        raise InputError(f"`noise` has shape {given.shape}; wanted {wanted}")
    bad = ~((given >= 0) & (given <= 1))
    if bad.any():
        i, j = (int(at) for at in np.argwhere(bad)[0])
        raise InputError(f"`noise` holds {given[i, j]} at [{i}, {j}]; wanted {wanted}")
    off = abs(given.sum(1) - 1) > _SLACK
    if off.any():
        at = int(off.argmax())
        raise InputError(f"`noise` has row {at}, which adds up to {given[at].sum():g}; {wanted}")
    return given


def _table(state: MatrixBase, values: Any) -> Any:
    if isinstance(values, SparseCells):
        return full(values, values.values)
    return full(state._cells, values)


def _like(state: M, cells: Any, squares: Any) -> M:
    made = state._of(
        np.ascontiguousarray(cells, dtype=np.float64),
        state._labels,
        None if squares is None else np.ascontiguousarray(squares),
        state.n_dropped,
        state.n_other,
        origin=state._origin,
    )
    return made._about(state._positive)
