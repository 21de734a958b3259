"""What an engine's evaluation cannot do without, and what it cannot be asked."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from confmat.errors import ConfmatError, InputError


def required(module: str, of: str, extra: str) -> Any:
    """Return a module of an engine.

    Raises
    ------
    ConfmatError
        It is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfmatError(f"{of} ({error}): pip install 'confmat[{extra}]'") from error


def refuse_unknown(engine: str, checkpoint: Any, progress: Any) -> None:
    """Refuse arguments of `cm.evaluate` that have no meaning here."""
    if checkpoint is not None:
        raise InputError(
            f"`checkpoint` is not for {engine}, which does lost tasks again by itself; "
            "use cm.evaluate, or keep `to_bytes()` of each day and add them"
        )
    if progress is not None:
        raise InputError(f"`progress` is not for {engine}, which shows its own; leave it out")


@contextmanager
def errors_of(engine: str) -> Iterator[None]:
    """Tell errors of an engine in one line; its own, with all its traces, is the cause."""
    try:
        yield
    except (ConfmatError, MemoryError):
        raise
    except Exception as error:
        first = str(error).strip().partition("\n")[0] or type(error).__name__
        raise ConfmatError(f"{engine} gave up: {first}") from error
