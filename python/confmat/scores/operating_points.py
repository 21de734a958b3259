"""Operating points: the threshold that keeps limits, and the best rate for a given other one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple, overload

import polars as pl

from confmat.errors import InputError
from confmat.intervals.levels import Side, checked_ci
from confmat.registry import find
from confmat.scores.bands import RATES, rate_table, rates_at
from confmat.scores.best_threshold import best
from confmat.scores.cuts import path
from confmat.scores.limits import read_limits
from confmat.scores.state import ScoreState
from confmat.scores.thresholds import metrics_at, pick

# The rate that says the same: 1 minus the other.
_SAME = {"fpr": "tnr", "tnr": "fpr", "ppv": "fdr", "fdr": "ppv"}
_LOWER = ("fpr", "fdr")
# A lower threshold can only help these: where all limits are on them, few alarms are wanted.
_HELPED_BELOW = ("recall", "fnr")


class Chosen(NamedTuple):
    """A threshold that was chosen, and the rates of these rows there.

    Attributes
    ----------
    threshold : float
    rates : polars.DataFrame
        Columns `rate` (tpr, fpr, tnr, ppv, npv, fdr), `value`, `low` and `high`.
    """

    threshold: float
    rates: pl.DataFrame


@overload
def threshold_for(
    state: ScoreState,
    *,
    maximize: str | None = ...,
    cost: Any = ...,
    thresholds: Any = ...,
    ci: None = ...,
    side: Side = ...,
    **limits: Any,
) -> float: ...
@overload
def threshold_for(
    state: ScoreState,
    *,
    maximize: str | None = ...,
    cost: Any = ...,
    thresholds: Any = ...,
    ci: float,
    side: Side = ...,
    **limits: Any,
) -> Chosen: ...
def threshold_for(
    state: ScoreState,
    *,
    maximize: str | None = None,
    cost: Any = None,
    thresholds: Any = None,
    ci: float | None = None,
    side: Side = "both",
    **limits: Any,
) -> float | Chosen:
    """Return the threshold that keeps every limit and is best otherwise.

    Parameters
    ----------
    maximize : str, optional
        The metric to be best ("cost" and other losses: lowest). Default: specificity, if all
        limits are on recall or fnr, otherwise recall.
    cost : array-like, shape (2, 2), optional
        For `maximize="cost"`.
    thresholds : array-like of float, optional
        As in `best`.
    ci : float, optional
        The level of intervals, such as 0.95: also return the rates at this threshold with Wilson's
        intervals, of float weights at the effective number of rows. That the threshold was chosen
        on the same rows is no part of them: of rows that follow, the rates that were chosen for
        tend to be worse.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.
    **limits : float or pair
        As `subject_to` of `best`: `recall=0.9` is at least, `fpr=0.1` at most,
        `alert_rate=0.01` at most that share of the rows predicted positive,
        `precision=(0.5, 0.6)` between.

    Returns
    -------
    float or Chosen
        Of equally good thresholds the highest; +inf where predicting no row positive is best;
        nan where no threshold keeps the limits: `best(maximize, subject_to=limits).reason` says
        why. With `ci` (threshold, frame of rates).

    Raises
    ------
    InputError
        No limit, an unknown metric, a limit that is no number in the range of its metric.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> s.threshold_for(recall=0.9, maximize="precision")
    0.35
    >>> s.threshold_for(alert_rate=0.25)
    0.8
    >>> s.threshold_for(recall=0.5, ci=0.95).rates.row(0)
    ('tpr', 0.5, 0.09453120573423074, 0.9054687942657693)
    """
    if not limits:
        raise InputError("threshold_for needs a limit, such as recall=0.9")
    level = checked_ci(ci, side)
    known = read_limits(limits, "limits")
    if maximize is None:
        helped = all(find(name)["name"] in _HELPED_BELOW for name in known if name != "cost")
        maximize = "specificity" if helped else "recall"
    threshold = best(state, maximize, cost, known, thresholds).threshold
    if level is None:
        return threshold
    return Chosen(threshold, rate_table(state, threshold, (level, side)))


def operating_points(
    state: ScoreState,
    levels: Sequence[float] = (0.9, 0.95, 0.99),
    *,
    ci: float | None = None,
    side: Side = "both",
) -> pl.DataFrame:
    """Return the best of each rate while another rate keeps a level.

    Parameters
    ----------
    levels : sequence of float in [0, 1], default (0.9, 0.95, 0.99)
        `tpr`, `tnr`, `ppv` and `npv` are at least the level, `fpr` and `fdr` at most 1 minus
        the level.
    ci : float, optional
        The level of intervals, such as 0.95: columns `low` and `high`, Wilson's interval of
        `value` at this threshold, of float weights at the effective number of rows. That the
        threshold was chosen on the same rows is no part of it: of rows that follow, the rate tends
        to be worse.
    side : {"both", "lower", "upper"}, default "both"
        Of `ci`: "lower" puts all that may be missed below; the other end is that of the range.

    Returns
    -------
    polars.DataFrame
        Columns `rate` (to be best), `given` (the rate with a limit), `limit`, `threshold` (the
        highest of equally good ones) and `value`; null where no threshold keeps the limit. One
        row a level and ordered pair of rates that do not say the same.

    Examples
    --------
    >>> import confmat as cm
    >>> s = cm.sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> points = s.operating_points([0.5])
    >>> points.filter(rate="tpr", given="ppv").rows()
    [('tpr', 'ppv', 0.5, 0.35, 1.0)]
    """
    checked_ci(ci, side)
    at, tp, fp = path(state, origin=state._start())
    columns = metrics_at(state, RATES, tp, fp, None)
    rows: list[tuple[Any, ...]] = []
    for level, rest in map(_level, levels):
        for given in RATES:
            low = given in _LOWER
            limit = rest if low else level
            allowed = columns[given] <= limit if low else columns[given] >= limit
            for rate in RATES:
                if rate in (given, _SAME.get(given)):
                    continue
                values = columns[rate]
                score = -values if rate in _LOWER else values
                rows.append((rate, given, limit, *pick(at, score, values, allowed)))
    schema = {"rate": pl.String, "given": pl.String}
    schema |= dict.fromkeys(("limit", "threshold", "value"), pl.Float64)  # type: ignore[arg-type]
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    if ci is not None:
        at = frame["threshold"].to_numpy()
        ends = rates_at(state, frame["rate"].to_list(), at, (ci, side))
        frame = frame.with_columns(pl.Series("low", ends[0]), pl.Series("high", ends[1]))
    return frame.with_columns(pl.col(pl.Float64).exclude("limit").fill_nan(None))


def _level(level: Any) -> tuple[float, float]:
    """Return the level and 1 minus it, as decimals: 0.1 for 0.9."""
    try:
        number = float(level)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number <= 1:
        raise InputError(f"`levels` holds {level!r}; wanted numbers in [0, 1]")
    return number, float(1 - Decimal(repr(number)))
