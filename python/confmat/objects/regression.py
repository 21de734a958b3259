"""Regressions: what is kept of true and predicted numbers, and every number that follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import polars as pl

from confmat.attributes import RegressionAttributes
from confmat.moments import confidence
from confmat.moments import density as pairs
from confmat.moments import values as numbers
from confmat.moments.from_rows import summed
from confmat.moments.outputs import pairs_of
from confmat.moments.state import MomentState
from confmat.objects.base import Counted
from confmat.objects.pictures import regression_plots
from confmat.own_errors import own_errors
from confmat.render.text import left_out, number

if TYPE_CHECKING:
    from confmat.objects.pictures import RegressionPlots


class Regression(RegressionAttributes, MomentState, Counted):
    """Exact sums over true and predicted numbers, and every metric that follows from them.

    Made by `cm.regression`. Every metric of `list_metrics(level="regression")` that needs no
    further sums is an attribute (`r.rmse`, `r.r2`), others where `metrics` named them. Immutable;
    `+` merges, `-` takes away, `to_bytes`, `pickle` and `copy` work. The sums are exact, so that
    rows in any order, in any parts, on any number of threads give the same, to the last bit, and
    nothing cancels, however far the numbers lie from 0.

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
        return [self.overall()]

    def __repr__(self) -> str:
        dropped = f", n_dropped={self.n_dropped}" if self.n_dropped else ""
        return f"<Regression n={self.n}{dropped}>"


@own_errors
def regression(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    metrics: Sequence[str] | str = (),
    nulls: Literal["drop", "raise"] = "drop",
    nan: Literal["raise", "drop"] = "raise",
) -> Regression:
    """Sum over true and predicted numbers what metrics of a regression need, in one pass.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        True and predicted numbers, from -1e60 to 1e60: floats, integers that a float64 holds
        exactly, or Booleans, which are 0 and 1. NumPy, Polars, pandas, pyarrow, lists and any
        object with `__arrow_c_stream__`, `__arrow_c_array__` or `__array__`. Of shape (n, m), or
        frames of m columns: m outputs, by position or by the names of the columns of `y_true`.
    sample_weight : array-like of shape (n,), optional
        Weights: 0, or from 1e-60 to 1e60. A row of weight 0 is checked like any other, and counts
        in `n_rows` and the N of `adjusted_r2` alone.
    metrics : sequence of str, default ()
        Metrics that need further sums: "mape", "smape", "msle", "rmsle", "poisson_deviance",
        "gamma_deviance", "d2_poisson", "d2_gamma", and "huber" with its parameter, as in
        "huber(1.5)". All others are there always. "intervals" names the sums of third and fourth
        powers that intervals of r2, rmse and others need, whatever the distribution of the rows:
        see `Regression.ci`; "exact_errors" each error; "density" how pairs of numbers lie, for
        `Regression.density`, `calibration` and their pictures: 100 kB at the most.
    nulls : {"drop", "raise"}, default "drop"
        Leave rows with a null out and count them in `n_dropped`, or refuse them.
    nan : {"raise", "drop"}, default "raise"
        Refuse a nan, or leave its row out and count it in `n_nan`.

    Returns
    -------
    Regression or MultioutputRegression
        The latter of several outputs.

    Raises
    ------
    InputError
        Unequal lengths or numbers of outputs, values that are no numbers, nan, infinite or too
        large, bad weights, an unknown metric; with the row.

    Notes
    -----
    Sums of numbers and of their products are exact; squares below 1e-289 are rounded. Values are
    right to the last digits also where the numbers are large and vary little. Only the terms of the
    further sums are rounded, each once.

    Examples
    --------
    >>> import confmat as cm
    >>> r = cm.regression([3.0, 0.5, 2.0, 7.0], [2.5, 1.0, 2.0, 8.0], metrics=["mape"])
    >>> r.mae, round(r.mape, 6)
    (0.5, 0.327381)
    """

    def of(one: Any, other: Any) -> Regression:
        state = summed(
            one, other, sample_weight=sample_weight, metrics=metrics, nulls=nulls, nan=nan
        )
        return Regression._around(state)

    outputs = pairs_of(y_true, y_pred)
    if outputs is None:
        return of(y_true, y_pred)
    from confmat.objects.multioutput_regression import MultioutputRegression

    several = MultioutputRegression._made({name: of(*pair) for name, pair in outputs.items()})
    return cast("Regression", several)  # types cannot tell one dimension from two
