"""Calibration in bins: the table, and the errors that are means over the bins."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.calibration.bins import Bins, Strategy, bin_table, binned, read_bins
from confmat.errors import InputError
from confmat.scores.counts import Floats, ScoreCounts, check_probabilities, dot, score_counts


class CalibrationErrors:
    """Probabilities and the classes seen at each, in bins. Immutable."""

    n: int | float
    n_effective: float
    strategy: str
    _asked: int | Floats
    _strategy: Strategy
    _counts: ScoreCounts
    _whole: bool
    _given: float | None
    _clip: float | None
    _bins: Bins

    def __init__(
        self,
        scores: Any,
        positives: Any,
        negatives: Any,
        bins: int | Any = 10,
        strategy: Strategy = "uniform",
        *,
        n_effective: float | None = None,
        clip: float | None = None,
    ) -> None:
        asked = read_bins(bins, strategy)
        counts = score_counts(scores, positives, negatives)
        check_probabilities(counts, "calibration")
        whole = all(np.asarray(part).dtype.kind in "biu" for part in (positives, negatives))
        given = _between(n_effective, "n_effective")
        self.__dict__.update(
            n=int(counts.n) if whole else counts.n,
            n_effective=counts.n if given is None else given,
            strategy=strategy if isinstance(asked, int) else "edges",
            _asked=asked,
            _strategy=strategy,
            _counts=counts,
            _whole=whole,
            _given=given,
            _clip=_between(clip, "clip", 0.5),
            _bins=binned(counts, asked, strategy),
        )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a calibration does not change; cannot set {name!r}")

    @property
    def edges(self) -> Floats:
        """The edges of the bins, from 0 to 1, shape (bins + 1,)."""
        return np.append(self._bins.lo, 1.0)

    def table(self) -> pl.DataFrame:
        """Return one row a bin, those without rows as well.

        Returns
        -------
        polars.DataFrame
            `lo`, `hi`: the bin (lo, hi], the first closed at 0. `n`: its rows (Int64), or the sum
            of their weights (Float64). `mean_score`, `fraction_positive`: means over its rows,
            null without any. `ci_low`, `ci_high`: Wilson's 95 % interval of the fraction, on the
            effective n of the bin, n * n_effective / (n of all).

        References
        ----------
        Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953.

        Examples
        --------
        >>> import confmat as cm
        >>> c = cm.Calibration([0.1, 0.4, 0.8], [1, 5, 7], [9, 5, 3], bins=2)
        >>> c.table().select("hi", "n", "fraction_positive").rows()
        [(0.5, 20, 0.3), (1.0, 10, 0.7)]
        """
        return bin_table(self._bins, self._whole, self._effective)

    @property
    def ece(self) -> float:
        """The expected calibration error: the mean over rows of |mean score - share of positives|.

        Naeini, Cooper and Hauskrecht (2015), https://doi.org/10.1609/aaai.v29i1.9602.
        """
        return _error(self._bins.filled(), "l1", "rows")

    @property
    def ece_sqrt(self) -> float:
        """The calibration error with bins weighted by the square roots of their rows."""
        return _error(self._bins.filled(), "l1", "sqrt")

    @property
    def rms_ce(self) -> float:
        """The root mean square of |mean score - share of positives|, by rows.

        Kumar, Liang and Ma (2019), https://arxiv.org/abs/1909.10155.
        """
        return _error(self._bins.filled(), "l2", "rows")

    @property
    def rms_ce_sqrt(self) -> float:
        """The root mean square with bins weighted by the square roots of their rows."""
        return _error(self._bins.filled(), "l2", "sqrt")

    @property
    def rms_ce_debiased(self) -> float:
        """The root mean square calibration error, less what chance alone makes of it.

        The root of the mean over rows of (mean score - y)² - y (1 - y) / (n - 1) of their bin, y
        being its share of positives and n its effective rows; 0 where that mean is negative. Bins
        of less than two rows add 0; nan where all are. Kumar, Liang and Ma (2019),
        https://arxiv.org/abs/1909.10155, who take bins of equal mass.
        """
        bins = self._bins.filled()
        rows = bins.n * self._effective
        known = rows >= 2
        if not known.any():
            return math.nan
        bins, rows = Bins(*(part[known] for part in bins)), rows[known]
        share = bins.positives / bins.n
        chance = share * (1 - share) / (rows - 1)
        square = dot(bins.n / self.n, (bins.score_sum / bins.n - share) ** 2 - chance)
        return math.sqrt(max(square, 0.0))

    @property
    def mce(self) -> float:
        """The largest |mean score - share of positives| of a bin."""
        return _error(self._bins.filled(), "max", "rows")

    @property
    def adaptive_ece(self) -> float:
        """The calibration error over as many bins of equal mass, rows of one score together.

        Nguyen and O'Connor (2015), https://arxiv.org/abs/1508.05154.
        """
        if self._strategy == "quantile":
            return self.ece
        number = self._asked if isinstance(self._asked, int) else len(self._asked) - 1
        return _error(binned(self._counts, number, "quantile").filled(), "l1", "rows")

    @property
    def _effective(self) -> float:
        """How many rows a unit of weight stands for."""
        return self.n_effective / self.n if self.n else 1.0


def _error(bins: Bins, norm: str, weights: str) -> float:
    if not len(bins.n):
        return math.nan
    gaps = np.abs(bins.score_sum - bins.positives) / bins.n
    if norm == "max":
        return float(gaps.max())
    shares: npt.NDArray[np.float64] = np.sqrt(bins.n) if weights == "sqrt" else bins.n
    shares = shares / shares.sum()
    return dot(shares, gaps) if norm == "l1" else math.sqrt(dot(shares, gaps**2))


def _between(value: Any, name: str, high: float = math.inf) -> Any:
    if value is None:
        return None
    plain = not isinstance(value, bool) and isinstance(value, Real)
    number = float(value) if plain else math.nan
    if not 0 < number < high:
        raise InputError(f"`{name}` is {value!r}; wanted a number between 0 and {high}")
    return number
