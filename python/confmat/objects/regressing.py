"""True and predicted numbers, of any kind and shape, brought to a regression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from confmat.errors import InputError
from confmat.inputs import column
from confmat.moments.from_rows import summed
from confmat.moments.outputs import pairs_of
from confmat.objects.multioutput_regression import MultioutputRegression
from confmat.objects.regression import Regression
from confmat.own_errors import own_errors


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
        frames of m columns: m outputs, of the names of the columns, or by position where both do
        not have the same ones.
    sample_weight : array-like of shape (n,), optional
        Weights: 0, or from 1e-60 to 1e60. A row of weight 0 is checked like any other, and counts
        in `n_rows` and the N of `adjusted_r2` alone.
    metrics : sequence of str, default ()
        Metrics that need further sums: "mape", "smape", "msle", "rmsle", "poisson_deviance",
        "gamma_deviance", "d2_poisson", "d2_gamma", "huber" with its parameter, as in "huber(1.5)",
        "median_absolute_error", "error_quantile", "d2_absolute_error", "d2_pinball", "d2_huber".
        All others are there always. "intervals" names the sums of third and fourth powers that
        intervals of r2, rmse and others need, whatever the distribution of the rows: see
        `Regression.ci`; "exact_errors" each error, "exact_truths" each true number, of which bins
        are kept otherwise; "density" how pairs of numbers lie, for `Regression.density`,
        `calibration` and their pictures: about 100 kB at the most, with weights twice as much.
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
    weights = None if sample_weight is None else column(sample_weight, "sample_weight")

    def of(one: Any, other: Any) -> Regression:
        state = summed(one, other, sample_weight=weights, metrics=metrics, nulls=nulls, nan=nan)
        return Regression._around(state)

    outputs = pairs_of(y_true, y_pred)
    if None in outputs:
        return of(*outputs[None])
    found = {}
    for name, pair in outputs.items():
        try:
            found[cast("int | str", name)] = of(*pair)
        except InputError as error:
            raise error.moved(0, before=f"output {name!r}: ") from None
    several = MultioutputRegression._made(found)
    return cast("Regression", several)  # types cannot tell one dimension from two
