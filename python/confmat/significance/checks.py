"""Counts and tables as tests take them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confmat.errors import InputError

Table: TypeAlias = NDArray[np.int64]
FEW = 5  # an expected count below it is small


def whole_number(argument: str, value: Any) -> int:
    """Return a count as an integer; refuse what is none."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = -1
    if number < 0 or number != value or isinstance(value, bool):
        raise InputError(f"`{argument}` is {value!r}; wanted a number of rows, at least 0")
    return number


def whole_table(
    argument: str, table: Any, wanted: str = "rows: tests are of counts, not of weights"
) -> Table:
    """Return a table of counts as integers; refuse what is none."""
    cells = np.asarray(table)
    if cells.ndim != 2 or cells.dtype.kind not in "iuf":
        raise InputError(
            f"`{argument}` is of shape {cells.shape} and {cells.dtype}; wanted a table of counts"
        )
    known = np.isfinite(cells) & (cells >= 0) & (cells < 2**62)
    whole = np.where(known, cells, 0).astype(np.int64)
    wrong = ~known | (whole != cells)
    if wrong.any():
        row, column = (int(at[0]) for at in wrong.nonzero())
        raise InputError(
            f"`{argument}` holds {cells[row, column]} in row {row}, column {column}; wanted a "
            f"number of {wanted}"
        )
    return whole


def square_table(argument: str, table: Any) -> Table:
    """Return a table of counts with as many rows as columns."""
    cells = whole_table(argument, table)
    if len(cells) != cells.shape[1]:
        raise InputError(f"`{argument}` is of shape {cells.shape}; wanted as many columns as rows")
    return cells


def without_empty(cells: Table) -> Table:
    """Return the rows and columns that are not empty."""
    kept: Table = cells[cells.any(axis=1)][:, cells.any(axis=0)]
    return kept


def expected_counts(cells: Table) -> NDArray[np.float64]:
    """Return what independent rows and columns would give. Needs: none is empty."""
    rows, columns = (cells.sum(axis=axis, dtype=np.float64) for axis in (1, 0))
    expected: NDArray[np.float64] = np.outer(rows, columns / columns.sum())
    return expected


def few_expected(expected: Any) -> str | None:
    """Return a note where expected counts are small."""
    few = int((expected < FEW).sum())
    return f"{few} of {expected.size} expected counts are below {FEW}" if few else None
