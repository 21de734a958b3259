"""The state of one slice, or of all rows, as an object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from confmat.errors import InputError
from confmat.frames.partials import SCORED, STATE, merge
from confmat.labels import listing
from confmat.objects.states import from_bytes


def object_of(parts: pl.DataFrame, column: str, given: Any, named: Mapping[str, Any]) -> Any:
    """Return the object of the slices that the values of keys name, merged.

    Raises
    ------
    InputError
        A key or value that is not there, or there are no such states.
    """
    if column not in parts.columns:
        raise InputError("the log was evaluated without `y_score`: there is no sweep")
    keys = [name for name in parts.columns if name not in (STATE, SCORED)]
    wanted = _wanted(keys, given, named)
    found = parts
    for name, value in wanted.items():
        try:
            found = found.filter(pl.col(name).eq_missing(pl.lit(value)))
        except pl.exceptions.PolarsError:
            found = found.clear()
    if found.is_empty() and wanted:
        shown = ", ".join(f"{name} = {value!r}" for name, value in wanted.items())
        name = next(iter(wanted))
        there = parts[name].unique(maintain_order=True).to_list()
        raise InputError(f"no slice has {shown}; values of {name!r} are {listing(there)}")
    state = merge(found.select(column).rename({column: STATE}), by=[])[STATE].item()
    return from_bytes(state)


def total_of(parts: pl.DataFrame, name: str) -> float:
    """Return a number of rows of the first of some slices: that of predictions, or of scores."""
    totals = [
        getattr(from_bytes(parts[column][0]), name, None)
        for column in (STATE, SCORED)
        if column in parts.columns and parts.height and parts[column][0] is not None
    ]
    return next((one for one in totals if one is not None), 0)


def _wanted(keys: list[str], given: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(given, Mapping):
        wanted = dict(given)
    elif given is None:
        wanted = {}
    elif isinstance(given, tuple) and len(given) == len(keys):
        wanted = dict(zip(keys, given, strict=True))
    elif len(keys) == 1:
        wanted = {keys[0]: given}
    else:
        raise InputError(f"`slice` is {given!r}; wanted values by key, such as {{{keys[:1]}: ...}}")
    wanted |= named
    for name in wanted:
        if name not in keys:
            raise InputError(f"`slice` has the key {name!r}; the keys are {listing(keys)}")
    return wanted
