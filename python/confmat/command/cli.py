"""The command ``confmat``: exit codes, and errors of one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import polars as pl

from confmat.errors import ConfmatError, InputError
from confmat.labels import shown

MISSING = 'error: the command line needs typer and rich: pip install "confmat[cli]"'


def main() -> None:
    """Run the command line and exit: 0 done, 1 failed, 2 wrong input or usage, 130 interrupted."""
    raise SystemExit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nothing but an interrupt is raised."""
    try:
        from confmat.command.commands import app
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] not in {"typer", "rich"}:
            raise
        print(MISSING, file=sys.stderr)
        return 2
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = app(list(arguments), prog_name="confmat", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except KeyboardInterrupt:
        return 130
    except (Exception, pl.exceptions.PanicException) as error:
        return _explain(error)
    return code if isinstance(code, int) else 0


def _explain(error: BaseException) -> int:
    """Print an error as one line and return the exit code that it deserves."""
    if type(error).__name__ == "Abort":
        return 130
    told, code = str(error), 1
    if hasattr(error, "format_message"):
        told, code = error.format_message(), 2
    elif isinstance(error, InputError | pl.exceptions.PolarsError | FileNotFoundError):
        code = 2
    elif not isinstance(error, ConfmatError | OSError):
        told = f"unexpected {type(error).__name__}: {told}"
    told = told.removeprefix("the plugin failed with message: ")
    first = " ".join(told.strip().split("\n\n")[0].split())
    print(f"error: {shown(first)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
