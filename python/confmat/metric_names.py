"""From a metric name, an average and parameters to what the core computes; parsed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from confmat import _core
from confmat.errors import ConfmatError, InputError
from confmat.labels import described
from confmat.name_calls import base_of
from confmat.own_definitions import renewed, wired, wired_all
from confmat.registry import (
    Fact,
    elsewhere,
    find,
    is_regression_metric,
    is_score_metric,
    name_with,
)
from confmat.suffixes import AVERAGES, of_sets

# Parameters of a metric by name; one that is the exponent of a mean can be the name of the mean.
Params: TypeAlias = tuple[tuple[str, float | str], ...]
Check: TypeAlias = Callable[[str, Any], None]
# Class metrics that are plain counts: given as Python integers when the cells are integers.
COUNTS = (
    *("tp", "fp", "fn", "tn", "support", "support_negative", "predicted_support"),
    *("predicted_support_negative", "population", "hamming_distance", "prediction_excess"),
)


class Ask(NamedTuple):
    """One value asked for: the parsed name, and whether it is about one class."""

    parsed: _core.Asks
    name: str
    needs_positive: bool
    is_count: bool
    may_leave_out: bool  # classes, as undefined


def counts_of(tp: Any, fp: Any, fn: Any, tn: Any) -> dict[str, Any]:
    """Return `COUNTS` of the cells of classes."""
    support, rest, predicted = tp + fn, fp + tn, tp + fp
    sizes = (tp, fp, fn, tn, support, rest, predicted, fn + tn, support + rest, fp + fn, fp - fn)
    return dict(zip(COUNTS, sizes, strict=True))


def ask(name: str, average: str | None = None, params: Params = ()) -> Ask:
    """Return the ask for "f1", "f1_macro", "fbeta(2)" or their parts."""
    try:
        return _ask(name, average, params)
    except ConfmatError:
        raise
    except (TypeError, UnicodeError) as error:  # unhashable, or no text that can be
        raise InputError(
            f"`name` is {described(name)} with {described(average)}; wanted the name of a metric"
        ) from error


def names_asked(metrics: Any) -> tuple[str, ...]:
    """Return the names of an argument `metrics`: one text or several.

    Raises
    ------
    InputError
        It holds something else.
    """
    if isinstance(metrics, str):
        metrics = (metrics,)
    try:
        asked = tuple(metrics)
    except Exception as error:
        raise InputError(
            f"`metrics` is {described(metrics)}; wanted a list of names of metrics"
        ) from error
    for at, name in enumerate(asked):
        if not isinstance(name, str) or not name.isascii():
            raise InputError(
                f"`metrics` has {described(name)} at position {at}; wanted names of metrics"
            )
    return asked


@renewed
def _ask(name: str, average: str | None, params: Params) -> Ask:
    full = full_name(name, average, params)
    parsed = _core.Asks([wired(full)])
    return Ask(parsed, full, parsed.needs_positive, full in COUNTS, parsed.may_leave_out)


@renewed
def asks(names: tuple[str, ...]) -> _core.Asks:
    """Return many names, parsed."""
    return _core.Asks(wired_all(names))


def full_name(name: str, average: str | None, params: Params) -> str:
    """Return the value name: "fbeta", "macro" and beta=2 give "fbeta_macro(2)"."""
    if not isinstance(name, str):
        raise InputError(f"`name` is {type(name).__name__}; wanted the name of a metric")
    base, bracket, inline = name.partition("(")
    if is_score_metric(base) or is_regression_metric(base):
        _core.Asks([base])  # which says what has it
    if average is not None and average != "binary":
        if average not in AVERAGES and f"{base}_{average}" not in elsewhere():
            wanted = ", ".join(map(repr, AVERAGES))
            raise InputError(f"`average` is {average!r}; wanted {wanted}{of_sets(average)}")
        base = f"{base}_{average}"
    full = base + bracket + inline
    given = dict(params)
    if "zero_division" in given:
        instead = "`undefined` of `value`, `values` and tables replaces what is undefined"
        raise InputError(f"`{full}` has no parameter `zero_division`; {instead}")
    return name_holding(full, given, find(base)) if given else full


def name_among(
    facts: Mapping[str, Any], name: Any, given: Mapping[str, Any], check: Check | None = None
) -> str:
    """Return the name of one of some metrics, such as those of scores, with its parameters in it.

    That of another metric is left as it is.
    """
    if not isinstance(name, str):
        raise InputError(f"`name` is {type(name).__name__}; wanted the name of a metric")
    fact = facts.get(base_of(name))
    return name if fact is None or not given else name_holding(name, given, fact, check)


def name_holding(
    name: str, given: Mapping[str, Any], fact: Fact, check: Check | None = None
) -> str:
    """Return a name with the parameters in it that are given beside it: "fbeta(2)".

    `check` may refuse the value of one.
    """
    values = {param["name"]: param["value"] for param in fact["params"]}
    for key, value in given.items():
        if key not in values:
            wanted = f"it takes {', '.join(values)}" if values else "it takes none"
            raise InputError(f"`{name}` has no parameter `{key}`; {wanted}")
        if "(" in name:
            raise InputError(f"`{name}` has `{key}` in its name and as an argument; give it once")
        if check is not None:
            check(key, value)
    return name_with(name, list((values | dict(given)).values()))
