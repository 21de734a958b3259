"""The loss of each row of scores of many classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.multiclass.counted_rows import CountedRows
from confmat.multiclass.inputs import Floats


def brier(rows: CountedRows) -> Floats:
    """Return the sum over classes of (p - [is true])² of each row."""
    total = np.zeros(rows.n)
    for true, column in _columns(rows):
        total += (column - true) ** 2
    return total


def log_loss(rows: CountedRows, clip: float) -> Floats:
    """Return -ln p of the true class of each row, p moved into [clip, 1 - clip]."""
    with np.errstate(divide="ignore"):
        logs: Floats = -np.log(np.clip(of_truth(rows), clip, 1 - clip))
    return logs


def ranked_probability(rows: CountedRows) -> Floats:
    """Return the mean over cuts between classes of (P(class before it) - [is before it])²."""
    before, true_before, total = np.zeros(rows.n), np.zeros(rows.n), np.zeros(rows.n)
    for true, column in [*_columns(rows)][:-1]:
        before += column
        true_before += true
        total += (before - true_before) ** 2
    return total / max(len(rows.columns) - 1, 1)


def hinge(rows: CountedRows) -> Floats:
    """Return by how much the score of the true class fails to be 1 above all others."""
    others = np.full(rows.n, -np.inf)
    for true, column in _columns(rows):
        np.maximum(others, column, out=others, where=~true)
    missing: Floats = np.maximum(1 - (of_truth(rows) - others), 0)
    return missing


def of_truth(rows: CountedRows) -> Floats:
    """Return the score of the true class of each row."""
    own = np.empty(rows.n)
    for true, column in _columns(rows):
        own[true] = column[true]
    return own


def _columns(rows: CountedRows) -> Iterator[tuple[npt.NDArray[np.bool_], npt.NDArray[Any]]]:
    for at, column in enumerate(rows.columns):
        yield rows.codes == at, column.astype(np.float64)
