"""The distributions that two states have in common: classes, predictions, cells, bins of scores."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from confmat.core_state import BYTES
from confmat.errors import InputError
from confmat.intervals.levels import Floats
from confmat.labels import described
from confmat.matrices.sparse import SparseCells
from confmat.objects.any_sweep import AnySweep
from confmat.objects.binned_sweep import BinnedSweep
from confmat.objects.matrix import ConfusionMatrix
from confmat.objects.states import from_bytes
from confmat.scores.cuts import counts_at, cuts_at
from confmat.scores.grid import increasing


class Distribution(NamedTuple):
    """Rows, or their weight, of two states by part; `parts` are the columns that name these."""

    name: str
    parts: list[pl.Series]
    a: Floats
    b: Floats
    are_rows: bool


def distributions_of(a: Any, b: Any, bins: Any) -> Iterator[Distribution]:
    """Yield what two states of one kind can be compared by."""
    one, other = (from_bytes(bytes(x)) if isinstance(x, BYTES) else x for x in (a, b))
    if isinstance(one, ConfusionMatrix) and isinstance(other, ConfusionMatrix):
        return _of_matrices(one, other)
    if isinstance(one, AnySweep) and isinstance(other, AnySweep):
        return _of_sweeps(one, other, bins)
    raise InputError(
        f"`a` is {described(a)} and `b` is {described(b)}; wanted two matrices or two sweeps"
    )


def _of_matrices(a: ConfusionMatrix, b: ConfusionMatrix) -> Iterator[Distribution]:
    labels = _both(a, b).labels
    places, values = zip(*(_placed(of, labels) for of in (a, b)), strict=True)
    k = len(labels)
    are_rows = all(of.weights_sq is None and of._cells.dtype.kind == "i" for of in (a, b))
    named = pl.Series(list(labels))
    for name, of_place in (("true", np.floor_divide), ("predicted", np.remainder)):
        sums: list[Any] = [
            np.bincount(of_place(at, k), weights=value, minlength=k)
            for at, value in zip(places, values, strict=True)
        ]
        yield Distribution(name, [named.rename(name)], sums[0], sums[1], are_rows)
    both = np.union1d(*places)
    cells = np.zeros((2, len(both)))
    for row, (at, value) in enumerate(zip(places, values, strict=True)):
        cells[row, np.searchsorted(both, at)] = value
    names = [named[both // k].rename("true"), named[both % k].rename("predicted")]
    yield Distribution("cells", names, cells[0], cells[1], are_rows)


def _placed(m: ConfusionMatrix, labels: tuple[Any, ...]) -> tuple[Any, Floats]:
    """Return the cells that are not 0 by their places among all labels, and their values."""
    cells = m._cells
    if isinstance(cells, SparseCells):
        rows, columns, values = cells.rows, cells.columns, cells.values
    else:
        rows, columns = np.nonzero(cells)
        values = cells[rows, columns]
    position = {label: at for at, label in enumerate(labels)}
    new = np.array([position[label] for label in m.labels], dtype=np.int64)
    return new[rows] * len(labels) + new[columns], values.astype(np.float64)


def _of_sweeps(a: AnySweep, b: AnySweep, bins: Any) -> Iterator[Distribution]:
    negative, positive = _both(a, b).labels
    a, b = _alike(a, b)
    are_rows = not (a.weighted or b.weighted)
    sizes = [np.array([of.n_negative, of.n_positive], np.float64) for of in (a, b)]
    names = [pl.Series("true", [negative, positive])]
    yield Distribution("true", names, sizes[0], sizes[1], are_rows)
    cuts = _thresholds(a, bins)
    edges = [
        pl.Series("low", np.append(cuts, -math.inf)),
        pl.Series("high", np.insert(cuts, 0, math.inf)),
    ]
    (neg_a, pos_a), (neg_b, pos_b) = (_in_bins(of, cuts) for of in (a, b))
    yield Distribution("score", edges, neg_a + pos_a, neg_b + pos_b, are_rows)
    yield Distribution("score_negative", edges, neg_a, neg_b, are_rows)
    yield Distribution("score_positive", edges, pos_a, pos_b, are_rows)


def _alike(a: AnySweep, b: AnySweep) -> tuple[AnySweep, AnySweep]:
    """Return both with bins of the coarser of their levels."""
    if isinstance(a, BinnedSweep) and isinstance(b, BinnedSweep) and a.level != b.level:
        level = max(a.level or 0, b.level or 0)
        return a.coarser(level), b.coarser(level)
    return a, b


def _thresholds(a: AnySweep, bins: Any) -> Floats:
    """Return the thresholds between bins, descending."""
    if not isinstance(bins, (int, np.integer)) or isinstance(bins, bool):
        return increasing(bins, "bins")[::-1]
    if bins < 2:
        raise InputError(f"`bins` is {bins}; wanted at least 2, or thresholds")
    rows = np.asarray(a.tp + a.fp, np.float64)
    if not len(rows):
        raise InputError("`a` has no rows, and so no bins of its scores; wanted thresholds")
    targets = np.arange(1, bins) / bins * rows[-1]
    at = np.unique(np.minimum(np.searchsorted(rows, targets), len(rows) - 1))
    edges = a._at if a._lower is None else a._lower
    found: Floats = np.asarray(edges[at], np.float64)
    return found[np.isfinite(found)]


def _in_bins(of: AnySweep, thresholds: Floats) -> tuple[Floats, Floats]:
    """Return negatives and positives from one threshold to the next."""
    tp, fp = counts_at(of, cuts_at(of, thresholds))
    counts: list[Any] = [
        np.diff(np.concatenate([[0.0], part, [total]]))
        for part, total in ((fp, of.n_negative), (tp, of.n_positive))
    ]
    return counts[0], counts[1]


def _both(a: Any, b: Any) -> Any:
    """Return the sum of two states, which have the same labels and bins if there is one."""
    try:
        return a + b
    except InputError as why:
        told = str(why).removeprefix("cannot add: ")
        raise InputError(f"drift from `a` to `b` cannot be told: {told}") from None
