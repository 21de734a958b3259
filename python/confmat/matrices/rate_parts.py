"""The rates of a matrix and of its classes, each with the rows that it is a share of."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from confmat import positive_class
from confmat.intervals.levels import Floats
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.class_shares import class_shares
from confmat.matrices.sparse import AnyCells, SparseCells, full, held, margins, require_table


class Part(NamedTuple):
    """A rate: of `n` rows, or their effective number, `events`; `share` of all rows are like these.

    `share` is nan where that is not known.
    """

    metric: str
    label: Label | None
    n: float
    events: float
    share: float
    share_is_given: bool


def rate_parts(state: MatrixBase, prevalence: Any, pos_label: Label | None) -> Iterator[Part]:
    """Yield the rates of the matrix and of its classes, with effective numbers of rows."""
    cells, labels, squares = state._cells, state._labels, state._effective_squares()
    named = positive_class.named(list(labels), pos_label)
    positive = state._positive if named is None else named
    if positive_class.may_add(labels, positive):
        table, squares = state.counts, None if squares is None else full(cells, squares)
        cells, wide, _ = positive_class.added(table, labels)
        squares = None if squares is None else positive_class.added(squares, labels)[0]
        labels = tuple(wide)
    support, predicted, right = (part.astype(np.float64) for part in margins(cells))
    n = float(held(cells).sum())
    of_squares = _square_margins(cells, squares, len(labels))
    given = prevalence is not None
    if given:
        shares = class_shares(labels, positive, support, prevalence)
        of_predicted = _predicted_shares(cells, shares, support)
    else:
        with np.errstate(invalid="ignore", divide="ignore"):
            shares, of_predicted = support / n, predicted / n
    of_others = shares[::-1] if len(labels) == 2 else 1 - shares  # no cancellation of small ones
    yield _part("accuracy", None, n, float(right.sum()), of_squares[2], (1.0, False))
    for at, label in enumerate(labels):
        rows, told, hits = support[at], predicted[at], right[at]
        yield _part("recall", label, rows, hits, of_squares[0][at], (shares[at], given))
        yield _part("precision", label, told, hits, of_squares[1][at], (of_predicted[at], given))
        others = of_squares[2] - of_squares[0][at]
        misses = max(n - rows - told + hits, 0.0)
        yield _part("specificity", label, n - rows, misses, others, (of_others[at], given))


def _part(
    metric: str, label: Label | None, n: float, right: float, square: float, of: tuple[float, bool]
) -> Part:
    """Return a rate with the effective number of its rows; nan where squares are not known."""
    if n in (0, square):  # counts, which stay whole
        return Part(metric, label, n, right, *of)
    effective = n * (n / square) if square > 0 else math.nan
    return Part(metric, label, effective, right * (effective / n), *of)


def _square_margins(cells: AnyCells, squares: Any, k: int) -> tuple[Floats, Floats, float]:
    """Return sums of squared weights by true and by predicted class, and of all."""
    if squares is None:
        return np.full(k, np.nan), np.full(k, np.nan), math.nan
    like = cells._replace(values=squares) if isinstance(cells, SparseCells) else squares
    by_truth, by_prediction, _ = margins(like)
    return by_truth, by_prediction, float(squares.sum())


def _predicted_shares(cells: AnyCells, shares: Floats, support: Floats) -> Floats:
    """Return the share of rows predicted as each class, at these shares of true ones."""
    if isinstance(cells, SparseCells):
        require_table(cells.k, "`prevalence`", "leave it out")
    table: Any = full(cells, held(cells))
    known = (support > 0)[:, None]
    rates = np.divide(table, support[:, None], out=np.full(table.shape, np.nan), where=known)
    rates[shares == 0] = 0.0
    predicted: Floats = (shares[:, None] * rates).sum(0)
    return predicted
