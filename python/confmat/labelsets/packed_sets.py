"""Sets of labels as bits: an eighth of the memory of tables of Booleans."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from confmat.labels import Label


class PackedSets(NamedTuple):
    """Which rows have which labels, rows with a null, and the labels where they are known."""

    bits: npt.NDArray[np.uint8]  # (ceil(L / 8), n): label j is bit j % 8 of those at j // 8
    width: int
    nulls: npt.NDArray[np.bool_] | None  # (n,)
    labels: list[Label] | None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.bits.shape[1])

    @property
    def sets(self) -> npt.NDArray[np.uint8]:
        """The sets as the core counts them."""
        return np.swapaxes(self.bits, 0, 1)

    def picked(self, rows: npt.NDArray[np.bool_]) -> PackedSets:
        """Return the sets of some rows."""
        return self._replace(bits=self.bits[:, rows], nulls=None)

    def places(self) -> npt.NDArray[np.int64]:
        """Return row * width + label of each label of a row, ascending."""
        return np.flatnonzero(self.table())

    def table(self) -> npt.NDArray[np.bool_]:
        """Return the sets written out as n x L Booleans, which lie column by column."""
        table = np.empty((self.width, self.rows), dtype=np.bool_)
        for label, column in enumerate(table):
            np.not_equal(self.bits[label // 8] & (1 << label % 8), 0, out=column)
        return np.swapaxes(table, 0, 1)
