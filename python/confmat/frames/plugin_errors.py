"""Errors of the core in a query: Polars hands on what they say, and the core has kept them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import polars as pl

from confmat import _core
from confmat.errors import InputError


def refusal_in(error: pl.exceptions.ComputeError) -> Exception | None:
    """Return the error of an expression of the core that made a query fail; None: there is none."""
    try:
        _core.raise_refusal_in(str(error).encode(errors="replace"))
    except Exception as refusal:
        return refusal
    return None


@contextmanager
def core_errors(name_row: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Raise what an expression of the core refuses in a query run here as the error that it is.

    `name_row` may raise a better one.
    """
    try:
        yield
    except pl.exceptions.ComputeError as error:
        refusal = refusal_in(error)
        if refusal is None:
            raise
        if not isinstance(refusal, MemoryError):
            name_row()
        raise refusal from None


def refuse_row(read: Callable[[], object]) -> None:
    """Read rows of which a query tells no place; raise an InputError that names one, no other."""
    try:
        read()
    except InputError as error:
        if error.row is not None:
            raise
    except MemoryError:
        return
