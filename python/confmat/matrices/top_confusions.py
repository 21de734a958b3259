"""The most frequent mistakes: the largest cells off the diagonal, found block by block of rows."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError
from confmat.intervals.levels import Floats
from confmat.matrices.base import MatrixBase
from confmat.matrices.cells import Cells
from confmat.matrices.class_costs import cell_costs, total_cost
from confmat.matrices.long_frame import long_frame
from confmat.matrices.normalize import rates
from confmat.matrices.sparse import AnyCells, SparseCells

_CELLS_AT_ONCE = 1 << 18


class Confused(NamedTuple):
    """Cells: where they are, what they hold, and their shares of their rows."""

    true: npt.NDArray[np.intp]
    pred: npt.NDArray[np.intp]
    counts: npt.NDArray[Any]
    rates: npt.NDArray[np.float64]

    def by(self, name: str) -> npt.NDArray[Any]:
        """Return what decides the order: "count" or "rate"."""
        return self.counts if name == "count" else self.rates

    def at(self, places: npt.NDArray[Any]) -> Confused:
        """Return some of them."""
        return Confused(*(part[places] for part in self))


def top_confusions(
    state: MatrixBase,
    n: int | None = 10,
    by: Literal["count", "rate", "cost"] = "count",
    *,
    cost_matrix: Any = None,
) -> pl.DataFrame:
    """Return the most frequent mistakes, or those that cost most.

    Parameters
    ----------
    n : int or None, default 10
        At most so many rows; None for all.
    by : {"count", "rate", "cost"}, default "count"
        What to sort by, descending; ties in label order.
    cost_matrix : array-like, shape (K, K), optional
        Rows true, columns predicted, in label order, as `cost` takes it; "cost" needs it.

    Returns
    -------
    polars.DataFrame
        Columns `true`, `pred`, `count` and `rate`, the share of the true class; with a
        `cost_matrix` also `cost`, that of all these rows. Cells that are zero are left out.

    Raises
    ------
    InputError
        A number of rows below 0, another order, what `cost` refuses.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[50, 0, 0], [0, 35, 15], [0, 7, 43]])
    >>> m.top_confusions(1).rows()
    [(1, 2, 15, 0.3)]
    >>> m.top_confusions(1, by="cost", cost_matrix=[[0, 1, 1], [1, 0, 1], [1, 5, 0]]).rows()
    [(2, 1, 7, 0.14, 35.0)]
    """
    if by not in ("count", "rate", "cost"):
        raise InputError(f"`by` is {by!r}; wanted 'count', 'rate' or 'cost'")
    if n is not None and (isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0):
        raise InputError(f"`n` is {n!r}; wanted a number of rows, at least 0")
    most = len(state._labels) ** 2 if n is None else int(n)
    if by != "cost" and cost_matrix is None:
        return _told(state, leading(state._cells, most, by))
    _, costs = cell_costs(state, cost_matrix)
    total_cost(costs)
    if by == "cost":
        found = _costliest(state._cells, most, costs)
    else:
        found = leading(state._cells, most, by)
    return _told(state, found).with_columns(cost=pl.Series(costs[found.true, found.pred]))


def _told(state: MatrixBase, found: Confused) -> pl.DataFrame:
    return long_frame(state, found.true, found.pred).with_columns(
        count=pl.Series(found.counts), rate=pl.Series(found.rates)
    )


def _costliest(cells: AnyCells, most: int, costs: Floats) -> Confused:
    whole = leading(cells, costs.size, "count")
    order = np.lexsort((whole.pred, whole.true, -costs[whole.true, whole.pred]))[:most]
    return whole.at(order)


def leading(cells: AnyCells, most: int, by: str) -> Confused:
    """Return at most so many cells above 0 off the diagonal, the largest first.

    Of equal ones those of the first rows.
    """
    if isinstance(cells, SparseCells):
        return _largest([_confused(cells)], most, by)
    step = max(_CELLS_AT_ONCE // max(len(cells), 1), 1)
    blocks: list[Confused] = []
    held, least = 0, 0.0
    for first in range(0, max(len(cells), 1), step):  # Ctrl-C is answered in between
        block = _block(cells, first, step)
        values = block.by(by)
        block = block.at(values > least if least else values > 0)
        blocks.append(block)
        held += len(block.true)
        if held > 4 * most + _CELLS_AT_ONCE // 64:  # the rest is behind these
            blocks = [_largest(blocks, most, by)]
            held = len(blocks[0].true)
            least = blocks[0].by(by)[-1] if held == most and most else 0.0
    return _largest(blocks, most, by)


def _confused(cells: SparseCells) -> Confused:
    wrong = cells.rows != cells.columns
    true, pred, counts = cells.rows[wrong], cells.columns[wrong], cells.values[wrong]
    return Confused(true, pred, counts, counts / cells.margins()[0][true])


def _block(cells: Cells, first: int, step: int) -> Confused:
    some = cells[first : first + step]
    wrong = some > 0
    rows = np.arange(len(some))
    wrong[rows, rows + first] = False
    row, pred = np.nonzero(wrong)
    return Confused(row + first, pred, some[row, pred], rates(some, "true")[row, pred])


def _largest(blocks: list[Confused], most: int, by: str) -> Confused:
    whole = Confused(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))
    order = np.argsort(-whole.by(by), kind="stable")[:most]
    return whole.at(order)
