"""Several numbers of each row: a regression of each, and their metrics as one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from confmat.columns.arrow import arrow_table
from confmat.errors import InputError, Row
from confmat.inputs import is_table
from confmat.options import check_choice

Average: TypeAlias = Literal["uniform", "variance"]


def pairs_of(y_true: Any, y_pred: Any) -> dict[int | str | None, tuple[Any, Any]]:
    """Return the columns of each output by its name or position; None is that of the only one."""
    truth, prediction = _outputs(y_true, "y_true"), _outputs(y_pred, "y_pred")
    many = len(truth), len(prediction)
    if many == (1, 1):
        return {None: (*truth.values(), *prediction.values())}
    if many[0] != many[1]:
        raise InputError(f"`y_true` has {many[0]} outputs, `y_pred` {many[1]}; wanted as many")
    if not truth:
        raise InputError("`y_true` has no outputs; wanted at least one column")
    return {name: (truth[name], other) for name, other in _in_order(truth, prediction)}


def _outputs(values: Any, argument: str) -> dict[int | str, Any]:
    """Return columns by their names or positions, each read once; what is none stays one."""
    if is_table(values):
        return _of_table(values, argument)
    if isinstance(values, pl.Series) and isinstance(values.dtype, (pl.Array, pl.List)):
        return _of_lists(values, argument)
    if isinstance(values, (list, tuple)):
        known = (row for row in values if row is not None)
        return _of_rows(values, argument) if _is_row(next(known, None)) else {0: values}
    shape = getattr(values, "shape", None)
    if not isinstance(shape, tuple) or len(shape) != 2 or hasattr(values, "tocsr"):
        return {0: values}
    array = np.asanyarray(values)  # masks stay
    return {at: array[:, at] for at in range(array.shape[1])}


def _is_row(value: Any) -> bool:
    """Return whether a list holds rows of numbers, and not numbers."""
    is_text = isinstance(value, (str, bytes))
    return hasattr(value, "__len__") and not is_text and getattr(value, "shape", None) != ()


def _in_order(
    truth: dict[int | str, Any], prediction: dict[int | str, Any]
) -> Iterator[tuple[int | str, Any]]:
    """Give names of `truth` and columns of `prediction`: of the same name, or else by position."""
    if set(truth) == set(prediction):
        yield from ((name, prediction[name]) for name in truth)
        return
    for (at, name), (other, column) in zip(enumerate(truth), prediction.items(), strict=True):
        if name in prediction and other != name:
            raise InputError(
                f"column {at} of `y_true` is {name!r}, that of `y_pred` {other!r}, and another is "
                f"{name!r}; wanted the same names, or none of them"
            )
        yield name, column


def mean_of(
    values: Sequence[float], reasons: Sequence[str | None], names: Sequence[Any], weights: Any
) -> tuple[float, str | None]:
    """Return the weighted mean over outputs, and why there is none."""
    for name, why in zip(names, reasons, strict=True):
        if why is not None:
            return math.nan, f"output {name!r}: {why}"
    total = float(np.sum(weights))
    if not total > 0:
        return math.nan, "the true values of no output vary"
    return float(np.asarray(values) @ np.asarray(weights) / total), None


def weights_of(states: Sequence[Any], average: Average) -> list[float]:
    """Return what outputs weigh: one each, or the variances of their true values."""
    if average is None:
        raise InputError("`average` is None; `per_output` has the metrics of each output")
    check_choice("average", average, "uniform", "variance")
    if average == "uniform":
        return [1.0] * len(states)
    found = [state._spread().uu for state in states]
    return [0.0 if math.isnan(one) else one for one in found]


def _of_table(values: Any, argument: str) -> dict[int | str, Any]:
    if not isinstance(values, pl.DataFrame) and hasattr(values, "iloc"):
        names = list(values.columns)
        columns = [values.iloc[:, at] for at in range(len(names))]
    else:
        table = values if isinstance(values, pl.DataFrame) else arrow_table(values, argument)
        frame = table.to_frame() if isinstance(table, pl.Series) else table
        names, columns = frame.columns, frame.get_columns()
    keys = [name if isinstance(name, str) else str(name) for name in names]
    if len(set(keys)) < len(keys):
        raise InputError(f"`{argument}` has two columns of one name")
    return dict(zip(keys, columns, strict=True))


def _of_lists(values: pl.Series, argument: str) -> dict[int | str, Any]:
    """Return the columns of lists of one length; a list that is missing is so in each."""
    lists = values.arr.to_list() if isinstance(values.dtype, pl.Array) else values
    lengths = lists.list.len()
    width: Any = lengths.drop_nulls().first() or 0
    other = (lengths != width).fill_null(False)
    if other.any():
        row = other.arg_max() or 0
        raise InputError(
            f"`{argument}` has a list of {int(lengths[row])} ",
            Row(row),
            f"; wanted {width} numbers",
        )
    return {at: lists.list.get(at) for at in range(width)}


def _of_rows(rows: Sequence[Any], argument: str) -> dict[int | str, Any]:
    width = next(len(row) for row in rows if row is not None)
    for at, row in enumerate(rows):
        if not _is_row(row) or len(row) != width:
            raise InputError(f"row {at} of `{argument}` is {row!r:.60}; wanted {width} numbers")
    return {at: [row[at] for row in rows] for at in range(width)}
