"""Polars expressions over two columns of numbers.

`implode(maintain_order=False)` collects the rows of a group, `regression_state` sums them to what
is kept of a regression, and `regression_metrics` reads every metric asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat.frames.asked import Asked
from confmat.frames.expressions import IntoExpr, column_of, plugin, refuse_reasons
from confmat.frames.state_values import state_metrics
from confmat.intervals.levels import Side, checked_ci
from confmat.moments.names import INTERVALS, exact, regression_names
from confmat.own_errors import own_errors

_COLUMNS = ("y_true", "y_pred", "sample_weight")


def moments(
    y_true: IntoExpr,
    y_pred: IntoExpr,
    sample_weight: IntoExpr | None,
    metrics: Sequence[str],
    nan: str,
) -> pl.Expr:
    """Return the state of the rows of each group, as bytes, with the sums that metrics need."""
    given = (y_true, y_pred) if sample_weight is None else (y_true, y_pred, sample_weight)
    asked = Asked(regression_metrics=metrics, nan=nan, weighted=sample_weight is not None).packed()
    rows = pl.struct(column_of(one).alias(name) for one, name in zip(given, _COLUMNS, strict=False))
    lists = rows.implode(maintain_order=False)
    return plugin("regression_state", [lists], asked, is_elementwise=True)


@own_errors
def regression_metrics(
    y_true: IntoExpr = "y_true",
    y_pred: IntoExpr = "y_pred",
    metrics: Sequence[str] | str | None = None,
    *,
    sample_weight: IntoExpr | None = None,
    nan: str = "raise",
    undefined: float | None = None,
    reasons: bool = False,
    ci: float | None = None,
    side: Side = "both",
) -> pl.Expr:
    """Metrics of a column of predicted numbers, as one Struct a group.

    Use it in `select`, `group_by(...).agg`, `over`, `group_by_dynamic` and `rolling`, eager, lazy
    and streaming.

    Parameters
    ----------
    y_true, y_pred : str or pl.Expr, default "y_true", "y_pred"
        True and predicted numbers: integers, floats or Booleans, from -1e60 to 1e60.
    metrics : sequence of str, optional
        Names of `list_metrics(level="regression")`. Default: mean_error, mae, rmse, r2, pearson_r,
        ccc and max_error.
    sample_weight : str or pl.Expr, optional
        Weights: 0, or from 1e-60 to 1e60.
    nan : {"raise", "drop"}, default "raise"
        Refuse a nan, or count its row in `n_dropped`.
    undefined : float, optional
        Replaces undefined values. Default: they are null.
    reasons : bool, default False
        Also say why a value is undefined, even where `undefined` stands in for it, or with `ci` why
        it has no interval.
    ci : float, optional
        The level of intervals, such as 0.95: each metric is followed by `<name>_low` and
        `<name>_high`, as `Regression.ci` has them; null where there is none, as of max_error. Sums
        of third and fourth powers are then kept of each group.
    side : {"both", "lower", "upper"}, default "both"
        With `ci`, as in `metrics`.

    Returns
    -------
    pl.Expr
        A Struct called "regression_metrics": `n` (Float64; the sum of weights where there are
        some), `n_dropped` (rows with a null, or a nan), then one Float64 a metric. With `reasons`
        its last field is the Struct "reasons": one String a metric, null where it is defined.

    Raises
    ------
    InputError
        An unknown metric, or an option that cannot be.
    polars.exceptions.ComputeError
        When the query runs: columns of other types, a number that is nan, infinite or too large, a
        bad weight.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> df = pl.DataFrame({
    ...     "site": ["a", "a", "a", "b", "b"],
    ...     "y": [3.0, -0.5, 2.0, 7.0, 1.0],
    ...     "p": [2.5, 0.0, 2.0, 8.0, 1.0],
    ... })
    >>> asked = cm.regression_metrics("y", "p", ["mae", "max_error"])
    >>> df.group_by("site", maintain_order=True).agg(m=asked).unnest("m").rows()
    [('a', 3.0, 0, 0.3333333333333333, 0.5), ('b', 2.0, 0, 0.5, 1.0)]
    """
    names = regression_names(metrics)
    level = checked_ci(ci, side)
    powers = () if level is None else (INTERVALS,)
    states = moments(y_true, y_pred, sample_weight, (*exact(names), *powers), nan)
    if level is not None and names:
        found = state_metrics(
            states, names, undefined=undefined, reasons=reasons, ci=level, side=side
        )
        return found.alias("regression_metrics")
    asked = Asked(regression_metrics=names, undefined=undefined, reasons=reasons).packed()
    rows = plugin("regression_metrics", [states], asked, is_elementwise=True)
    return rows.alias("regression_metrics")


@own_errors
def regression_metric(
    name: str, y_true: IntoExpr = "y_true", y_pred: IntoExpr = "y_pred", **options: Any
) -> pl.Expr:
    """One metric of predicted numbers, as Float64 named after it; see `regression_metrics`."""
    refuse_reasons(options, "regression_metrics")
    names = regression_names([name])
    return regression_metrics(y_true, y_pred, names, **options).struct.field(names[0])
