"""The Brier score taken apart: by bins, by distinct scores, and by isotonic regression."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from confmat import _core
from confmat.calibration.bins import Bins
from confmat.calibration.isotonic_blocks import block_shares, block_starts
from confmat.scores.counts import ScoreCounts, dot


class BrierDecomposition(NamedTuple):
    """Murphy's terms of the Brier score over bins, with what happens within them.

    ``brier = reliability - resolution + uncertainty + within_variance - within_covariance``,
    exactly; over distinct scores the last two are 0. All are nan without rows.

    Attributes
    ----------
    brier : float
        Mean of (score - y)².
    reliability : float
        Mean over rows of (mean score of the bin - share of positives in it)²; 0 is best.
    resolution : float
        Mean over rows of (share of positives in the bin - that of all rows)²; higher is better.
    uncertainty : float
        q (1 - q), q the share of positives of all rows.
    within_variance : float
        Mean over rows of (score - mean score of its bin)².
    within_covariance : float
        Twice the mean over rows of (score - mean score of its bin) (y - share of positives in it).

    References
    ----------
    Murphy (1973), https://doi.org/10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2; Stephenson,
    Coelho and Jolliffe (2008), https://doi.org/10.1175/2007WAF2006116.1, for the terms within bins.
    """

    brier: float
    reliability: float
    resolution: float
    uncertainty: float
    within_variance: float
    within_covariance: float


class CorpDecomposition(NamedTuple):
    """The Brier score by isotonic regression: ``miscalibration - discrimination + uncertainty``.

    All are nan without rows.

    Attributes
    ----------
    brier : float
        Mean of (score - y)².
    miscalibration : float
        What isotonic recalibration takes off the Brier score, at least 0; 0 is best.
    discrimination : float
        How much less than uncertainty the recalibrated score has, at least 0; higher is better.
    uncertainty : float
        q (1 - q), q the share of positives: the Brier score of the best constant.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021), https://doi.org/10.1073/pnas.2016191118.
    """

    brier: float
    miscalibration: float
    discrimination: float
    uncertainty: float


def brier(counts: ScoreCounts) -> float:
    """Return the mean of (score - y)², as the metric of a sweep has it; nan without rows."""
    columns = (np.ascontiguousarray(part[::-1]) for part in counts)
    return _core.score_values(["brier"], *columns)[0]


def murphy(counts: ScoreCounts, bins: Bins) -> BrierDecomposition:
    """Return the terms over these bins of the same counts."""
    n = counts.n
    if not n:
        return BrierDecomposition(*[math.nan] * 6)
    bins = bins.filled()
    base = counts.n_positive / n
    shares, scores = bins.positives / bins.n, bins.score_sum / bins.n
    at = np.searchsorted(bins.hi, counts.scores)
    off = counts.scores - scores[at]
    lean = dot(off, counts.positives)  # off sums to 0 over a bin: the share of positives drops out
    return BrierDecomposition(
        brier(counts),
        dot(bins.n, (scores - shares) ** 2) / n,
        dot(bins.n, (shares - base) ** 2) / n,
        base * (1 - base),
        dot(counts.mass, off**2) / n,
        2 * lean / n,
    )


def distinct(counts: ScoreCounts) -> Bins:
    """Return one bin for each distinct score."""
    edges = np.concatenate([[0.0], counts.scores])
    return Bins(edges[:-1], edges[1:], counts.mass, counts.positives, counts.mass * counts.scores)


def corp(counts: ScoreCounts) -> CorpDecomposition:
    """Return the terms by isotonic regression; needs SciPy."""
    n = counts.n
    if not n:
        return CorpDecomposition(*[math.nan] * 4)
    base = counts.n_positive / n
    starts = block_starts(counts)
    shares = block_shares(counts, starts)
    sizes = np.diff(np.append(starts, len(counts.scores)))
    fit, s = np.repeat(shares, sizes), counts.scores
    # (s - y)² - (fit - y)², summed over the rows of a score without the difference of two squares
    gain = dot(s - fit, counts.mass * (s + fit) - 2 * counts.positives) / n
    discrimination = dot(np.add.reduceat(counts.mass, starts), (shares - base) ** 2) / n
    return CorpDecomposition(brier(counts), max(gain, 0.0), discrimination, base * (1 - base))
