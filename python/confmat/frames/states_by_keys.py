"""States of slices, counted by the core: `cm.partial`, and tables with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import polars as pl

from confmat.frames.by_batches import C, Slicing, counted_frame, counted_query
from confmat.frames.label_slicing import LabelCounts, LabelSlicing
from confmat.frames.moments_by_keys import MomentsByKeys, NumberSlicing
from confmat.frames.state_queries import STATE, STATES, By, grouped_states
from confmat.labels import Label, label_set
from confmat.moments.names import sums_named

NameRow = Callable[[pl.DataFrame], object]


def label_states_by_keys(
    frame: Any,
    by: By,
    state: pl.Expr,
    name_row: NameRow,
    *,
    y_true: str,
    y_pred: str,
    labels: Any,
    pos_label: Label | None,
    sample_weight: str | None,
    other: str,
) -> Any:
    """Return the keys of slices, sorted, and their states; a query where the frame is one.

    `state`, `name_row`: the expression of the same, and who refuses a row of its frame.
    """
    schema = frame.collect_schema()
    keys = _plain_keys(by, schema)
    known = None if labels is None else label_set(labels)
    raises = other == "raise"
    slicing = LabelSlicing(y_true, y_pred, keys or (), sample_weight, known, raises)
    if keys is None or not slicing.fits(schema):
        return grouped_states(frame, by, {STATE: state}, name_row)

    def finish(counts: LabelCounts, _: bool) -> pl.DataFrame | None:
        return counts.states(pos_label)

    return _counted(frame, by, state, name_row, slicing, finish)


def number_states_by_keys(
    frame: Any,
    by: By,
    state: pl.Expr,
    name_row: NameRow,
    *,
    y_true: str,
    y_pred: str,
    sample_weight: str | None,
    metrics: Sequence[str] | str,
    nan: Literal["raise", "drop"],
) -> Any:
    """Return the same of numbers."""
    schema = frame.collect_schema()
    keys = _plain_keys(by, schema)
    sums = sums_named(metrics)
    slicing = NumberSlicing(y_true, y_pred, keys or (), sample_weight, sums, nan)
    if keys is None or not slicing.fits(schema):
        return grouped_states(frame, by, {STATE: state}, name_row)

    def finish(moments: MomentsByKeys, _: bool) -> pl.DataFrame | None:
        return moments.states()

    return _counted(frame, by, state, name_row, slicing, finish)


def _plain_keys(by: By, schema: pl.Schema) -> tuple[str, ...] | None:
    """Return the keys, where each is a column of its own that no state is named after."""
    keys: tuple[Any, ...] = () if by is None else (by,)
    if isinstance(by, (list, tuple)):
        keys = tuple(by)
    if not all(isinstance(key, str) and key in schema for key in keys):
        return None
    if len(set(keys)) < len(keys) or not set(STATES).isdisjoint(keys):
        return None
    return keys


def _counted(
    frame: Any,
    by: By,
    state: pl.Expr,
    name_row: NameRow,
    slicing: Slicing[C],
    finish: Callable[[C, bool], pl.DataFrame | None],
) -> Any:
    if isinstance(frame, pl.DataFrame):
        found = counted_frame(frame, slicing, finish)
        return grouped_states(frame, by, {STATE: state}, name_row) if found is None else found
    return counted_query(frame, slicing, finish, grouped_states(frame, by, {STATE: state}))
