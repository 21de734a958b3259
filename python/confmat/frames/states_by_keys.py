"""States of the labels of slices, counted by the core: `cm.partial`, and tables with intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from confmat.frames.by_batches import Counts, Slicing, counted_frame, counted_query
from confmat.frames.state_queries import STATE, STATES, By, grouped_states
from confmat.labels import Label, label_set


def states_by_keys(
    frame: Any,
    by: By,
    state: pl.Expr,
    name_row: Callable[[pl.DataFrame], object],
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
    slicing = _slicing(frame.collect_schema(), by, y_true, y_pred, sample_weight, labels, other)

    def states(counts: Counts, _: bool) -> pl.DataFrame | None:
        return counts.states(pos_label)

    if slicing is not None and isinstance(frame, pl.DataFrame):
        found = counted_frame(frame, slicing, states)
        if found is not None:
            return found
    grouped = grouped_states(frame, by, {STATE: state}, name_row)
    if slicing is not None and isinstance(frame, pl.LazyFrame):
        return counted_query(frame, slicing, states, grouped)
    return grouped


def _slicing(
    schema: pl.Schema,
    by: By,
    y_true: str,
    y_pred: str,
    sample_weight: str | None,
    labels: Any,
    other: str,
) -> Slicing | None:
    """Return what is to be counted; None where keys are no plain columns that the core reads."""
    keys: tuple[Any, ...] = () if by is None else (by,)
    if isinstance(by, (list, tuple)):
        keys = tuple(by)
    if not all(isinstance(key, str) and key in schema for key in keys):
        return None
    if len(set(keys)) < len(keys) or not set(STATES).isdisjoint(keys):
        return None
    known = None if labels is None else label_set(labels)
    slicing = Slicing(y_true, y_pred, keys, sample_weight, known, other == "raise")
    return slicing if slicing.fits(schema) else None
