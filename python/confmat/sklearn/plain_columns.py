"""Columns that need no validation: what most callers pass, seen at a glance."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.inputs import label_column

Column = npt.NDArray[Any]

_SCALARS = (int, float, bool, str)


def plain(values: Any) -> Column | None:
    """Return a column as an array of one dimension with rows; None: scikit-learn must look at it.

    Arrays as they are, lists whose values are all of one type, and pandas Series around an array.
    """
    kind = type(values)
    if kind is list:
        types = set(map(type, values))
        if len(types) != 1 or types.pop() not in _SCALARS:
            return None
        values = np.asarray(values)
    elif kind is not np.ndarray:
        pandas = sys.modules.get("pandas")
        if pandas is None or kind is not pandas.Series or not isinstance(values.dtype, np.dtype):
            return None
        values = values.to_numpy()
    return values if values.ndim == 1 and len(values) else None


def floats(values: Any) -> Column | None:
    """Return a plain column of float32 or float64, or None."""
    column = plain(values)
    return column if column is not None and column.dtype.char in "fd" else None


def weights(values: Any, n: int) -> Column | None:
    """Return a plain column of `n` weights that are all positive and finite, or None."""
    column = plain(values)
    if column is None or len(column) != n or column.dtype.char not in "fdilq":
        return None
    return column if column.min() > 0 and column.max() < np.inf else None


def texts(column: Column) -> bool:
    """Return whether a plain column is one of texts, by its type or its first value."""
    return column.dtype.kind == "U" or (column.dtype.kind == "O" and type(column[0]) is str)


def labels(values: Any) -> Column | None:
    """Return a plain column of numbers, Booleans or texts, or None."""
    column = plain(values)
    if column is None or column.dtype.kind in "biu" or column.dtype.char in "fd" or texts(column):
        return column
    return None


def ends(column: Column) -> tuple[Any, Any] | None:
    """Return the least and the greatest label of a plain column, as the core takes them, or None."""
    if column.dtype.kind == "U":
        found = np.unique(column)
        return found[0].item(), found[-1].item()
    if column.dtype.kind == "O":
        coded = _core.object_codes(column)
        texts = [] if coded is None else [text for text in coded[1] if text is not None]
        return (min(texts), max(texts)) if texts else None
    least, greatest = column.min().item(), column.max().item()
    if column.dtype.kind == "f":
        both = math.isfinite(least) and math.isfinite(greatest)
        return (int(least), int(greatest)) if both else None
    return least, greatest


def lying(column: Column) -> Any:
    """Return a column of labels in a form that the core reads."""
    return label_column(column, "y_true").data if column.dtype.kind in "UO" else column
