"""Average precision of many classes in rows that are drawn again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from confmat.multiclass.counted_rows import CountedRows
from confmat.multiclass.inputs import Floats

_LEFT_OUT = 200  # rows, each for itself, for the acceleration
_AT_ONCE = 1 << 13  # weights, of some draws where rows are few: more leave the cache

_Values: TypeAlias = Callable[[Floats], Floats]  # of weights, a row a draw


class _Sorted:
    """Scores in descending order, some of each row: average precisions of any weights of rows."""

    def __init__(self, scores: npt.NDArray[np.generic], positive: npt.NDArray[np.bool_]) -> None:
        order = np.argsort(scores, axis=None, kind="stable")[::-1]
        at = scores.ravel()[order]
        self.starts = np.flatnonzero(np.append(True, at[1:] != at[:-1]))
        self.positive = positive.ravel()[order]
        self.rows = order // (scores.size // len(scores))

    def precisions(self, weights: Floats) -> Floats:
        """Return that of each row of weights; nan where no positive weighs anything."""
        held = np.take(weights, self.rows, axis=1)
        tp = self._of_scores(np.where(self.positive, held, 0.0))
        total = tp.sum(axis=1)
        above = np.cumsum(self._of_scores(held), axis=1)
        share = np.divide(np.cumsum(tp, axis=1), above, out=np.zeros(tp.shape), where=above > 0)
        with np.errstate(invalid="ignore"):
            out: Floats = _products(tp, share) / total
        return out

    def _of_scores(self, amounts: Floats) -> Floats:
        """Return the sums of amounts of each score."""
        if len(self.starts) == len(self.rows):
            return amounts
        sums: Floats = np.add.reduceat(amounts, self.starts, axis=1)
        return sums


def drawn_precisions(
    rows: CountedRows, average: str, count: int, random: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Return average precisions of rows drawn again, and of all rows but one, and for how many.

    Shapes (count,), (l,) and (l,): each of the l rows left out stands for as many rows. A class of
    which no row was drawn is left out of the average.
    """
    values = _values_of(rows, average)
    width = rows.n * (len(rows.columns) if average == "micro" else 1)
    weights = rows.share * rows.n
    n = rows.n
    even = np.full(n, 1 / n)
    drawn = [
        values(random.multinomial(n, even, some.stop - some.start) * weights)
        for some in _blocks(count, width)
    ]
    places = np.unique(np.linspace(0, n - 1, min(n, _LEFT_OUT)).round().astype(np.intp))
    less = [
        values(np.where(np.arange(n) == places[some, None], 0.0, weights))
        for some in _blocks(len(places), width)
    ]
    return np.concatenate(drawn), np.concatenate(less), np.full(len(places), n / len(places))


def _blocks(count: int, width: int) -> Iterator[slice]:
    """Yield the draws that are valued at once, of so many weights each."""
    step = max(1, _AT_ONCE // width)
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def _values_of(rows: CountedRows, average: str) -> _Values:
    k = len(rows.columns)
    if average == "micro":
        is_class = rows.codes[:, None] == np.arange(k)
        return _Sorted(np.column_stack(rows.columns), is_class).precisions
    seen = np.unique(rows.codes)
    classes = [_Sorted(rows.columns[at], rows.codes == at) for at in seen]

    def means(weights: Floats) -> Floats:
        found = np.column_stack([one.precisions(weights) for one in classes])
        parts = np.ones(found.shape)
        if average == "weighted":
            of = np.arange(len(weights))[:, None] * k + rows.codes
            sums = np.bincount(of.ravel(), weights.ravel(), len(weights) * k)
            parts = np.take(sums.reshape(-1, k), seen, axis=1)
        lacks = np.isnan(found)
        found[lacks] = parts[lacks] = 0.0
        with np.errstate(invalid="ignore"):
            out: Floats = _products(parts, found) / parts.sum(axis=1)
        return out

    return means


def _products(one: Floats, other: Floats) -> Floats:
    """Return the scalar product of each row."""
    out: Floats = (one[:, None, :] @ other[:, :, None])[:, 0, 0]
    return out
