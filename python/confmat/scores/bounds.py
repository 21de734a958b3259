"""What binned scores prove: intervals that hold the values of the exact scores.

Every function takes bins in descending order, `p` positives and `n` negatives in each, and returns
the least and the largest value over all ways the rows can lie in their bins, or an interval around
these. Each interval is widened by far more than its own sums can round.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from confmat.scores.state import Floats

Bounds: TypeAlias = tuple[float, float]

UNDEFINED: Bounds = (math.nan, math.nan)
# Sums of terms in [0, 1] that are added in pairs round by less than 40 units of 2**-53.
SLACK = 2.0**-46


def widened(low: float, high: float, least: float = 0.0, most: float = 1.0) -> Bounds:
    """Return the interval, a little wider, within the range of the metric."""
    if math.isnan(low) or math.isnan(high):
        return UNDEFINED
    down, up = (max(abs(end), 1.0) * SLACK if math.isfinite(end) else 0.0 for end in (low, high))
    return max(low - down, least), min(high + up, most)


def ks(fpr: Floats, tpr: Floats) -> Bounds:
    """Bound the largest |tpr - fpr|.

    The curve passes through the edges, so the largest distance there is a lower bound. In a bin it
    stays in the box between two edges, and |tpr - fpr| is largest in a corner of it.
    """
    low = float(np.abs(tpr - fpr).max())
    corners = np.maximum(tpr[1:] - fpr[:-1], fpr[1:] - tpr[:-1])
    return widened(low, max(low, float(corners.max(initial=0.0))))


def eer(fpr: Floats, tpr: Floats) -> Bounds:
    """Bound the rate at which fpr = fnr.

    The curve rises from one edge to the next, so it crosses the falling diagonal in the box of the
    first edge on or beyond it; there fpr = 1 - tpr lies in both ranges of the box.
    """
    end = max(int(np.argmax(fpr >= 1 - tpr)), 1)
    low = max(fpr[end - 1], 1 - tpr[end])
    return widened(float(low), float(min(fpr[end], 1 - tpr[end - 1])))


def harmonic(a: Floats, p: Floats) -> Floats:
    """Return 1 / (a + 1) + ... + 1 / (a + p) of whole numbers, to a few units of 2**-53.

    Small terms are summed; from 32 on it is the Euler-Maclaurin series about a + 1/2.
    """
    few = 32
    k = np.arange(1.0, few + 1)

    def tail(end: Floats) -> Floats:
        y = 1.0 / ((end + 0.5) * (end + 0.5))
        return y * (1 / 24 - y * (7 / 960 - y * (31 / 8064 - y * (127 / 30720))))

    first = np.maximum(a, few)
    rest = np.where(a >= few, p, np.maximum(a + p - few, 0.0))
    series = np.log1p(rest / (first + 0.5)) + (tail(first + rest) - tail(first))
    small = np.flatnonzero(a < few)
    above, most = a[small, np.newaxis], (a + p)[small, np.newaxis]
    series[small] += np.where((above < k) & (k <= most), 1.0 / k, 0.0).sum(axis=1)
    return series


def average_precision(tp: Floats, fp: Floats, whole: bool) -> Bounds:
    """Bound average precision, the mean over the positives of the precision at their score.

    A bin begins at `t` positives and `f` negatives, and adds `p` and `n`. At each of its scores at
    most t + p positives and at least f negatives are predicted, so precision is at most
    (t + p) / (t + p + f): all positives first and tied. Lowest is to have all negatives first: the
    k-th positive then has precision (t + k) / (t + k + c), c = f + n, and no order gives it less.
    The sum over k of whole numbers is p - c (1 / (t + c + 1) + ... + 1 / (t + c + p)): both ends
    are attained by rows that count 1. It is at least the integral over k from 0 to p,
    p - c ln(1 + p / (t + c)), which holds for weights as well.
    """
    t, f = tp[:-1], fp[:-1]
    p, c = np.diff(tp), fp[1:]
    total = tp[-1]
    some = p > 0
    t, f, p, c = t[some], f[some], p[some], c[some]
    high = (p / total) * ((t + p) / (t + p + f))
    if whole:
        lost = c * harmonic(t + c, p)
    else:
        lost = c * np.log1p(np.divide(p, t + c, out=np.zeros_like(p), where=c > 0))
    return widened(float(((p - lost) / total).sum()), float(high.sum()))


def losses(p: Floats, n: Floats, lo: Floats, hi: Floats, loss: str, clip: float) -> Bounds:
    """Bound the Brier score or log loss of scores in [lo, hi], within [0, 1].

    The loss of a positive falls with its score and that of a negative rises, so the ends of the
    range bound both.
    """
    total = p.sum() + n.sum()
    if loss == "brier":
        low, high = p * (1 - hi) ** 2 + n * lo**2, p * (1 - lo) ** 2 + n * hi**2
        most = 1.0
    else:
        lo, hi = np.clip(lo, clip, 1 - clip), np.clip(hi, clip, 1 - clip)
        low = -p * np.log(hi) - n * np.log1p(-lo)
        high = -p * np.log(lo) - n * np.log1p(-hi)
        most = math.inf
    return widened(float((low / total).sum()), float((high / total).sum()), 0.0, most)


def ece(p: Floats, n: Floats, lo: Floats, hi: Floats, bins: int) -> Bounds:
    """Bound the expected calibration error, the sum of |sum of y - score| over equal bins.

    A bin of the sweep within one bin of the error adds between p - (p + n) hi and p - (p + n) lo to
    its sum. One that touches several can put any of its rows in each of them: at the least all
    negatives at their highest score there, at the most all positives at their lowest. The sums of
    both ends bound each absolute value; the sum of absolute values is at least that of the whole.
    """
    total = p.sum() + n.sum()
    p, n = p / total, n / total
    # Bins are (k / bins, (k + 1) / bins]; a score at an edge, give or take rounding, touches both.
    first = np.clip(np.ceil(lo * bins * (1 - 1e-12)) - 1, 0, bins - 1).astype(np.int64)
    last = np.clip(np.ceil(hi * bins * (1 + 1e-12)) - 1, 0, bins - 1).astype(np.int64)
    touched = last - first + 1
    one = touched == 1
    rows = np.repeat(np.arange(len(p)), touched)
    begin = np.cumsum(touched) - touched
    place = first[rows] + np.arange(len(rows)) - begin[rows]
    inside = one[rows]
    least = np.maximum(lo[rows], place / bins)
    most = np.minimum(hi[rows], (place + 1) / bins)
    weight = p[rows] + n[rows]
    low = np.where(inside, p[rows] - weight * hi[rows], -n[rows] * most)
    high = np.where(inside, p[rows] - weight * lo[rows], p[rows] * (1 - least))
    lows, highs = np.bincount(place, low, bins), np.bincount(place, high, bins)
    nearest = np.maximum(np.maximum(lows, -highs), 0.0).sum()
    whole = max(float((p - (p + n) * hi).sum()), float(((p + n) * lo - p).sum()))
    farthest = np.maximum(np.abs(lows), np.abs(highs)).sum()
    return widened(max(float(nearest), whole), float(farthest))
