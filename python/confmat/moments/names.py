"""Names of the metrics of regressions, and the parameters that a name holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.metric_names import name_among, names_asked
from confmat.name_calls import base_of
from confmat.registry import Fact, regression_facts

INTERVALS = "intervals"  # names the sums of third and fourth powers
DENSITY = "density"  # names cells of true and predicted numbers
# The metrics that need no further sums, which every state has.
DEFAULT_METRICS = ("mean_error", "mae", "rmse", "r2", "pearson_r", "ccc", "max_error")


@cache
def facts() -> dict[str, Fact]:
    """Return the facts of every metric of a regression, by name and alias."""
    aliases = {alias: fact for fact in regression_facts() for alias in fact["aliases"]}
    return aliases | {fact["name"]: fact for fact in regression_facts()}


def names() -> tuple[str, ...]:
    """Return the names of these metrics, in the order of the registry."""
    return tuple(fact["name"] for fact in regression_facts())


def full_name(name: Any, parameters: Mapping[str, Any]) -> str:
    """Return the name of a metric with its parameters in it: "pinball(0.9)"."""
    return name_among(facts(), name, parameters)


def fact_of(name: str) -> Fact:
    """Return the facts of a metric, whose name may hold its parameter."""
    return facts()[base_of(name)]


def regression_names(metrics: Sequence[str] | str | None) -> tuple[str, ...]:
    """Return the names asked for, checked; None gives the default set."""
    if metrics is None:
        return DEFAULT_METRICS
    asked = sums_named(metrics)
    for name in asked:
        if not _core.is_of_numbers(name):
            raise InputError(f"`metrics` holds {name!r}, which names sums to keep, and no metric")
    return asked


def metrics_among(names: Sequence[str]) -> list[str]:
    """Return the names that are not of sums alone."""
    return [name for name in names if _core.is_of_numbers(name)]


def exact(names: Sequence[str]) -> tuple[str, ...]:
    """Return names with what keeps errors or true numbers as they are, where one is of these."""
    kept = (one for name in names for one in _core.kept_exactly(name))
    return tuple(dict.fromkeys((*names, *kept)))


def keeps_rows(names: Sequence[str]) -> bool:
    """Return whether bins or cells are kept for what is named, and not sums alone."""
    return any(name == DENSITY or _core.kept_exactly(name) for name in names)


def sums_named(metrics: Sequence[str] | str) -> tuple[str, ...]:
    """Return the names of metrics, and of sums, that are to be kept, checked."""
    asked = tuple(name.strip(" ") for name in names_asked(metrics))
    for at, name in enumerate(asked):
        _core.is_of_numbers(name)  # refuses an unknown one
        if name in asked[:at]:
            raise InputError(f"`metrics` holds {name!r} twice, again at position {at}")
    return asked


@cache
def _nothing() -> _core.Moments:
    none = np.empty(0)
    return _core.regression(none, none, None, [], False)


def needs_more_sums(name: str) -> bool:
    """Return whether a metric needs sums that are kept only where it is named."""
    return not _nothing().holds(name)
