"""Names of score metrics: what is known of each, and the parameters that a name holds."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from confmat import _core
from confmat.errors import InputError
from confmat.metric_names import name_among
from confmat.name_calls import base_of

PARTIAL_AUC = "partial_auc"


@cache
def facts() -> dict[str, dict[str, Any]]:
    """Return the facts of every score metric, by name and alias."""
    found = _core.score_facts()
    aliases = {alias: fact for fact in found for alias in fact["aliases"]}
    return aliases | {fact["name"]: fact for fact in found}


@cache
def names() -> tuple[str, ...]:
    """Return the names of the score metrics, in the order of the registry."""
    return tuple(fact["name"] for fact in _core.score_facts())


def reading(name: str) -> tuple[str, int]:
    """Return the name of a score metric without aliases and its bins: "ece(15)" is ("ece", 15)."""
    _, _, inner = name.partition("(")
    fact = facts().get(base_of(name))
    if fact is None:
        return base_of(name), 0
    default = fact["params"][0]["value"] if fact["params"] else 0
    given = inner.rstrip(")").rpartition("=")[2]
    return fact["name"], int(float(given or default))


def is_of_probability(name: str) -> bool:
    """Return whether a score metric takes the scores as probabilities."""
    fact = facts().get(base_of(name))
    return fact is not None and bool(fact["needs_probability"])


def full_name(name: Any, parameters: dict[str, Any]) -> str:
    """Return the name of a score metric with its parameters in it: "ece(15)"."""
    return name_among(facts(), name, parameters, _check)


def _check(key: str, given: Any) -> None:
    """Refuse what is no number; the core knows its range."""
    if key == "bins":
        if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or given < 1:
            raise InputError(f"`{key}` is {given!r}; wanted a number of {key}, at least 1")
    elif isinstance(given, bool) or not isinstance(given, (int, float, np.number)):
        raise InputError(f"`{key}` is {given!r}; wanted a number")
