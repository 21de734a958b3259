"""Data made from a seed, and what the metrics of it are, by formulas written down here once more.

The formulas are the textbook ones over an array of cells (..., K, K), without confmat.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Cells = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_CHUNK = 10_000_000
_RIGHT_OF_16 = 13  # about four rows in five are predicted right
_TRUE_OF_10 = 3


def labels(rows: int, k: int, dtype: npt.DTypeLike, seed: int = 7) -> tuple[Any, Any]:
    """Return true and predicted classes 0..k-1; the same values for every dtype."""
    rng = np.random.default_rng(seed)
    truth = np.empty(rows, dtype=dtype)
    pred = np.empty(rows, dtype=dtype)
    for start in range(0, rows, _CHUNK):
        stop = min(start + _CHUNK, rows)
        y = rng.integers(0, k, stop - start, dtype=np.uint8 if k <= 256 else np.uint16)
        p = rng.integers(0, k, stop - start, dtype=y.dtype)
        right = rng.integers(0, 16, stop - start, dtype=np.uint8) < _RIGHT_OF_16
        np.copyto(p, y, where=right)
        truth[start:stop], pred[start:stop] = y, p
    return truth, pred


def scored(rows: int, seed: int = 13) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float32]]:
    """Return labels, three in ten true, and scores: multiples of 2**-24 in [0, 1)."""
    rng = np.random.default_rng(seed)
    truth = np.empty(rows, dtype=np.bool_)
    score = np.empty(rows, dtype=np.float32)
    for start in range(0, rows, _CHUNK):
        stop = min(start + _CHUNK, rows)
        truth[start:stop] = rng.integers(0, 10, stop - start, dtype=np.uint8) < _TRUE_OF_10
        score[start:stop] = rng.random(stop - start, dtype=np.float32)
    return truth, score


def logistic(
    rows: int, mean: float, spread: float, seed: int = 17
) -> tuple[npt.NDArray[np.bool_], Floats]:
    """Return labels drawn from probabilities, and these: 1 / (1 + exp(-x)) of normal x."""
    rng = np.random.default_rng(seed)
    p = 1 / (1 + np.exp(-rng.normal(mean, spread, rows)))
    return rng.random(rows) < p, p


def segments(rows: int, groups: int, seed: int = 11) -> npt.NDArray[np.int32]:
    """Return the group of every row, in no order."""
    return np.random.default_rng(seed).integers(0, groups, rows, dtype=np.int32)


def cells_of(y: Any, p: Any, k: int, group: Any = None, groups: int = 1) -> Cells:
    """Count with `np.bincount`, a chunk at a time: (groups, k, k)."""
    cells = np.zeros(groups * k * k, dtype=np.int64)
    for start in range(0, len(y), _CHUNK):
        part = slice(start, start + _CHUNK)
        code = y[part].astype(np.int64) * k + p[part]
        if group is not None:
            code += group[part].astype(np.int64) * (k * k)
        cells += np.bincount(code, minlength=len(cells))
    return cells.reshape(groups, k, k)


def accuracy(cells: Cells) -> Floats:
    return _ratio(_diagonal(cells).sum(-1), cells.sum((-2, -1)))


def balanced_accuracy(cells: Cells) -> Floats:
    return np.asarray(np.nanmean(_ratio(_diagonal(cells), cells.sum(-1)), axis=-1))


def f1_macro(cells: Cells) -> Floats:
    f1 = _ratio(2 * _diagonal(cells), cells.sum(-1) + cells.sum(-2))
    return np.asarray(np.nanmean(f1, axis=-1))


def mcc(cells: Cells) -> Floats:
    """Gorodkin's R_K."""
    n, right = cells.sum((-2, -1)), _diagonal(cells).sum(-1)
    true, pred = cells.sum(-1), cells.sum(-2)
    both = np.float64(1) * n * right - (np.float64(1) * true * pred).sum(-1)
    spread = [n**2.0 - (side**2.0).sum(-1) for side in (true, pred)]
    return _ratio(both, np.sqrt(spread[0]) * np.sqrt(spread[1]))


def _diagonal(cells: Cells) -> Cells:
    return np.diagonal(cells, axis1=-2, axis2=-1)


def _ratio(above: npt.NDArray[Any], below: npt.NDArray[Any]) -> Floats:
    result: Floats = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=result, where=below != 0)
    return result


FORMULAS = {
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
    "f1_macro": f1_macro,
    "mcc": mcc,
}
