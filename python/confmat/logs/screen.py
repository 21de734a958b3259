"""An evaluation as one screen: what was read, the numbers of all rows, and of some slices."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.frames.asked import REASONS
from confmat.frames.roll_up import GROUPING
from confmat.labels import shown
from confmat.render.frames import MAX_ROWS, html_of, text_of
from confmat.render.text import WIDTH
from confmat.slices.lattice import MODEL


def text(evaluation: Any) -> str:
    """Return the screen as text."""
    return text_of(title(evaluation), _frames(evaluation))


def html(evaluation: Any) -> str:
    """Return the screen as HTML."""
    return html_of(title(evaluation), _frames(evaluation))


def title(evaluation: Any) -> str:
    """Return one line: rows counted and left out, slices, files."""
    slices = evaluation.states().height
    by = ", ".join(shown(name) for name in evaluation.keys)
    parts = [f"Evaluation: n = {evaluation.n:,.12g}"]
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
    overall = evaluation.overall()
    if MODEL in overall.columns:
        overall = overall.drop("reason").pivot("metric", index=MODEL, values="value")
    if not evaluation.keys or evaluation.keys == (MODEL,):
        return [overall]
    table = evaluation.slices()
    keys = len(evaluation.keys)
    if GROUPING in table.columns:  # coarse slices first
        sets = table[GROUPING].unique(maintain_order=True).reverse()
        table = pl.concat([table.filter(pl.col(GROUPING) == one) for one in sets])
        keys += 1
    return [overall, _few_columns(table, keys)]


def _few_columns(table: pl.DataFrame, keys: int) -> pl.DataFrame:
    """Return the metrics that the width holds."""
    few = table.head(MAX_ROWS)
    drop = [n for n in table.columns[keys + 1 :] if n.startswith("n_") and not table[n].sum()]
    names = [name for name in table.columns if name not in drop and name != REASONS]
    used, kept = 0, []
    for at, name in enumerate(names):
        words = [] if at > keys else [len(shown(str(value))) for value in few[name]]
        used += max(len(name), 8 if at > keys else 1, *words, 1) + 2
        if at <= keys or used <= WIDTH:
            kept.append(name)
    return table.select(kept)
