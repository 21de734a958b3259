"""Scores of many classes as tables of a screen: numbers, classes, and intervals that are quick."""

from __future__ import annotations

import polars as pl

from confmat.multiclass.state import ClassSums, MulticlassState
from confmat.multiclass.tables import intervals_of, overall, per_class
from confmat.multiclass.values import AVERAGED, asked
from confmat.render.frames import MAX_ROWS
from confmat.render.intervals import LEVEL, behind_first, beside_values
from confmat.scores.tables import ends_of_each

# So many scores take a fraction of a second, of rows; averages over classes take longest.
_MOST_SCORES = 1_000_000
_MOST_AVERAGED = 200_000
_MOST_PAIRED = 20  # classes


def frames(state: ClassSums) -> list[pl.DataFrame]:
    """Return the numbers of all rows, and those of each class, with their intervals."""
    table = overall(state)
    names = [name for name in table["metric"] if _is_quick(state, name)]
    found = intervals_of(state, names, LEVEL)
    known = pl.DataFrame(
        {"metric": names, "low": [of.low for of in found], "high": [of.high for of in found]}
    ).fill_nan(None)
    ends = table.select("metric").join(known, on="metric", how="left", maintain_order="left")
    return [beside_values(table, ends), behind_first(per_class(state), _of_classes(state))]


def _is_quick(state: ClassSums, name: str) -> bool:
    base, given = asked(name, {})
    if base == "top_k_accuracy" or not isinstance(state, MulticlassState):
        return True
    if given.get("multi_class") == "ovo" and len(state.labels) > _MOST_PAIRED:
        return False
    return _scores(state) <= (_MOST_AVERAGED if base in AVERAGED else _MOST_SCORES)


def _scores(state: ClassSums) -> int:
    return state.n_rows * len(state.labels)


def _of_classes(state: ClassSums) -> pl.DataFrame:
    """Return the ends of the areas of the classes that are shown."""
    if isinstance(state, MulticlassState) and _scores(state) > _MOST_SCORES:
        return pl.DataFrame()
    of_each = map(state._against_rest, state.labels[:MAX_ROWS])
    return pl.DataFrame(ends_of_each(of_each, ["roc_auc"], LEVEL))
