"""Ctrl-C while logs are read: it keeps what was read until then."""

from __future__ import annotations

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
