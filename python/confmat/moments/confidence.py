"""Intervals of metrics of a regression, from the sums of its rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.intervals.interval import Interval, without_ends
from confmat.intervals.levels import Side, on_side, refuse_elsewhere, z_of
from confmat.intervals.student import t_quantile
from confmat.moments.gradients import GRADIENTS
from confmat.moments.names import INTERVALS, fact_of, full_name
from confmat.moments.spread import Spread
from confmat.moments.state import MomentState
from confmat.options import check_choice

# Means of a number of each row, whose squares are kept; the others are roots of such.
_OF_TERMS = {"mape": 1, "smape": 1, "msle": 1, "rmsle": 2, "huber": 1}
_EXTREMES = ("max_error", "nrmse")
_OF_ORDER = ("median_absolute_error", "error_quantile")
_MOST_SQUARE = 1e200  # of a term, and then no square
_FEWEST = 3  # rows
NO_POWERS = f'it takes powers that were not kept; metrics=["{INTERVALS}"] keeps them'


def ci(
    state: MomentState,
    name: str,
    level: float = 0.95,
    *,
    method: Literal["delta", "normal"] = "delta",
    side: Side = "both",
    **parameters: Any,
) -> Interval:
    """Return a metric with its confidence interval, rows being independent.

    Parameters
    ----------
    name : str
        As in `value`.
    level : float, default 0.95
        How often the interval is to hold the value.
    method : {"delta", "normal"}, default "delta"
        ``delta``: whatever the distribution of the rows; it takes third and fourth powers, which
        are kept where `metrics` names "intervals" (of mean_error, mae, mape, smape, msle, rmsle,
        huber and pinball(0.5) without them). ``normal``: truths and predictions are normally
        distributed, and no powers are needed; far too narrow where errors have long tails.
    side : {"both", "lower", "upper"}, default "both"
        One side: the other end is that of the range of the metric.
    **parameters
        Of the metric, as in `value`.

    Returns
    -------
    Interval
        `value`, `low`, `high`, `se` and `method`, which is "order" of quantiles of errors (errors
        at the ends of the interval of the share of rows below), or "none: " and why where there is
        none: of max_error and nrmse, which rest on single rows; of pinball of other quantiles and
        of deviances, whose squares are not kept.

    Raises
    ------
    InputError
        Powers that were not kept; a method that the metric does not have; what `value` refuses.

    Notes
    -----
    The standard error is that of the first order, and taken on the scale on which the range is the
    whole line: the logarithm of errors and of 1 - R2, Fisher's z of correlations. It reaches as far
    as the t distribution. Weights are taken as independent of the errors.

    References
    ----------
    Van der Vaart (1998), Asymptotic Statistics, chapter 3, ISBN 978-0-521-78450-4

    Examples
    --------
    >>> import confmat as cm
    >>> y = [3.0, -0.5, 2.0, 7.0, 4.0, 1.0, 2.5, 6.0]
    >>> p = [2.5, 0.0, 2.0, 8.0, 4.5, 0.5, 2.0, 6.5]
    >>> r = cm.regression(y, p, metrics=["intervals"])
    >>> print(r.ci("mae"))
    0.5000 [0.3198, 0.7817] (delta)
    >>> print(r.ci("r2"))
    0.9424 [0.8832, 0.9716] (delta)
    """
    refuse_elsewhere(parameters)
    z = z_of(level, side)
    check_choice("method", method, "delta", "normal")
    asked = full_name(name, parameters)
    (value,), (why,) = state._state.values([asked])
    fact = fact_of(asked)
    if why is not None:
        return without_ends(value, why)
    if value in (fact["lo"], fact["hi"]):
        return without_ends(value, "the value is at an end of its range")
    spread = state._spread()
    if not spread.n >= _FEWEST:
        return without_ends(value, f"there are fewer than {_FEWEST} rows")
    reach = t_quantile(z, spread.n - 1)
    if fact["name"] in _OF_ORDER:
        _refuse_normal(asked, method)
        return _by_order(state, asked, value, spread.n, reach, side)
    of, found = _error_of(state, fact["name"], asked, value, spread, method)
    if math.isnan(found):
        return without_ends(value, of)
    return _interval(fact, value, found, of, reach, side)


def _by_order(
    state: MomentState, asked: str, value: float, n: float, reach: float, side: Side
) -> Interval:
    """Return the interval of a quantile of errors: the errors of the ends of that of its share."""
    share = 0.5 if fact_of(asked)["name"] == _OF_ORDER[0] else _core.regression_param(asked)
    off = reach * math.sqrt(share * (1 - share) / n)
    low, high = share - off, share + off
    if not 0 < low < high < 1:
        return without_ends(value, "there are too few rows beyond it")
    ends, _ = state._state.values([f"error_quantile({low!r})", f"error_quantile({high!r})"])
    se = (ends[1] - ends[0]) / (2 * reach)
    return Interval(
        value,
        0.0 if side == "upper" else ends[0],
        math.inf if side == "lower" else ends[1],
        se,
        "order",
    )


def _interval(
    fact: Any, value: float, se: float, method: str, reach: float, side: Side
) -> Interval:
    """Return the interval of a value with a standard error."""
    lo, hi = fact["lo"], fact["hi"]
    if fact["name"] == "r2_correlation":
        return _of_square(value, se, method, reach, side)
    return Interval(value, *_ends(value, se, lo, hi, reach, side), se, method)


def _ends(
    value: float, se: float, lo: float, hi: float, reach: float, side: Side
) -> tuple[float, float]:
    """Return the ends, which stay within the range."""
    ends = _core.on_scale(np.array(value), np.array(se), lo, hi, reach, reach)
    low, high = on_side(*ends, side, (lo, hi))
    return float(low), float(high)


def _of_square(value: float, se: float, method: str, reach: float, side: Side) -> Interval:
    """Return the interval of the square of a correlation, by that of its root."""
    root = math.sqrt(value)
    low, high = _ends(root, se, -1.0, 1.0, reach, "both")
    squares = sorted((low * low, high * high))
    least = 0.0 if low < 0 else squares[0]
    ends = (0.0 if side == "upper" else least), (1.0 if side == "lower" else squares[1])
    return Interval(value, *ends, 2 * root * se, method)


def _error_of(
    state: MomentState,
    name: str,
    asked: str,
    value: float,
    spread: Spread,
    method: str,
) -> tuple[str, float]:
    """Return the method and the standard error; nan, and why there is none."""
    rows = spread.n - 1
    if name in _EXTREMES:
        return f"{name} rests on single rows", math.nan
    if name in GRADIENTS:
        return method, math.sqrt(_variance(state, name, asked, spread, method) / rows)
    if name == "mean_error":
        return method, math.sqrt(spread.ee / rows)
    _refuse_normal(asked, method)
    if name in ("mae", "mase") or (name == "pinball" and _core.regression_param(asked) == 0.5):
        param = _core.regression_param(asked)
        scale = 1.0 if name == "mae" else 1 / param if name == "mase" else param
        square = scale**2 * (spread.ee + spread.error**2)
        return "delta", math.sqrt(max(square - value**2, 0.0) / rows)
    if name in _OF_TERMS:
        mean, square = state._state.term_means(asked)
        if square >= _MOST_SQUARE / max(state.n, 1):
            return "a term is too large for its square", math.nan
        found = math.sqrt(max(square - mean**2, 0.0) / rows)
        return "delta", found if _OF_TERMS[name] == 1 else found / (2 * value) if value else 0.0
    return f"the squares of the terms of {name} are not kept", math.nan


def _refuse_normal(asked: str, method: str) -> None:
    if method == "normal":
        raise InputError(f'`method` is "normal", and the interval of {asked} takes no distribution')


def _variance(state: MomentState, name: str, asked: str, spread: Spread, method: str) -> float:
    """Return the variance that the metric of one row would have, to the first order."""
    covariance = spread.normal if method == "normal" else spread.covariance
    if covariance is None:
        raise InputError(
            f"the interval of {asked} takes powers that were not kept, or are too large; name them "
            f'when rows are read, as in cm.regression(y, p, metrics=["{INTERVALS}"])'
        )
    gradient = GRADIENTS[name](spread)
    if name == "adjusted_r2":
        features = _core.regression_param(asked)
        gradient = gradient * (state.n_rows - 1) / (state.n_rows - features - 1)
    return max(float(gradient @ covariance @ gradient), 0.0)


def lacks_powers(state: MomentState, name: str) -> bool:
    """Return whether the interval of a metric takes powers that a state does not have."""
    return fact_of(name)["name"] in GRADIENTS and state._spread().covariance is None


def intervals_of(
    state: MomentState, names: Sequence[str], level: float, side: Side = "both"
) -> list[Interval]:
    """Return the intervals of metrics, without ends where a state does not have what they take."""
    return [
        without_ends(math.nan, NO_POWERS)
        if lacks_powers(state, name)
        else ci(state, name, level, side=side)
        for name in names
    ]
