"""The upper convex hull of a curve that never falls."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def upper_hull(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Return where the corners of the upper convex hull are; points in line with others are none.

    `x` and `y` are of shape (m,), not negative, and never fall. Exact for integers; O(m).
    """
    moved = (np.diff(x, prepend=-1) != 0) | (np.diff(y, prepend=-1) != 0)
    at = np.flatnonzero(moved)  # of equal points the first
    # Points that are not above the line from neighbour to neighbour go all at once, as long as
    # these are many; products of differences of large integers would overflow.
    while len(at) > 2 and _product_fits(x, y):
        dx, dy = np.diff(x[at]), np.diff(y[at])
        above = np.ones(len(at), dtype=np.bool_)
        above[1:-1] = dy[:-1] * dx[1:] > dy[1:] * dx[:-1]
        few = np.count_nonzero(above) > 0.9 * len(at)
        at = at[above]
        if few:
            break
    return at[_scanned(x[at].tolist(), y[at].tolist())]


def _scanned(x: list[Any], y: list[Any]) -> list[int]:
    """Return the corners by a scan that takes back points which a later one leaves below."""
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) > 1:
            a, b = kept[-2:]
            if (y[b] - y[a]) * (x[i] - x[b]) > (y[i] - y[b]) * (x[b] - x[a]):
                break
            kept.pop()
        kept.append(i)
    return kept


def _product_fits(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> bool:
    return x.dtype.kind == "f" or int(x[-1]) * int(y[-1]) < 2**62
