"""Calibration of probabilities: bins, errors, and what the Brier score is made of."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from confmat.calibration import bin_errors, brier_terms, values
from confmat.calibration.bins import Strategy
from confmat.calibration.brier_terms import BrierDecomposition, CorpDecomposition
from confmat.calibration.state import CalibrationState
from confmat.objects.base import ObjectBase
from confmat.render.intervals import LEVEL, behind
from confmat.render.text import number
from confmat.scores.counts import Floats


class Calibration(CalibrationState, ObjectBase):
    """How well probabilities agree with the shares of positives, from counts at each score.

    `Sweep.calibration` makes one. Immutable; `pickle` and `copy` work. Numbers are nan where they
    are undefined, and `reason` says why.

    Parameters
    ----------
    scores : array-like of shape (m,)
        Distinct probabilities, in order, up or down; in [0, 1].
    positives, negatives : array-like of shape (m,)
        Rows of each class at each score: counts, or sums of weights.
    bins : int or sequence of float, default 10
        The number of bins, or their edges: increasing, from 0 to 1. Not looked at by "isotonic".
    strategy : {"uniform", "quantile", "isotonic"}, default "uniform"
        Bins of equal width (edges k/bins, correctly rounded); of equal mass; or the blocks of the
        isotonic regression of the class on the score (CORP; needs SciPy). Of equal mass: inner
        edge k is the smallest score with at least k/bins of the rows at or below it, rows of one
        score stay in one bin, and a score that holds several edges makes the bins fewer.
    n_effective : float, optional
        The effective number of rows, such as Kish's (sum w)² / sum w², for intervals and tests of
        weighted rows; each bin has the share of it that it has of the weight. Default: `n`, which
        takes weights for repeated rows.
    clip : float, optional
        Scores nearer to 0 or 1 than this are moved there before logits are taken (slope,
        intercept, in_the_large). Default: none are moved, and the three are nan if a score is 0
        or 1.

    Attributes
    ----------
    n : int or float
        Rows, or the sum of their weights.
    n_effective : float
    strategy : str
        As asked for; "edges" for given edges.

    Raises
    ------
    InputError
        A score outside [0, 1]; bins that are not a positive number, or edges that do not increase,
        are not finite or do not go from 0 to 1; an unknown strategy.

    Notes
    -----
    Bins are (lo, hi], the first closed at 0. Bins without rows count in no error. All numbers cost
    O(m), however many rows there were.

    Examples
    --------
    >>> import confmat as cm
    >>> c = cm.Calibration([0.1, 0.4, 0.8], [1, 5, 7], [9, 5, 3], bins=2)
    >>> c.table().select("lo", "hi", "n", "mean_score", "fraction_positive").rows()
    [(0.0, 0.5, 20, 0.25, 0.3), (0.5, 1.0, 10, 0.8, 0.7)]
    >>> round(c.ece, 4), round(c.mce, 4), round(c.brier, 4)
    (0.0667, 0.1, 0.19)
    """

    value = values.value
    reason = values.reason
    n_used = values.n_used
    overall = values.overall
    per_class = values.per_class
    table = bin_errors.table

    @property
    def edges(self) -> Floats:
        """The edges of the bins, from 0 to 1, shape (bins + 1,)."""
        return np.append(self._bins.lo, 1.0)

    @property
    def ece(self) -> float:
        """The expected calibration error: the mean over rows of |mean score - share of positives|.

        Naeini, Cooper and Hauskrecht (2015), https://doi.org/10.1609/aaai.v29i1.9602.
        """
        return self.value("ece")

    @property
    def ece_sqrt(self) -> float:
        """The calibration error with bins weighted by the square roots of their rows."""
        return self.value("ece_sqrt")

    @property
    def rms_ce(self) -> float:
        """The root mean square of |mean score - share of positives|, by rows.

        Kumar, Liang and Ma (2019), https://arxiv.org/abs/1909.10155.
        """
        return self.value("rms_ce")

    @property
    def rms_ce_sqrt(self) -> float:
        """The root mean square with bins weighted by the square roots of their rows."""
        return self.value("rms_ce_sqrt")

    @property
    def rms_ce_debiased(self) -> float:
        """The root mean square calibration error, less what chance alone makes of it.

        The root of the mean over rows of (mean score - y)² - y (1 - y) / (n - 1) of their bin, y
        being its share of positives and n its effective rows; 0 where that mean is negative. Bins
        of less than two rows add 0; nan where all are. Kumar, Liang and Ma (2019),
        https://arxiv.org/abs/1909.10155, who take bins of equal mass.
        """
        return self.value("rms_ce_debiased")

    @property
    def mce(self) -> float:
        """The largest |mean score - share of positives| of a bin."""
        return self.value("mce")

    @property
    def adaptive_ece(self) -> float:
        """The calibration error over as many bins of equal mass, rows of one score together.

        Nguyen and O'Connor (2015), https://arxiv.org/abs/1508.05154.
        """
        return self.value("adaptive_ece")

    @property
    def brier(self) -> float:
        """The Brier score, the mean of (score - y)²; in [0, 1], nan without rows."""
        return self.value("brier")

    @cached_property
    def brier_decomposition(self) -> BrierDecomposition:
        """The Brier score as Murphy's terms over the bins, and what happens within them."""
        return brier_terms.murphy(self._counts, self._bins)

    @cached_property
    def brier_decomposition_exact(self) -> BrierDecomposition:
        """Murphy's terms over the distinct scores, where nothing happens within a bin."""
        return brier_terms.murphy(self._counts, brier_terms.distinct(self._counts))

    @cached_property
    def corp(self) -> CorpDecomposition:
        """The Brier score by isotonic regression; needs SciPy."""
        return brier_terms.corp(self._counts)

    @property
    def slope(self) -> float:
        """The slope of the logistic calibration line; 1 is best, less is overconfident.

        logit P(positive) = intercept + slope logit(score), by maximum likelihood. Cox (1958),
        https://doi.org/10.1093/biomet/45.3-4.562.
        """
        return self.value("slope")

    @property
    def intercept(self) -> float:
        """The intercept of the logistic calibration line; 0 is best."""
        return self.value("intercept")

    @property
    def in_the_large(self) -> float:
        """The intercept where the slope is held at 1; 0 is best, above it scores are too low.

        Van Calster et al. (2019), https://doi.org/10.1186/s12916-019-1466-7.
        """
        return self.value("in_the_large")

    @property
    def spiegelhalter_z(self) -> float:
        """Spiegelhalter's statistic, standard normal where the scores are calibrated.

        sum (y - s)(1 - 2s) / sqrt(sum (1 - 2s)² s (1 - s)). Spiegelhalter (1986),
        https://doi.org/10.1002/sim.4780050506.
        """
        return self.value("spiegelhalter_z")

    @property
    def spiegelhalter_p(self) -> float:
        """The two-sided p of `spiegelhalter_z`."""
        return self.value("spiegelhalter_p")

    def _names(self) -> tuple[str, ...]:
        return values.NAMES

    def _title(self) -> str:
        kinds = {"isotonic": "blocks of the isotonic fit", "edges": "given bins"}
        kind = kinds.get(self.strategy, f"{self.strategy} bins")
        return f"Calibration in {len(self._bins.n)} {kind}, n = {number(self.n, 2)}"

    def _frames(self) -> list[pl.DataFrame]:
        table = self.table(LEVEL)
        ends = table.select(low="ci_low", high="ci_high")
        shares = table.drop("ci_low", "ci_high")
        return [self.overall(), behind(shares, "fraction_positive", ends)]

    def __reduce__(self) -> tuple[Any, ...]:
        counts = self._counts
        whole = np.int64 if self._whole else np.float64
        parts = (counts.scores, counts.positives.astype(whole), counts.negatives.astype(whole))
        return _made, (*parts, self._asked, self._strategy, self._given, self._clip)

    def __repr__(self) -> str:
        number = len(self._bins.n)
        return f"<Calibration of {number} bins ({self.strategy}), n={self.n}, ece={self.ece:.4g}>"


def _made(
    scores: Floats,
    positives: Any,
    negatives: Any,
    bins: Any,
    strategy: Strategy,
    n_effective: float | None,
    clip: float | None,
) -> Calibration:
    """Return what `__reduce__` took apart."""
    return Calibration(
        scores, positives, negatives, bins, strategy, n_effective=n_effective, clip=clip
    )
