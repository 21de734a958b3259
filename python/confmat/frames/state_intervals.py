"""Intervals of metrics of many states at once: the one place where they are looked up."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat import _core
from confmat.frames.asked import ENDS
from confmat.frames.object_intervals import ends_of
from confmat.frames.state_queries import STATE, of_each_state
from confmat.frames.state_rates import not_counted, rates_of
from confmat.frames.state_values import state_metrics
from confmat.intervals.levels import Confidence, checked_level
from confmat.intervals.proportions import proportion_of
from confmat.labels import Label
from confmat.objects.states import from_bytes
from confmat.own_errors import own_errors
from confmat.registry import find, is_score_metric
from confmat.scores.confidence import has_formula
from confmat.state_kinds import SWEEPS, StateKind

NO_SQUARES = "the squared weights are not known"


@own_errors
def interval_of(
    parts: pl.DataFrame, metric: str, level: float = 0.95, pos_label: Label | None = None
) -> tuple[pl.Series, pl.Series]:
    """Return the two ends of an interval of a metric, of each state.

    These are the intervals of `m.ci`, and of scores those of `s.ci` that have a formula:
    `no_interval` says why there is none.

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
    name = find(metric)["name"] if "(" not in metric else metric
    if _kind_of(parts) == StateKind.MOMENTS:
        asked = state_metrics(STATE, [metric], ci=level)
        of_numbers = of_each_state(parts.select(STATE), asked)
        ends = [of_numbers.struct.field(metric + end) for end in ENDS]
    elif is_score_metric(name):
        found = [_of_scores(data, name, level) for data in parts[STATE]]
        ends = [pl.Series([pair[at] for pair in found], dtype=pl.Float64) for at in range(2)]
    elif _kind_of(parts) not in (None, StateKind.COUNTS):
        ends = [pl.Series([None] * parts.height, dtype=pl.Float64)] * 2
    else:
        asked = state_metrics(STATE, [name], pos_label=pos_label, ci=level)
        told = of_each_state(parts.select(STATE), asked)
        ends = [told.struct.field(name + end) for end in ENDS]
    low, high = (column.alias(metric + end) for column, end in zip(ends, ENDS, strict=True))
    return low, high


def _of_scores(data: bytes | None, name: str, level: float) -> tuple[float | None, float | None]:
    """Return the ends of a score metric that has a formula; None where there is no interval."""
    if data is None or _core.state_kind(data) not in SWEEPS or not has_formula(name):
        return None, None
    sweep: Any = from_bytes(data)
    low, high, _ = ends_of(sweep, [name], Confidence(level), draws=False)[name]
    return low, high


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
    rate = proportion_of(name)
    if rate is not None and not_counted(parts) is None:
        empty = pl.Series(rates_of(parts, name, pos_label)[1] == 0)
        whole = whole.set(empty, f"{rate.denominator} = 0")
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
    of_scores = is_score_metric(metric)
    if _core.state_kind(data) not in (SWEEPS if of_scores else (StateKind.COUNTS,)):
        return f"the states are not of {'scores' if of_scores else 'predicted classes'}"
    state: Any = from_bytes(data)
    undefined: str | None = (
        state.reason(metric) if of_scores else state.reason(metric, pos_label=pos_label)
    )
    if undefined is not None:
        return undefined
    if of_scores:
        drawn = f"{metric} has an interval by drawing rows again alone: cm.from_bytes(state).ci"
        return NO_SQUARES if state._effective_squares() is None else drawn
    flat = f"the gradient of {metric} is 0 here, or there is none"
    return NO_SQUARES if state._effective_squares() is None else flat
