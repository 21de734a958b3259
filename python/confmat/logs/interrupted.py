"""Errors of reading logs: an interrupt that keeps what was read, and where a bad row is."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from types import FrameType
from typing import Any


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during an evaluation; `.evaluation` is what was read until then."""

    def __init__(self, evaluation: Callable[[], Any]) -> None:
        super().__init__("stopped; `.evaluation` has what was read")
        self._evaluation = evaluation

    @cached_property
    def evaluation(self) -> Any:
        """The `Evaluation` of the rows that were read; its `complete` is False."""
        return self._evaluation()


@contextmanager
def not_interrupted() -> Iterator[None]:
    """Let Ctrl-C wait until a short piece of work is whole."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):
        yield
        return
    waiting: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: waiting.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if waiting:
            before(*waiting[0])


def shifted(message: str, rows: int) -> str:
    """Return a message about a row of a batch as one about the row of the whole."""
    return re.sub(r"\bat row (\d+)", lambda at: f"at row {int(at[1]) + rows}", message, count=1)
