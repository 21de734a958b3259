"""Columns of labels and of weights that need no validator: what the core reads as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.categories import coded
from confmat.columns.texts import lying_texts
from confmat.errors import InputError
from confmat.inputs import label_column

_KNOWN = (pl.Boolean, pl.String, pl.Categorical, pl.Enum, pl.Float32, pl.Float64)
NUMBERS = "?bhilqBHILQfd"  # NumPy's characters for Booleans, integers, float32 and float64


def plain_labels(values: Any) -> Any:
    """Return labels as the core reads them, or None where scikit-learn must look at them first.

    None is no refusal. What is returned may still hold a null or a fraction, which the core sees.
    """
    kind = type(values)
    if kind is list:
        if not values:
            return None
        values = _from_list(values)
    elif kind is not np.ndarray:
        values = _from_series(values)
    if type(values) is not np.ndarray:
        return values
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        return None
    if values.dtype.char in NUMBERS or values.dtype.kind == "U":
        return values
    return lying_texts(values, "y") if values.dtype.kind == "O" else None


def plain_weights(values: Any) -> npt.NDArray[Any] | None:
    """Return weights as the core reads them, or None where scikit-learn must look at them first."""
    if type(values) is list:
        values = _from_list(values)
    if type(values) is not np.ndarray or values.ndim != 1 or values.dtype.char not in NUMBERS:
        return None
    return values


def _from_list(values: list[Any]) -> npt.NDArray[Any] | None:
    """Return a list of numbers, or of texts, as an array; None for anything else."""
    is_text = type(values[0]) is str if values else False
    try:
        found = np.array(values, dtype=object if is_text else None)
    except (ValueError, TypeError, OverflowError):  # rows of unequal length, or no numbers
        return None
    return found if is_text or found.dtype.kind in "biuf" else None


def _from_series(values: Any) -> Any:
    """Return a column of pandas or Polars, or None."""
    if isinstance(values, pl.Series):
        known = values.dtype.is_integer() or isinstance(values.dtype, _KNOWN)
    elif type(values).__module__.partition(".")[0] == "pandas" and hasattr(values, "array"):
        if isinstance(values.dtype, np.dtype):
            return values.to_numpy()
        of = getattr(values.dtype, "categories", values).dtype
        if of is values.dtype and of.kind in "iu":  # scikit-learn reads these as floats
            return None if values.hasnans else values.to_numpy(np.float64)
        known = of.kind in "iu" or of.name in ("object", "str", "string")
    else:
        return None
    if not known:
        return None
    try:
        return coded(label_column(values, "y").data)
    except InputError:
        return None
