"""The rates of a matrix and of its classes, each with the rows that it is a share of."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from confmat import positive_class
from confmat.intervals.effective_rows import effective_rows
from confmat.intervals.levels import Floats, z_of
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.class_shares import class_shares
from confmat.matrices.sparse import AnyCells, SparseCells, full, held, margins, require_table

CERTAIN = 2.0**53  # rows: a rate that these shares alone make what it is
Rate: TypeAlias = tuple[float, float]  # of how many rows, and how many of them
Rows: TypeAlias = tuple[Floats, Floats, Floats]  # values, their middles, as of how many rows


class Part(NamedTuple):
    """A rate: of `n` rows, or of as many as it is as sure as, `events`.

    `share` of all rows are like these, nan where that is not known.
    """

    metric: str
    label: Label | None
    n: float
    events: float
    share: float
    share_is_given: bool
    middle: float = math.nan  # about which it is sure, where that is not its value
    is_counted: bool = True  # else `n` is an effective number
    without: Label | None = None  # a class that has a share and no rows: the rate is of these rows


def rate_parts(
    state: MatrixBase, prevalence: Any, pos_label: Label | None, level: float
) -> Iterator[Part]:
    """Yield the rates of the matrix and of its classes, at the shares of classes that are given."""
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
    of_support, of_predicted, of_right = _square_margins(cells, squares, len(labels))
    of_all = math.nan if squares is None else float(squares.sum())
    given = prevalence is not None
    without, elsewhere = None, None
    with np.errstate(invalid="ignore", divide="ignore"):
        shares, told_as = support / n, predicted / n
    if given or state.class_sizes_known:
        if given:
            shares = class_shares(labels, positive, support, prevalence)
        if isinstance(cells, SparseCells):
            require_table(cells.k, "`prevalence`", "leave it out")
        rates = _rates(full(cells, held(cells)), support, shares)
        told_as = shares @ rates
        unknown = (shares > 0) & ~(support > 0)
        without = labels[int(unknown.argmax())] if unknown.any() else None
        if without is None:
            with np.errstate(invalid="ignore", divide="ignore"):
                rows = np.where(support > 0, support * (support / of_support), 0.0)
            elsewhere = _at_shares(rates, shares, rows, z_of(level))
    of_others = shares[::-1] if len(labels) == 2 else 1 - shares  # no cancellation of small ones

    def part(
        metric: str, at: int, counts: tuple[float, float], square: tuple[float, float], share: float
    ) -> Part:
        label = None if metric == "accuracy" else labels[at]
        is_within = metric == "recall" or (metric == "specificity" and len(labels) == 2)
        of, missed = (share, given and label is not None), None if is_within else without
        if elsewhere is None or is_within:
            found, is_counted = _effective(*counts, *square)
            return Part(metric, label, *found, *of, math.nan, is_counted, missed)
        value, middle, rows = (float(found[at]) for found in elsewhere[metric])
        if math.isnan(value):
            rows = value = 0.0
        elif not rows <= CERTAIN:  # infinite, or 0 / 0 where there is nothing that could vary
            rows = CERTAIN
        return Part(metric, label, rows, rows * value, *of, middle, is_counted=False)

    yield part("accuracy", 0, (n, float(right.sum())), (of_all, float(of_right.sum())), 1.0)
    for at in range(len(labels)):
        rows, told, hits = support[at], predicted[at], right[at]
        row, column, hit = of_support[at], of_predicted[at], of_right[at]
        yield part("recall", at, (rows, hits), (row, hit), shares[at])
        yield part("precision", at, (told, hits), (column, hit), told_as[at])
        others, misses = n - rows, max(n - rows - told + hits, 0.0)
        square = (of_all - row, max(of_all - row - column + hit, 0.0))
        yield part("specificity", at, (others, misses), square, of_others[at])


def _effective(n: float, right: float, of_n: float, of_right: float) -> tuple[Rate, bool]:
    """Return as many rows as a rate is of, those that are right, and whether they are real."""
    if n in (0, of_n):  # counts, which stay whole
        return (n, right), True
    some, rows = effective_rows(right, n, (of_right, of_n))
    return (float(rows), float(some)), False


def _square_margins(cells: AnyCells, squares: Any, k: int) -> tuple[Floats, Floats, Floats]:
    """Return sums of squared weights by true and by predicted class, and of the diagonal."""
    if squares is None:
        unknown = np.full(k, np.nan)
        return unknown, unknown, unknown
    like = cells._replace(values=squares) if isinstance(cells, SparseCells) else squares
    by_truth, by_prediction, right = margins(like)
    return by_truth, by_prediction, right


def _rates(table: Any, support: Floats, shares: Floats) -> Floats:
    """Return how rows of each class are predicted; nan of a class that has a share and no rows."""
    known = (support > 0)[:, None]
    rates = np.divide(table, support[:, None], out=np.full(table.shape, np.nan), where=known)
    rates[(shares == 0) & ~(support > 0)] = 0.0
    found: Floats = rates
    return found


def _at_shares(rates: Floats, shares: Floats, rows: Floats, z: float) -> dict[str, Rows]:
    """Return rates where classes have these shares, about which they are sure, as of how many rows.

    The rows of each class are a sample of their own. Where all of one class are predicted alike and
    seem to be sure, z^2 rows are spread over what they can be predicted as, as in the adjusted
    interval of Mercaldo, Lau and Zhou; so they are where a rate has no variance.
    """
    there, k = (rows > 0)[:, None], len(rates)
    is_sure = bool(((rates > 0).sum(1) == 1)[shares > 0].any())
    with np.errstate(invalid="ignore", divide="ignore"):
        more = (rates * rows[:, None] + z * z / k) / (rows[:, None] + z * z)
        seen = _values(rates, shares, rows)
        wide = _values(np.where(there, more, rates), shares, rows)
        found = {}
        for name, (value, as_of) in seen.items():
            is_wide = is_sure | ~(np.isfinite(as_of) & (as_of > 0))
            middle, of_wide = wide[name]
            found[name] = (
                value,
                np.where(is_wide, middle, value),
                np.where(is_wide, of_wide, as_of),
            )
        return found


def _values(rates: Floats, shares: Floats, rows: Floats) -> dict[str, tuple[Floats, Floats]]:
    """Return rates at these shares, and the rows that would give each its variance."""
    spread = (shares**2)[:, None] * rates * (1 - rates)
    spread = np.divide(spread, rows[:, None], out=np.zeros_like(rates), where=rows[:, None] > 0)
    own, right, told = np.diagonal(spread), shares * np.diagonal(rates), shares @ rates
    others, precision = spread.sum(0) - own, right / told
    found = {}
    for name, value, variance in (
        ("accuracy", right.sum(keepdims=True), own.sum(keepdims=True)),
        ("precision", precision, ((1 - precision) ** 2 * own + precision**2 * others) / told**2),
        ("specificity", 1 - (told - right) / (1 - shares), others / (1 - shares) ** 2),
    ):
        rate = np.clip(value, 0, 1)
        found[name] = (rate, rate * (1 - rate) / variance)
    return found
