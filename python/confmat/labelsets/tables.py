"""Metrics of sets of labels in frames, with their intervals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from confmat.intervals.levels import Side, checked_ci
from confmat.intervals.table_ends import with_intervals
from confmat.labelsets.confidence import ci as interval
from confmat.labelsets.confidence import class_ends
from confmat.labelsets.state import LabelSetState
from confmat.labelsets.values import DEFAULT, NAMES, of_labels, reason, value
from confmat.metric_names import ask, counts_of
from confmat.named_numbers import numbers


def overall(
    state: LabelSetState,
    metrics: Iterable[str] | None = None,
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return a frame of metrics: `metric`, `value` (null where undefined) and `reason`.

    Parameters
    ----------
    metrics : iterable of str, optional
        Names as `value` takes them. Default: exact match, Hamming loss, and precision, recall,
        F1 and Jaccard with every average.
    ci : float, optional
        The level of intervals, such as 0.95: columns `low` and `high`, as `m.ci` has them; null
        where there is none, and the reason says why.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.multilabel([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]])
    >>> m.overall(["f1_micro", "mcc_macro"]).rows()
    [('f1_micro', 0.6666666666666666, None), ('mcc_macro', 0.5, None)]
    """
    level = checked_ci(ci, side)
    asked = NAMES if metrics is None else metrics
    names = [asked] if isinstance(asked, str) else list(asked)
    found = [value(state, name) for name in names]
    frame = numbers(names, found, [reason(state, name) for name in names])
    if level is None:
        return frame
    return with_intervals(frame, [interval(state, name, level, side=side) for name in names])


def per_class(
    state: LabelSetState,
    metrics: Iterable[str] = (*DEFAULT, "support"),
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return one row a label: `label`, and any metrics of its 2 x 2 table; null: undefined.

    Parameters
    ----------
    metrics : iterable of str, default precision, recall, f1, jaccard and support
        Names of metrics of one class, and of counts.
    ci : float, optional
        The level of intervals, such as 0.95: `<name>_low` and `<name>_high` behind each metric, as
        `m.label(label).ci` has them; null of counts.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Examples
    --------
    >>> import confmat as cm
    >>> m = cm.multilabel([["a"], ["a", "b"], []], [["a"], ["b"], ["b"]])
    >>> m.per_class(["recall", "mcc"]).rows()
    [('a', 0.5, 0.5), ('b', 1.0, 0.5)]
    """
    wanted = (metrics,) if isinstance(metrics, str) else tuple(metrics)
    tn, fp, fn, tp = state.counts.reshape(-1, 4).T
    counted = counts_of(tp, fp, fn, tn)
    level = checked_ci(ci, side)
    frame: dict[str, Any] = {"label": pl.Series(list(state._labels))}
    for name in wanted:
        exact = counted.get(name)
        frame[name] = of_labels(state, ask(name), None) if exact is None else exact
        if level is not None:
            low, high = class_ends(state, [name], level, side)[:, 0].T
            frame |= {f"{name}_low": low, f"{name}_high": high}
    return pl.DataFrame(frame).with_columns(pl.selectors.float().fill_nan(None))
