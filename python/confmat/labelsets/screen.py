"""Sets of labels, and scores for them, as tables of a screen with their intervals."""

from __future__ import annotations

import polars as pl

from confmat.labelsets import score_tables, tables
from confmat.labelsets.scored import LabelSweeps
from confmat.labelsets.state import LabelSetState
from confmat.render.frames import MAX_ROWS
from confmat.render.intervals import LEVEL, behind_first, of_ends
from confmat.scores.tables import ends_of_each

_MOST_SCORES = 1_000_000  # distinct ones of all labels


def frames_of_sets(state: LabelSetState) -> list[pl.DataFrame]:
    """Return the numbers of all rows, and those of each label."""
    table = tables.per_class(state)
    ends = tables.per_class(state, table.columns[1:2], ci=LEVEL)
    return [of_ends(tables.overall(state, ci=LEVEL)), behind_first(table, ends)]


def frames_of_scores(state: LabelSweeps) -> list[pl.DataFrame]:
    """Return the same of scores: of the labels that are shown, the areas have intervals."""
    few = state._sweeps[:MAX_ROWS]
    is_quick = sum(map(len, state._sweeps)) <= _MOST_SCORES
    ends = ends_of_each(few, ["roc_auc"], LEVEL) if is_quick else {}
    table = score_tables.per_class(state)
    overall = score_tables.overall(state, ci=LEVEL if is_quick else None)
    return [of_ends(overall) if is_quick else overall, behind_first(table, pl.DataFrame(ends))]
