"""Rates from counts: division of a confusion matrix by its margins."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast, get_args

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError
from confmat.matrices.base import MatrixBase
from confmat.matrices.cells import Cells
from confmat.matrices.sparse import SparseCells, require_table

Normalization: TypeAlias = Literal["true", "pred", "all", "bistochastic"]


def normalize(
    state: MatrixBase, by: Normalization = "true", fill: float | None = None
) -> npt.NDArray[np.float64]:
    """Return the cells as shares.

    Parameters
    ----------
    by : {"true", "pred", "all", "bistochastic"}, default "true"
        Rows sum to 1 (recall on the diagonal), columns sum to 1 (precision on the diagonal),
        the whole sums to 1, or rows and columns both (iterative proportional fitting).
    fill : float, optional
        The value for cells of an empty row or column, which are 0/0. Default: nan.

    Returns
    -------
    ndarray of float64, shape (K, K)
        Shares in [0, 1].

    Raises
    ------
    InputError
        An unknown `by`; "bistochastic" of a table with zeros that forbid it, or whose cells lie
        too far apart; more than 11,585 classes.

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


def rates(cells: Cells, by: Normalization, fill: float | None = None) -> npt.NDArray[np.float64]:
    """Return the cells as shares, shape (K, K); nan for 0/0, or `fill` in its place."""
    if by not in get_args(Normalization):
        wanted = ", ".join(map(repr, get_args(Normalization)))
        raise InputError(f"`by` is {by!r}; wanted one of {wanted}")
    if by == "bistochastic":
        shares = np.array(_core.bistochastic(cells))
    else:
        if by == "true":
            total = cells.sum(axis=1, keepdims=True)
        elif by == "pred":
            total = cells.sum(axis=0, keepdims=True)
        else:
            total = cells.sum(keepdims=True)
        shares = np.full(cells.shape, np.nan)
        np.divide(cells, total, out=shares, where=total > 0)
    if fill is not None:
        shares[np.isnan(shares)] = fill
    return shares
