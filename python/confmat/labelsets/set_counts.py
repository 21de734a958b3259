"""What is counted of rows with sets of labels: sizes of sets, and the sets that occur."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat import _core


class SetSizes(NamedTuple):
    """Distinct (labels in both sets, in the true one, in the predicted one), and their weights."""

    shared: npt.NDArray[np.int64]
    true: npt.NDArray[np.int64]
    pred: npt.NDArray[np.int64]
    weight: npt.NDArray[Any]

    @property
    def exact(self) -> Any:
        """The weight of the rows whose sets are equal."""
        return self.weight[(self.shared == self.true) & (self.shared == self.pred)].sum()

    def tables(self, n_labels: int) -> npt.NDArray[np.int64]:
        """Return the 2 x 2 table of the labels of one row for each of these."""
        tables = np.empty((len(self.true), 2, 2), dtype=np.int64)
        tables[:, 1, 1] = self.shared
        np.subtract(self.true, self.shared, out=tables[:, 1, 0])
        np.subtract(self.pred, self.shared, out=tables[:, 0, 1])
        np.subtract(n_labels - self.true, tables[:, 0, 1], out=tables[:, 0, 0])
        return tables


class SetsSeen(NamedTuple):
    """The label sets that occur, as lists, and how often they are true, predicted, both.

    In the order of the numbers whose lowest bit is the first label.
    """

    codes: npt.NDArray[np.uint32]  # the places of the labels of all sets, one after the other
    ends: npt.NDArray[np.uint64]  # where those of each set end
    true: npt.NDArray[Any]
    pred: npt.NDArray[Any]
    both: npt.NDArray[Any]


def sizes_of(state: _core.SetCounts) -> SetSizes:
    """Return rows by the sizes of their sets."""
    sizes, weight = state.sizes
    shared, true, pred = sizes.T.astype(np.int64)
    return SetSizes(shared, true, pred, weight)


def sets_of(state: _core.SetCounts) -> SetsSeen:
    """Return the sets that occur."""
    codes, ends, weights = state.sets
    return SetsSeen(codes, ends, *weights.T)
