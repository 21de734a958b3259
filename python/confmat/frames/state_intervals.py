"""Intervals of metrics of many states at once: the one place where they are looked up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat import _core
from confmat.frames.partials import STATE, grouped_states
from confmat.frames.state_rates import not_counted, rates_of
from confmat.frames.state_values import state_metrics
from confmat.intervals.levels import checked_level
from confmat.intervals.proportions import PROPORTIONS, rate_name, words_of
from confmat.labels import Label
from confmat.objects.matrix import ConfusionMatrix
from confmat.own_errors import own_errors
from confmat.registry import find

_MATRIX = 1  # the kind in saved bytes
_ENDS = ("_low", "_high")
NO_SQUARES = "the squared weights are not known"


@own_errors
def interval_of(
    parts: pl.DataFrame, metric: str, level: float = 0.95, pos_label: Label | None = None
) -> tuple[pl.Series, pl.Series]:
    """Return the two ends of an interval of a metric, of each state.

    Of predicted classes these are the intervals of `m.ci`: `no_interval` says why there is none.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial` or `cm.merge` gave.
    metric : str
        A name of `cm.list_metrics()`.
    level : float, default 0.95
        How often the interval is to hold the value.
    pos_label : int, bool or str, optional
        Of a metric of one class, the class; default the positive one of the states.

    Returns
    -------
    tuple of pl.Series
        `<metric>_low` and `<metric>_high`, Float64; null where there is no interval.

    Raises
    ------
    InputError
        No metric has that name, or the positive class is not known.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.frames.state_intervals import interval_of
    >>> log = pl.DataFrame({"site": ["a", "a", "b"], "y_true": [1, 1, 0], "y_pred": [1, 0, 0]})
    >>> low, high = interval_of(cm.partial(log, by="site"), "recall")
    >>> low.round(3).to_list(), high.round(3).to_list()
    ([0.095, None], [0.905, None])
    """
    checked_level(level)
    low, high = intervals_of(parts, [metric], level, pos_label)
    return low, high


def intervals_of(
    parts: pl.DataFrame,
    metrics: Sequence[str],
    level: float = 0.95,
    pos_label: Label | None = None,
    *,
    keep_empty: bool = False,
    smoothing: float = 0.0,
) -> list[pl.Series]:
    """Return the two ends of each metric, one after the other; arguments as `interval_of`."""
    names = tuple(find(metric)["name"] if "(" not in metric else metric for metric in metrics)
    columns = [f"{name}{end}" for name in names for end in _ENDS]
    if _kind_of(parts) not in (None, _MATRIX):
        table = pl.DataFrame({name: [None] * parts.height for name in columns})
    else:
        options: Any = {"pos_label": pos_label, "keep_empty": keep_empty, "smoothing": smoothing}
        asked = state_metrics(STATE, names, ci=level, **options)
        told: pl.Series = grouped_states(parts.select(STATE), None, {"m": asked}).to_series()
        table = told.struct.unnest().select(columns)
    called = [f"{metric}{end}" for metric in metrics for end in _ENDS]
    return [
        column.cast(pl.Float64).alias(name)
        for column, name in zip(table.get_columns(), called, strict=True)
    ]


def _kind_of(parts: pl.DataFrame) -> int | None:
    first = parts[STATE].drop_nulls().head(1).to_list()
    return _core.state_kind(first[0]) if first else None


@own_errors
def no_interval(parts: pl.DataFrame, metric: str, pos_label: Label | None = None) -> pl.Series:
    """Return why there is no interval of a metric, of each state; null where there is one.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.frames.state_intervals import no_interval
    >>> log = pl.DataFrame({"site": ["a", "a", "b"], "y_true": [1, 1, 0], "y_pred": [1, 0, 0]})
    >>> no_interval(cm.partial(log, by="site"), "recall").to_list()
    [None, 'tp + fn = 0']
    """
    name = find(metric)["name"]
    whole = pl.Series("reason", [None] * parts.height, dtype=pl.String)
    missing = parts[STATE].is_null()
    rate = rate_name(name)
    if rate is not None and not_counted(parts) is None:
        share = PROPORTIONS.get(rate)
        sums = "n" if share is None else words_of((*share.numerator, *share.others))
        whole = whole.set(pl.Series(rates_of(parts, name, pos_label)[1] == 0), f"{sums} = 0")
    else:
        low, _ = interval_of(parts, metric, pos_label=pos_label)
        why = [
            None if known else _why_not(data, metric, pos_label)
            for data, known in zip(parts[STATE], low.is_not_null(), strict=True)
        ]
        whole = pl.Series("reason", why, dtype=pl.String)
    return whole.set(missing, "there are no rows")


def _why_not(data: bytes | None, metric: str, pos_label: Label | None) -> str | None:
    if data is None:
        return None
    if _core.state_kind(data) != _MATRIX:
        return "the states are not of predicted classes"
    m = ConfusionMatrix.from_bytes(data)
    undefined = m.reason(metric, pos_label=pos_label)
    if undefined is not None:
        return undefined
    return NO_SQUARES if m._effective_squares() is None else f"{metric} has no gradient here"
