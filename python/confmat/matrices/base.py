"""The state of a confusion matrix: cells and labels, what merges, what compares, what is saved."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from confmat import _core, positive_class
from confmat.errors import StateError
from confmat.labels import Label, difference, kind_of, shown
from confmat.matrices import saved as state
from confmat.matrices.cells import Cells
from confmat.matrices.sparse import (
    AnyCells,
    Pair,
    SparseCells,
    freeze,
    held,
    is_large,
    paired,
    table,
)

if TYPE_CHECKING:
    from typing_extensions import Self


_INSTEAD = "m.to_polars() gives the cells that are not 0"


class MatrixBase:
    """Cells, labels and the rows that are in no cell. Immutable."""

    __slots__ = (
        "_cells",
        "_implied",
        "_labels",
        "_n",
        "_positive",
        "_shown",
        "_squares",
        "_table",
        "n_dropped",
        "n_other",
        "smoothing",
    )

    _cells: AnyCells
    _squares: npt.NDArray[np.float64] | None  # of each cell that `_cells` holds
    _table: Cells | None  # all of them, once they were asked for
    _labels: tuple[Label, ...]
    _shown: tuple[str, ...]
    _n: int | float | None
    _implied: bool  # the labels are those of a dtype, whether rows have them or not
    _positive: Label | None  # where it is named and not the usual one
    n_dropped: int
    n_other: int
    smoothing: float

    @classmethod
    def _of(
        cls,
        cells: AnyCells,
        labels: list[Label] | tuple[Label, ...],
        squares: npt.NDArray[np.float64] | None = None,
        n_dropped: int = 0,
        n_other: int = 0,
        smoothing: float = 0.0,
        implied: bool = False,
    ) -> Self:
        """Build from checked parts; the arrays are not copied and become read-only."""
        freeze(cells)
        if squares is not None:
            squares.flags.writeable = False
        made, put = cls.__new__(cls), object.__setattr__
        put(made, "_cells", cells)
        put(made, "_squares", squares)
        put(made, "_labels", tuple(labels))
        as_text = shown if kind_of(labels) == "text" else str
        put(made, "_shown", tuple(map(as_text, labels)))
        put(made, "_table", None)
        put(made, "_n", None)
        put(made, "_positive", None)
        put(made, "n_dropped", n_dropped)
        put(made, "n_other", n_other)
        put(made, "smoothing", smoothing)
        put(made, "_implied", implied)
        return made

    def _about(self, positive_label: Label | None) -> Self:
        """Return this matrix, just built, with its positive class; None for the usual one."""
        if positive_label is not None and positive_label != positive_class.usual(self._labels):
            object.__setattr__(self, "_positive", positive_label)
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a confusion matrix does not change; cannot set {name!r}")

    @property
    def counts(self) -> Cells:
        """The cells, shape (K, K), rows true; int64, or float64 for weights. Read-only.

        Of more than 11,585 classes an InputError: `to_polars` gives the cells that are not 0.
        """
        if self._table is None:
            cells = table(self._cells, held(self._cells), "`counts`", _INSTEAD)
            object.__setattr__(self, "_table", cells)
        return self._table  # type: ignore[return-value]

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
        if self._n is None:
            object.__setattr__(self, "_n", _total(held(self._cells)))
        return self._n  # type: ignore[return-value]

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
            self._implied,
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

    def __eq__(self, other: object) -> bool:
        """Return whether labels, cells, squared weights, other counts and smoothing are equal."""
        if not isinstance(other, MatrixBase):
            return NotImplemented
        if (self.n_dropped, self.n_other, self.smoothing) != (
            other.n_dropped,
            other.n_other,
            other.smoothing,
        ) or difference(self._labels, other._labels):
            return False
        if self._positive != other._positive:
            return False
        both = self._paired(other)
        one, two = both.one_squares, both.two_squares
        same_squares = one is two if one is None or two is None else np.array_equal(one, two)
        return same_squares and np.array_equal(both.one, both.two)

    def __hash__(self) -> int:
        return hash((kind_of(self._labels), self._labels, self.n_dropped, self.n_other))

    def _paired(self, other: MatrixBase) -> Pair:
        if self._squares is other._squares is None and self._cells.dtype == other._cells.dtype:
            return paired(self._cells, other._cells, None, None)  # known of both or of none
        squares = self._effective_squares(), other._effective_squares()
        return paired(self._cells, other._cells, *squares)

    def to_bytes(self) -> bytes:
        """Return the state as bytes: the same content gives the same bytes on every machine.

        Raises
        ------
        StateError
            A matrix of more classes than a table holds: pickle saves it.
        """
        if isinstance(self._cells, SparseCells) and is_large(self._cells.k):
            raise StateError(
                f"a matrix of {len(self._labels)} classes has no form as bytes, which hold all "
                "K x K cells; pickle saves it, and m.to_polars() gives the cells that are not 0"
            )
        return state.encode(
            state.State(
                self.counts,
                list(self._labels),
                self.weights_sq,
                self.n_dropped,
                self.n_other,
                self.smoothing,
                self._implied,
                positive=self._positive,
            )
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the matrix that `to_bytes` wrote.

        Raises
        ------
        StateError
            The bytes are cut, changed, of something else or of a newer format.
        """
        read = state.decode(data)
        return cls._of(*read[:-1])._about(read.positive)

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


def _total(cells: Any) -> int | float:
    if cells.dtype.kind == "i":
        return int(cells.sum())
    return _core.exact_sum(cells)
