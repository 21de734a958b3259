"""How well scores rank the labels of each row: its labels ought to be above all others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat.labelsets.indicators import Bools
from confmat.multiclass.inputs import FloatColumn, Floats

_BLOCK = 1 << 18  # scores sorted at a time


class Ranked(NamedTuple):
    """Labels of some rows by descending score; equal scores all have the lowest place of them."""

    true: Bools  # (rows, L)
    place: npt.NDArray[np.int64]  # labels with at least this score
    hits: npt.NDArray[np.int64]  # true ones among these


def label_ranking_average_precision(rows: Ranked) -> Floats:
    """Return the mean precision at each true label of a row.

    Precision is the share of true labels among those with at least the score of this one. A
    row with no label or all of them has 1. Schapire and Singer (2000).
    """
    total = np.where(rows.true, rows.hits / rows.place, 0.0).sum(axis=1)
    size = rows.true.sum(axis=1)
    some = (size > 0) & (size < rows.true.shape[1])
    precision: Floats = np.divide(total, size, out=np.ones(len(size)), where=some)
    return precision


def coverage_error(rows: Ranked) -> Floats:
    """Return how many labels of a row must be predicted to have all true ones.

    Labels are predicted from the highest score down; a row without labels needs none.
    Tsoumakas, Katakis and Vlahavas (2010).
    """
    places: Floats = (rows.place * rows.true).max(axis=1).astype(np.float64)
    return places


def label_ranking_loss(rows: Ranked) -> Floats:
    """Return the share of pairs of labels of a row in the wrong order.

    Pairs of a true label and another one whose score is not lower. A row with no label or all
    of them has 0. Tsoumakas, Katakis and Vlahavas (2010).
    """
    size = rows.true.sum(axis=1)
    pairs = size * (rows.true.shape[1] - size)
    total = np.where(rows.true, rows.place - rows.hits, 0).sum(axis=1)
    wrong: Floats = np.divide(total, pairs, out=np.zeros(len(size)), where=pairs > 0)
    return wrong


# In the order of saved states.
RANKINGS: dict[str, Callable[[Ranked], Floats]] = {
    "label_ranking_average_precision": label_ranking_average_precision,
    "coverage_error": coverage_error,
    "label_ranking_loss": label_ranking_loss,
}


def of_rows(name: str, truth: Bools, scores: list[FloatColumn]) -> Floats:
    """Return a number of each row."""
    n, width = truth.shape
    step = max(_BLOCK // max(width, 1), 1)
    blocks = (slice(first, first + step) for first in range(0, n, step))
    values = [
        RANKINGS[name](ranked(truth[rows], np.stack([s[rows] for s in scores], axis=1)))
        for rows in blocks
    ]
    return np.concatenate([np.zeros(0), *values])


def ranked(truth: Bools, scores: npt.NDArray[Any]) -> Ranked:
    """Return the labels of these rows in the order of their scores."""
    order = np.argsort(scores, axis=1)[:, ::-1]
    scores, true = (np.take_along_axis(part, order, axis=1) for part in (scores, truth))
    width = scores.shape[1]
    # The place of the last of equal scores: the least of the ends of runs from here on.
    ends = np.full(scores.shape, width, dtype=np.int64)
    ends[:, :-1] = np.where(scores[:, 1:] < scores[:, :-1], np.arange(1, width), width)
    place = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    hits = np.take_along_axis(np.cumsum(true, axis=1, dtype=np.int64), place - 1, axis=1)
    return Ranked(true, place, hits)
