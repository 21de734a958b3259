"""The state of sets of labels, true and predicted: what is counted of the rows."""

from __future__ import annotations

import math

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.labels import Label, difference
from confmat.labelsets.set_counts import (
    AnyCounts,
    LabelTables,
    SetCounts,
    SetSizes,
    SetsSeen,
    merged_sets,
    merged_sizes,
)
from confmat.matrices.cells import Cells


class LabelSetState:
    """Tables of labels, sizes of sets and the sets seen."""

    def __init__(self, labels: tuple[Label, ...], counted: AnyCounts, n_dropped: int) -> None:
        counted.tables.cells.flags.writeable = False
        self._labels = labels
        self._counted = counted
        self._n_dropped = n_dropped

    @property
    def _tables(self) -> LabelTables:
        return self._counted.tables

    @property
    def _sizes(self) -> SetSizes:
        return self._counted.sizes

    @property
    def _seen(self) -> SetsSeen:
        return self._counted.seen

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, in order."""
        return self._labels

    @property
    def counts(self) -> Cells:
        """[[tn, fp], [fn, tp]] of each label, shape (L, 2, 2); read-only."""
        return self._tables.cells

    @property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        cells = self._tables.cells
        if cells.dtype.kind == "i":
            return int(cells[0].sum())
        return _core.exact_sum(self._sizes.weight)

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null."""
        return self._n_dropped

    def __eq__(self, other: object) -> bool:
        """Return whether labels and all counts are equal."""
        if not isinstance(other, LabelSetState):
            return NotImplemented
        if difference(self.labels, other.labels) or self.n_dropped != other.n_dropped:
            return False
        return (
            np.array_equal(self.counts, other.counts)
            and np.array_equal(self._tables.sums_of_squares, other._tables.sums_of_squares)
            and all(map(np.array_equal, self._sizes, other._sizes))
            and all(map(np.array_equal, self._seen, other._seen))
        )

    def __hash__(self) -> int:
        return hash((self.labels, self.n_dropped))


def added(one: LabelSetState, two: LabelSetState) -> tuple[tuple[Label, ...], SetCounts, int]:
    """Return the labels, the counts and the dropped rows of both."""
    differs = difference(one.labels, two.labels)
    if differs:
        raise InputError(
            f"cannot add: labels differ ({differs}); count both with the same `labels=`"
        )
    tables = one._tables, two._tables
    total = one.n + two.n
    if total >= 2**63 if isinstance(total, int) else not math.isfinite(total):
        raise InputError("cannot add: the total is beyond the range of counts")
    squares = None
    if any(side.squares is not None for side in tables):
        squares = np.add(*(side.sums_of_squares for side in tables), dtype=np.float64)
    return (
        one.labels,
        SetCounts(
            LabelTables(tables[0].cells + tables[1].cells, squares),
            merged_sizes(one._sizes, two._sizes),
            merged_sets(one._seen, two._seen),
        ),
        one.n_dropped + two.n_dropped,
    )
