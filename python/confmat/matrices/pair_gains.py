"""Which pair of classes costs a metric most: its value were the two never taken for each other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from confmat.matrices.base import MatrixBase
from confmat.matrices.long_frame import long_frame
from confmat.matrices.sparse import SparseCells, full

MOST_CLASSES = 1_000
_SHOWN = 10
# Pairs that are tried, those of the most errors first: the fewer the more classes, of which a
# determinant takes the cube.
_FEWEST, _MOST, _OF_ALL = 5, 200, 6_000


def pair_gains(
    state: MatrixBase, value: Callable[[MatrixBase], float], before: float, better: str
) -> pl.DataFrame:
    """Return the pairs of classes whose errors cost most of a metric, the most first."""
    k = len(state._labels)
    nothing = np.zeros(0, np.intp)
    one = other = nothing
    if k <= MOST_CLASSES:
        held = state._cells
        cells = full(held, held.values) if isinstance(held, SparseCells) else held
        errors = np.triu(cells + cells.T, 1)
        tried = max(_FEWEST, min(_MOST, _OF_ALL // max(k, 1)))
        order = np.argsort(-errors, axis=None, kind="stable")[:tried]
        one, other = np.unravel_index(order, errors.shape)
        wrong = errors[one, other] > 0
        one, other = one[wrong], other[wrong]
    values = []
    for i, j in zip(one, other, strict=True):
        right = cells.copy()
        right[i, i] += right[i, j]
        right[j, j] += right[j, i]
        right[i, j] = right[j, i] = 0
        values.append(value(state._with(right, None)._about(state._positive)))
    numbers = np.array(values, np.float64)
    with np.errstate(invalid="ignore"):  # both may be infinite
        gains = before - numbers if better == "lower" else numbers - before
    frame = long_frame(state, one, other).rename({"true": "one", "pred": "other"})
    frame = frame.with_columns(
        errors=pl.Series(errors[one, other] if len(one) else nothing),
        value=pl.Series(numbers, nan_to_null=True),
        gain=pl.Series(gains, nan_to_null=True),
    )
    by = pl.col("gain") if better != "neither" else pl.col("gain").abs()
    return frame.sort(by, descending=True, nulls_last=True, maintain_order=True).head(_SHOWN)
