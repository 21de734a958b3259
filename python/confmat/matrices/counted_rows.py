"""The rows of a confusion matrix as they were counted, which is what tests are of."""

from __future__ import annotations

import numpy as np

from confmat.errors import InputError
from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import held, margins
from confmat.matrices.views import smooth
from confmat.significance.checks import Table


def whole_counts(state: MatrixBase) -> Table:
    """Return the cells of a matrix of counted rows, without smoothing.

    Raises
    ------
    InputError
        Weights, or cells that are not whole; very many classes.
    """
    _refuse_weights(state)
    whole: Table = state.counts.astype(np.int64)
    return whole


def whole_margins(state: MatrixBase) -> tuple[Table, int]:
    """Return the rows of each true class, and how many rows are right; refuse weights."""
    _refuse_weights(state)
    rows, _, right = margins(state._cells)
    return rows.astype(np.int64), int(right.sum())


def as_counted(state: MatrixBase) -> MatrixBase:
    """Return the matrix without smoothing, whole cells as integers.

    Raises
    ------
    InputError
        Cells that are not whole, and no squared weights.
    """
    if state.smoothing:
        state = smooth(state, 0.0)
    is_known = state._squares is not None or state._mixed is not None
    if is_known or state._cells.dtype.kind == "i":
        return state
    made = state._of(
        whole_counts(state),
        state._labels,
        None,
        state.n_dropped,
        state.n_other,
        0.0,
        state._origin,
    )
    return made._about(state._positive)


def _refuse_weights(state: MatrixBase) -> None:
    cells = held(state._cells)
    if state._squares is not None or (cells.dtype.kind == "f" and (cells % 1).any()):
        raise InputError(
            "the rows are weighted, and this test is of counts of rows; wanted a matrix that was "
            "counted without `sample_weight`"
        )
