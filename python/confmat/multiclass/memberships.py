"""Rows that belong to classes by shares: how much of each, and their soft matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import InputError, Row
from confmat.multiclass.inputs import Floats, agree, read_table
from confmat.multiclass.state import MulticlassState
from confmat.scores.clipping import clip_of

_NAME = "memberships"


def membership_cells(state: MulticlassState, memberships: Any) -> Floats:
    """Return the cells whose row i sums up the probabilities of all rows by their share of i.

    Raises
    ------
    InputError
        Another shape, or what is no row of shares.
    """
    shares = _shares(state, memberships)
    used = state._codes < len(state._labels)
    clip, cells = clip_of(state._score_type), []
    for at, share in enumerate(shares):
        rows = np.flatnonzero(used & (share > 0))  # most often few
        weights = share[rows] if state._weights is None else share[rows] * state._weights[rows]
        columns = [np.asarray(column)[rows] for column in state._columns]
        codes = np.full(len(rows), at, np.uint16)
        sums = _core.probability_sums(columns, codes, weights, state._tolerance, clip, True, 0)
        cells.append(sums["soft"][at])
    return np.stack(cells)


def _shares(state: MulticlassState, memberships: Any) -> Floats:
    table = read_table(memberships, _NAME)
    n, k = len(state._codes), len(state._labels)
    if table.rows != n:
        raise InputError(f"`{_NAME}` has {table.rows} rows, and `scores` {n}")
    if len(table.columns) != k:
        raise InputError(f"`{_NAME}` has {len(table.columns)} columns, and `scores` {k}")
    agree(table.names, state._labels, _NAME)
    shares = np.stack([column.astype(np.float64, copy=False) for column in table.columns], axis=1)
    _check(shares, state._codes < k, state._tolerance)
    rows: Floats = shares.T
    return rows


def _check(shares: Floats, used: npt.NDArray[np.bool_], tolerance: float) -> None:
    bad = used[:, None] & ~((shares >= 0) & (shares <= 1))
    if bad.any():
        row, at = (int(i) for i in np.argwhere(bad)[0])
        raise InputError(
            f"`{_NAME}` holds {shares[row, at]} ",
            Row(row),
            f" of column {at}; wanted shares, from 0 to 1",
        )
    total = shares.sum(axis=1)
    off = used & ~(np.abs(total - 1) <= tolerance)
    if off.any():
        row = int(off.argmax())
        raise InputError(
            f"`{_NAME}` has the sum {total[row]:.6g} ", Row(row), f"; wanted 1 within {tolerance:g}"
        )
