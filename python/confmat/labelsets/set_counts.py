"""What is counted of rows with sets of labels: tables of labels, sizes of sets, the sets seen."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.labelsets.indicators import Bools
from confmat.matrices.cells import Cells
from confmat.multiclass.inputs import Floats

_SET_LABELS = 8  # so many labels' sets are counted in pairs
_SIZES = np.array([code.bit_count() for code in range(1 << _SET_LABELS)], dtype=np.int64)
_FEW = 1 << 20  # codes below this are counted in a table, others by sorting them


class LabelTables(NamedTuple):
    """The 2 x 2 table of each label, shape (L, 2, 2), [[tn, fp], [fn, tp]]."""

    cells: Cells
    squares: Floats | None

    @property
    def sums_of_squares(self) -> Cells:
        """The sums of squared weights: a row without weights counts as one of weight 1."""
        return self.cells if self.squares is None else self.squares


class SetSizes(NamedTuple):
    """Distinct (labels in both sets, in the true one, in the predicted one), and their weights."""

    shared: npt.NDArray[np.int64]
    true: npt.NDArray[np.int64]
    pred: npt.NDArray[np.int64]
    weight: npt.NDArray[Any]

    def tables(self, n_labels: int) -> npt.NDArray[np.int64]:
        """Return the 2 x 2 table of the labels of one row for each of these."""
        fn, fp = self.true - self.shared, self.pred - self.shared
        tn = n_labels - self.shared - fn - fp
        return np.stack([tn, fp, fn, self.shared], axis=1).reshape(-1, 2, 2)


class SetsSeen(NamedTuple):
    """The label sets that occur: (S, L) indicators and how often they are true, predicted, both.

    In the order of the numbers whose lowest bit is the first label.
    """

    sets: Bools
    true: npt.NDArray[Any]
    pred: npt.NDArray[Any]
    both: npt.NDArray[Any]


class SetCounts(NamedTuple):
    """All that is counted."""

    tables: LabelTables
    sizes: SetSizes
    seen: SetsSeen

    @property
    def exact(self) -> Any:
        """The weight of the rows whose sets are equal."""
        shared, true, pred, weight = self.sizes
        return weight[(shared == true) & (shared == pred)].sum()


class PairCounts:
    """The same of few labels, from how often each pair of a true and a predicted set occurs."""

    def __init__(self, truth: Bools, pred: Bools) -> None:
        self._width = truth.shape[1]
        cells, self._codes, self._rows = _core.set_pairs(truth, pred, 0)
        self.tables = LabelTables(cells, None)

    @property
    def _sets(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        codes = self._codes.astype(np.int64)
        return codes >> self._width, codes & (1 << self._width) - 1

    @property
    def exact(self) -> Any:
        """The rows whose sets are equal."""
        true, named = self._sets
        return self._rows[true == named].sum()

    @cached_property
    def sizes(self) -> SetSizes:
        """Rows by the sizes of their sets."""
        true, named = self._sets
        return _sizes(
            _SIZES[true & named], _SIZES[true], _SIZES[named], self._rows, self._width + 1
        )

    @cached_property
    def seen(self) -> SetsSeen:
        """The sets that occur."""
        true, named = self._sets
        size = 1 << self._width
        same = true == named
        sums = [
            _sums(codes, rows, size)
            for codes, rows in (
                (true, self._rows),
                (named, self._rows),
                (true[same], self._rows[same]),
            )
        ]
        found = np.flatnonzero(sums[0] + sums[1])
        return SetsSeen(_sets_of(found, self._width), *(part[found] for part in sums))


AnyCounts: TypeAlias = SetCounts | PairCounts


def count_sets(truth: Bools, pred: Bools, weights: npt.NDArray[Any] | None) -> AnyCounts:
    """Count rows with sets of labels."""
    if weights is None and truth.shape[1] <= _SET_LABELS:
        return PairCounts(truth, pred)
    return SetCounts(
        label_tables(truth, pred, weights),
        set_sizes(truth, pred, weights),
        sets_seen(truth, pred, weights),
    )


def label_tables(truth: Bools, pred: Bools, weights: npt.NDArray[Any] | None) -> LabelTables:
    """Count each label by itself."""
    if weights is None:
        parts = [slice(at, at + _SET_LABELS) for at in range(0, truth.shape[1], _SET_LABELS)]
        each = [_core.set_pairs(truth[:, part], pred[:, part], 0)[0] for part in parts]
        return LabelTables(np.concatenate(each), None)
    cells: list[Any] = []
    squares: list[Any] = []
    for true, named in zip(truth.T, pred.T, strict=True):
        counted, _ = _core.count(true, named, weights, [False, True], 0)
        cells.append(counted.cells)
        squares.append(counted.squares)
    return LabelTables(np.stack(cells), np.stack(squares))


def set_sizes(truth: Bools, pred: Bools, weights: npt.NDArray[Any] | None) -> SetSizes:
    """Count rows by the sizes of their sets."""
    true, named = truth.sum(axis=1, dtype=np.int64), pred.sum(axis=1, dtype=np.int64)
    shared = (truth & pred).sum(axis=1, dtype=np.int64)
    base = truth.shape[1] + 1
    return _sizes(shared, true, named, weights, base)


def sets_seen(truth: Bools, pred: Bools, weights: npt.NDArray[Any] | None) -> SetsSeen:
    """Count the label sets that occur: at most as many as there are rows, of the 2^L possible."""
    n, width = truth.shape
    both = np.concatenate([truth, pred])
    if width <= 20:
        codes = both @ (1 << np.arange(width))
        found = np.flatnonzero(np.bincount(codes))
        sets = _sets_of(found, width)
        places = np.zeros(1 << width, dtype=np.int64)
        places[found] = np.arange(len(found))
        at = places[codes]
    else:
        packed = np.packbits(both, axis=1, bitorder="little")[:, ::-1]
        rows = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
        _, first, at = np.unique(rows, return_index=True, return_inverse=True)
        sets = both[first]
    true, named = at[:n], at[n:]
    same = true == named
    return SetsSeen(
        sets,
        _sums(true, weights, len(sets)),
        _sums(named, weights, len(sets)),
        _sums(true[same], None if weights is None else weights[same], len(sets)),
    )


def merged_sizes(one: SetSizes, two: SetSizes) -> SetSizes:
    """Return the sizes of the rows of both."""
    parts = [np.concatenate(pair) for pair in zip(one[:3], two[:3], strict=True)]
    base = max((int(part.max(initial=0)) for part in parts), default=0) + 1
    weight = np.concatenate([one.weight, two.weight])
    codes, weight = _tally((parts[0] * base + parts[1]) * base + parts[2], weight, 1 << 62)
    return SetSizes(codes // base**2, codes // base % base, codes % base, weight)


def merged_sets(one: SetsSeen, two: SetsSeen) -> SetsSeen:
    """Return the sets of the rows of both."""
    last_first = np.concatenate([one.sets, two.sets])[:, ::-1]
    sets, at = np.unique(last_first, axis=0, return_inverse=True)
    sets, at = sets[:, ::-1], at.reshape(-1)
    true, pred, both = (
        _sums(at, np.concatenate(pair), len(sets)) for pair in zip(one[1:], two[1:], strict=True)
    )
    return SetsSeen(sets, true, pred, both)


def _sets_of(codes: npt.NDArray[np.intp], width: int) -> Bools:
    return (codes[:, None] >> np.arange(width) & 1).astype(np.bool_)


def _sizes(
    shared: npt.NDArray[np.int64],
    true: npt.NDArray[np.int64],
    pred: npt.NDArray[np.int64],
    weights: npt.NDArray[Any] | None,
    base: int,
) -> SetSizes:
    codes, weight = _tally((shared * base + true) * base + pred, weights, base**3)
    return SetSizes(codes // base**2, codes // base % base, codes % base, weight)


def _tally(
    codes: npt.NDArray[np.int64], weights: npt.NDArray[Any] | None, size: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    if size <= _FEW:
        found = np.flatnonzero(np.bincount(codes)).astype(np.int64)
        return found, _sums(codes, weights, size)[found]
    found, at = np.unique(codes, return_inverse=True)
    return found, _sums(at, weights, len(found))


def _sums(
    at: npt.NDArray[np.int64], weights: npt.NDArray[Any] | None, size: int
) -> npt.NDArray[Any]:
    """Return the weight at each place; sums are exact, in any order of the rows."""
    if weights is None or weights.dtype.kind in "iu":
        if weights is not None and weights.sum(dtype=np.float64) > 2.0**52:
            exact = np.zeros(size, dtype=np.int64)  # floats would round; the total fits
            np.add.at(exact, at, weights.astype(np.int64))
            return exact
        return np.bincount(at, weights, size).astype(np.int64)
    rows = np.broadcast_to(np.int8(0), len(at))
    state = _core.sweep(rows, at, weights, None, False, False, 0)
    assert state.scores is not None
    sums = np.zeros(size)
    sums[state.scores.astype(np.intp)] = state.negatives
    return sums
