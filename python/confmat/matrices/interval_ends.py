"""The ends of the intervals of many metrics of a matrix, or of each of its classes, at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Side
from confmat.intervals.scales import reach
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.confidence import ci, seen_by_core, without
from confmat.matrices.sparse import AnyCells, SparseCells, held, margins
from confmat.metric_names import ask, asks
from confmat.options import SECOND


def ends(
    state: MatrixBase,
    metrics: Iterable[str],
    level: float,
    pos_label: Label | None = None,
    keep_empty: bool = False,
    side: Side = "both",
) -> npt.NDArray[np.float64]:
    """Return the two ends of the interval of each metric, shape (metrics, 2); nan where none is."""
    names = tuple(metrics)
    seen = seen_by_core(state, asks(names), pos_label, keep_empty)
    is_mixed = state._mixed is not None
    if seen is None and not is_mixed:
        return np.full((len(names), 2), np.nan)
    if seen is None or is_mixed or state.class_sizes_known:
        of: dict[str, Any] = {"side": side, "pos_label": pos_label, "keep_empty": keep_empty}
        found = [ci(state, name, level, **of) for name in names]
        return np.array([one[1:3] for one in found]).reshape(-1, 2)
    by_core, _ = seen.intervals(*reach(level, side))
    return by_core[0, :, 1:3]


def no_ends(
    state: MatrixBase,
    name: str,
    level: float,
    pos_label: Label | None,
    keep_empty: bool,
    side: Side,
) -> Interval:
    """Return why `ends` knows no interval of a metric that has a value."""
    if state._mixed is not None or state.class_sizes_known:
        return ci(state, name, level, side=side, pos_label=pos_label, keep_empty=keep_empty)
    none = without_ends(math.nan, "")
    return without_ends(math.nan, without(state, ask(name), none, None))


def class_ends(
    state: MatrixBase, metrics: Sequence[str], level: float, side: Side = "both"
) -> npt.NDArray[np.float64]:
    """Return the two ends of metrics of each class, shape (K, metrics, 2)."""
    k, m = len(state._labels), len(metrics)
    squares = state._squares
    is_mixed = state._mixed is not None
    if (squares is None and state._cells.dtype.kind != "i" and not is_mixed) or not k:
        return np.full((k, m, 2), np.nan)
    if is_mixed or state.class_sizes_known or state.smoothing:
        rows = [
            [ci(state, name, level, side=side, pos_label=at)[1:3] for name in metrics]
            for at in state._labels
        ]
        return np.array(rows).reshape(k, m, 2)
    if squares is not None and not math.isfinite(squares.sum()):
        return np.full((k, m, 2), np.nan)
    two, square = _against_rest(state._cells), None
    if squares is not None:
        # What is left of a rounded sum where no row is.
        empty = _against_rest(_like(state._cells, (held(state._cells) > 0).astype(np.int64))) == 0
        square = _against_rest(_like(state._cells, squares))
        two, square = (np.where(empty, 0, np.maximum(x, 0)) for x in (two, square))
    found, _ = _core.intervals(
        asks(tuple(metrics)), two, ("0", "1"), SECOND, *reach(level, side), squares=square
    )
    return found[:, :, 1:3]


def _like(cells: AnyCells, values: npt.NDArray[Any]) -> AnyCells:
    if isinstance(cells, SparseCells):
        return SparseCells(cells.k, cells.places, values)
    return values.reshape(cells.shape)


def _against_rest(cells: AnyCells) -> Any:
    """Return the table of each class against the rest, shape (K, 2, 2), the class second."""
    rows, columns, tp = margins(cells)
    fn, fp = rows - tp, columns - tp
    tn = held(cells).sum() - rows - fp
    return np.stack([np.stack([tn, fp], -1), np.stack([fn, tp], -1)], -2)
