"""What a column becomes, and the words for what becomes none."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from confmat.errors import InputError
from confmat.labels import Label

WANTED = "a one-dimensional array, Series, Arrow array or list"
OF_SETS = "sets of labels are for cm.multilabel, their scores for cm.multilabel_sweep"
WANTED_VALUES = "wanted integers, booleans, texts, categories or floats"


class ColumnInput(NamedTuple):
    """What the core reads, and the label set that its type declares (Enum, pandas category)."""

    data: Any
    declared: list[Label] | None = None
    half: bool = False  # float16 values, which are float32 in `data`


def _is_one_hot(values: np.ndarray[Any, Any]) -> bool:
    if values.ndim != 2 or not len(values) or values.shape[1] < 2:
        return False
    if values.dtype.kind not in "biuf":
        return False
    ones = values == 1
    return bool(((values == 0) | ones).all() and (ones.sum(axis=1) == 1).all())


def shape_message(values: np.ndarray[Any, Any], argument: str, second: str = "") -> str:
    """Return why a shape is refused; `second` is the code for the second column of it."""
    shape = tuple(values.shape)
    found = f"`{argument}` has shape {shape}; "
    if argument in ("y_true", "y_pred") and _is_one_hot(values):
        made = f"`np.argmax({argument}, axis=1)` makes classes of one-hot rows"
        return found + f"{made}; {OF_SETS}"
    if len(shape) == 2 and values.dtype.kind == "f" and shape[1] > 1:
        if shape[1] == 2:
            return found + (
                "if these are probabilities of two classes, pass the column of the positive class, "
                f"`{second or f'{argument}[:, 1]'}`, to cm.sweep, or use cm.multiclass_sweep"
            )
        return found + "if these are scores of each class, use cm.multiclass_sweep"
    if len(shape) == 2 and values.dtype.kind in "biu" and shape[1] > 1:
        return found + f"wanted {WANTED}; {OF_SETS}"
    return found + f"wanted {WANTED}"


def as_series(values: Any, argument: str, dtype: Any = None) -> pl.Series:
    """Return values as a Series, every one of them as it is.

    Raises
    ------
    InputError
        They do not make one.
    """
    try:
        return pl.Series(argument, values, dtype=dtype, strict=True)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise InputError(
            f"`{argument}` of type {type(values).__name__} is not a column of labels: {error}"
        ) from error
