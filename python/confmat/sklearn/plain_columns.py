"""Columns that need no validation: what most callers pass, seen at a glance."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat import _core
from confmat.errors import ConfmatError
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
    """Return the least and the greatest label of a plain column of at most two, or None.

    Of more labels, two of them: who uses them finds the third.
    """
    if column.dtype.kind == "U":
        first = column[0]
        same = column == first
        both = sorted([first.item(), column[same.argmin()].item()])
        return both[0], both[1]
    if column.dtype.kind == "O":
        texts = distinct(column)
        return (texts[0], texts[-1]) if texts else None
    least, greatest = column.min().item(), column.max().item()
    if column.dtype.kind == "f":
        sound = math.isfinite(least) and math.isfinite(greatest)
        return (int(least), int(greatest)) if sound else None
    return least, greatest


def coded(column: Column, classes: list[Any] | None = None) -> tuple[list[Any], Column] | None:
    """Return the sorted labels of a plain column, or those given, and the position of each row's.

    None: a null, a fraction, or a label that is not given.
    """
    try:
        if classes is None:
            classes = distinct(column)
        codes = _core.class_codes(lying(column), classes, 0)
    except ConfmatError:
        return None
    return (classes, codes) if codes.max() < len(classes) else None


def distinct(column: Column) -> list[Any]:
    """Return the sorted labels of a plain column, as the core takes them."""
    if column.dtype.kind == "O":
        found = _core.object_codes(column)
        return [] if found is None else sorted(text for text in found[1] if text is not None)
    labels: list[Any] = np.unique(column).tolist()
    if column.dtype.kind == "f":
        return [int(label) if math.isfinite(label) else label for label in labels]
    return labels


def table(values: Any) -> Column | None:
    """Return finite numbers in several columns, as float32 or float64; None: look closer."""
    if type(values) is list and values and type(values[0]) is list:
        if len({len(row) if type(row) is list else -1 for row in values}) != 1:
            return None
        values = np.asarray(values)
    if type(values) is not np.ndarray or values.ndim != 2 or values.dtype.char not in "fd":
        return None
    if not len(values) or values.shape[1] < 2 or not math.isfinite(values.sum()):
        return None
    return values


def indicators(values: Any) -> Column | None:
    """Return a table of Booleans, or of integers that are all 0 or 1, as Booleans, or None."""
    if type(values) is not np.ndarray or values.ndim != 2 or values.shape[1] < 2:
        return None
    if values.dtype.kind == "b" and values.size:
        return values
    if values.dtype.kind not in "iu" or not values.size or values.min() < 0 or values.max() > 1:
        return None
    return values.astype(np.bool_)


def lying(column: Column) -> Any:
    """Return a column of labels in a form that the core reads."""
    return label_column(column, "y_true").data if column.dtype.kind in "UO" else column
