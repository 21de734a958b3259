"""What objects of two models on the same rows share: their numbers are those of one model."""

from __future__ import annotations

from typing import Any, ClassVar

from confmat.errors import InputError
from confmat.labels import listing
from confmat.objects.base import Counted


class TwoModels(Counted):
    """Rows that two models, a and b, predict or score."""

    __slots__ = ()

    _of_one: ClassVar[str]  # the method that gives what is of one model
    _counts: ClassVar[tuple[str, ...]]  # of rows left out, in `repr`

    labels: Any
    n: Any

    def value(self, name: str, **parameters: Any) -> float:
        """Raise InputError: metrics are those of one model."""
        kind, of_one = type(self).__name__, self._of_one
        raise InputError(
            f"a {kind} has no number {name!r}; metrics are those of a model: "
            f'j.{of_one}("a") and j.{of_one}("b")'
        )

    def _names(self) -> tuple[str, ...]:
        return ()

    def _about(self) -> str:
        """Return the classes, the rows and what was left out, for `repr`."""
        counts = ((name, getattr(self, name)) for name in self._counts)
        extra = "".join(f", {name}={count}" for name, count in counts if count)
        return f"{listing(list(self.labels))}, n={self.n}{extra}"
