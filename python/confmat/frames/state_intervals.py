"""Intervals of metrics of many states at once: the one place where they are looked up."""

from __future__ import annotations

import numpy as np
import polars as pl

from confmat.frames.partials import STATE
from confmat.frames.state_rates import not_counted, rates_of
from confmat.intervals.levels import checked_level
from confmat.intervals.proportions import PROPORTIONS, rate_name, words_of
from confmat.intervals.wilson import wilson
from confmat.labels import Label
from confmat.own_errors import own_errors
from confmat.registry import find


@own_errors
def interval_of(
    parts: pl.DataFrame, metric: str, level: float = 0.95, pos_label: Label | None = None
) -> tuple[pl.Series, pl.Series]:
    """Return the two ends of an interval of a metric, of each state.

    Rates have Wilson's interval. Other metrics have none yet: `no_interval` says why.

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
    name = find(metric)["name"]
    if rate_name(name) is None or not_counted(parts):
        ends = (np.full(parts.height, np.nan),) * 2
    else:
        ends = wilson(*rates_of(parts, name, pos_label), level)
    low, high = (
        pl.Series(f"{metric}_{end}", values, nan_to_null=True, dtype=pl.Float64)
        for end, values in zip(("low", "high"), ends, strict=True)
    )
    return low, high


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
    rate = rate_name(name)
    if rate is None:
        return _all(parts, f"there is no interval of {name} yet")
    why_not = not_counted(parts)
    if why_not:
        return _all(parts, why_not)
    share = PROPORTIONS.get(rate)
    sums = "n" if share is None else words_of((*share.numerator, *share.others))
    _, n = rates_of(parts, name, pos_label)
    known = pl.Series(n > 0) | parts[STATE].is_null()
    why = _all(parts, f"{sums} = 0").set(known, None)
    return why.set(parts[STATE].is_null(), "there are no rows")


def _all(parts: pl.DataFrame, why: str) -> pl.Series:
    return pl.Series("reason", [why] * parts.height, dtype=pl.String)
