"""The state of sets of labels, true and predicted: what is counted of the rows."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from confmat import _core
from confmat.errors import StateError
from confmat.labels import Label, kind_of
from confmat.labelsets.set_counts import SetSizes, SetsSeen, sets_of, sizes_of
from confmat.matrices.cells import Cells

if TYPE_CHECKING:
    from typing_extensions import Self


class LabelSetState:
    """Tables of labels, sizes of sets and the sets seen. Immutable."""

    _state: _core.SetCounts

    @classmethod
    def _around(cls, state: _core.SetCounts) -> Self:
        """Build around a state."""
        made = cls.__new__(cls)
        object.__setattr__(made, "_state", state)
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a matrix of label sets does not change; cannot set {name!r}")

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

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null."""
        return self._state.n_dropped

    def __eq__(self, other: object) -> bool:
        """Return whether labels and all counts are equal."""
        if not isinstance(other, LabelSetState):
            return NotImplemented
        return self._state.same(other._state)

    def __hash__(self) -> int:
        return hash((kind_of(self.labels), self.labels, self.n_dropped))

    def to_bytes(self) -> bytes:
        """Return the state as bytes: the same rows give the same ones, however they were split."""
        return self._state.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the matrix that `to_bytes` wrote.

        Raises
        ------
        StateError
            The bytes are cut, changed, of something else or of a newer format.
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise StateError(f"a state is bytes, not {type(data).__name__}")
        return cls._around(_core.SetCounts.from_bytes(bytes(data)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _read, (type(self), self.to_bytes())


def _read(kind: type[LabelSetState], data: bytes) -> LabelSetState:
    return kind.from_bytes(data)
