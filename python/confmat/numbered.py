"""Numbers of an object by name: what `value`, the items and the attributes of all objects share."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from confmat.errors import AbsentError, InputError


def called(of: Callable[..., Any], name: str, params: Mapping[str, Any]) -> Any:
    """Return what a number is with these parameters; one that it does not take is refused."""
    known = list(inspect.signature(of).parameters)
    for key in params:
        if key not in known:
            wanted = f"it takes {', '.join(known)}" if known else "it takes none"
            raise InputError(f"`{name}` has no parameter `{key}`; {wanted}")
    return of(**params)


def unknown(name: Any, known: Sequence[str], aliases: Sequence[str] = ()) -> InputError:
    """Return the error for a name of no number, with the nearest names."""
    if not isinstance(name, str):
        return InputError(f"`name` is {type(name).__name__}; wanted the name of a number")
    near = difflib.get_close_matches(name, [*known, *aliases], n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"wanted one of {', '.join(known)}"
    return InputError(f"no number is named {name!r}; {hint}")


class Numbered:
    """Numbers as items and attributes; `value` takes their parameters.

    A class says which names there are, in `_names`, and how to read one, in `value`.
    """

    def value(self, name: str, **parameters: Any) -> float:
        """Return one number by its name."""
        raise NotImplementedError

    def _names(self) -> tuple[str, ...]:
        """Return the names of all numbers that need no parameter."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> float:
        """Return a number by its name, with default parameters."""
        if not isinstance(name, str):
            raise TypeError("index with the name of a number; see `value`")
        return self.value(name)

    def _attribute(self, name: str) -> Any:
        """Return a number as an attribute; what `__getattr__` of a class is."""
        own = getattr(type(self), name, None)
        if isinstance(own, property):  # that raised AttributeError: again, with its message
            return own.__get__(self)
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        try:
            return self.value(name)
        except InputError as error:
            raise AbsentError(f"{type(self).__name__}.{name}: {error}") from None

    def __dir__(self) -> list[str]:
        return [*{*super().__dir__(), *self._names()}]
