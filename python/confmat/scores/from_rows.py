"""Labels and scores, row by row, brought to the state of a sweep."""

from __future__ import annotations

from typing import Any, Literal

import numpy.typing as npt

from confmat import _core
from confmat.categories import coded
from confmat.errors import InputError
from confmat.inputs import column, label_column
from confmat.labels import Label, one_label
from confmat.missing import null_message
from confmat.scores.clipping import type_of
from confmat.scores.grid import Bins, joined, read_grid, refined
from confmat.scores.saved import State
from confmat.scores.state import Floats


def swept(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Label | None = None,
    sample_weight: Any = None,
    bins: Any = None,
    nan: Literal["raise", "drop"] = "raise",
    nulls: Literal["drop", "raise"] = "drop",
) -> State:
    """Count positives and negatives at every score or in bins; `cm.sweep` says more."""
    if nan not in ("raise", "drop"):
        raise InputError(f"`nan` is {nan!r}; wanted 'raise' or 'drop'")
    if nulls not in ("drop", "raise"):
        raise InputError(f"`nulls` is {nulls!r}; wanted 'drop' or 'raise'")
    scores = column(y_score, "y_score")
    grid = None if bins is None else read_grid(bins, scores.half)
    columns = {"y_true": label_column(y_true, "y_true").data, "y_score": scores.data}
    weight = None
    if sample_weight is not None:
        weight = columns["sample_weight"] = column(sample_weight, "sample_weight").data
    label = None if pos_label is None else one_label(pos_label, "pos_label")
    rows = (coded(columns["y_true"]), columns["y_score"], weight, label)
    drop = nan == "drop"
    lower: Floats | None = None
    upper: Floats | None = None
    kept: Bins | None = None
    at: npt.NDArray[Any] | None
    if grid is None:
        at, positives, negatives, labels, _, dropped, n_nan = _core.sweep(*rows, drop, 0)
    else:
        kept = grid.bins
        lower, upper, positives, negatives, at, labels, _, dropped, n_nan = _core.sweep_binned(
            *rows, kept, drop, 0
        )
        if grid.quantiles is not None:
            fine = refined(lower, upper, positives, negatives)
            parts = _core.sweep_binned(*rows, fine, drop, 0)[:5]
            kept, lower, upper, positives, negatives, at = joined(*parts, grid.quantiles)
    if dropped and nulls == "raise":
        raise InputError(null_message(columns, dropped))
    negative, positive = labels
    assert positive is not None
    return State(
        at,
        lower,
        upper,
        kept,
        positives,
        negatives,
        negative,
        positive,
        dropped,
        n_nan,
        type_of(scores.data if at is None else at, scores.half),
    )
