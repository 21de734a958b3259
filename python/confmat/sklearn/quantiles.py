"""Quantiles of weighted numbers, as scikit-learn defines them: the mean of two where they meet."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[Any]


def weighted_quantile(values: Column, weight: Column | None, rank: float) -> float:
    """Return the number that `rank` percent of the weight lies at or below.

    Where just so much weight does, the mean of that number and the next one that has weight.
    """
    kind = values.dtype if values.dtype.kind == "f" else np.dtype(np.float64)
    share = kind.type(rank) / 100
    if weight is None:
        return _of_rows(values.astype(kind), share)
    order = np.argsort(values)
    reached = np.cumsum(weight[order].astype(kind, copy=False))
    wanted = share * reached[-1]
    if wanted == 0:
        wanted = np.nextafter(wanted, wanted + 1)
    last = len(values) - 1
    at = min(int(np.searchsorted(reached, wanted)), last)
    found = values[order[at]]
    if reached[at] - wanted > np.finfo(kind).eps:
        return float(found)
    after = min(at + 1, last)
    if weight[order[after]] == 0:
        after = int(np.searchsorted(reached, reached[at], side="right"))
        after = at if after > last else after
    return float((found + values[order[after]]) / 2)


def _of_rows(values: Column, share: Any) -> float:
    """Return the quantile of rows that all weigh 1. Puts them into another order."""
    n = len(values)
    wanted = share * values.dtype.type(n)
    at = min(max(int(np.ceil(wanted)) - 1, 0), n - 1)
    if at + 1 - wanted > np.finfo(values.dtype).eps or at == n - 1:
        values.partition(at)
        return float(values[at])
    values.partition([at, at + 1])
    return float((values[at] + values[at + 1]) / 2)
