"""Metrics of one's own as the core reads them: a name that is asked for brings its formula along.

So a query plan means the same in a process that never heard of the metric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from itertools import count
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from confmat import _core
from confmat.errors import InputError
from confmat.name_calls import base_of
from confmat.suffixes import AVERAGES

_BRINGS = " := "  # between a name and its definition


class Definition(NamedTuple):
    """A metric that was registered: its formula in postfix order, and its facts."""

    name: str
    steps: str
    lo: float
    hi: float
    better: str
    summary: str

    @property
    def text(self) -> str:
        """The definition for the core."""
        return f"{self.name} {self.lo!r} {self.hi!r} {self.better} {self.steps}"

    def asked(self, name: str) -> str:
        """Return a value name with the definition, as the core takes it."""
        return f"{name}{_BRINGS}{self.text}"


_P = ParamSpec("_P")
_T = TypeVar("_T")

# Changed by single operations that no thread can part, so that nobody waits and forks are safe.
_definitions: dict[str, Definition] = {}
_changes = count(1)
_generation = 0


def renewed(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Remember what a function returns until a metric is registered or taken back."""

    @lru_cache(maxsize=4096)
    def remembered(_: int, *args: Any) -> _T:
        return cast("Callable[..., _T]", function)(*args)

    @wraps(function)
    def of_now(*args: Any) -> _T:
        return remembered(_generation, *args)

    return cast("Callable[_P, _T]", of_now)


def own(name: str) -> Definition | None:
    """Return what was registered under a name."""
    return _definitions.get(name)


def hold(definition: Definition, *, replace: bool) -> None:
    """Take a definition.

    Raises
    ------
    InputError
        Its name has another one, which it does not replace.
    """
    name = definition.name
    if replace:
        _definitions[name] = definition
    elif _definitions.setdefault(name, definition) != definition:
        raise InputError(
            f"`name` is {name!r}, which has another formula, range or meaning; "
            "replace=True takes its place"
        )
    _renew()


def drop(name: str) -> None:
    """Forget the definition of a name."""
    _definitions.pop(name, None)
    _renew()


def _renew() -> None:
    global _generation  # noqa: PLW0603  (a number that only grows)
    _generation = next(_changes)


def own_facts() -> list[dict[str, Any]]:
    """Return the facts of every value name of the metrics that were registered."""
    return [fact for definition in list(_definitions.values()) for fact in facts_of(definition)]


def facts_of(definition: Definition) -> list[dict[str, Any]]:
    """Return the facts of a metric of one's own, then those of its averages.

    Raises
    ------
    InputError
        The core refuses the formula.
    """
    facts = _core.own_facts(definition.text)
    facts[0]["summary"] = definition.summary
    return facts


def wired(name: str) -> str:
    """Return the name of a metric as the core takes it: with the formula of one's own.

    Raises
    ------
    InputError
        It brings a formula itself.
    """
    if _BRINGS in name:
        raise InputError(f"no metric is named {name!r}")
    base = base_of(name)
    found = _definitions.get(base)
    if found is None:
        stem, _, average = base.rpartition("_")
        found = _definitions.get(stem) if average in AVERAGES else None
    return name if found is None else found.asked(name.strip())


def wired_all(names: Iterable[str]) -> list[str]:
    """Return several names as the core takes them."""
    return [wired(name) for name in names]
