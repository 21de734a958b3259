"""The state of scores for sets of labels without the rows: a sweep a label, sums over rows."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

from confmat import _core
from confmat.errors import StateError
from confmat.labels import Label, kind_of
from confmat.labelsets.ranking import RANKINGS
from confmat.labelsets.scored import LabelSweeps
from confmat.scores.state import ScoreState

if TYPE_CHECKING:
    from typing_extensions import Self


class SavedSetScores(LabelSweeps):
    """A sweep of each label, and how the scores order the labels of rows. Immutable."""

    _state: _core.SetScores

    @classmethod
    def _around(cls, state: _core.SetScores) -> Self:
        """Build around a state."""
        made = cls.__new__(cls)
        object.__setattr__(made, "_state", state)
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"saved scores of label sets do not change; cannot set {name!r}")

    @cached_property
    def labels(self) -> tuple[Label, ...]:  # type: ignore[override]
        """The labels, in order."""
        return self._state.labels

    @cached_property
    def _sweeps(self) -> list[ScoreState]:  # type: ignore[override]
        return [ScoreState._of(sweep) for sweep in self._state.sweeps]

    @property
    def n_rows(self) -> int:  # type: ignore[override]
        """Rows counted, whatever their weights."""
        return self._state.rows

    @property
    def n_dropped(self) -> int:
        """Rows left out for a null."""
        return self._state.n_dropped

    @property
    def n_nan(self) -> int:
        """Rows left out for a nan score."""
        return self._state.n_nan

    def _ranking(self, name: str) -> float:
        total = float(self._state.order[list(RANKINGS).index(name)])
        return total / self.n if self.n else math.nan

    def __eq__(self, other: object) -> bool:
        """Return whether labels, rows left out and all that is kept are equal."""
        if not isinstance(other, SavedSetScores):
            return NotImplemented
        return self._state.same(other._state)

    def __hash__(self) -> int:
        return hash((kind_of(self.labels), self.labels, self.n_dropped, self.n_nan))

    def to_bytes(self) -> bytes:
        """Return the state as bytes.

        Without weights the same rows give the same bytes, however they were split.
        """
        return self._state.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the object that `to_bytes` wrote.

        Raises
        ------
        StateError
            The bytes are cut, changed, of something else or of a newer format.
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise StateError(f"a state is bytes, not {type(data).__name__}")
        return cls._around(_core.SetScores.from_bytes(bytes(data)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _read, (type(self), self.to_bytes())


def _read(kind: type[SavedSetScores], data: bytes) -> SavedSetScores:
    return kind.from_bytes(data)
