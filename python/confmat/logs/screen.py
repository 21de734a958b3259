"""An evaluation as one screen: what was read, the numbers of all rows, and of some slices."""

from __future__ import annotations

from typing import Any

import polars as pl

from confmat.labels import shown
from confmat.render.frames import html_of, text_of
from confmat.render.text import WIDTH

_MOST_METRICS = 6


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
    if "model" in overall.columns:
        overall = overall.drop("reason").pivot("metric", index="model", values="value")
    if not evaluation.keys or evaluation.keys == ("model",):
        return [overall]
    return [overall, _few_columns(evaluation.slices(), len(evaluation.keys))]


def _few_columns(table: pl.DataFrame, keys: int) -> pl.DataFrame:
    """Return the metrics that the width holds."""
    room = WIDTH - 16 * (keys + 1)
    drop = [n for n in table.columns[keys + 1 :] if n.startswith("n_") and not table[n].sum()]
    names = [name for name in table.columns if name not in drop and name != "reasons"]
    used, kept = 0, names[: keys + 1]
    for name in names[keys + 1 :]:
        used += max(len(name), 8) + 2
        if used <= room:
            kept.append(name)
    return table.select(kept)
