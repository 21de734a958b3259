"""Methods that are made when they are first looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


class LateMethod:
    """Stands where a class will have the method of a metric, and gives way to it."""

    __slots__ = ("name", "owner", "template")

    def __init__(self, owner: type, template: Callable[..., Any], name: str) -> None:
        self.owner, self.template, self.name = owner, template, name

    def __get__(self, instance: object, owner: type) -> Any:
        """Make the method and put it in the place of this object."""
        from confmat.callables.making import make_method

        method = make_method(self.owner, self.template, self.name)
        setattr(self.owner, self.name, method)
        return method.__get__(instance, owner)


def add_methods(owner: type, template: Callable[..., Any], names: Iterable[str]) -> None:
    """Give a class one method a metric; `template` is the method that each hands its name to."""
    for name in names:
        setattr(owner, name, LateMethod(owner, template, name))
