"""Where progress is told: a bar by Rich, a line of text, lines of a log, or a notebook."""

from __future__ import annotations

import html
import os
import shutil
import sys
from contextlib import suppress
from time import monotonic
from typing import Any, Protocol, TextIO

_BETWEEN_LINES = 5.0  # seconds, in the file that an error stream may be


class View(Protocol):
    """A place where progress is told."""

    def show(self, text: str, share: float | None) -> bool:
        """Tell the text and what is done of all; return whether that is worth while again."""

    def close(self) -> None:
        """Take away what was told last."""


def view_of(doing: str, always: bool) -> View | None:
    """Return the place for this process; None where there is none.

    `always` asks for lines where the error stream is neither a terminal nor in a notebook.
    """
    with suppress(Exception):  # telling is not worth any failure
        if _in_notebook():
            return _Careful(_Notebook(doing))
        stream = sys.stderr
        if stream is None or stream.closed:
            return None
        if stream.isatty() and os.environ.get("TERM") != "dumb":
            return _Careful(_bar_or_line(doing, stream))
        if always:
            return _Careful(_Lines(doing, stream))
    return None


def _in_notebook() -> bool:
    """Return whether a kernel of IPython runs this; it is not imported to ask."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def _bar_or_line(doing: str, stream: TextIO) -> View:
    try:
        return _Bar(doing, stream)
    except ImportError:
        return _Line(doing, stream)


class _Careful:
    """A view that no failure leaves: an output that went away is not told of again."""

    def __init__(self, view: View) -> None:
        self._view = view

    def show(self, text: str, share: float | None) -> bool:
        try:
            return self._view.show(text, share)
        except Exception:
            return False

    def close(self) -> None:
        with suppress(Exception):
            self._view.close()


class _Bar:
    def __init__(self, doing: str, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        bar = BarColumn(bar_width=10)
        told = TextColumn("{task.fields[told]}", markup=False)
        # No thread of its own: nothing is written but by `show`.
        self._rich = Progress(
            TextColumn("{task.description}", markup=False),
            bar,
            told,
            console=Console(file=stream, highlight=False),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._rich.add_task(doing, total=None, told="")
        self._rich.start()

    def show(self, text: str, share: float | None) -> bool:
        total = None if share is None else 1.0
        self._rich.update(self._task, completed=share or 0.0, total=total, told=text)
        self._rich.refresh()
        return True

    def close(self) -> None:
        self._rich.stop()


class _Line:
    def __init__(self, doing: str, stream: TextIO) -> None:
        self._doing, self._stream = doing, stream

    def show(self, text: str, share: float | None) -> bool:
        part = "" if share is None else f"{share:4.0%} "
        width = shutil.get_terminal_size().columns - 1  # a full line would begin another
        line = f"{self._doing} {part}{text}"[:width]
        self._stream.write(f"\r{line}\x1b[K")
        self._stream.flush()
        return True

    def close(self) -> None:
        self._stream.write("\r\x1b[K")
        self._stream.flush()


class _Lines:
    def __init__(self, doing: str, stream: TextIO) -> None:
        self._doing, self._stream = doing, stream
        self._next = 0.0
        self._last = ""

    def show(self, text: str, share: float | None) -> bool:
        part = "" if share is None else f"{share:.0%} "
        self._last = f"{self._doing} {part}{text}\n"
        if monotonic() >= self._next:
            self._next = monotonic() + _BETWEEN_LINES
            self._write()
        return True

    def close(self) -> None:
        self._write()

    def _write(self) -> None:
        self._stream.write(self._last)
        self._stream.flush()
        self._last = ""


class _Notebook:
    """An output that is updated in place; empty when the job is over."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._handle: Any = None

    def show(self, text: str, share: float | None) -> bool:
        value = "" if share is None else f' value="{share:.4f}"'
        told = html.escape(f"{self._doing} {text}")
        self._display(f"<progress max=1{value}></progress> {told}", f"{self._doing} {text}")
        return True

    def close(self) -> None:
        if self._handle is not None:
            self._display("", "")

    def _display(self, shown: str, text: str) -> None:
        from IPython.display import display

        bundle = {"text/html": shown, "text/plain": text}
        if self._handle is None:
            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)
