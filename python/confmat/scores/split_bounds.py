"""The least and the largest value of a metric over every way a threshold can split a bin.

A threshold inside a bin of `p` positives and `n` negatives predicts any of them positive, so the
true and the false positives lie in a box of p by n: at whole numbers, or anywhere for weights. The
row of a metric declares its shape there (`Shape` in metrics/row.hpp), which the laws prove.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from confmat.scores.bounds import SLACK, UNDEFINED, Bounds, widened
from confmat.scores.state import Floats, Totals

# Boxes of so many whole points are tried out: at most about half a second.
_TRIED = 2**20
# Parts of a box whose bounds are refined at once; with so many they are good to some 1e-6.
_PARTS = 2**12
_ROUNDS = 50  # then parts are as narrow as a float can tell
_NEAR = 1e-12  # the shares of two sums of weights that are equal, but for rounding


class Metric(Protocol):
    """A metric at pairs of true and false positives; `undefined` replaces undefined classes."""

    def __call__(self, tp: Any, fp: Any, undefined: float | None = None) -> Floats:  # noqa: D102
        ...


def extremes(
    metric: Metric,
    shape: str,
    tp: Totals,
    fp: Totals,
    sizes: tuple[float, float],
    limits: Bounds,
    *,
    edges: bool = False,
) -> Bounds:
    """Return an interval that holds the metric wherever it is defined in a box.

    `tp` and `fp` are its sides, `sizes` the totals of both classes, `limits` the declared range.
    With `edges` it may be undefined on whole edges of the table or, if it is free, anywhere.
    Of counts both ends are attained, rounding apart, unless there are too many points to try.
    """
    counted = tp.dtype.kind != "f"
    corners = _corners(tp, fp, counted)
    values = metric(*corners)
    # A class can be undefined at the ends; one that is so in the middle is so everywhere, but of a
    # formula that can be undefined anywhere.
    middle = metric((tp[:1] + tp[1:]) / 2, (fp[:1] + fp[1:]) / 2)
    anywhere = edges and shape == "free"
    if not anywhere and np.isnan(values).all() and np.isnan(middle).all():
        return UNDEFINED
    if not counted:
        # Few tp with many fp and the reverse are extreme, unless a class is undefined there: then
        # there is no next point to look at.
        ends = tp, fp[::-1]
        zero, one = (metric(*ends, undefined=value) for value in (0.0, 1.0))
        if (zero != one).any() or np.isnan(metric(*ends)).any():
            return limits
    crossed = shape == "association" and _crosses(tp, fp, sizes)
    if shape in ("dome", "free") or crossed:
        if counted and (int(tp[1] - tp[0]) + 1) * (int(fp[1] - fp[0]) + 1) <= _TRIED:
            values = metric(*_grid(np.arange(tp[0], tp[1] + 1), np.arange(fp[0], fp[1] + 1)))
        elif shape == "dome":
            values = np.append(values, _crest(metric, tp, fp, limits[0]))
        elif crossed:
            values = np.append(values, limits[0])
        else:
            return limits
    values = values[~np.isnan(values)]
    return widened(float(values.min()), float(values.max()), *limits) if len(values) else UNDEFINED


def _grid(tp: Any, fp: Any) -> tuple[Any, Any]:
    return np.repeat(tp, len(fp)), np.tile(fp, len(tp))


def _corners(tp: Totals, fp: Totals, counted: bool) -> tuple[Any, Any]:
    """Return the corners of a box and, of counts, the points next to them.

    A class can be undefined in corners only, or on whole edges of the table. What is left of a
    monotone box is extreme in its other corners or next to these.
    """
    if not counted:
        return _grid(tp, fp)
    near = (np.array([part[0], part[0] + 1, part[1] - 1, part[1]]) for part in (tp, fp))
    return _grid(*(np.unique(np.clip(part, part[0], part[-1])) for part in near))


def _crosses(tp: Totals, fp: Totals, sizes: tuple[float, float]) -> bool:
    """Return whether truth and prediction can be independent: tp and fp the same share."""
    if not all(sizes):
        return True
    (few, many), (least, most) = tp / sizes[0], fp / sizes[1]
    return bool(few <= most + _NEAR and least <= many + _NEAR)


def _crest(metric: Metric, tp: Totals, fp: Totals, least_of_all: float) -> float:
    """Bound a dome from above: parts that may hold its top are cut in four until they are flat.

    In a part no value is more than three times as far above the least corner as the middle is. A
    corner in which a class is undefined counts as the least value that there is.
    """
    parts = np.array([[tp[0]], [tp[1]], [fp[0]], [fp[1]]], dtype=np.float64)
    best = -math.inf
    for _ in range(_ROUNDS):
        left, right, low, high = parts
        across, up = left / 2 + right / 2, low / 2 + high / 2
        ends = [
            np.nan_to_num(metric(x, y), nan=least_of_all)
            for x in (left, right)
            for y in (low, high)
        ]
        least, middle = np.minimum.reduce(ends), metric(across, up)
        best = max(best, float(np.max(ends)), float(middle.max()))
        tops = least + 3 * (middle - least)
        some = tops > best + SLACK
        if not some.any():
            return best + SLACK
        if np.count_nonzero(some) > _PARTS:
            break
        left, across, right, low, up, high = (
            part[some] for part in (left, across, right, low, up, high)
        )
        fourths = [
            np.stack([*side, *height])
            for side in ((left, across), (across, right))
            for height in ((low, up), (up, high))
        ]
        parts = np.unique(np.concatenate(fourths, axis=1), axis=1)  # of a line, halves
    return float(tops.max())
