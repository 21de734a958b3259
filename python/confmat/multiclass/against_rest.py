"""One class of many against the rest, as the state of a sweep."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
import polars as pl

from confmat.labels import Label, position
from confmat.multiclass.state import MulticlassState
from confmat.scores.from_rows import swept
from confmat.scores.state import ScoreState


def against_rest(state: MulticlassState, label: Label) -> ScoreState:
    """Return the exact state of `sweep(y_true == label, column)`."""
    at = position(state._labels, label, "label")
    truth = kept(state, state._codes == at)
    rows = swept(truth, state._columns[at], sample_weight=state._weight_column)
    return ScoreState._of(rows._replace(score_type=state._score_type))


def kept(state: MulticlassState, truth: npt.NDArray[Any]) -> npt.NDArray[Any] | pl.Series:
    """Return the column, null in the rows that are left out, whatever their weights."""
    used = state._codes < len(state._labels)
    if used.all():
        return truth
    return pl.select(pl.when(pl.Series(used)).then(pl.Series("y_true", truth))).to_series()
