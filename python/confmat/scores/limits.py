"""Limits that thresholds must keep: `{"recall": 0.9, "fpr": 0.1, "alert_rate": 0.01}`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.registry import find
from confmat.scores.state import Floats

# Metric by name: the interval it must lie in.
Limits: TypeAlias = dict[str, tuple[float, float]]

# The share of rows predicted positive: more alerts are more work, so a number is an upper limit.
ALERT_RATE, _ALERTS = "alert_rate", "predicted_prevalence"
_LOWER = ("cost", "mean_cost", "top_left")


def read_limits(limits: Any, argument: str) -> Limits:
    """Return the intervals that a mapping of metrics to numbers or pairs asks for."""
    if limits is None:
        return {}
    if not isinstance(limits, Mapping):
        raise InputError(
            f"`{argument}` is {type(limits).__name__}; wanted a dict such as {{'recall': 0.9}}"
        )
    return dict(_limit(name, limit, argument) for name, limit in limits.items())


def _limit(name: Any, limit: Any, argument: str) -> tuple[str, tuple[float, float]]:
    if not isinstance(name, str):
        raise InputError(f"`{argument}` names {name!r}; wanted the name of a metric")
    metric = _ALERTS if name == ALERT_RATE else name
    least, most = _range(metric)
    if isinstance(limit, (tuple, list)):
        if len(limit) != 2:
            raise InputError(f"`{argument}`: {name} is {limit!r}; wanted a number or (low, high)")
        low, high = limit
        return metric, (
            -math.inf if low is None else _number(name, low, argument, least, most),
            math.inf if high is None else _number(name, high, argument, least, most),
        )
    number = _number(name, limit, argument, least, most)
    better = "lower" if metric in _LOWER else find(metric)["better"]
    if better == "higher":
        return metric, (number, math.inf)
    if better == "lower" or find(metric)["name"] == _ALERTS:
        return metric, (-math.inf, number)
    raise InputError(
        f"`{argument}`: {name} is neither better higher nor lower; wanted (low, high) for it"
    )


def _range(metric: str) -> tuple[float, float]:
    if metric in _LOWER:
        return -math.inf, math.inf
    fact = find(metric)
    return fact["lo"], fact["hi"]


def _number(name: str, value: Any, argument: str, least: float, most: float) -> float:
    try:
        number = math.nan if isinstance(value, (str, bytes, bool)) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise InputError(f"`{argument}`: {name} is {value!r}; wanted a number or (low, high)")
    if math.isfinite(number) and not least <= number <= most:
        raise InputError(
            f"`{argument}`: {name} is {value!r}; wanted a number in its range, "
            f"{least:g} to {most:g}"
        )
    return number


def within(columns: dict[str, Floats], limits: Limits) -> npt.NDArray[np.bool_]:
    """Return where every metric lies in its interval; one that is undefined does not."""
    kept: Any = np.True_
    for name, (low, high) in limits.items():
        kept = kept & (columns[name] >= low) & (columns[name] <= high)
    return np.asarray(kept)
