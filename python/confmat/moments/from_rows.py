"""True and predicted numbers, row by row, brought to the state of a regression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from confmat import _core
from confmat.columns.column_input import ColumnInput
from confmat.inputs import column
from confmat.missing import null_error
from confmat.moments.names import sums_named
from confmat.options import check_choice


def summed(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: ColumnInput | None = None,
    metrics: Sequence[str] | str = (),
    nulls: Literal["drop", "raise"] = "drop",
    nan: Literal["raise", "drop"] = "raise",
) -> _core.Moments:
    """Sum what metrics of a regression need; `cm.regression` says more."""
    check_choice("nan", nan, "raise", "drop")
    check_choice("nulls", nulls, "drop", "raise")
    names = list(sums_named(metrics))
    columns = {"y_true": column(y_true, "y_true").data, "y_pred": column(y_pred, "y_pred").data}
    weight = None
    if sample_weight is not None:
        weight = columns["sample_weight"] = sample_weight.data
    state = _core.regression(columns["y_true"], columns["y_pred"], weight, names, nan == "drop")
    if state.n_dropped and nulls == "raise":
        raise null_error(columns, state.n_dropped, nan_is_null=False)
    return state
