"""Numbers of a regression by name, their reasons, and in a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat.intervals.levels import Side, checked_ci
from confmat.intervals.table_ends import with_intervals
from confmat.moments.confidence import intervals_of
from confmat.moments.names import fact_of, full_name, names, regression_names
from confmat.moments.state import MomentState
from confmat.named_numbers import numbers
from confmat.registry import required


def value(state: MomentState, name: str, **parameters: Any) -> float:
    """Return one metric.

    Parameters
    ----------
    name : str
        A name of `list_metrics(level="regression")`, or an alias; the parameter may stand in it, as
        in "pinball(0.9)".
    **parameters
        Of "pinball" and "d2_pinball" `quantile`, of "huber" and "d2_huber" `delta`, of
        "error_quantile" `q`, of "adjusted_r2" `n_features`; of "mase" `naive_error`, which must be
        given.

    Returns
    -------
    float
        nan where undefined, silently: `reason` says why.

    Raises
    ------
    InputError
        An unknown name or parameter; a metric whose sums were not kept: `metrics` of
        `cm.regression` names it.

    Examples
    --------
    >>> import confmat as cm
    >>> r = cm.regression([3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0])
    >>> r.value("mae"), r["mae"], r.mae
    (0.5, 0.5, 0.5)
    >>> round(r.value("pinball", quantile=0.9), 6)
    0.15
    """
    found, _ = state._state.values([full_name(name, parameters)])
    return found[0]


def values(state: MomentState, metrics: Sequence[str] | str) -> dict[str, float]:
    """Return several metrics by name; nan where undefined.

    Examples
    --------
    >>> import confmat as cm
    >>> r = cm.regression([3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0])
    >>> r.values(["mae", "mse"])
    {'mae': 0.5, 'mse': 0.375}
    """
    wanted = regression_names(metrics)
    found, _ = state._state.values(list(wanted))
    return dict(zip(wanted, found, strict=True))


def reason(state: MomentState, name: str, **parameters: Any) -> str | None:
    """Return why a metric is undefined here, or None.

    Examples
    --------
    >>> import confmat as cm
    >>> cm.regression([1.0, 1.0], [0.5, 1.5]).reason("r2")
    'all true values are the same'
    """
    _, why = state._state.values([full_name(name, parameters)])
    return why[0]


def kept_names(state: MomentState) -> tuple[str, ...]:
    """Return the names of the metrics that the state has, and that say something by default.

    Those with a parameter that must be given have no default.
    """
    return tuple(name for name in names() if required(fact_of(name)) is None and state.holds(name))


def overall(
    state: MomentState,
    metrics: Sequence[str] | str | None = None,
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return a frame of metrics, one row a metric.

    Parameters
    ----------
    metrics : sequence of str, optional
        Names as `value` takes them. Default: all whose sums were kept.
    ci : float, optional
        The level of intervals, such as 0.95: columns `low` and `high`, as `r.ci` has them; null
        where there is none, as of r2 and rmse where `metrics` of `cm.regression` did not name
        "intervals", and the reason says why.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Returns
    -------
    polars.DataFrame
        Columns `metric`, `value` (null where undefined) and `reason`.

    Examples
    --------
    >>> import confmat as cm
    >>> r = cm.regression([3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0])
    >>> r.overall(["mae", "max_error"]).rows()
    [('mae', 0.5, None), ('max_error', 1.0, None)]
    """
    level = checked_ci(ci, side)
    wanted = kept_names(state) if metrics is None else regression_names(metrics)
    found, why = state._state.values(list(wanted))
    frame = numbers(wanted, found, why)
    if level is None:
        return frame
    return with_intervals(frame, intervals_of(state, wanted, level, side))
