"""Two matrices as one: the rows of both, or those of one without those of the other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.labels import Label, difference
from confmat.matrices.sparse import AnyCells, Pair, packed

if TYPE_CHECKING:
    from confmat.matrices.base import MatrixBase


class Merged(NamedTuple):
    """What the new matrix is made of."""

    cells: AnyCells
    labels: tuple[Label, ...]
    squares: npt.NDArray[np.float64] | None
    n_dropped: int
    n_other: int


def added(one: MatrixBase, two: MatrixBase) -> Merged:
    """Return the sum of two matrices."""
    _check_same(one, two, "add")
    both = one._paired(two)
    integers = both.one.dtype == both.two.dtype == np.int64
    if integers and one.n + two.n >= 2**63:
        raise InputError("cannot add: the total is beyond 64-bit integers")
    with np.errstate(over="ignore"):
        cells = both.one + both.two
        finite = cells.dtype.kind == "i" or math.isfinite(cells.sum())
    if not finite:
        raise InputError("cannot add: the total is beyond the range of floats")
    outside = one.n_dropped + two.n_dropped, one.n_other + two.n_other
    return _merged(one, both, cells, _squares(one, two, both, 1.0), *outside)


def taken_away(one: MatrixBase, two: MatrixBase) -> Merged:
    """Return the first matrix without what is in the second."""
    _check_same(one, two, "subtract")
    both = one._paired(two)
    cells = both.one - both.two
    if cells.dtype.kind == "f":  # differences within rounding of the minuend are zero
        cells[(cells < 0) & (cells >= -1e-12 * both.one)] = 0.0
    if (cells < 0).any():
        at = int(np.flatnonzero(cells < 0)[0])
        place = at if both.places is None else int(both.places[at])
        i, j = divmod(place, len(one.labels))
        raise InputError(
            f"cannot subtract: true {one.labels[i]!r}, predicted {one.labels[j]!r} has "
            f"{both.one.flat[at]} in the first and {both.two.flat[at]} in the second"
        )
    outside = one.n_dropped - two.n_dropped, one.n_other - two.n_other
    if min(outside) < 0:
        raise InputError("cannot subtract: n_dropped or n_other is larger in the second")
    return _merged(one, both, cells, _squares(one, two, both, -1.0), *outside)


def _merged(
    one: MatrixBase, both: Pair, cells: Any, squares: Any, n_dropped: int, n_other: int
) -> Merged:
    if both.places is not None:
        cells, squares = packed(len(one.labels), both.places, cells, squares)
    return Merged(cells, one.labels, squares, n_dropped, n_other)


def _squares(
    one: MatrixBase, two: MatrixBase, both: Pair, sign: float
) -> npt.NDArray[np.float64] | None:
    if one._squares is None and two._squares is None:
        return None
    if both.one_squares is None or both.two_squares is None:
        return None
    squares: npt.NDArray[np.float64] = both.one_squares + sign * both.two_squares
    return np.maximum(squares, 0.0)


def _check_same(one: MatrixBase, two: MatrixBase, verb: str) -> None:
    differs = difference(one.labels, two.labels)
    if differs:
        raise InputError(
            f"cannot {verb}: labels differ ({differs}); count both with the same `labels=`"
        )
    if None not in (one.pos_label, two.pos_label) and one.pos_label != two.pos_label:
        raise InputError(
            f"cannot {verb}: the positive class differs, {one.pos_label!r} and "
            f"{two.pos_label!r}; count both with the same `pos_label=`"
        )
    if one.smoothing != two.smoothing:
        raise InputError(f"cannot {verb}: smoothing differs, {one.smoothing} and {two.smoothing}")
