"""An evaluation as one screen: what was read, the numbers of all rows, and of some slices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from confmat.frames.asked import REASONS
from confmat.frames.roll_up import GROUPING
from confmat.labels import shown
from confmat.logs.shown_intervals import first_ends, with_asked, without_intervals
from confmat.render.frames import MAX_ROWS, html_of, text_of
from confmat.render.intervals import LEVEL, behind, of_ends
from confmat.render.text import WIDTH
from confmat.slices.lattice import MODEL


def text(evaluation: Any) -> str:
    """Return the screen as text."""
    return text_of(title(evaluation), _frames(evaluation))


def html(evaluation: Any) -> str:
    """Return the screen as HTML."""
    return html_of(title(evaluation), _frames(evaluation))


def title(evaluation: Any, what: str = "Evaluation") -> str:
    """Return one line: rows counted and left out, slices, files."""
    slices = evaluation.states().height
    by = ", ".join(shown(name) for name in evaluation.keys)
    parts = [f"{what}: n = {evaluation.n:,.12g}"]
    for name, why in (("n_dropped", "dropped: null"), ("n_nan", "nan"), ("n_other", "other")):
        count = getattr(evaluation, name)
        if count:
            parts.append(f"{count:,} {why}")
    if by:
        parts.append(f"{slices:,} {'slice' if slices == 1 else 'slices'} by {by}")
    if evaluation.skipped:
        files = len(evaluation.skipped)
        parts.append(f"{files:,} {'file' if files == 1 else 'files'} skipped")
    if not evaluation.complete:
        parts.append("INCOMPLETE: stopped before the end")
    return "; ".join(parts)


def _frames(evaluation: Any) -> list[pl.DataFrame]:
    overall = _overall(evaluation)
    if not evaluation.keys or evaluation.keys == (MODEL,):
        return [overall]
    table = without_intervals(evaluation)
    keys = len(evaluation.keys)
    if GROUPING in table.columns:  # coarse slices first
        sets = table[GROUPING].unique(maintain_order=True).reverse()
        table = pl.concat([table.filter(pl.col(GROUPING) == one) for one in sets])
        keys += 1
    if _are_asked(evaluation):
        table = with_asked(evaluation, table, MAX_ROWS)
    names = [name for name in table.columns[keys + 1 :] if table.schema[name].is_float()]
    return [overall, _few_columns(_with_intervals(evaluation, table, names), keys)]


def overall(evaluation: Any, metrics: Sequence[str] | None = None) -> pl.DataFrame:
    """Return metrics of all rows, a row each, with the intervals asked for, or else of 95 %."""
    if _are_asked(evaluation):
        asked: pl.DataFrame = evaluation.overall(metrics)
        return asked
    return of_ends(evaluation.overall(metrics, ci=LEVEL))


def _are_asked(evaluation: Any) -> bool:
    return evaluation._request.reading.ci is not None


def _overall(evaluation: Any) -> pl.DataFrame:
    """Return the metrics of all rows with their intervals; of several models a row each."""
    if not evaluation.models:
        return overall(evaluation)
    known: pl.DataFrame = evaluation.overall(ci=None if _are_asked(evaluation) else LEVEL)
    table = known.pivot("metric", index=MODEL, values="value")
    known = known.clear() if _are_asked(evaluation) else known.drop_nulls("low")
    if known.is_empty():
        return table
    first = known["metric"][0]
    ends = table.select(MODEL).join(
        known.filter(metric=first), on=MODEL, how="left", maintain_order="left"
    )
    return behind(table, first, ends)


def _with_intervals(evaluation: Any, table: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """Return the table with intervals of the rows that are shown, behind the metric they are of."""
    found = first_ends(evaluation, table.head(MAX_ROWS), names)
    if found is None:
        return table
    name, ends = found
    return behind(table, name, ends)


def _few_columns(table: pl.DataFrame, keys: int) -> pl.DataFrame:
    """Return the metrics that the width holds."""
    few = table.head(MAX_ROWS)
    drop = [n for n in table.columns[keys + 1 :] if n.startswith("n_") and not table[n].sum()]
    names = [name for name in table.columns if name not in drop and name != REASONS]
    used, kept = 0, []
    for at, name in enumerate(names):
        is_number = at > keys and few[name].dtype.is_numeric()
        words = [] if is_number else [len(shown(str(value))) for value in few[name]]
        used += max(len(name), 8 if at > keys else 1, *words, 1) + 2
        if at <= keys or used <= WIDTH:
            kept.append(name)
    return table.select(kept)
