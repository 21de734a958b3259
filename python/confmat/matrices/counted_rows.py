"""The rows of a confusion matrix as they were counted, which is what tests are of."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.errors import InputError
from confmat.matrices.base import MatrixBase
from confmat.matrices.views import smooth
from confmat.significance.checks import Table


def whole_counts(state: MatrixBase) -> Table:
    """Return the cells of a matrix of counted rows, without smoothing.

    Raises
    ------
    InputError
        Weights, or cells that are not whole.
    """
    cells: Any = state.counts
    if state.weights_sq is not None or not _are_whole(cells):
        raise InputError(
            "the rows are weighted, and this test is of counts of rows; wanted a matrix that was "
            "counted without `sample_weight`"
        )
    whole: Table = cells.astype(np.int64)
    return whole


def as_counted(state: MatrixBase) -> MatrixBase:
    """Return the matrix without smoothing, whole cells as integers.

    Raises
    ------
    InputError
        Cells that are not whole, and no squared weights.
    """
    if state.smoothing:
        state = smooth(state, 0.0)
    if state._squares is not None or state._cells.dtype.kind == "i":
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


def _are_whole(cells: Any) -> bool:
    return cells.dtype.kind == "i" or not (cells % 1).any()
