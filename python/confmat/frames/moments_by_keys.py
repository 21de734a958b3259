"""Frames of numbers in memory: their slices are numbered, moved together and summed by the core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat import _core
from confmat.errors import InputError
from confmat.frames.state_queries import STATES
from confmat.frames.whole_frame import is_key, key_numbers, key_values
from confmat.moments.names import sums_named

_MOST_SLICES = 1 << 16


def moments_by_keys(
    frame: pl.DataFrame, by: Any, y_true: Any, y_pred: Any, metrics: Sequence[str] | str, nan: str
) -> pl.DataFrame | None:
    """Return the keys of slices, sorted, and their states; None where a query has to find them.

    So it is of keys that are no plain columns, of nulls in the numbers, and of numbers that are
    refused, as the query knows how to name the row.
    """
    keys = [by] if isinstance(by, str) else by
    if not isinstance(keys, (list, tuple)) or not keys or not frame.height:
        return None
    types = frame.schema
    if not all(isinstance(key, str) and key in types and is_key(types[key]) for key in keys):
        return None
    if len(set(keys)) < len(keys) or not set(STATES).isdisjoint(keys):
        return None
    columns = [frame.get_column(key) for key in keys]
    numbers = [key_numbers(column) for column in columns]
    try:
        found = _core.slice_moments(
            numbers, frame[y_true], frame[y_pred], sums_named(metrics), nan == "drop", _MOST_SLICES
        )
    except InputError:
        return None
    if found is None:
        return None
    values, states = found
    out = [
        key_values(column.dtype, *parts).alias(column.name)
        for column, parts in zip(columns, values, strict=True)
    ]
    state = pl.Series(states).alias("state")
    return pl.DataFrame([*out, state]).sort(keys, nulls_last=True)
