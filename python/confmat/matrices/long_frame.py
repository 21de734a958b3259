"""Cells of a confusion matrix as a long frame, one row a cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.matrices.base import MatrixBase
from confmat.matrices.sparse import SparseCells, is_large


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
        return long_frame(state, state._cells.rows, state._cells.columns).with_columns(
            count=pl.Series(state._cells.values)
        )
    k = len(state._labels)
    each = np.arange(k, dtype=np.uint32)
    return long_frame(state, np.repeat(each, k), np.tile(each, k)).with_columns(
        count=pl.Series(state.counts.ravel())
    )


def long_frame(state: MatrixBase, true: npt.NDArray[Any], pred: npt.NDArray[Any]) -> pl.DataFrame:
    """Return the names of the classes of some cells, by their positions: columns `true`, `pred`."""
    labels = pl.Series(list(state._labels))
    sides = {"true": pl.Series(true), "pred": pl.Series(pred)}
    return pl.DataFrame({name: labels.gather(at) for name, at in sides.items()})
