"""How fast a standard error changes with its value, from how rows change the value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.intervals.levels import Floats
from confmat.own_errors import own_errors


@own_errors
def acceleration(changes: Any, counts: Any, strata: Any = None) -> Floats:
    """Return the acceleration of `bca`, by the infinitesimal jackknife over cells.

    Parameters
    ----------
    changes : array-like of shape (c,) or (c, m)
        By how much a row more in each of c cells changes the value: its derivative in the count.
    counts : array-like of shape (c,)
        Rows of each cell.
    strata : array-like of shape (c,), optional
        Whole numbers: cells of one stratum are drawn together, those of others apart. Default:
        all together.

    Returns
    -------
    ndarray
        Of shape () or (m,): a sixth of the skewness of the sum of the changes of all rows. 0 where
        no row changes the value; nan where a change of a cell with rows is nan.

    References
    ----------
    Efron (1987), https://doi.org/10.1080/01621459.1987.10478410, section 7;
    Davison and Hinkley (1997), https://doi.org/10.1017/CBO9780511802843, equation 5.24 for strata.

    Examples
    --------
    >>> from confmat.intervals.jackknife import acceleration
    >>> round(float(acceleration([1, 0], [90, 10])), 4)
    -0.0444
    """
    of_cells = np.asarray(changes, np.float64)
    shape = of_cells.shape[1:]
    of_cells = of_cells.reshape(len(of_cells), math.prod(shape))
    rows = np.asarray(counts, np.float64)
    if rows.shape != of_cells.shape[:1]:
        raise InputError(f"`counts` has shape {rows.shape} for {len(of_cells)} cells of `changes`")
    held = rows > 0
    of_cells, rows = of_cells[held], rows[held]
    groups = np.zeros(len(rows), np.int64) if strata is None else np.asarray(strata)[held]
    centred = of_cells.copy()
    for group in np.unique(groups):
        here = groups == group
        centred[here] -= rows[here] @ of_cells[here] / rows[here].sum()
    # Differences that are rounding alone are none.
    size = np.abs(of_cells).max(0, initial=0.0)
    centred[np.abs(centred) <= 1e-13 * size] = 0.0
    most = np.abs(centred).max(0, initial=0.0)
    parts = np.divide(centred, most, out=np.zeros_like(centred), where=most != 0)
    spread = (rows @ parts**2) ** 1.5
    third = rows @ parts**3
    rate: Floats = np.divide(third, 6 * spread, out=np.zeros_like(third), where=spread != 0)
    return np.where(np.isnan(most), np.nan, rate).reshape(shape)


def picked_rows(counts: Any, most: int = 400) -> tuple[npt.NDArray[np.intp], Floats]:
    """Return cells that stand for all rows, and for how many rows each stands.

    All cells that are not empty where these are at most `most`, else those of so many rows at equal
    steps through the cells.

    Examples
    --------
    >>> from confmat.intervals.jackknife import picked_rows
    >>> picked_rows([3, 0, 5])[0].tolist()
    [0, 2]
    >>> cells, rows = picked_rows([1] * 900, most=3)
    >>> cells.tolist(), rows.tolist()
    ([150, 450, 750], [300.0, 300.0, 300.0])
    """
    rows = np.asarray(counts, np.float64)
    filled = np.flatnonzero(rows > 0)
    if len(filled) <= most:
        return filled, rows[filled]
    until = np.cumsum(rows[filled])
    steps = (np.arange(most) + 0.5) * (until[-1] / most)
    cells, times = np.unique(np.searchsorted(until, steps, "right"), return_counts=True)
    return filled[cells], times * (until[-1] / most)
