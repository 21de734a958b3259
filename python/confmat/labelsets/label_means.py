"""Intervals of averages over labels of sets, of which each label's table alone is kept."""

from __future__ import annotations

import math

import numpy as np

from confmat import _core
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Side
from confmat.intervals.scales import reach
from confmat.intervals.together import mean_together, spread_of_support
from confmat.labelsets.state import LabelSetState
from confmat.labelsets.values import CLASSES, parts_of, seen_labels
from confmat.metric_names import Ask
from confmat.options import SECOND
from confmat.registry import find

FILLED = "a label has no value, and `undefined` in its place is no estimate"


def mean_of_labels(
    state: LabelSetState,
    asked: Ask,
    kind: str,
    number: float,
    options: tuple[float | None, bool],
    wanted: tuple[float, Side],
) -> Interval:
    """Return the interval of a "macro" or "weighted" average, whatever the labels' correlations.

    Needs: the average is defined, and the squared weights are known.
    """
    undefined, keep_empty = options
    values, weights = parts_of(state, asked, kind, undefined, keep_empty)
    if undefined is not None and np.isnan(parts_of(state, asked, kind, None, True)[0]).any():
        return without_ends(number, FILLED)
    facts = find(asked.name)
    ends = (facts["lo"], facts["hi"])
    seen = np.flatnonzero(seen_labels(state, undefined, keep_empty))
    used = ~np.isnan(values) & (np.asarray(weights) > 0)
    labels, values = seen[used], values[used]
    total = float(weights[used].sum())
    shares = weights[used] / total
    z = reach(*wanted)
    cells = state.counts[labels]
    squares = state._state.squares
    known = None if squares is None else squares[labels]
    found, _ = _core.intervals(asked.parsed, cells, CLASSES, SECOND, *z, squares=known)
    parts = found[:, 0]
    told = [0, *(end for end, far in zip((1, 2), z, strict=True) if far < math.inf)]
    without = ~np.isfinite(parts[:, told]).all(axis=1)
    if without.any():
        label = state._labels[labels[without.argmax()]]
        return without_ends(number, f"label {label!r} has none, or no finite one")
    moved = 0.0
    if kind == "weighted":
        rows = cells.sum(axis=2).astype(np.float64)
        spread = spread_of_support(rows, rows if known is None else known.sum(axis=2))
        moved = float(np.abs(values - number) @ spread) / total
    return mean_together(number, shares, parts, ends, z, moved)
