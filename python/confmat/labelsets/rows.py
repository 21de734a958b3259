"""Rows with sets of labels, true and predicted, read and checked."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from confmat import _core
from confmat.errors import InputError, Row
from confmat.inputs import column
from confmat.labels import Label, Origin
from confmat.labelsets.indicators import Bools, any_of
from confmat.labelsets.inputs import SetTable, read_pair
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
    lacking = any_of(truth.nulls, pred.nulls)
    weights, dropped = read_weights(sample_weight, truth.rows, lacking, nulls)
    n_dropped = 0 if dropped is None else int(np.count_nonzero(dropped))
    if dropped is not None and n_dropped:
        used = ~dropped
        truth, pred = truth.picked(used), pred.picked(used)
        weights = None if weights is None else weights[used]
    return SetRows(truth, pred, weights, known, origin, n_dropped)


def read_weights(
    values: Any,
    rows: int,
    lacking: Bools | None,
    nulls: str,
    passed_over: Bools | None = None,
    *,
    as_floats: bool = False,
) -> tuple[Any, Bools | None]:
    """Return weights, or None, and which rows lack one or were `lacking` something before.

    `passed_over`: rows that are left out for another reason, whose weights are not looked at.
    `as_floats`: else integers stay such.

    Raises
    ------
    InputError
        Bad weights; a row that lacks something, unless it may.
    """
    weights = missing = None
    if values is not None:
        data = column(values, "sample_weight").data
        weights, missing = _core.row_weights(data, rows, any_of(lacking, passed_over), as_floats, 0)
    dropped = any_of(lacking, missing)
    if dropped is not None and nulls == "raise" and dropped.any():
        raise InputError(
            "null ",
            Row(int(dropped.argmax())),
            '; nulls="drop" leaves such rows out and counts them in n_dropped',
        )
    return weights, dropped
