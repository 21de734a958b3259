"""Every metric of a confusion matrix as frames: of the whole matrix, and of each class."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import polars as pl

from confmat.intervals.interval import Interval
from confmat.intervals.levels import Side, checked_ci
from confmat.intervals.table_ends import with_intervals
from confmat.labels import Label
from confmat.matrices.base import MatrixBase
from confmat.matrices.interval_ends import class_ends, ends, no_ends
from confmat.matrices.sparse import class_counts
from confmat.matrices.values import asked_of, options_of
from confmat.metric_names import asks, names_asked
from confmat.registry import names


def overall(
    state: MatrixBase,
    metrics: Iterable[str] | None = None,
    pos_label: Label | None = None,
    undefined: float | None = None,
    *,
    keep_empty: bool = False,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return a frame of metrics of the whole matrix, one row a metric.

    Parameters
    ----------
    metrics : iterable of str, optional
        Names. Default: every overall metric and every average.
    pos_label, undefined, keep_empty
        As in `value`.
    ci : float, optional
        The level of intervals, such as 0.95: columns `low` and `high`, as `m.ci` has them; null
        where there is none, and the reason says why.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Returns
    -------
    polars.DataFrame
        Columns `metric`, `value` (null where undefined) and `reason` (null where the value is
        a plain number; there even where `undefined` stands in for it).

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[90, 10], [10, 90]])
    >>> m.overall(["accuracy", "kappa"]).rows()
    [('accuracy', 0.9, None), ('kappa', 0.8, None)]
    """
    level = checked_ci(ci, side)
    default = names("overall") + names("average")
    wanted = default if metrics is None else names_asked(metrics)
    parsed = asks(wanted)
    values, reasons = parsed.explained(*asked_of(state, parsed, pos_label, keep_empty, undefined))
    frame = pl.DataFrame(
        {"metric": list(wanted), "value": values, "reason": pl.Series(reasons, dtype=pl.String)}
    )
    frame = frame.with_columns(pl.col("value").fill_nan(None))
    if level is None:
        return frame
    low_high = ends(state, wanted, level, pos_label, keep_empty, side).tolist()
    found = [
        Interval(math.nan, low, high, math.nan, "")
        if why is not None or not math.isnan(low)
        else no_ends(state, name, level, pos_label, keep_empty, side)
        for name, why, (low, high) in zip(wanted, reasons, low_high, strict=True)
    ]
    return with_intervals(frame, found)


def per_class(
    state: MatrixBase,
    metrics: Iterable[str] | None = None,
    undefined: float | None = None,
    *,
    keep_empty: bool = False,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return a frame with one row a class: each class against the rest.

    Parameters
    ----------
    metrics : iterable of str, optional
        Names of class metrics, such as "recall" or "fbeta(2)". Default: all.
    undefined, keep_empty
        As in `value`.
    ci : float, optional
        The level of intervals, such as 0.95: columns `<name>_low` and `<name>_high` behind each
        metric.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Returns
    -------
    polars.DataFrame
        A column `label` and one column a metric, null where undefined.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.ConfusionMatrix([[8, 2], [1, 9]], labels=["cat", "dog"])
    >>> m.per_class(["recall", "support"]).rows()
    [('cat', 0.8, 10), ('dog', 0.9, 10)]
    """
    level = checked_ci(ci, side)
    wanted = names("class") if metrics is None else names_asked(metrics)
    columns = asks(wanted).per_class(state._cells, options_of(state, keep_empty, undefined))
    exact = {} if state.smoothing else class_counts(state._cells)
    frame: dict[str, Any] = {"label": pl.Series(list(state._labels))}
    found = None if level is None else class_ends(state, wanted, level, side)
    for i, name in enumerate(wanted):
        frame[name] = exact[name] if name in exact else columns[:, i]
        if found is not None:
            frame |= {f"{name}_low": found[:, i, 0], f"{name}_high": found[:, i, 1]}
    return pl.DataFrame(frame).with_columns(pl.selectors.float().fill_nan(None))
