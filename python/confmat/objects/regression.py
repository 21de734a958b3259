"""Regressions: what is kept of true and predicted numbers, and every number that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from confmat.attributes import RegressionAttributes
from confmat.moments import confidence
from confmat.moments import density as pairs
from confmat.moments import values as numbers
from confmat.moments.state import MomentState
from confmat.objects.base import Counted
from confmat.objects.pictures import regression_plots
from confmat.render.intervals import LEVEL, of_ends
from confmat.render.text import left_out, number

if TYPE_CHECKING:
    from confmat.objects.pictures import RegressionPlots


class Regression(RegressionAttributes, MomentState, Counted):
    """Exact sums over true and predicted numbers, and every metric that follows from them.

    Made by `cm.regression`. Every metric of `list_metrics(level="regression")` that needs no
    further sums is an attribute (`r.rmse`, `r.r2`), others where `metrics` named them. Immutable;
    `+` merges, `-` takes away, `to_bytes`, `pickle` and `copy` work. The sums are exact, so that
    rows in any order, in any parts, on any number of threads give the same, to the last bit, and
    nothing cancels, however far the numbers lie from 0. `print` and notebooks show 95 % intervals
    of what the sums tell: of rmse, r2 and others where `metrics` named "intervals".

    Attributes
    ----------
    n : int or float
        Rows counted, or the sum of their weights.
    n_rows : int
        Rows counted, whatever they weigh.
    n_dropped, n_nan : int
        Rows left out for a null, and for a nan.
    y_range : tuple of float
        The least and the largest true value.

    Examples
    --------
    >>> import confmat as cm
    >>> r = cm.regression([3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0])
    >>> r.mae, r.mse, round(r.r2, 6), r.max_error
    (0.5, 0.375, 0.948608, 1.0)
    >>> (r + r - r) == r
    False
    >>> (r + r - r).mae, (r + r).n
    (0.5, 8)
    """

    __slots__ = ()

    _index = "index with the name of a metric; see `value`"
    _made_by = "`cm.regression`"

    value = numbers.value
    values = numbers.values
    reason = numbers.reason
    overall = numbers.overall
    ci = confidence.ci
    density = pairs.density
    calibration = pairs.calibration

    @property
    def plot(self) -> RegressionPlots:
        """Pictures, drawn by Altair: `r.plot.residuals()`, `.density()`, `.calibration()`."""
        return regression_plots(self)

    def _names(self) -> tuple[str, ...]:
        return numbers.kept_names(self)

    def _title(self) -> str:
        of_nan = f"; {self.n_nan:,} dropped: nan" if self.n_nan else ""
        return f"Regression, n = {number(self.n, 2)}{left_out(self.n_dropped)}{of_nan}"

    def _frames(self) -> list[pl.DataFrame]:
        return [of_ends(self.overall(ci=LEVEL))]

    def __repr__(self) -> str:
        dropped = f", n_dropped={self.n_dropped}" if self.n_dropped else ""
        return f"<Regression n={self.n}{dropped}>"
