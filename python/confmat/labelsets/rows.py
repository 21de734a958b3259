"""Rows with sets of labels, true and predicted, read and checked."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl

from confmat.errors import InputError, Row
from confmat.inputs import column
from confmat.labels import Label, Origin
from confmat.labelsets.indicators import any_of
from confmat.labelsets.inputs import SetTable, read_pair
from confmat.multiclass.weights import check_weights, read_weights
from confmat.options import check_choice


class SetRows(NamedTuple):
    """Sets of the rows that count, and what is known of them."""

    true: SetTable
    pred: SetTable
    weights: Any  # (n,), int64 or float64, or None
    labels: list[Label]
    origin: Origin
    n_dropped: int


def read_rows(
    y_true: Any, y_pred: Any, labels: Any, sample_weight: Any, nulls: Literal["drop", "raise"]
) -> SetRows:
    """Return the rows without those that hold a null.

    Raises
    ------
    InputError
        What `multilabel` refuses.
    """
    check_choice("nulls", nulls, "drop", "raise")
    truth, pred, known, origin = read_pair(y_true, y_pred, labels)
    rows = truth.rows
    weights: Any = None
    missing = None
    if sample_weight is not None:
        weights, missing = read_weights(sample_weight, rows)
    dropped = any_of(truth.nulls, pred.nulls, missing)
    if dropped is not None and nulls == "raise" and dropped.any():
        raise InputError(
            "null ",
            Row(int(dropped.argmax())),
            '; nulls="drop" leaves such rows out and counts them in n_dropped',
        )
    if weights is not None:
        check_weights(weights, np.ones(rows, dtype=np.bool_) if dropped is None else ~dropped)
        if _is_whole(sample_weight):
            weights = weights.astype(np.int64)
    n_dropped = 0 if dropped is None else int(np.count_nonzero(dropped))
    if dropped is not None and n_dropped:
        used = ~dropped
        truth, pred = truth.picked(used), pred.picked(used)
        weights = None if weights is None else weights[used]
    return SetRows(truth, pred, weights, known, origin, n_dropped)


def _is_whole(sample_weight: Any) -> bool:
    data = column(sample_weight, "sample_weight").data
    kind = getattr(data, "dtype", None)
    if isinstance(data, np.ndarray):
        return data.dtype.kind in "biu"
    return isinstance(kind, pl.DataType) and (kind.is_integer() or kind == pl.Boolean)
