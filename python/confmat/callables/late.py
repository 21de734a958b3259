"""Methods that are made when they are first looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from confmat.registry import Fact


class LateMethod:
    """Stands where a class will have the method of a metric, and gives way to it."""

    __slots__ = ("fact", "owner", "template")

    def __init__(self, owner: type, template: Callable[..., Any], fact: Fact) -> None:
        self.owner, self.template, self.fact = owner, template, fact

    def __get__(self, instance: object, owner: type) -> Any:
        """Make the method and put it in the place of this object."""
        from confmat.callables.making import make_method

        method = make_method(self.owner, self.template, self.fact)
        setattr(self.owner, self.fact["name"], method)
        return method.__get__(instance, owner)


def add_methods(owner: type, template: Callable[..., Any], facts: Iterable[Fact]) -> None:
    """Give a class one method a metric; `template` is the method that each hands its name to."""
    for fact in facts:
        setattr(owner, fact["name"], LateMethod(owner, template, fact))
