"""What an expression of the core said, out of the error of the query that called it."""

from __future__ import annotations

import re

import polars as pl

_MESSAGE = re.compile(
    r"the plugin failed with message: (.*?)(?=\n\n(?:This error|Resolved plan)|\s*\Z)", re.DOTALL
)
# Errors of one row, of which queries tell its place in a part of the frame, if any.
_ONE_ROW = re.compile(" at row |not in labels")


def plugin_message(error: pl.exceptions.ComputeError) -> str | None:
    """Return the message of the core; None where the error is not of it."""
    found = _MESSAGE.search(str(error))
    return None if found is None else found[1]


def is_about_one_row(message: str) -> bool:
    """Return whether a row of the frame can be named."""
    return _ONE_ROW.search(message) is not None
