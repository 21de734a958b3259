"""Calibration in bins: the table, and the errors that are means over the bins."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from confmat import _core
from confmat.calibration.bins import Bins, bin_table, binned
from confmat.calibration.state import CalibrationState
from confmat.intervals.levels import Side, z_of
from confmat.scores.counts import dot


def table(state: CalibrationState, ci: float = 0.95, *, side: Side = "both") -> pl.DataFrame:
    """Return one row a bin, those without rows as well.

    Parameters
    ----------
    ci : float, default 0.95
        The level of the intervals.
    side : {"both", "lower", "upper"}, default "both"
        "lower" puts all that may be missed below; the other end is 1, that of "upper" 0.

    Returns
    -------
    polars.DataFrame
        `lo`, `hi`: the bin (lo, hi], the first closed at 0. `n`: its rows (Int64), or the sum
        of their weights (Float64). `mean_score`, `fraction_positive`: means over its rows,
        null without any. `ci_low`, `ci_high`: Wilson's interval of the fraction, on the
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
    z_of(ci, side, "ci")  # refuses what is no level or side
    return bin_table(state._bins, state._whole, state._effective, ci, side)


def error(state: CalibrationState, name: str) -> float:
    """Return an error of the registry, over the bins of the state."""
    return _of_bins(name, state._bins.filled())


def root_error(state: CalibrationState, name: str) -> float:
    """Return the same where each bin counts by the root of its rows."""
    bins = state._bins.filled()
    less = 1 / np.sqrt(bins.n)
    held = bins._replace(
        n=bins.n * less, positives=bins.positives * less, score_sum=bins.score_sum * less
    )
    return _of_bins(name, held)


def rms_ce_debiased(state: CalibrationState) -> float:
    """Return the root mean square calibration error, less what chance alone makes of it."""
    bins = state._bins.filled()
    rows = bins.n * state._effective
    known = rows >= 2
    if not known.any():
        return math.nan
    bins, rows = Bins(*(part[known] for part in bins)), rows[known]
    share = bins.positives / bins.n
    chance = share * (1 - share) / (rows - 1)
    square = dot(bins.n / state.n, (bins.score_sum / bins.n - share) ** 2 - chance)
    return math.sqrt(max(square, 0.0))


def adaptive_ece(state: CalibrationState) -> float:
    """Return the calibration error over as many bins of equal mass, rows of one score together."""
    if state._strategy == "quantile":
        return error(state, "ece")
    number = state._asked if isinstance(state._asked, int) else len(state._asked) - 1
    return _of_bins("ece", binned(state._counts, number, "quantile").filled())


def _of_bins(name: str, bins: Bins) -> float:
    return _core.score_of_bins(name, bins.n, bins.positives, bins.score_sum)
