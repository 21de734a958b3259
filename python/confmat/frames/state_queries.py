"""Queries that make, merge and read states: a row a slice, or a value of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import polars as pl

from confmat.errors import ConfmatError, InputError
from confmat.frames.interruptible import collected
from confmat.frames.plugin_errors import core_errors, refuse_row

STATE = "state"  # of predicted classes, or of scores where these are alone
SCORED = "scored"  # of scores beside predicted classes
JOINT = "joint"  # of two models, as `joint_parts` gives it
STATES = (STATE, SCORED, JOINT)

By: TypeAlias = str | pl.Expr | Sequence[str | pl.Expr] | None
_LEAST_OF_A_PIECE = 64  # states, below which a piece of its own is not worth it


def grouped_states(
    frame: Any,
    by: By,
    columns: dict[str, pl.Expr],
    name_row: Callable[[pl.DataFrame], object] = lambda _: None,
) -> Any:
    """Return a row a slice. `name_row` refuses the first bad row of a frame, if it can."""
    keys = [] if by is None else [by] if isinstance(by, (str, pl.Expr)) else list(by)
    lazy = frame.lazy()
    if not keys:
        query = lazy.select(**columns)
    else:
        names = lazy.select(keys).collect_schema().names()
        for name in names:
            if name in STATES:
                raise InputError(f"`by` has the column {name!r}, a name of the result; rename it")
        query = lazy.group_by(keys).agg(**columns).sort(names, nulls_last=True)
    return (
        query
        if isinstance(frame, pl.LazyFrame)
        else _answered(query, frame.height, lambda: name_row(frame))
    )


def of_each_state(frame: pl.DataFrame, value: pl.Expr) -> pl.Series:
    """Return what an expression makes of each row: pieces of the frame on every core.

    Metrics of many classes take a millisecond a state.
    """
    pieces = max(1, min(pl.thread_pool_size(), frame.height // _LEAST_OF_A_PIECE))
    ends = [frame.height * at // pieces for at in range(pieces + 1)]
    queries = [
        frame.slice(start, end - start).lazy().select(value.alias("value"))
        for start, end in pairwise(ends)
    ]
    return _answered(pl.concat(queries), frame.height).to_series()


def _answered(
    query: pl.LazyFrame, rows: int, name_row: Callable[[], object] = lambda: None
) -> pl.DataFrame:
    try:
        with core_errors():
            return collected(query, rows)
    except ConfmatError:  # of the core, or of an object made of the rows of a group
        refuse_row(name_row)
        raise
