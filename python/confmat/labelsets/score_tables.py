"""Numbers of scores for sets of labels in frames, with their intervals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from confmat.intervals.levels import Side, checked_ci
from confmat.intervals.table_ends import with_intervals
from confmat.labelsets.averages import USUAL, reason, value
from confmat.labelsets.score_intervals import ci as interval
from confmat.labelsets.scored import LabelSweeps
from confmat.metric_names import names_asked
from confmat.named_numbers import numbers
from confmat.scores import values as score_values
from confmat.scores.confidence import SEED
from confmat.scores.tables import ends_of_each


def per_class(
    state: LabelSweeps,
    metrics: Iterable[str] = ("roc_auc", "average_precision"),
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return score metrics of each label.

    Parameters
    ----------
    metrics : iterable of str, default ("roc_auc", "average_precision")
        Names as `Sweep.value` takes them, such as "ks" or "ece(15)".
    ci : float, optional
        The level of intervals, such as 0.95: columns `<name>_low` and `<name>_high` behind each
        metric, as `s.label(label).ci` has them, the draws of a bootstrap being those of the seed 0.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Returns
    -------
    polars.DataFrame
        `label`, `n_positive` and one column a metric, null where undefined.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multilabel_sweep([["a"], [], ["a", "b"]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
    >>> s.per_class(["roc_auc", "ks"]).rows()
    [('a', 2, 0.5, 0.5), ('b', 1, 1.0, 1.0)]
    """
    level = checked_ci(ci, side)
    wanted = names_asked(metrics)
    frame: dict[str, Any] = {
        "label": pl.Series(list(state.labels)),
        "n_positive": [one.n_positive for one in state._sweeps],
    }
    ends = {} if level is None else ends_of_each(state._sweeps, wanted, level, side)
    for name in wanted:
        frame[name] = [score_values.value(one, name) for one in state._sweeps]
        frame |= {end: ends[end] for end in (f"{name}_low", f"{name}_high") if end in ends}
    return pl.DataFrame(frame).with_columns(pl.col(wanted).fill_nan(None))


def overall(
    state: LabelSweeps,
    metrics: Iterable[str] | None = None,
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return a frame of numbers: `metric`, `value` (null where undefined) and `reason`.

    Parameters
    ----------
    metrics : iterable of str, optional
        Names as `value` takes them. Default: ROC AUC and average precision with every average,
        and the errors of the order of labels.
    ci : float, optional
        The level of intervals, such as 0.95: columns `low` and `high`, as `s.ci` has them, the
        draws of a bootstrap being those of the seed 0; null where there is none, and the reason
        says why.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multilabel_sweep([[1, 0], [0, 0], [1, 1]], [[0.9, 0.2], [0.6, 0.4], [0.3, 0.8]])
    >>> s.overall().row(0)
    ('roc_auc_macro', 0.75, None)
    """
    level = checked_ci(ci, side)
    wanted = USUAL if metrics is None else names_asked(metrics)
    frame = numbers(
        wanted, [value(state, name) for name in wanted], [reason(state, name) for name in wanted]
    )
    if level is None:
        return frame
    found = [interval(state, name, level, side=side, seed=SEED) for name in wanted]
    return with_intervals(frame, found)
