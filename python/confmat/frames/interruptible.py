"""Queries that answer Ctrl-C: they run beside the thread that waits for them."""

from __future__ import annotations

import atexit
import ctypes
import threading
import time
from typing import TYPE_CHECKING

import polars as pl

from confmat import _core

if TYPE_CHECKING:
    from polars.lazyframe.in_process import InProcessQuery

# Rows that are done before anyone could ask.
_LITTLE = 1 << 17
_FIRST_LOOK, _BETWEEN_LOOKS = 2e-5, 5e-3  # seconds: a short query is not kept waiting

# Queries that were left and may still run: Polars aborts the process where one of them ends and
# its handle is gone.
_left: list[InProcessQuery] = []


def collected(query: pl.LazyFrame, rows: int) -> pl.DataFrame:
    """Return the result of a query over a frame of so many rows.

    Polars looks for signals between the nodes of a plan alone; one of them may take very long.
    What runs beside runs in memory, so queries over files are not for here: streamed, they answer.
    """
    _forget_ended()
    only_main_gets_signals = threading.current_thread() is threading.main_thread()
    if not only_main_gets_signals or rows < _LITTLE:
        return query.collect()
    running = query.collect(background=True)
    ended, pause = False, _FIRST_LOOK
    try:
        while (found := _fetched(running)) is None:
            time.sleep(pause)
            pause = min(1.2 * pause, _BETWEEN_LOOKS)
        ended = True
    finally:
        if not ended:
            _leave(running)
    if isinstance(found, Exception):
        raise found
    return found


def _fetched(running: InProcessQuery) -> pl.DataFrame | Exception | None:
    try:
        return running.fetch()
    except Exception as error:
        return error


def _leave(running: InProcessQuery) -> None:
    """Ask a query to end, and keep its handle until it has, also beyond the end of Python."""
    running.cancel()
    if not _left:
        atexit.register(_core.send_guests_off)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(running))
    _left.append(running)


def _forget_ended() -> None:
    for running in _left.copy():
        if _fetched(running) is not None:
            _left.remove(running)
            ctypes.pythonapi.Py_DecRef(ctypes.py_object(running))
