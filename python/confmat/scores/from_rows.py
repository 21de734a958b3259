"""Labels and scores, row by row, brought to the state of a sweep."""

from __future__ import annotations

from typing import Any, Literal

from confmat import _core
from confmat.categories import coded
from confmat.inputs import column, label_column
from confmat.labels import Label, one_label
from confmat.missing import null_error
from confmat.options import check_choice
from confmat.scores.grid import quantile_edges, read_grid, refined


def swept(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Label | None = None,
    sample_weight: Any = None,
    bins: Any = None,
    nan: Literal["raise", "drop"] = "raise",
    nulls: Literal["drop", "raise"] = "drop",
    score_argument: str = "y_score",
) -> _core.SweepState:
    """Count positives and negatives at every score or in bins; `cm.sweep` says more.

    Errors call the scores `score_argument`.
    """
    check_choice("nan", nan, "raise", "drop")
    check_choice("nulls", nulls, "drop", "raise")
    scores = column(y_score, score_argument)
    grid = None if bins is None else read_grid(bins, scores.half)
    columns = {"y_true": label_column(y_true, "y_true").data, score_argument: scores.data}
    weight = None
    if sample_weight is not None:
        weight = columns["sample_weight"] = column(sample_weight, "sample_weight").data
    label = None if pos_label is None else one_label(pos_label, "pos_label")
    rows = (coded(columns["y_true"]), scores.data, weight, label)
    how = (scores.half, nan == "drop", 0, score_argument)
    if grid is None:
        state = _core.sweep(*rows, *how)
    else:
        state = _core.sweep_binned(*rows, grid.bins, *how)
        if grid.quantiles is not None:
            state = _core.sweep_binned(*rows, refined(state), *how)
            state = state.regrouped(quantile_edges(state, grid.quantiles))
    if state.n_dropped and nulls == "raise":
        raise null_error(columns, state.n_dropped)
    return state
