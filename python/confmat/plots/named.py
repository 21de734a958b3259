"""What all pictures of an object share: they are asked for by name."""

from __future__ import annotations

from typing import Any, NoReturn

from confmat.attribute_hints import Hinting
from confmat.own_errors import OwnErrors


class NamedPictures(OwnErrors, Hinting):
    """A base of pictures that are methods; others, and none, are answered with their names."""

    __slots__ = ()

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Say that a picture is asked for by its name."""
        first, *_more = self._pictures()
        raise TypeError(f"name a picture, as `plot.{first}(...)`{self._instead_of('')}")

    def _instead_of(self, name: str) -> str:
        return f"; there are {', '.join(self._pictures())}"

    def _pictures(self) -> list[str]:
        """Return the names of all pictures, in the order of the class."""
        return [name for name in vars(type(self)) if not name.startswith("_")]
