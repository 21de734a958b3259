"""The state of sets of labels, true and predicted: what is counted of the rows."""

from __future__ import annotations

from functools import cached_property

from confmat import _core
from confmat.core_state import CoreState
from confmat.labels import Label
from confmat.labelsets.set_counts import SetSizes, SetsSeen, sets_of, sizes_of
from confmat.matrices.cells import Cells


class LabelSetState(CoreState):
    """Tables of labels, sizes of sets and the sets seen. Immutable."""

    _state: _core.SetCounts

    _core_class = _core.SetCounts
    _merge = staticmethod(_core.merge_set_counts)

    @cached_property
    def _labels(self) -> tuple[Label, ...]:
        return self._state.labels

    @cached_property
    def _sizes(self) -> SetSizes:
        return sizes_of(self._state)

    @cached_property
    def _seen(self) -> SetsSeen:
        return sets_of(self._state)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, in order."""
        return self._labels

    @cached_property
    def counts(self) -> Cells:
        """[[tn, fp], [fn, tp]] of each label, shape (L, 2, 2); read-only."""
        return self._state.cells

    @cached_property
    def n(self) -> int | float:
        """Rows counted, or the sum of their weights."""
        return self._state.total
