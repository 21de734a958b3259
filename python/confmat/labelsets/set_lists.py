"""Sets of labels as lists: the places of the labels that each row has among all."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat.labels import Label
from confmat.labelsets.indicators import Bools


class SetLists(NamedTuple):
    """The labels of all rows one after the other, where those of each end, and rows with a null.

    A row may have a label twice, and its labels stand in any order.
    """

    codes: npt.NDArray[np.uint32]
    ends: npt.NDArray[np.int64]  # (n,)
    width: int
    nulls: Bools | None  # (n,)
    labels: list[Label] | None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.ends)

    @property
    def sets(self) -> tuple[Any, Any]:
        """The sets as the core counts them."""
        return self.codes, self.ends

    @property
    def of_rows(self) -> npt.NDArray[np.int64]:
        """The row of each label."""
        return np.repeat(np.arange(self.rows), np.diff(self.ends, prepend=0))

    def picked(self, rows: Bools) -> SetLists:
        """Return the sets of some rows."""
        sizes = np.diff(self.ends, prepend=0)
        codes = self.codes[np.repeat(rows, sizes)]
        return self._replace(codes=codes, ends=np.cumsum(sizes[rows]), nulls=None)

    def places(self) -> npt.NDArray[np.int64]:
        """Return row * width + label of each label of a row, ascending."""
        places = np.sort(self.of_rows * self.width + self.codes)  # without a hash of each
        return places[np.diff(places, prepend=-1) > 0]

    def table(self) -> Bools:
        """Return the sets written out as n x L Booleans."""
        table = np.zeros((self.rows, self.width), dtype=np.bool_)
        table[self.of_rows, self.codes] = True
        return table
