"""Numbers of scores of many classes in frames, with their intervals: of all, and of each class."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Side, checked_ci
from confmat.intervals.table_ends import with_intervals
from confmat.metric_names import names_asked
from confmat.multiclass import ranking
from confmat.multiclass.confidence import ci as interval
from confmat.multiclass.confidence import has_formula, without
from confmat.multiclass.state import ClassSums
from confmat.multiclass.values import AVERAGED, USUAL, asked, reason, value
from confmat.named_numbers import numbers
from confmat.scores import values as score_values
from confmat.scores.tables import ends_of_each


def overall(
    state: ClassSums,
    metrics: Iterable[str] | None = None,
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return a frame of numbers: `metric`, `value` (null where undefined) and `reason`.

    Where the scores are no probabilities, numbers of probabilities are null and the reason says
    so.

    Parameters
    ----------
    metrics : iterable of str, optional
        Names as `value` takes them. Default: ROC AUC and average precision with every average,
        and `roc_auc_ovo`, the mean over pairs of classes; log loss, Brier score, top-1 and
        top-2 accuracy and calibration errors.
    ci : float, optional
        The level of intervals, such as 0.95: columns `low` and `high`, as `k.ci` has them; null
        where there is none, or it would take rows drawn again, as average
        precision where a class has few rows, and the reason says why.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> s.overall().row(0)
    ('roc_auc_macro', 0.5, None)
    """
    level = checked_ci(ci, side)
    wanted = USUAL if metrics is None else names_asked(metrics)
    values = [value(state, name) if _is_kept(state, name) else math.nan for name in wanted]
    reasons = [
        reason(state, name) if math.isnan(known) else None
        for name, known in zip(wanted, values, strict=True)
    ]
    frame = numbers(wanted, values, reasons)
    if level is None:
        return frame
    return with_intervals(frame, intervals_of(state, wanted, level, side))


def intervals_of(
    state: ClassSums, names: Iterable[str], level: float, side: Side = "both"
) -> list[Interval]:
    """Return the intervals of numbers, without ends where none is kept or rows would be drawn."""
    return [_interval_of(state, name, level, side) for name in names]


def _interval_of(state: ClassSums, name: str, level: float, side: Side) -> Interval:
    why = state._why_not_kept(*asked(name, {}))
    if why is None and has_formula(state, name):
        return interval(state, name, level, side=side)
    return without_ends(math.nan, why or without(state, name))


def _is_kept(state: ClassSums, name: str) -> bool:
    return not state._why_not_kept(*asked(name, {}))


def per_class(
    state: ClassSums,
    metrics: Iterable[str] = AVERAGED,
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return score metrics of each class against the rest.

    Parameters
    ----------
    metrics : iterable of str, default ("roc_auc", "average_precision")
        Names as `Sweep.value` takes them, such as "ks" or "ece(15)".
    ci : float, optional
        The level of intervals, such as 0.95: columns `<name>_low` and `<name>_high` behind each
        metric, as `k.one_vs_rest(label).ci` has them, the draws of a bootstrap being those of
        the seed 0.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Returns
    -------
    polars.DataFrame
        One row a class: `label`, `n` (its rows, or the sum of their weights) and one column a
        metric, null where undefined.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    >>> s.per_class().rows()
    [(0, 1, 0.5, 0.5), (1, 2, 0.5, 0.8333333333333333)]
    """
    level = checked_ci(ci, side)
    wanted = names_asked(metrics)
    known = {"roc_auc": ranking.class_areas, "average_precision": ranking.precisions}
    columns: dict[str, Any] = {name: known[name](state) for name in wanted if name in known}
    rest = [name for name in wanted if name not in known]
    if rest:
        found = [score_values.values(state._against_rest(label), rest) for label in state.labels]
        columns |= {name: np.array([one[name] for one in found]) for name in rest}
    frame = {"label": pl.Series(list(state.labels)), "n": state.support}
    if level is None:
        frame |= {name: columns[name] for name in wanted}
        return pl.DataFrame(frame).with_columns(pl.col(wanted).fill_nan(None))
    ends = ends_of_each(map(state._against_rest, state.labels), wanted, level, side)
    for name in wanted:
        frame |= {name: columns[name]} | {one: ends[one] for one in (f"{name}_low", f"{name}_high")}
    return pl.DataFrame(frame).with_columns(pl.exclude("label", "n").fill_nan(None))
