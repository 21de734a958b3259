"""Bins of scores for calibration: where they lie, and what falls into them."""

from __future__ import annotations

import operator
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.calibration.isotonic_blocks import block_starts
from confmat.errors import InputError
from confmat.intervals.levels import Side, on_side, z_of
from confmat.intervals.wilson import limits
from confmat.scores.counts import Floats, ScoreCounts

Strategy: TypeAlias = Literal["uniform", "quantile", "isotonic"]


class Bins(NamedTuple):
    """Bins (lo, hi], the first closed at 0, that cover [0, 1]; arrays of shape (bins,)."""

    lo: Floats
    hi: Floats
    n: Floats
    positives: Floats
    score_sum: Floats

    @property
    def held(self) -> npt.NDArray[np.bool_]:
        """Which bins hold rows."""
        return self.n > 0

    def filled(self) -> Bins:
        """Return the bins that hold rows."""
        held = self.held
        return self if held.all() else Bins(*(part[held] for part in self))


def read_bins(bins: Any, strategy: Any) -> int | Floats:
    """Return the number of bins, or the edges.

    Raises
    ------
    InputError
        Not a positive number; edges that are not finite, not increasing or not from 0 to 1; edges
        together with a strategy other than "uniform"; an unknown strategy.
    """
    if not isinstance(strategy, str) or strategy not in get_args(Strategy):
        wanted = ", ".join(map(repr, get_args(Strategy)))
        raise InputError(f"`strategy` is {strategy!r}; wanted one of {wanted} (edges go to `bins`)")
    if isinstance(bins, bool | str | bytes):
        raise InputError(f"`bins` is {bins!r}; wanted a number of bins or their edges")
    try:
        number = operator.index(bins)
    except TypeError:
        return _edges(bins, strategy)
    if number < 1:
        raise InputError(f"`bins` is {number}; wanted at least 1")
    return number


def _edges(bins: Any, strategy: str) -> Floats:
    try:
        edges = np.asarray(bins, dtype=np.float64)
    except (TypeError, ValueError):
        edges = np.zeros(())
    if edges.ndim != 1 or len(edges) < 2:
        raise InputError(f"`bins` is {bins!r}; wanted a number of bins or at least two edges")
    if strategy != "uniform":
        raise InputError(f"`bins` holds edges, `strategy` is {strategy!r}; wanted one of the two")
    if not np.isfinite(edges).all():
        at = int(np.argmin(np.isfinite(edges)))
        raise InputError(f"`bins` holds {edges[at]} at position {at}; wanted finite edges")
    rises = edges[1:] > edges[:-1]
    if not rises.all():
        at = int(np.argmin(rises))
        raise InputError(
            f"`bins` holds {edges[at]} and then {edges[at + 1]} at position {at + 1}; "
            "wanted increasing edges"
        )
    if edges[0] != 0 or edges[-1] != 1:
        raise InputError(f"`bins` goes from {edges[0]} to {edges[-1]}; wanted edges from 0 to 1")
    return edges


def binned(counts: ScoreCounts, bins: int | Floats, strategy: str) -> Bins:
    """Return the bins of these counts."""
    if strategy == "isotonic":
        starts = block_starts(counts) if len(counts.scores) else np.zeros(1, dtype=np.intp)
        edges = np.concatenate([[0.0], counts.scores[starts[1:] - 1], [1.0]])
        return _summed(counts, edges, starts)
    if not isinstance(bins, int):
        edges = bins
    elif strategy == "quantile":
        edges = quantile_edges(counts, bins)
    else:
        edges = np.arange(bins + 1) / bins
    starts = np.searchsorted(counts.scores, edges[:-1], side="right")
    starts[0] = 0
    return _summed(counts, edges, starts)


def quantile_edges(counts: ScoreCounts, bins: int) -> Floats:
    """Return edges of at most `bins` bins of equal mass; rows of one score stay together.

    Inner edge k is the smallest score with at least k/bins of the rows at or below it: with
    distinct scores and n a multiple of `bins`, every bin holds n/bins rows. A score on which
    several edges fall closes one bin, and there are fewer bins. Of many zeros the first is [0, 0].
    """
    s = counts.scores
    if not len(s):
        return np.array([0.0, 1.0])
    up_to = np.cumsum(counts.mass)
    # Less a hair, or a sum of weights that is a rounding short of k/bins would take one score more.
    wanted = up_to[-1] * (np.arange(1, bins) / bins) * (1 - 1e-12)
    inner = np.unique(s[np.searchsorted(up_to, wanted)])
    return np.concatenate([[0.0], inner[inner < 1], [1.0]])


def _summed(counts: ScoreCounts, edges: Floats, starts: npt.NDArray[np.intp]) -> Bins:
    ends = np.append(starts[1:], len(counts.scores))
    sums = [np.zeros(len(starts)) for _ in range(3)]
    held = ends > starts
    if held.any():
        # Empty bins between two others hold nothing: without them, reduceat sums each bin alone.
        for total, part in zip(
            sums,
            (counts.mass, counts.positives, counts.mass * counts.scores),
            strict=True,
        ):
            total[held] = np.add.reduceat(part, starts[held])
    return Bins(edges[:-1], edges[1:], *sums)


def bin_table(bins: Bins, whole: bool, effective: float, level: float, side: Side) -> pl.DataFrame:
    """Return the table of a calibration; `effective` is the effective number of rows per weight."""
    shares, scores = _over(bins.positives, bins.n), _over(bins.score_sum, bins.n)
    z = z_of(level, side)
    rows = bins.n * effective
    low, high = on_side(*limits(shares * rows, rows, z), side, (0.0, 1.0))
    frame = pl.DataFrame(
        {
            "lo": bins.lo,
            "hi": bins.hi,
            "n": bins.n.astype(np.int64) if whole else bins.n,
            "mean_score": scores,
            "fraction_positive": shares,
            "ci_low": low,
            "ci_high": high,
        }
    )
    return frame.with_columns(pl.selectors.float().fill_nan(None))


def _over(part: Floats, n: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(part / n, dtype=np.float64)
