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


def in_words(limits: Limits) -> str:
    """Return limits as text.

    Examples
    --------
    >>> in_words({"recall": (0.9, math.inf), "fpr": (0.1, 0.2)})
    'recall >= 0.9 and fpr from 0.1 to 0.2'
    """
    words = []
    for name, (low, high) in limits.items():
        both = math.isfinite(low) and math.isfinite(high)
        at = f">= {low:.6g}" if math.isinf(high) else f"<= {high:.6g}"
        words.append(f"{name} {f'from {low:.6g} to {high:.6g}' if both else at}")
    return " and ".join(words)


def why_unmet(columns: dict[str, Floats], limits: Limits) -> str | None:
    """Return why no threshold keeps all limits; None where one does.

    Examples
    --------
    >>> values = {"recall": np.array([0.2, 0.8]), "fpr": np.array([0.0, 0.5])}
    >>> why_unmet(values, {"recall": (0.9, math.inf)})
    'no threshold has recall >= 0.9; recall is at most 0.8'
    """
    kept: Limits = {}
    for name, limit in limits.items():
        before = within(columns, kept)
        kept[name] = limit
        if within(columns, kept).any():
            continue
        found = columns[name][before & ~np.isnan(columns[name])]
        given = f"with {in_words({k: v for k, v in kept.items() if k != name})} "
        nearest = f"{'' if len(kept) == 1 else given}{name} is {_ends(found, *limit)}"
        return f"no threshold has {in_words(kept)}; {nearest}"
    return None


def _ends(found: Floats, low: float, high: float) -> str:
    """Return in words what values there are, none of which lies in an interval."""
    if not found.size:
        return "undefined"
    if found.max() < low:
        return f"at most {found.max():.6g}"
    if found.min() > high:
        return f"at least {found.min():.6g}"
    return f"{found[found < low].max():.6g} or {found[found > high].min():.6g}"


def within(columns: dict[str, Floats], limits: Limits) -> npt.NDArray[np.bool_]:
    """Return where every metric lies in its interval; one that is undefined does not."""
    kept: Any = np.True_
    for name, (low, high) in limits.items():
        kept = kept & (columns[name] >= low) & (columns[name] <= high)
    return np.asarray(kept)
