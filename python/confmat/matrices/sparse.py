"""Cells of many classes: those that are not 0, where these are few or a table would not fit."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.metric_names import counts_of

MOST_BYTES = 1 << 30  # of a table
_TABLE_SHARE = 8  # sparse up to one cell in so many; as in the core

Places: TypeAlias = npt.NDArray[np.int64]
Vector: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]


class SparseCells(NamedTuple):
    """The cells that are not 0: number n is that of the place row * k + column."""

    k: int
    places: Places  # ascending
    values: Vector

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the cells."""
        return self.values.dtype

    @property
    def rows(self) -> Places:
        """The true class of each cell."""
        return self.places // max(self.k, 1)

    @property
    def columns(self) -> Places:
        """The predicted class of each cell."""
        return self.places % max(self.k, 1)

    def of_pair(self, values: Any, i: int, j: int) -> Any:
        """Return the 2 x 2 values of two classes; `values` are one for each cell held."""
        picked = [self._value(values, row, column) for row in (i, j) for column in (i, j)]
        return np.array(picked, dtype=values.dtype).reshape(2, 2)

    def against_rest(self, values: Any, i: int) -> Any:
        """Return the 2 x 2 sums of a class, the second, and of all others."""
        row, column = self.rows == i, self.columns == i
        parts = (~row & ~column, ~row & column, row & ~column, row & column)
        sums = [values[part].sum() for part in parts]
        return np.array(sums, dtype=values.dtype).reshape(2, 2)

    def _value(self, values: Any, row: int, column: int) -> Any:
        place = row * self.k + column
        found = int(np.searchsorted(self.places, place))
        return values[found] if found < len(self.places) and self.places[found] == place else 0

    def margins(self) -> tuple[Vector, Vector, Vector]:
        """Return the sums of the rows and of the columns, and the diagonal."""
        sums = []
        right = self.rows == self.columns
        for index, part in (
            (self.rows, self.values),
            (self.columns, self.values),
            (self.rows[right], self.values[right]),
        ):
            total = np.zeros(self.k, dtype=self.dtype)
            np.add.at(total, index, part)
            sums.append(total)
        return sums[0], sums[1], sums[2]

    def order_transposed(self) -> tuple[Places, npt.NDArray[np.intp]]:
        """Return the places of the transposed cells, and which cell is at each."""
        places = self.columns * self.k + self.rows
        order = np.argsort(places, kind="stable")
        return places[order], order


AnyCells: TypeAlias = Vector | SparseCells


def of_core(k: int, cells: Any) -> AnyCells:
    """Return cells as the core counted them: a table, or places and cells."""
    return SparseCells(k, *cells) if isinstance(cells, tuple) else cells


def freeze(cells: AnyCells) -> None:
    """Make the memory of the cells read-only."""
    for part in (cells.places, cells.values) if isinstance(cells, SparseCells) else (cells,):
        part.flags.writeable = False


def held(cells: AnyCells) -> Any:
    """Return the cells as an array of any shape, in which some that are 0 may be missing."""
    return cells.values if isinstance(cells, SparseCells) else cells


def margins(cells: AnyCells) -> tuple[Any, Any, Any]:
    """Return the sums of the rows and of the columns, and the diagonal."""
    if isinstance(cells, SparseCells):
        return cells.margins()
    return cells.sum(axis=1), cells.sum(axis=0), np.diagonal(cells)


def is_large(k: int) -> bool:
    """Return whether all cells of so many classes are too many for a table."""
    return 8 * k * k > MOST_BYTES


def require_table(k: int, what: str, instead: str) -> None:
    """Refuse what needs all K x K cells where these are too many."""
    if is_large(k):
        raise InputError(
            f"{what} of {k} classes is a table of {8e-9 * k * k:.3g} GB, above the limit of 1 GiB; "
            f"{instead}"
        )


def smoothable(cells: AnyCells, squares: Any, alpha: float) -> tuple[AnyCells, Any]:
    """Return cells and squared weights as tables, where something is added to each cell."""
    if not alpha or not isinstance(cells, SparseCells):
        return cells, squares
    if is_large(cells.k):
        raise InputError(
            f"`smoothing` is {alpha:g}, which is added to each of {cells.k} x {cells.k} cells; "
            "wanted 0 for a matrix of so many classes"
        )
    return full(cells, cells.values), None if squares is None else full(cells, squares)


def full(cells: AnyCells, values: Any) -> Any:
    """Return all K x K cells; `values` are those held, or others of the same places."""
    if not isinstance(cells, SparseCells):
        return values
    spread = np.zeros(cells.k * cells.k, dtype=values.dtype)
    spread[cells.places] = values
    spread.flags.writeable = False
    return spread.reshape(cells.k, cells.k)


def table(cells: AnyCells, values: Any, what: str, instead: str) -> Any:
    """Return all K x K cells, as `full`; InputError where they are too many."""
    if isinstance(cells, SparseCells):
        require_table(cells.k, what, instead)
    return full(cells, values)


def packed(k: int, places: Places, values: Any, squares: Any) -> tuple[AnyCells, Any]:
    """Return cells without those that are 0; a table where it is not much larger."""
    kept = values != 0
    if not kept.all():
        places, values = places[kept], values[kept]
        squares = None if squares is None else squares[kept]
    cells = SparseCells(k, places, values)
    if is_large(k) or len(places) <= k * k // _TABLE_SHARE:
        return cells, squares
    return full(cells, values), None if squares is None else full(cells, squares)


def class_counts(cells: AnyCells) -> dict[str, npt.NDArray[np.int64]]:
    """Return the sizes of each class, tp and so on, where they are exact integers."""
    if cells.dtype.kind != "i":
        return {}
    support, predicted, tp = margins(cells)
    tn = held(cells).sum() - support - predicted + tp
    sizes = counts_of(tp, predicted - tp, support - tp, tn)
    return {name: size.astype(np.int64) for name, size in sizes.items()}
