"""A rate period by period, with ends that hold at every look, and alarms."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.foreign_frames import FRAME, frame_error
from confmat.frames.partials import merge
from confmat.frames.state_queries import STATE
from confmat.frames.state_rates import not_counted, rates_of
from confmat.intervals.levels import Floats, checked_level
from confmat.intervals.sample_size import checked_share
from confmat.labels import Label
from confmat.monitoring.confidence_sequences import PRIOR, ends
from confmat.own_errors import own_errors
from confmat.slices.lattice import check_one_model

OWN = ("n", "value", "n_total", "total", "low", "high", "alarm")


@own_errors
def monitor(
    parts: pl.DataFrame,
    by: str,
    metric: str = "accuracy",
    *,
    target: float | None = None,
    level: float = 0.95,
    pos_label: Label | None = None,
    prior: tuple[float, float] = PRIOR,
) -> pl.DataFrame:
    """Return a rate period by period, and from which one on it is no longer what it should be.

    Looking every day at an interval of a fixed number of rows raises a false alarm sooner or later.
    Here the ends hold at all times together, so that looking, stopping or going on is free.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial` or `cm.merge` gave, with states of predicted classes and a column of
        periods. Finer slices are merged.
    by : str
        That column, of days, weeks, versions or numbers; in ascending order. Missing values come
        last.
    metric : str, default "accuracy"
        A metric that is a rate of rows.
    target : float, optional
        What the rate should be. Default: what it was in the first period.
    level : float, default 0.95
        How often there is no alarm, ever, as long as the rate stays what it should be.
    pos_label : label, optional
        Of a metric of one class, the class; default the positive one of the states.
    prior : tuple of float, default (0.5, 0.5)
        As in `cm.confidence_sequence`.

    Returns
    -------
    polars.DataFrame
        A row a period: the period, `n` and `value` of its rows; `n_total` and `total` of all rows
        up to its end, with `low` and `high`, the ends of a confidence sequence of `total`;
        `alarm`, null or what is wrong with the total, which a long history makes slow. Without a
        target the first row is the first period and the others, with `n_total`, count from the
        second on; an alarm is where the two intervals, each of (1 + level) / 2, have no rate in
        common.

    Raises
    ------
    InputError
        A metric that is no rate, states of weights or of something else, a column that is not
        there, numbers outside their range.

    Notes
    -----
    Counts are those since the start, so that a change late in a long history is seen late. Begin
    again where something is known to have changed.

    References
    ----------
    Howard, Ramdas, McAuliffe and Sekhon (2021), https://doi.org/10.1214/20-AOS1991

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> log = pl.DataFrame({"day": [1] * 500 + [2] * 500 + [3] * 500, "y_true": 1}).with_columns(
    ...     y_pred=((pl.int_range(pl.len()) % 10) >= 1 + 2 * (pl.col("day") == 3)).cast(pl.Int64)
    ... )
    >>> found = cm.monitor(cm.partial(log, by="day"), by="day", target=0.9)
    >>> for row in found.select("day", "value", pl.col("low", "high").round(3), "alarm").rows():
    ...     print(row)
    (1, 0.9, 0.846, 0.941, None)
    (2, 0.9, 0.862, 0.931, None)
    (3, 0.7, 0.796, 0.867, 'total below the target')
    """
    checked_level(level)
    wanted = None if target is None else checked_share(target, "target", ends=True)
    periods = _by_period(parts, by)
    why = not_counted(periods)
    if why:
        raise InputError(f"`parts`: {why}; a confidence sequence is of counts of rows")
    k, n = (np.nan_to_num(part) for part in rates_of(periods, metric, pos_label))
    if wanted is None:
        columns, alarms = _against_first(k, n, level, prior)
    else:
        total, rows = k.cumsum(), n.cumsum()
        low, high = ends(total, rows, level, prior)
        columns = {"n_total": rows, "total": _rates(total, rows), "low": low, "high": high}
        alarms = _alarms(low, high, wanted, wanted, "the target")
    table = {"n": n, "value": _rates(k, n), **columns}
    frame = pl.DataFrame(table).with_columns(
        pl.col("n", "n_total").cast(pl.Int64), pl.col("value", "total").fill_nan(None)
    )
    return pl.DataFrame([periods[by], *frame, pl.Series("alarm", alarms, dtype=pl.String)])


def _by_period(parts: Any, by: Any) -> pl.DataFrame:
    if not isinstance(parts, pl.DataFrame):
        raise frame_error(parts, "parts", FRAME)
    if not isinstance(by, str) or by in OWN:
        raise InputError(f"`by` is {by!r}; wanted the name of one column, none of {', '.join(OWN)}")
    check_one_model(parts)
    return merge(parts, by=by).select(by, STATE)


def _against_first(
    k: Floats, n: Floats, level: float, prior: tuple[float, float]
) -> tuple[dict[str, Floats], list[str | None]]:
    """Return the columns of the first period and of those after it, and the alarms of these."""
    of_each = (1 + level) / 2
    total = np.concatenate([k[:1], k[1:].cumsum()])
    rows = np.concatenate([n[:1], n[1:].cumsum()])
    low, high = ends(total, rows, of_each, prior)
    columns = {"n_total": rows, "total": _rates(total, rows), "low": low, "high": high}
    if not len(k):
        return columns, []
    alarms = _alarms(low, high, low[0], high[0], "the first period")
    return columns, alarms


def _alarms(low: Floats, high: Floats, least: float, most: float, what: str) -> list[str | None]:
    return [
        f"total below {what}" if end < least else f"total above {what}" if start > most else None
        for start, end in zip(low, high, strict=True)
    ]


def _rates(k: Floats, n: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = k / n
    return found
