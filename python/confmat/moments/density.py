"""How true and predicted numbers lie together: cells of a grid, calibration by prediction."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.intervals.levels import Floats, z_of
from confmat.intervals.student import t_quantile
from confmat.moments.names import DENSITY

if TYPE_CHECKING:
    from confmat.moments.state import MomentState

_MOST = 1_000  # bins


def density(state: MomentState) -> pl.DataFrame:
    """Return how many rows lie in each cell of a grid over true and predicted numbers.

    Returns
    -------
    polars.DataFrame
        One row a cell that is not empty: `true_lo`, `true_hi`, `predicted_lo`, `predicted_hi`, in
        the unit of the numbers, and `n`, rows or the sum of their weights. A number on an edge is
        in the cell that begins there. Where the pairs that differ are 4,096 or fewer, each is a
        cell without a width; beyond some 2^53 sides from 0 a width is rounded.

    Raises
    ------
    InputError
        Cells were not kept: `metrics` of `cm.regression` names "density".

    Notes
    -----
    Cells are squares whose side is a power of two, the least that leaves at most 4,096 of them with
    rows. That follows from the rows alone: any parts, in any order, add up to the same cells. But
    a difference (`-`) keeps cells as large as those of what rows were taken from.

    Examples
    --------
    >>> import confmat as cm
    >>> r = cm.regression([3.0, -0.5, 2.0, 2.0], [2.5, 0.0, 2.0, 2.0], metrics="density")
    >>> r.density()["true_lo", "predicted_lo", "n"].rows()
    [(-0.5, 0.0, 1), (2.0, 2.0, 2), (3.0, 2.5, 1)]
    """
    truth, prediction, side, weight = cells(state)
    return pl.DataFrame(
        {
            "true_lo": truth,
            "true_hi": truth + side,
            "predicted_lo": prediction,
            "predicted_hi": prediction + side,
            "n": weight if state._state.has_weights else weight.astype(np.int64),
        }
    )


def calibration(state: MomentState, bins: int = 10, *, level: float = 0.95) -> pl.DataFrame:
    """Return the mean true number of rows by their prediction: whether it may be taken as it is.

    Parameters
    ----------
    bins : int, default 10
        Groups of neighbouring predictions that are to have as many rows each: deciles. A column of
        cells is not torn apart, so that they may be fewer.
    level : float, default 0.95
        Of the interval.

    Returns
    -------
    polars.DataFrame
        One row a group: `lo` and `hi`, the ends of its predictions, `n`, `mean_predicted`,
        `mean_true`, both exact but for rounding, `ci_low` and `ci_high`, the interval of the mean
        true number by Student's t (null of fewer than two rows).

    Raises
    ------
    InputError
        Cells were not kept: `metrics` of `cm.regression` names "density"; bad bins, a bad level.

    Notes
    -----
    How far true numbers lie from their mean, which the interval needs, is that of the middles of
    their cells (see `density`), and at least that of numbers anywhere in one cell.

    Examples
    --------
    >>> import confmat as cm
    >>> r = cm.regression([1.0, 2.0, 6.0, 9.0], [1.0, 3.0, 6.0, 7.0], metrics="density")
    >>> r.calibration(bins=2)["lo", "hi", "n", "mean_predicted", "mean_true"].rows()
    [(1.0, 3.0, 2, 2.0, 1.5), (6.0, 7.0, 2, 6.5, 7.5)]
    """
    if isinstance(bins, bool) or not isinstance(bins, int) or not 1 <= bins <= _MOST:
        raise InputError(f"`bins` is {bins!r}; wanted a number from 1 to {_MOST:,}")
    z = z_of(level, "both")
    truth, prediction, side, weight = cells(state)
    columns, at = np.unique(prediction, return_inverse=True)
    n = np.bincount(at, weight, len(columns))
    sums = [np.array(one) for one in state._state.density_columns()]
    if not side:
        sums = [np.bincount(at, weight * one, len(columns)) for one in (truth, prediction)]
    below = np.cumsum(n)
    total = float(n.sum())
    # The group of a column is that of the middle of its rows.
    group = np.minimum(((below - n / 2) / (total or 1.0) * bins).astype(np.int64), bins - 1)
    each = state._spread().n / total if total else 1.0  # rows that a unit of weight is worth
    found = []
    for one in np.unique(group):
        mine = group == one
        rows = float(n[mine].sum())
        mean, predicted = (float(of[mine].sum()) / rows for of in sums)
        inside = mine[at]
        reach = _reach(truth[inside], weight[inside], side, rows * each, z)
        ends = (None, None) if reach is None else (mean - reach, mean + reach)
        edges = float(columns[mine][0]), float(columns[mine][-1] + side)
        predicted = min(max(predicted, edges[0]), edges[1])  # but for rounding it is within
        found.append((*edges, rows, predicted, mean, *ends))
    names = ["lo", "hi", "n", "mean_predicted", "mean_true", "ci_low", "ci_high"]
    table = pl.DataFrame(found, schema=dict.fromkeys(names, pl.Float64), orient="row")
    whole = pl.Float64 if state._state.has_weights else pl.Int64
    return table.with_columns(pl.col("n").cast(whole))


def cells(state: MomentState) -> tuple[Floats, Floats, float, Floats]:
    """Return the lower corners of cells, true and predicted, how wide they are, their weights."""
    if not state.holds(DENSITY):
        raise InputError(
            "cells of true and predicted numbers were not kept; name them when rows are read, as "
            f'in cm.regression(y, p, metrics=["{DENSITY}"])'
        )
    truth, prediction, side, weight = state._state.density_cells()
    return np.array(truth), np.array(prediction), side, np.array(weight)


def main_range(cells: pl.DataFrame) -> tuple[float, float]:
    """Return from where to where numbers lie, but for a thousandth of the rows on each side."""
    found = []
    for one in ("true", "predicted"):
        side = cells.sort(f"{one}_lo")
        below = np.cumsum(side["n"].to_numpy())
        if not below.size:
            return 0.0, 1.0
        at = np.searchsorted(below, below[-1] * np.array([0.001, 0.999]))
        first, last = (int(min(i, below.size - 1)) for i in at)
        found.append((side[f"{one}_lo"][first], side[f"{one}_hi"][last]))
    return min(low for low, _ in found), max(high for _, high in found)


def _reach(truth: Floats, weight: Floats, side: float, n: float, z: float) -> float | None:
    """Return how far the interval of a mean reaches, of so many rows in these cells."""
    if not n >= 2:
        return None
    total = float(weight.sum())
    off = truth - float(weight @ truth) / total
    variance = max(float(weight @ off**2) / total, side**2 / 12)
    return t_quantile(z, n - 1) * math.sqrt(variance / (n - 1))
