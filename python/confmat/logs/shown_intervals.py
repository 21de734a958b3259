"""Intervals of the slices on a screen alone: those asked for, or of the metric that comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from confmat.frames.asked import ENDS, REASONS
from confmat.logs.request import LogRequest
from confmat.logs.tables import metrics_table, per_class_table, states_among
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
    clusters = evaluation._every_cluster()
    for name in names:
        if clusters is None and is_score_metric(name) and not has_formula(name):
            continue  # a screen does not wait for rows drawn again, slice by slice
        found = _of_rows(evaluation, rows, request, [name])
        ends = [name + end for end in ENDS]
        if found.height and set(ends) <= set(found.columns) and not found[ends[0]].is_null().all():
            return name, found.select(ends).rename(dict(zip(ends, ("low", "high"), strict=True)))
    return None


def without_intervals(evaluation: Any) -> pl.DataFrame:
    """Return `evaluation.slices()` without the intervals that were asked for."""
    reading = replace(evaluation._request.reading, ci=None, side="both")
    table_of = per_class_table if reading.per_class else metrics_table
    request = replace(evaluation._request, reading=reading)
    return table_of(evaluation._all_slices(), request, None)


def with_asked(evaluation: Any, table: pl.DataFrame, shown: int) -> pl.DataFrame:
    """Return the slices with the intervals that were asked for of the first rows; no reasons."""
    first = _of_rows(evaluation, table.head(shown), evaluation._request, None)
    parts = [one.drop(REASONS, strict=False) for one in (first, table.slice(shown))]
    return pl.concat(parts, how="diagonal_relaxed")


def _of_rows(
    evaluation: Any, rows: pl.DataFrame, request: LogRequest, metrics: Sequence[str] | None
) -> pl.DataFrame:
    """Return the table of these slices, in their order."""
    slices, clusters = evaluation._all_slices(), evaluation._every_cluster()
    places = [name for name in slices.columns if name in rows.columns]
    if request.reading.per_class:
        if clusters is not None:
            clusters = states_among(clusters, rows)
        table = per_class_table(states_among(slices, rows), request, metrics, clusters)
        places.append("label")
    else:
        table = metrics_table(slices, request, metrics, clusters, among=rows.select(places))
    return rows.select(places).join(
        table, on=places, how="left", nulls_equal=True, maintain_order="left"
    )
