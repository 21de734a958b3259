"""Objects that have no state apart from their rows."""

from __future__ import annotations

from typing import Any

from confmat.errors import StateError


class MadeOfRows:
    """An object that needs its rows: what others say of their states is refused."""

    def to_bytes(self) -> bytes:
        """Raise StateError: there is no state apart from the rows; `pickle` keeps them."""
        raise StateError(f"{self._of_rows()}; pickle keeps them, and so the whole object")

    def __add__(self, other: object) -> Any:
        """Raise StateError: there is nothing to merge but the rows."""
        if type(other) is not type(self):
            return NotImplemented
        raise StateError(f"{self._of_rows()}, which do not merge; make one of all rows together")

    def _of_rows(self) -> str:
        return f"a {type(self).__name__} is made of the scores of its rows"
