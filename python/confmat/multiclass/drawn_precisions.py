"""Average precision of many classes in rows that are drawn again."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from confmat.multiclass.counted_rows import CountedRows
from confmat.multiclass.inputs import Floats

_LEFT_OUT = 200  # rows, each for itself, for the acceleration


class _Sorted:
    """Rows by descending score: the average precision of any weights of them."""

    def __init__(self, scores: npt.NDArray[np.generic], positive: npt.NDArray[np.bool_]) -> None:
        self.order = np.argsort(scores, kind="stable")[::-1]
        at = scores[self.order]
        self.starts = np.flatnonzero(np.append(True, at[1:] != at[:-1]))
        self.positive = positive[self.order]

    def precision(self, weights: Floats) -> float:
        held = weights[self.order]
        tp = np.add.reduceat(np.where(self.positive, held, 0.0), self.starts)
        all_of = np.add.reduceat(held, self.starts)
        total = float(tp.sum())
        if not total:
            return math.nan
        above = np.cumsum(all_of)
        share = np.divide(np.cumsum(tp), above, out=np.zeros(len(tp)), where=above > 0)
        return float(tp @ share) / total


def drawn_precisions(
    rows: CountedRows, average: str, count: int, random: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Return average precisions of rows drawn again, and of all rows but one, and for how many.

    Shapes (count,), (l,) and (l,): each of the l rows left out stands for as many rows. A class of
    which no row was drawn is left out of the average.
    """
    value = _value_of(rows, average)
    weights = rows.share * rows.n
    n = rows.n
    drawn = np.array(
        [value(random.multinomial(n, np.full(n, 1 / n)) * weights) for _ in range(count)]
    )
    places = np.unique(np.linspace(0, n - 1, min(n, _LEFT_OUT)).round().astype(np.intp))
    less = np.empty(len(places))
    for at, place in enumerate(places):
        rest = weights.copy()
        rest[place] = 0.0
        less[at] = value(rest)
    return drawn, less, np.full(len(places), n / len(places))


def _value_of(rows: CountedRows, average: str) -> Callable[[Floats], float]:
    k = len(rows.columns)
    if average == "micro":
        positive = (rows.codes[:, None] == np.arange(k)).ravel()
        pooled = _Sorted(np.column_stack(rows.columns).ravel(), positive)
        return lambda weights: pooled.precision(np.repeat(weights, k))
    seen = np.unique(rows.codes)
    classes = [_Sorted(rows.columns[at], rows.codes == at) for at in seen]

    def mean(weights: Floats) -> float:
        found = np.array([one.precision(weights) for one in classes])
        used = ~np.isnan(found)
        parts: Floats = np.ones(len(seen))
        if average == "weighted":
            parts = np.bincount(rows.codes, weights, k)[seen].astype(np.float64)
        return float(parts[used] @ found[used]) / float(parts[used].sum())

    return mean
