"""The largest cells off the diagonal, found block by block of rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat.matrices.cells import Cells
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
