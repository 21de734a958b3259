"""What the Python classes of all kinds of states share: one of `_core`, merged, compared, saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeGuard

from confmat.errors import StateError
from confmat.labels import Label, kind_of

if TYPE_CHECKING:
    from typing_extensions import Self

BYTES = (bytes, bytearray, memoryview)


class CoreState:
    """Something around a state of `_core`. Immutable."""

    __slots__ = ()

    _core_class: ClassVar[type[Any]]
    _merge: ClassVar[Any]  # many of it, or their bytes

    _state: Any

    @property
    def labels(self) -> Sequence[Label]:
        """The labels, in order."""
        raise NotImplementedError

    @classmethod
    def _around(cls, state: Any) -> Self:
        """Build around a state."""
        made = cls.__new__(cls)
        object.__setattr__(made, "_state", state)
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        kind = type(self).__name__
        raise AttributeError(f"a {kind} does not change; cannot set {name!r}")

    def __eq__(self, other: object) -> bool:
        """Return whether all that is kept is equal, and rows left out."""
        return self._is_same(other) if self._is_akin(other) else NotImplemented

    def __hash__(self) -> int:
        labels = tuple(self.labels)
        return hash((kind_of(labels), labels, self.n_dropped))

    def __add__(self, other: object) -> Self:
        """Merge: what all rows of both give.

        Labels that were found in the rows unite; they must lie in labels that were given, and given
        ones must be equal, as bins must.
        """
        return self._joined(other, "add") if self._is_akin(other) else NotImplemented

    def __sub__(self, other: object) -> Self:
        """Take the rows of `other` away. No count may go below zero; no label goes."""
        return self._joined(other, "subtract") if self._is_akin(other) else NotImplemented

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null."""
        dropped: int = self._state.n_dropped
        return dropped

    def _is_akin(self, other: object) -> TypeGuard[CoreState]:
        return isinstance(other, CoreState) and other._core_class is self._core_class

    def _is_same(self, other: CoreState) -> bool:
        same: bool = self._state.same(other._state)
        return same

    def _joined(self, other: CoreState, verb: Literal["add", "subtract"]) -> Self:
        join = self._state.added if verb == "add" else self._state.taken_away
        return self._around(join(other._state))

    def to_bytes(self) -> bytes:
        """Return the state as bytes: the same rows give the same ones, however they were split.

        With float weights sums of bins are rounded as they are counted: then the bytes may differ.
        """
        data: bytes = self._state.to_bytes()
        return data

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the object that `to_bytes` wrote.

        Raises
        ------
        StateError
            The bytes are cut, changed, of something else or of a newer format.
        """
        state = cls._core_class.from_bytes(as_bytes(data))
        cls._check_read(state)
        return cls._around(state)

    @classmethod
    def _check_read(cls, state: Any) -> None:
        """Refuse a state of this kind that another class holds."""

    def __reduce__(self) -> tuple[Any, ...]:
        return read_state, (type(self), self.to_bytes())


def as_bytes(data: Any) -> bytes:
    """Return what should be the bytes of a state; else a StateError."""
    if not isinstance(data, BYTES):
        raise StateError(f"a state is bytes, not {type(data).__name__}")
    return bytes(data)


def read_state(kind: type[CoreState], data: bytes) -> CoreState:
    """Return the object that was saved; what unpickling calls."""
    return kind.from_bytes(data)
