"""What a confusion matrix is: a state, and how it merges, compares and is saved."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from confmat import _core, positive_class
from confmat.core_state import CoreState
from confmat.errors import InputError
from confmat.labels import Label, Origin, kind_of, shown
from confmat.matrices.cells import Cells
from confmat.matrices.sparse import AnyCells, SparseCells, freeze, held, of_core, table

if TYPE_CHECKING:
    from typing_extensions import Self


_GIVEN = Origin.GIVEN  # an attribute of an enumeration is slow to look up
_INSTEAD = "m.to_polars() gives the cells that are not 0"


class MatrixBase(CoreState):
    """A state of counts, and what it is read with, which only pickle keeps.

    That is its smoothing, whether the sizes of its classes are known beforehand, and which counted
    matrix its rows are mixtures of.
    """

    __slots__ = ("_mixed", "_seen", "_state", "class_sizes_known", "smoothing")

    _core_class = _core.Counts
    _merge = staticmethod(_core.merge_counts)

    _state: _core.Counts
    _seen: dict[str, Any]  # what was read of the state
    _mixed: tuple[MatrixBase, npt.NDArray[np.float64]] | None  # the cells: the second @ the first
    smoothing: float
    class_sizes_known: bool

    @classmethod
    def _around(cls, state: _core.Counts, smoothing: float = 0.0) -> Self:
        """Build around a state."""
        made = cls.__new__(cls)
        made._hold(state, smoothing)
        return made

    @classmethod
    def _of(
        cls,
        cells: AnyCells,
        labels: list[Label] | tuple[Label, ...],
        squares: npt.NDArray[np.float64] | None = None,
        n_dropped: int = 0,
        n_other: int = 0,
        smoothing: float = 0.0,
        origin: Origin = Origin.GIVEN,
    ) -> Self:
        """Build from checked parts; the arrays are not copied and become read-only."""
        freeze(cells)
        if squares is not None:
            squares.flags.writeable = False
        parts = (cells.places, cells.values) if isinstance(cells, SparseCells) else cells
        return cls._around(
            _core.Counts(labels, origin, parts, squares, n_dropped, n_other), smoothing
        )

    def _hold(self, state: _core.Counts, smoothing: float) -> None:
        put = object.__setattr__
        put(self, "_state", state)
        put(self, "_seen", {})
        put(self, "smoothing", smoothing)
        put(self, "class_sizes_known", False)
        put(self, "_mixed", None)

    def _knowing_class_sizes(self, known: bool = True) -> Self:
        """Return this matrix, just built, whose numbers of rows of each true class are known."""
        object.__setattr__(self, "class_sizes_known", known)
        return self

    def _mixing(self, source: MatrixBase, shares: npt.NDArray[np.float64]) -> Self:
        """Return this matrix, just built, whose rows are mixtures of those of another one."""
        object.__setattr__(self, "_mixed", (source, shares))
        return self

    def _about(self, positive_label: Label | None) -> Self:
        """Return this matrix, just built, with its positive class; None where none is named."""
        if positive_label is not None:
            self._hold(self._state.about(self._origin, positive_label), self.smoothing)
        return self

    @property
    def _labels(self) -> tuple[Label, ...]:
        return self._read("labels", lambda: self._state.labels)  # type: ignore[no-any-return]

    @property
    def _shown(self) -> tuple[str, ...]:
        return self._read("shown", lambda: _as_texts(self._labels))  # type: ignore[no-any-return]

    @property
    def _cells(self) -> AnyCells:
        return self._read(  # type: ignore[no-any-return]
            "cells", lambda: of_core(len(self._labels), self._state.cells)
        )

    @property
    def _squares(self) -> npt.NDArray[np.float64] | None:
        """The squared weights of each cell that `_cells` holds."""
        return self._read("squares", lambda: self._state.squares)  # type: ignore[no-any-return]

    @property
    def _positive(self) -> Label | None:
        """The positive class, where it is named and more labels than the usual could be found."""
        return self._read("positive", lambda: self._state.positive)  # type: ignore[no-any-return]

    @property
    def _origin(self) -> Origin:
        return Origin(self._state.origin)

    @property
    def _implied(self) -> bool:
        """Whether a class that no row has is there by the dtype, or was taken away."""
        return self._state.origin != _GIVEN

    @property
    def n_other(self) -> int:
        """Rows left out for a label outside `labels`."""
        return self._state.n_other

    def _read(self, name: str, read: Callable[[], Any]) -> Any:
        """Return what `read` gives, which is kept."""
        seen = self._seen
        if name not in seen:
            seen[name] = read()
        return seen[name]

    @property
    def counts(self) -> Cells:
        """The cells, shape (K, K), rows true; int64, or float64 for weights. Read-only.

        Of more than 11,585 classes an InputError: `to_polars` gives the cells that are not 0.
        """
        return self._read(  # type: ignore[no-any-return]
            "table", lambda: table(self._cells, held(self._cells), "`counts`", _INSTEAD)
        )

    @property
    def labels(self) -> tuple[Label, ...]:
        """The class labels, in the order of rows and columns."""
        return self._labels

    @property
    def pos_label(self) -> Label | None:
        """The positive class: the one named, or 1 or True of {0, 1}, {False, True} and {-1, 1}."""
        return positive_class.usual(self._labels) if self._positive is None else self._positive

    @property
    def weights_sq(self) -> npt.NDArray[np.float64] | None:
        """The sum of squared weights of each cell, shape (K, K); None without weights."""
        if self._squares is None:
            return None
        squares: npt.NDArray[np.float64] = table(
            self._cells, self._squares, "`weights_sq`", "`n_effective` is their effect on all rows"
        )
        return squares

    @property
    def n(self) -> int | float:
        """The total of the cells: rows counted, or the sum of their weights."""
        return self._read("n", lambda: _total(held(self._cells)))  # type: ignore[no-any-return]

    @property
    def n_effective(self) -> float:
        """Kish's effective number of rows, (sum w)² / sum w²; n without weights.

        nan where the squared weights are not known or outside the range of floats.
        """
        squares, n = self._effective_squares(), float(self.n)
        if n == 0:
            return 0.0
        total = math.nan if squares is None else float(squares.sum())
        return n * (n / total) if 0 < total < math.inf else math.nan

    @property
    def T(self) -> Self:  # noqa: N802
        """The matrix with truth and prediction exchanged."""
        if isinstance(self._cells, SparseCells):
            places, order = self._cells.order_transposed()
            turned = SparseCells(self._cells.k, places, self._cells.values[order])
            other = None if self._squares is None else self._squares[order]
            return self._with(turned, other)._about(self._positive)
        squares = None if self._squares is None else np.ascontiguousarray(self._squares.T)
        return self._with(np.ascontiguousarray(self._cells.T), squares)._about(self._positive)

    def _with(self, cells: AnyCells, squares: npt.NDArray[np.float64] | None) -> Self:
        return self._of(
            cells,
            self._labels,
            squares,
            self.n_dropped,
            self.n_other,
            self.smoothing,
            self._origin,
        )

    def _smoothed(self) -> AnyCells:
        if not self.smoothing:
            return self._cells
        return held(self._cells).astype(np.float64) + self.smoothing  # type: ignore[no-any-return]

    def _effective_squares(self) -> npt.NDArray[np.float64] | None:
        if self._squares is not None:
            return self._squares
        return held(self._cells).astype(np.float64) if self._cells.dtype.kind == "i" else None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Return the counts; `np.asarray(m)` makes no copy and is read-only."""
        cells = self.counts
        if dtype is None or np.dtype(dtype) == cells.dtype:
            return cells.copy() if copy else cells
        if copy is False:
            raise ValueError(f"counts are {cells.dtype}: {dtype} needs a copy")
        return cells.astype(dtype)

    def _is_same(self, other: Any) -> bool:
        read_alike = self.class_sizes_known is other.class_sizes_known
        read_alike = read_alike and _same_mixture(self._mixed, other._mixed)
        return read_alike and self.smoothing == other.smoothing and super()._is_same(other)

    def _joined(self, other: Any, verb: Literal["add", "subtract"]) -> Self:
        if self.smoothing != other.smoothing:
            raise InputError(
                f"cannot {verb}: smoothing differs, {self.smoothing} and {other.smoothing}"
            )
        return self._around(super()._joined(other, verb)._state, self.smoothing)

    def __repr__(self) -> str:
        extra = "".join(
            f", {name}={value}"
            for name, value in (
                ("n_dropped", self.n_dropped),
                ("n_other", self.n_other),
                ("smoothing", self.smoothing),
                ("positive", None if self._positive is None else shown(self._positive)),
            )
            if value
        )
        names = [name if len(name) <= 16 else f"{name[:15]}…" for name in self._shown[:4]]
        more = len(self._labels) - len(names)
        labels = ", ".join([*names, f"{more} more"] if more else names)
        return f"<ConfusionMatrix of {len(self._labels)} ({labels}), n={self.n}{extra}>"


def _same_mixture(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return bool(one[0] == other[0] and np.array_equal(one[1], other[1]))


def _as_texts(labels: tuple[Label, ...]) -> tuple[str, ...]:
    return tuple(map(shown if kind_of(labels) == "text" else str, labels))


def _total(cells: Any) -> int | float:
    if cells.dtype.kind == "i":
        return int(cells.sum())
    return _core.exact_sum(cells)
