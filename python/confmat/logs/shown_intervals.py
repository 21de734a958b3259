"""Intervals beside the metric that comes first, of the slices on a screen alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from confmat.frames.asked import ENDS
from confmat.logs.tables import metrics_table, per_class_table
from confmat.registry import is_score_metric
from confmat.render.intervals import HEAD, LEVEL
from confmat.scores.confidence import has_formula


def first_ends(
    evaluation: Any, rows: pl.DataFrame, names: Sequence[str]
) -> tuple[str, pl.DataFrame] | None:
    """Return the first of some metrics that has intervals, and `low` and `high` of these slices.

    `rows` are some of `evaluation.slices()`; None where intervals were asked for, or none is known.
    """
    reading = replace(evaluation._request.reading, ci=LEVEL, reasons=False)
    request = replace(evaluation._request, reading=reading)
    if evaluation._request.reading.ci is not None or HEAD in rows.columns:
        return None
    slices = evaluation._all_slices()
    keys = [name for name in slices.columns if name in rows.columns]
    of_these = _among(slices, rows, keys)
    clusters = evaluation._every_cluster()
    if clusters is not None:
        clusters = _among(clusters, rows, keys)
    table_of = per_class_table if reading.per_class else metrics_table
    places = [*keys, "label"] if reading.per_class else keys
    for name in names:
        if clusters is None and is_score_metric(name) and not has_formula(name):
            continue  # a screen does not wait for rows drawn again, slice by slice
        table = table_of(of_these, request, [name], clusters)
        ends = [name + end for end in ENDS]
        if table.height and set(ends) <= set(table.columns) and not table[ends[0]].is_null().all():
            found = rows.select(places).join(
                table, on=places, how="left", nulls_equal=True, maintain_order="left"
            )
            return name, found.select(ends).rename(dict(zip(ends, ("low", "high"), strict=True)))
    return None


def _among(states: pl.DataFrame, rows: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Return the states of these slices."""
    return states.join(
        rows.select(keys), on=keys, how="semi", nulls_equal=True, maintain_order="left"
    )
