"""What an expression of the core said, out of the error of the query that called it."""

from __future__ import annotations

import re

import polars as pl

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
