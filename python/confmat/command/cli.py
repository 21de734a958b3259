"""The command ``confmat``: exit codes, errors of one line, and an output that may go away."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import polars as pl

from confmat.command.wording import worded
from confmat.errors import ConfmatError, InputError
from confmat.frames.plugin_errors import refusal_in
from confmat.labels import shown

MISSING = 'error: the command line needs typer and rich: pip install "confmat[cli]"'
CLOSED = 141  # 128 + SIGPIPE, as of any command in front of `head`


def main() -> None:
    """Run the command line and exit with the code of `run`."""
    raise SystemExit(run(sys.argv[1:]))


def load() -> None:
    """Import all that the commands need; what is missing is told by `run`."""
    with suppress(ModuleNotFoundError):
        import confmat.command.commands  # noqa: F401


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nothing but an interrupt is raised.

    0 done, 1 failed, 2 wrong input or usage, 130 interrupted, 141 the output was closed.
    """
    _open_streams()
    try:
        code = _command(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        code = CLOSED
    except KeyboardInterrupt:
        code = 130
    except (Exception, pl.exceptions.PanicException) as error:
        code = _explain(error)
    _leave_quietly()
    return code


def _command(arguments: Sequence[str]) -> int:
    try:
        from confmat.command.commands import app
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] not in {"typer", "rich"}:
            raise
        print(MISSING, file=sys.stderr)
        return 2
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: _warn(message)
            code: Any = app(list(arguments), prog_name="confmat", standalone_mode=False)
    except SystemExit as leaving:
        # Typer and Rich leave with 1 where the output was closed.
        if isinstance(leaving.__context__, BrokenPipeError):
            raise leaving.__context__ from None
        raise
    return code if isinstance(code, int) else 0


def _open_streams() -> None:
    """Replace streams that were closed from the start; write what the encoding lacks as ?."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            # It takes the lowest descriptor, so that no file of results becomes "the output".
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _leave_quietly() -> None:
    """Write what is left; where it cannot be written, let Python not try it again on its way."""
    for stream in filter(None, (sys.__stdout__, sys.__stderr__, sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _warn(message: Warning | str) -> None:
    """Print a warning as one line."""
    with suppress(OSError):  # nobody is there to read it
        print(f"warning: {shown(worded(str(message)))}", file=sys.stderr, flush=True)


def _explain(error: BaseException) -> int:
    """Print an error as one line and return the exit code that it deserves."""
    if type(error).__name__ == "Abort":
        return 130
    if isinstance(error, pl.exceptions.ComputeError):
        error = refusal_in(error) or error
    if isinstance(error, InputError):
        error = error.given_to("") or error
    told, code = str(error), 1
    if hasattr(error, "format_message"):
        told, code = error.format_message(), 2
    elif isinstance(error, InputError | pl.exceptions.PolarsError | FileNotFoundError):
        code = 2
    elif not isinstance(error, ConfmatError | OSError):
        told = f"unexpected {type(error).__name__}: {told}"
    first = " ".join(told.strip().split("\n\n")[0].split())
    if isinstance(error, ConfmatError | pl.exceptions.PolarsError):
        first = first if type(error).__name__ == "GateError" else worded(first)
    with suppress(OSError):  # nobody is there to read it
        print(f"error: {shown(first)}", file=sys.stderr, flush=True)
    return code


if __name__ == "__main__":
    main()
