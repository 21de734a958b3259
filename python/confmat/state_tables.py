"""Tables of slices as bytes: a frame of keys and states, what was asked for it, and totals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.core_state import BYTES, as_bytes
from confmat.errors import InputError, StateError
from confmat.key_types import dtype_text, keys_of, values_of


def table_bytes(parts: pl.DataFrame, asked: Mapping[str, Any], totals: Mapping[str, int]) -> bytes:
    """Return slices as the bytes of one state.

    The same content gives the same bytes: rows are sorted by their keys, nulls last, and rows of
    the same keys are merged.

    Parameters
    ----------
    parts : pl.DataFrame
        What `cm.partial` gives: Binary columns of states, at least one; all others are keys.
    asked : dict
        What JSON can hold. Tables of the same `asked` and the same columns merge.
    totals : dict of int
        Numbers of rows that add up when tables merge, such as those left out before slicing.

    Raises
    ------
    InputError
        A key of a type that is not kept, no column of states, an `asked` that JSON cannot hold,
        a total that is none, states of the same keys that do not add.
    StateError
        Bytes that are no state, or a table.

    Examples
    --------
    >>> import confmat as cm
    >>> import polars as pl
    >>> from confmat.state_tables import merge_tables, read_table, table_bytes
    >>> log = pl.DataFrame({"site": ["b", "a", "a"], "y_true": [0, 1, 1], "y_pred": [0, 1, 0]})
    >>> data = table_bytes(cm.partial(log, by="site"), {"by": ["site"]}, {"n_left_out": 2})
    >>> parts, asked, totals = read_table(merge_tables([data, data]))
    >>> cm.finish(parts, metrics="accuracy").rows()
    [('a', 4, 0, 0, 0.5), ('b', 2, 0, 0, 1.0)]
    >>> asked, totals
    ({'by': ['site']}, {'n_left_out': 4})
    """
    if not isinstance(parts, pl.DataFrame):
        raise InputError(f"`parts` is {type(parts).__name__}; wanted a pl.DataFrame")
    columns = parts.get_columns()
    states = [(one.name, one.to_list()) for one in columns if one.dtype == pl.Binary]
    if not states:
        raise InputError(
            f"`parts` has no Binary column of states, only {parts.columns}; "
            "wanted what `cm.partial` gives"
        )
    keys = [
        (one.name, dtype_text(one), *values_of(one)) for one in columns if one.dtype != pl.Binary
    ]
    for name, total in totals.items():
        if isinstance(total, bool) or not isinstance(total, (int, np.integer)):
            raise InputError(f"`totals` holds {total!r} as {name!r}; wanted an integer")
        if not 0 <= total < 2**63:
            raise InputError(f"`totals` holds {total} as {name!r}; wanted 0 to 2^63 - 1")
    numbers = {str(name): int(total) for name, total in totals.items()}
    return _core.table_bytes(_canonical(asked), numbers, keys, states, parts.height)


def read_table(data: bytes) -> tuple[pl.DataFrame, dict[str, Any], dict[str, int]]:
    """Return the slices, what was asked and the totals that `table_bytes` wrote.

    Keys stand before states. Of the states headers and checksums are checked; each is read where it
    is used.

    Raises
    ------
    StateError
        The bytes are cut, changed, of something else or of a newer format.
    """
    text, totals, keys, states, rows = _core.read_table(as_bytes(data))
    try:
        asked = json.loads(text)
        is_canonical = isinstance(asked, dict) and _canonical(asked) == text
    except (ValueError, RecursionError) as error:
        raise StateError(f"what was asked is no JSON: {error}") from None
    if not is_canonical:
        raise StateError("what was asked is not written as this format writes it")
    columns = [
        keys_of(name, dtype, kind, values, nulls) for name, dtype, kind, values, nulls in keys
    ]
    columns += [pl.Series(name, values, dtype=pl.Binary) for name, values in states]
    return pl.DataFrame(columns, height=rows if not columns else None), asked, totals


def merge_tables(tables: Iterable[bytes]) -> bytes:
    """Return many tables as one: slices of the same keys are one, whose states are the sum.

    In any order and grouping the same bytes.

    Raises
    ------
    InputError
        No table; tables whose `asked` or columns differ; states that do not add, in which slice.
    StateError
        Bytes that are no table, at which position.
    """
    parts = [bytes(one) if isinstance(one, BYTES) else one for one in tables]
    for at, one in enumerate(parts):
        if not isinstance(one, bytes):
            raise InputError(f"`tables` holds {type(one).__name__} at position {at}; wanted bytes")
    try:
        return _core.merge_tables(parts)
    except StateError:
        _refuse_bad(parts)
        raise


def subtract_tables(one: bytes, other: bytes) -> bytes:
    """Return the first table without the rows of the other; no slice and no total goes.

    Raises
    ------
    InputError
        Tables whose `asked` or columns differ; a slice of the other that the first has not, or has
        fewer rows of.
    StateError
        Bytes that are no table.
    """
    return _core.subtract_tables(as_bytes(one), as_bytes(other))


def _refuse_bad(tables: list[bytes]) -> None:
    for at, one in enumerate(tables):
        try:
            _core.read_table(one)
        except StateError as why:
            raise StateError(f"`tables` at position {at}: {why}") from None


def _canonical(asked: Mapping[str, Any]) -> str:
    """Return the one text of what was asked."""
    try:
        text = json.dumps(
            asked, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"`asked` is nothing that JSON holds: {error}") from None
    return text
