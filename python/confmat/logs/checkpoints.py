"""Checkpoints: what was counted, where reading was, and of which files, in one file."""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import polars as pl

from confmat.errors import InputError, StateError
from confmat.logs.identities import identity
from confmat.logs.request import LogRequest
from confmat.logs.sources import Part
from confmat.logs.stores import is_remote
from confmat.state_tables import read_table, table_bytes
from confmat.whole_file import write_whole

_FIRST, _MOST = 1.0, 60.0  # seconds between two
_SHARE = 0.01  # of the time that making and writing them may take, fsync apart
_A_BYTE = 4e-9  # seconds that this takes for each byte of memory that states have


class Position(NamedTuple):
    """Which files are read, and up to which row of the one that comes next."""

    done: list[list[Any]]  # identities
    current: list[Any] | None = None
    rows: int = 0

    def left_of(self, parts: Sequence[Part]) -> list[Part]:
        """Return the parts that are still to be read, the one that was begun first."""
        done = {one[0] for one in self.done}
        # A file that is gone may be there by another name.
        gone = [
            one[1:] for one in self.done if not is_remote(one[0]) and not os.path.exists(one[0])
        ]
        left = [part for part in parts if _real(part.path) not in done]
        if gone:
            left = [part for part in left if identity(str(part.path))[1:] not in gone]
        begun = self.current and self.current[0]
        return sorted(left, key=lambda part: _real(part.path) != begun) if begun else left

    def elsewhere(self, parts: Sequence[Part]) -> list[str]:
        """Return the files that were read, are still there, and are none of these parts."""
        paths = {_real(part.path) for part in parts}
        return [one[0] for one in self.done if one[0] not in paths and os.path.exists(one[0])]


def _real(path: str | None) -> str | None:
    return path if path is None or is_remote(path) else os.path.realpath(path)


class OtherEvaluationError(InputError, StateError):
    """A checkpoint is of another evaluation than the one that is asked for."""


class Kept(NamedTuple):
    """What a checkpoint holds."""

    states: pl.DataFrame
    position: Position


class Checkpoints:
    """The file of checkpoints of one evaluation; written more rarely where that takes long.

    They take at most one hundredth of the time, but there is one a minute whatever it takes.
    """

    def __init__(self, path: str | os.PathLike[str], request: LogRequest, on_error: str) -> None:
        self._path = Path(path)
        counting = request.as_dict()["counting"] | {"on_error": on_error}
        self._asked = json.loads(json.dumps({"counting": counting, "keys": request.keys}))
        self._last = time.monotonic()
        self._took = 0.0

    def read(self, parts: Sequence[Part]) -> Kept | None:
        """Return what the file holds, checked against what is asked now; None: there is no file.

        Raises
        ------
        StateError
            It is of another evaluation, or of files that have changed since.
        """
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            states, asked, _ = read_table(data)
            position = Position(*asked.pop("position"))
        except (StateError, KeyError, TypeError) as error:
            raise StateError(f"`checkpoint` {str(self._path)!r}: {error}") from None
        self._check_asked(asked)
        self._check_files(position, {_real(part.path) for part in parts})
        if others := position.elsewhere(parts):
            warnings.warn(
                f"`checkpoint` {str(self._path)!r} holds rows of {len(others):,} "
                f"{'file' if len(others) == 1 else 'files'} outside `source`, which count; the "
                f"first: {others[0]}",
                stacklevel=5,
            )
        return Kept(states, position)

    def is_due(self, size: int) -> bool:
        """Return whether it is time to write states that take so many bytes of memory."""
        takes = max(self._took, size * _A_BYTE)
        return time.monotonic() - self._last >= min(max(takes / _SHARE, _FIRST), _MOST)

    def write(self, make: Callable[[], pl.DataFrame], position: Position) -> None:
        """Make states, and replace the file by them. Where that fails, it stays as it was."""
        begun = time.perf_counter()
        data = table_bytes(make(), self._asked | {"position": list(position)}, {})

        def write(file: BinaryIO) -> None:
            file.write(data)
            self._took = time.perf_counter() - begun

        try:
            write_whole(self._path, write)
        except OSError as error:
            raise InputError(
                f"`checkpoint` {str(self._path)!r} cannot be written: {error.strerror or error}; "
                "the one before is whole"
            ) from error
        self._last = time.monotonic()

    def _check_asked(self, asked: dict[str, Any]) -> None:
        ours = {**self._asked["counting"], "keys": self._asked["keys"]}
        theirs = {**asked.get("counting", {}), "keys": asked.get("keys")}
        for name in dict.fromkeys([*ours, *theirs]):
            was, now = theirs.get(name), ours.get(name)
            if was != now:
                told = _of_models(was, now) if name == "models" else (name, was, now)
                of, *values = told
                before, after = ("not given" if one is None else repr(one) for one in values)
                raise OtherEvaluationError(
                    f"`checkpoint` {str(self._path)!r} is of another evaluation: `{of}` was "
                    f"{before} and is {after}; name another file, or remove this one"
                )

    def _check_files(self, position: Position, paths: set[str | None]) -> None:
        """Refuse files that were read and have changed. One that is gone was read, and counts."""
        for was in [*position.done, *([position.current] if position.current else [])]:
            path = was[0]
            try:
                now = identity(path)
            except OSError:
                if was is position.current:
                    raise StateError(
                        f"{path} is gone, and was read up to row {position.rows}; the checkpoint "
                        f"{str(self._path)!r} cannot go on"
                    ) from None
                continue
            if now != was:
                what = ("size", "time of change", "content")
                differs = next(w for w, a, b in zip(what, was[1:], now[1:], strict=True) if a != b)
                raise StateError(
                    f"{path} has changed since it was read: its {differs} differs; remove the "
                    f"checkpoint {str(self._path)!r} to start anew"
                )
        if position.current and position.current[0] not in paths:
            raise StateError(
                f"{position.current[0]} was read up to row {position.rows} and is not in `source` "
                f"any more; the checkpoint {str(self._path)!r} cannot go on"
            )


def _of_models(was: Any, now: Any) -> tuple[str, Any, Any]:
    """Return the argument that names other columns of models, and these."""
    for at, argument in ((1, "y_pred"), (2, "y_score")):
        before, after = (_columns(models, at) for models in (was, now))
        if before != after:
            return argument, before, after
    return "models", was, now


def _columns(models: Any, at: int) -> Any:
    """Return what an argument says of models: one value, or one by name."""
    named = {one[0]: one[at] for one in models or () if one[at] is not None}
    return named.get(None, named or None)


def check_keys(states: pl.DataFrame, request: LogRequest, schema: pl.Schema) -> None:
    """Refuse keys of files that are of another type than those that were read."""
    for name in request.state_keys:
        if states.schema[name] != schema[name]:
            raise StateError(
                f"the key {name!r} was {states.schema[name]} in the files that were read, and is "
                f"{schema[name]} in the others; cast it to one type in `by`, and start anew"
            )
