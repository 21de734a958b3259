"""What a task hands back: a table of states as bytes, and what is told of it, an error too."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from confmat.errors import ConfmatError, InputError, Row, StateError, parts_of

# Errors that travel: where rows are at fault, no task is tried again.
_KINDS: dict[str, type[ConfmatError]] = {
    one.__name__: one for one in (ConfmatError, InputError, StateError)
}


class Outcome(NamedTuple):
    """The states of some rows. Engines carry it as a plain pair of bytes and text."""

    table: bytes | None  # None: there was no row, or an error
    told: str  # JSON

    @property
    def error(self) -> ConfmatError | None:
        """The first error, in the order of the rows."""
        first = min(json.loads(self.told)["errors"], key=_place, default=None)
        if first is None:
            return None
        parts = [part if isinstance(part, str) else Row(*part) for part in first[2]]
        return _KINDS[first[1]](*parts)

    @property
    def skipped(self) -> list[tuple[int, str]]:
        """Files that were left out: their positions, and why."""
        return [(at, why) for at, why in sorted(json.loads(self.told)["skipped"])]

    @property
    def seconds(self) -> float:
        """How long tasks took, all added up."""
        return float(json.loads(self.told)["seconds"])


def counted(
    table: bytes | None, skipped: Iterable[tuple[int, str]] = (), seconds: float = 0.0
) -> Outcome:
    """Return the outcome of rows that were counted."""
    return Outcome(table, _text([], [list(one) for one in skipped], seconds))


def failed(error: ConfmatError, position: tuple[int, int] = (0, 0)) -> Outcome:
    """Return the outcome of a task that refused a row or a file, and where that lies."""
    kind = next(name for name in reversed(_KINDS) if isinstance(error, _KINDS[name]))
    parts = [part if isinstance(part, Row) else str(part) for part in parts_of(error)]
    return Outcome(None, _text([[list(position), kind, parts]], [], 0.0))


def told_together(outcomes: Iterable[Outcome]) -> str:
    """Return what is told of several outcomes; of their errors, the first."""
    told = [json.loads(one.told) for one in outcomes]
    errors = [error for one in told for error in one["errors"]]
    skipped = [skip for one in told for skip in one["skipped"]]
    return _text(sorted(errors, key=_place)[:1], skipped, sum(one["seconds"] for one in told))


def _place(error: list[Any]) -> tuple[Any, ...]:
    return tuple(error[0])


def _text(errors: list[Any], skipped: list[Any], seconds: float) -> str:
    return json.dumps({"errors": errors, "skipped": skipped, "seconds": seconds})
