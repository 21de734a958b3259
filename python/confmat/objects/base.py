"""What all objects share: numbers by name, how they are shown, sums and copies."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from confmat.attribute_hints import public
from confmat.errors import AbsentError, InputError, StateError, UnknownMetricError
from confmat.render.shown import Shown

if TYPE_CHECKING:
    from typing_extensions import Self


class ObjectBase(Shown):
    """Numbers are items and attributes; `print` and notebooks show a title and tables.

    A class says which names there are, in `_names`, and how to read one, in `value`.
    """

    __slots__ = ()

    _index: ClassVar[str] = "index with the name of a number; see `value`"
    _made_by: ClassVar[str] = "a function"
    _meant: ClassVar[Mapping[str, str]] = {}  # words of others for what is an attribute here

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError(f"a {type(self).__name__} is made by {self._made_by}")

    overall: Any  # tables
    per_class: Any

    def value(self, name: str, **parameters: Any) -> float:
        """Return one number by its name."""
        raise NotImplementedError

    def _names(self) -> tuple[str, ...]:
        """Return the names of all numbers that need no parameter."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> float:
        """Return a number by its name, with default parameters."""
        if not isinstance(name, str):
            raise TypeError(self._index)
        return self.value(name)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a number by its name, with default parameters."""
            own = getattr(type(self), name, None)
            if isinstance(own, property):  # that raised AttributeError: again, with its message
                return own.__get__(self)
            if name.startswith("_"):
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
            return self._attribute(name)

    def _attribute(self, name: str) -> float:
        """Return a number as an attribute; AttributeError where it is not there."""
        try:
            return self.value(name)
        except InputError as error:
            of = type(self)
            meant = self._meant.get(name, "")
            if isinstance(error, UnknownMetricError) and not meant:
                is_near = 0.9 if error.has_near else 0.7  # than another metric
                near = difflib.get_close_matches(name, public(of), n=1, cutoff=is_near)
                meant = "".join(f"did you mean `{own}`?" for own in near)
            if meant:
                raise AbsentError(f"{of.__name__} has no attribute {name!r}; {meant}") from None
            raise AbsentError(f"{of.__name__}.{name}: ", *error.parts) from None

    def __dir__(self) -> list[str]:
        return [*{*super().__dir__(), *self._names()}]


class Counted(ObjectBase):
    """An object of counts, which merge: `sum` starts from 0, and copies are the object itself."""

    __slots__ = ()

    def __radd__(self, other: object) -> Self:
        """Allow `sum(objects)`, which starts from 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class MadeOfRows(ObjectBase):
    """An object that needs its rows: what others say of their states is refused."""

    _instead: ClassVar[str] = ""

    def to_bytes(self) -> bytes:
        """Raise StateError: there is no state apart from the rows; `pickle` keeps them."""
        raise StateError(
            f"{self._of_rows()}; pickle keeps them, and so the whole object{self._instead}"
        )

    def __add__(self, other: object) -> Any:
        """Raise StateError: there is nothing to merge but the rows."""
        if type(other) is not type(self):
            return NotImplemented
        raise StateError(
            f"{self._of_rows()}, which do not merge; make one of all rows together{self._instead}"
        )

    def _of_rows(self) -> str:
        return f"a {type(self).__name__} is made of the scores of its rows"
