"""Calibration of probabilities: bins, errors, and what the Brier score is made of."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from confmat.calibration import brier_terms
from confmat.calibration import line as calibration_line
from confmat.calibration.bin_errors import CalibrationErrors
from confmat.calibration.bins import Strategy
from confmat.calibration.brier_terms import BrierDecomposition, CorpDecomposition
from confmat.metric_names import names_asked
from confmat.named_numbers import called, numbers, unknown
from confmat.objects.base import ObjectBase
from confmat.render.text import number
from confmat.scores.counts import Floats

_ERRORS = (
    *("ece", "ece_sqrt", "rms_ce", "rms_ce_sqrt", "rms_ce_debiased"),
    *("mce", "adaptive_ece", "brier"),
)
_LINE = ("slope", "intercept", "in_the_large", "spiegelhalter_z", "spiegelhalter_p")
_NO_ROWS = "there are no rows"
_FEW_ROWS = "no bin has two rows"


class Calibration(CalibrationErrors, ObjectBase):
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

    @property
    def brier(self) -> float:
        """The Brier score, the mean of (score - y)²; in [0, 1], nan without rows."""
        return brier_terms.brier(self._counts)

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

    @cached_property
    def _line(self) -> calibration_line.Line:
        return calibration_line.line(self._counts, self._clip)

    @property
    def slope(self) -> float:
        """The slope of the logistic calibration line; 1 is best, less is overconfident.

        logit P(positive) = intercept + slope logit(score), by maximum likelihood. Cox (1958),
        https://doi.org/10.1093/biomet/45.3-4.562.
        """
        return self._line.slope

    @property
    def intercept(self) -> float:
        """The intercept of the logistic calibration line; 0 is best."""
        return self._line.intercept

    @cached_property
    def _offset(self) -> calibration_line.Offset:
        return calibration_line.in_the_large(self._counts, self._clip)

    @property
    def in_the_large(self) -> float:
        """The intercept where the slope is held at 1; 0 is best, above it scores are too low.

        Van Calster et al. (2019), https://doi.org/10.1186/s12916-019-1466-7.
        """
        return self._offset.intercept

    @cached_property
    def _spiegelhalter(self) -> calibration_line.Spiegelhalter:
        return calibration_line.spiegelhalter(self._counts, self._effective)

    @property
    def spiegelhalter_z(self) -> float:
        """Spiegelhalter's statistic, standard normal where the scores are calibrated.

        sum (y - s)(1 - 2s) / sqrt(sum (1 - 2s)² s (1 - s)). Spiegelhalter (1986),
        https://doi.org/10.1002/sim.4780050506.
        """
        return self._spiegelhalter.z

    @property
    def spiegelhalter_p(self) -> float:
        """The two-sided p of `spiegelhalter_z`."""
        return self._spiegelhalter.p

    def value(self, name: str, **parameters: Any) -> float:
        """Return a number of `overall` by its name, nan where undefined; they take no parameters.

        Examples
        --------
        >>> import confmat as cm
        >>> c = cm.Calibration([0.1, 0.4, 0.8], [1, 5, 7], [9, 5, 3], bins=2)
        >>> c.value("ece") == c["ece"] == c.ece
        True
        """
        if not isinstance(name, str) or name not in _ERRORS + _LINE:
            raise unknown(name, _ERRORS + _LINE)
        return float(called(lambda: getattr(self, name), name, parameters))

    def n_used(self, name: str, **parameters: Any) -> int:
        """Return how many bins have rows, what errors are means over; 0 where undefined."""
        return 0 if math.isnan(self.value(name, **parameters)) else len(self._bins.filled().n)

    def _names(self) -> tuple[str, ...]:
        return _ERRORS + _LINE

    def reason(self, name: str, **parameters: Any) -> str | None:
        """Return why a number is nan, or None.

        Parameters
        ----------
        name : str
            A number of `overall`, such as "slope".

        Examples
        --------
        >>> import confmat as cm
        >>> c = cm.Calibration([0.2, 0.7], [0, 3], [5, 0])
        >>> c.slope, c.reason("slope")
        (nan, 'the scores separate the classes: the likelihood has no maximum')
        """
        if not isinstance(name, str) or name not in _ERRORS + _LINE:
            raise unknown(name, _ERRORS + _LINE)
        called(lambda: None, name, parameters)
        if name in _ERRORS:
            few = name == "rms_ce_debiased" and math.isnan(self.rms_ce_debiased)
            return _NO_ROWS if not self.n else _FEW_ROWS if few else None
        if name in ("slope", "intercept"):
            return self._line.reason
        return self._offset.reason if name == "in_the_large" else self._spiegelhalter.reason

    def overall(self, metrics: Iterable[str] | None = None) -> pl.DataFrame:
        """Return numbers as a frame.

        Parameters
        ----------
        metrics : iterable of str, optional
            Names as `value` takes them. Default: all.

        Returns
        -------
        polars.DataFrame
            Columns `metric`, `value` (null where undefined) and `reason`.

        Examples
        --------
        >>> import confmat as cm
        >>> cm.Calibration([0.5], [1], [1]).overall().row(-1)
        ('spiegelhalter_p', None, 'every score is 0, 0.5 or 1: the variance is 0')
        """
        names = _ERRORS + _LINE if metrics is None else names_asked(metrics)
        return numbers(names, map(self.value, names), map(self.reason, names))

    def per_class(self, metrics: Iterable[str] = ("ece", "rms_ce", "mce", "brier")) -> pl.DataFrame:
        """Return numbers of each class: of the negative one, with one minus the scores.

        Parameters
        ----------
        metrics : iterable of str, default ("ece", "rms_ce", "mce", "brier")
            Names as `value` takes them.

        Returns
        -------
        polars.DataFrame
            `label` (False, then True: whether it is the positive class), `n` (its rows, or the sum
            of their weights) and one column a metric, null where undefined.

        Examples
        --------
        >>> import confmat as cm
        >>> c = cm.Calibration([0.25, 0.75], [1, 5], [3, 3], bins=2)
        >>> c.per_class("ece").rows()
        [(False, 6, 0.08333333333333333), (True, 6, 0.08333333333333333)]
        """
        wanted = names_asked(metrics)
        sides = [self._turned(), self]
        rows = [[side._counts.n_positive, *map(side.value, wanted)] for side in sides]
        columns = dict(zip(("n", *wanted), zip(*rows, strict=True), strict=True))
        frame = pl.DataFrame({"label": [False, True]} | columns)
        whole = pl.col("n").cast(pl.Int64) if self._whole else pl.col("n")
        return frame.with_columns(whole, pl.col(wanted).fill_nan(None))

    def _turned(self) -> Calibration:
        """Return the calibration of the other class."""
        counts = self._counts
        scores, first = np.unique(1 - counts.scores[::-1], return_index=True)
        parts = [part[::-1] for part in (counts.negatives, counts.positives)]
        if len(first):
            parts = [np.add.reduceat(part, first) for part in parts]
        bins = self._asked if isinstance(self._asked, int) else 1 - self._asked[::-1]
        return _made(scores, parts[0], parts[1], bins, self._strategy, self._given, self._clip)

    def _title(self) -> str:
        kinds = {"isotonic": "blocks of the isotonic fit", "edges": "given bins"}
        kind = kinds.get(self.strategy, f"{self.strategy} bins")
        return f"Calibration in {len(self._bins.n)} {kind}, n = {number(self.n, 2)}"

    def _frames(self) -> list[pl.DataFrame]:
        return [self.overall(), self.table()]

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
