"""Batches of a log: read by a thread of their own, a few ahead of those that are counted."""

from __future__ import annotations

import _thread
import queue
import threading
import weakref
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import polars as pl

from confmat.errors import StateError
from confmat.logs.identities import identity
from confmat.logs.schemas import Skipped, cannot_be_read
from confmat.logs.sources import Part

ROWS = 1_000_000  # of one batch: its columns stay in the cache of a core
_AHEAD = 2  # batches that wait
_LOOK = 1.0  # seconds between two looks at whether the thread lives


class Batch(NamedTuple):
    """Rows of one part."""

    part: int
    first_row: int
    frame: pl.DataFrame
    identity: list[Any] | None  # of its file


class Ended(NamedTuple):
    """All rows of a part were read; or it broke on the way, and its rows do not count."""

    part: int
    identity: list[Any] | None = None
    skipped: Skipped | None = None


Item = Batch | Ended


class _Token:
    """What a thread holds as long as it lives."""


class Reader:
    """The batches of all parts in order; of the first part, those after some rows.

    Iterating raises what reading raised. As a context manager it ends its thread.
    """

    def __init__(
        self,
        queries: Sequence[tuple[Part, pl.LazyFrame]],
        *,
        skip_rows: int = 0,
        on_error: Literal["raise", "skip"] = "raise",
    ) -> None:
        self._queries = queries
        self._skip_rows = skip_rows
        self._on_error = on_error
        self._waiting: queue.Queue[Item | BaseException | None] = queue.Queue(_AHEAD)
        self._left = threading.Event()

    def __enter__(self) -> Iterator[Item]:
        token = _Token()
        self._alive = weakref.ref(token)
        # `threading.Thread` waits for ever for a thread that had no memory to begin.
        try:
            _thread.start_new_thread(self._read, (token,))
        except RuntimeError as error:
            raise MemoryError(str(error)) from error
        return self._items()

    def __exit__(self, *_: object) -> None:
        self._left.set()
        while not self._waiting.empty():
            self._waiting.get_nowait()

    def _items(self) -> Iterator[Item]:
        while (item := self._next()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item

    def _next(self) -> Item | BaseException | None:
        while True:
            is_alive = self._alive() is not None
            try:
                return self._waiting.get(timeout=_LOOK if is_alive else 0)
            except queue.Empty:
                if not is_alive:
                    raise MemoryError("no memory for the thread that reads") from None

    def _read(self, token: _Token) -> None:
        try:
            for at in range(len(self._queries)):
                for item in self._part(at):
                    if not self._put(item):
                        return
            self._put(None)
        except BaseException as error:
            self._put(error)

    def _part(self, at: int) -> Iterator[Item]:
        part, query = self._queries[at]
        row = self._skip_rows if at == 0 else 0
        try:
            begun = None if part.path is None else identity(part.path)
            batches = query.slice(row) if row else query
            for frame in batches.collect_batches(chunk_size=ROWS, maintain_order=True):
                if frame.height:
                    yield Batch(at, row, frame, begun)
                row += frame.height
            if part.path is not None and identity(part.path) != begun:
                raise StateError(f"{part.path} has changed while it was read")
        except (pl.exceptions.PolarsError, OSError, StateError) as error:
            why = error if isinstance(error, StateError) else cannot_be_read(part, error)
            if self._on_error == "raise" or part.path is None:
                raise why from error
            yield Ended(at, skipped=Skipped(part.path, str(why)))
        else:
            yield Ended(at, begun)

    def _put(self, item: Item | BaseException | None) -> bool:
        """Hand an item over; False once nobody waits for it any more."""
        while not self._left.is_set():
            try:
                self._waiting.put(item, timeout=0.05)
            except queue.Full:
                continue
            return True
        return False
