"""What an expression of the core said, out of the error of the query that called it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import polars as pl

from confmat.errors import InputError

_MESSAGE = re.compile(
    r"the plugin failed with message: (.*?)(?=\n\n(?:This error|Resolved plan)|\s*\Z)", re.DOTALL
)
_NO_MEMORY = "out of memory"


def plugin_message(error: pl.exceptions.ComputeError) -> str | None:
    """Return the message of the core; None where the error is not of it.

    Raises
    ------
    MemoryError
        That was the message.
    """
    found = _MESSAGE.search(str(error))
    if found is not None and found[1] == _NO_MEMORY:
        raise MemoryError(_NO_MEMORY) from error
    return None if found is None else found[1]


@contextmanager
def core_errors() -> Iterator[None]:
    """Raise as an InputError what an expression of the core refuses in a query run here."""
    try:
        yield
    except pl.exceptions.ComputeError as error:
        message = plugin_message(error)
        if message is None:
            raise
        raise InputError(message) from None


def refuse_row(read: Callable[[], object]) -> None:
    """Read rows of which a query tells no place; raise an InputError that names one, no other."""
    try:
        read()
    except InputError as error:
        if error.row is not None:
            raise
    except MemoryError:
        return
