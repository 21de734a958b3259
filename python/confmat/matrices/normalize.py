"""Rates from counts: division of a confusion matrix by its margins."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError
from confmat.matrices.cells import Cells

Normalization: TypeAlias = Literal["true", "pred", "all", "bistochastic"]


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
