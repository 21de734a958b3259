"""Where columns lack values: for messages that name the first such row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from confmat import _core
from confmat.errors import InputError, Row


def first_null(values: Any) -> int | None:
    """Return the row of the first null, or None."""
    if isinstance(values, np.ndarray):
        return None
    if isinstance(values, _core.CodedTexts):
        nulls: pl.Series = values.codes == 0
        return nulls.arg_max() if nulls.any() else None
    series = values if isinstance(values, pl.Series) else pl.Series(values)
    return series.is_null().arg_max() if series.null_count() else None


def first_missing(values: Any) -> int | None:
    """Return the row of the first missing label, null or nan, or None."""
    if isinstance(values, np.ndarray):
        missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(1, np.bool_)
        return int(missing.argmax()) if missing.any() else None
    if isinstance(values, _core.CodedTexts):
        return first_null(values)
    series = values if isinstance(values, pl.Series) else pl.Series(values)
    return first_null(series.fill_nan(None) if series.dtype.is_float() else series)


def null_error(columns: Mapping[str, Any], dropped: int, *, nan_is_null: bool = True) -> InputError:
    """Say where the first null is, among columns by the name of their argument.

    `nan_is_null`: so it is among labels, and not among numbers.
    """
    places = []
    for argument, data in columns.items():
        is_of_labels = nan_is_null and argument in ("y_true", "y_pred")
        find = first_missing if is_of_labels else first_null
        row = find(data)
        if row is not None:
            places.append((row, argument))
    if not places:
        return InputError(f'{dropped} rows have a null; nulls="drop" leaves them out')
    row, argument = min(places)
    have = "1 row has" if dropped == 1 else f"{dropped:,} rows have"
    return InputError(
        "null ",
        Row(row),
        f" of `{argument}` ({have} one); "
        'nulls="drop" leaves such rows out and counts them in n_dropped',
    )
