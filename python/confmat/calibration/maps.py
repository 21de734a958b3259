"""Maps of scores as elementwise Polars expressions: they stream, in every version."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from confmat.scores.counts import Floats


def segment(score: pl.Expr, edges: Sequence[float]) -> pl.Expr:
    """Return how many of these edges, increasing, are at most the score."""
    if hasattr(score, "bin_intervals"):  # Polars 2
        return score.bin_intervals(edges, labels=False)
    return nested_segment(score, edges, 0, len(edges))


def nested_segment(score: pl.Expr, edges: Sequence[float], low: int, high: int) -> pl.Expr:
    """Return what `segment` does, of conditions nested as deep as the logarithm of the edges.

    `cut`, of older Polars, neither streams nor numbers its categories in order.
    """
    if low == high:
        return pl.lit(low, dtype=pl.UInt32)
    middle = (low + high) // 2
    above = nested_segment(score, edges, middle + 1, high)
    below = nested_segment(score, edges, low, middle)
    return pl.when(score >= edges[middle]).then(above).when(score.is_not_null()).then(below)


def looked_up(values: Floats, at: pl.Expr) -> pl.Expr:
    """Return the value at a position."""
    return pl.lit(values.tolist(), dtype=pl.List(pl.Float64)).list.get(at)


def sigmoid(odds: pl.Expr) -> pl.Expr:
    """Return 1 / (1 + exp(-odds))."""
    # The power keeps the column first in the expression, which gives the result its name.
    return ((odds * -1.0).exp() + 1.0).pow(-1)


def logit(score: pl.Expr) -> pl.Expr:
    """Return ln(s / (1 - s)); null outside [0, 1]."""
    known = score.is_between(0.0, 1.0) | score.is_nan()
    return pl.when(known).then(score.log() - (score * -1.0).log1p())
