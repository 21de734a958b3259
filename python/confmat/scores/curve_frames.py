"""Columns of a curve as a frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl


def ratio(part: npt.NDArray[Any], total: Any) -> npt.NDArray[np.float64]:
    """Return part / total; nan or an infinity where the total is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: npt.NDArray[np.float64] = np.true_divide(part, total, dtype=np.float64)
    return found


def frame(columns: dict[str, npt.NDArray[Any]], keep: slice | npt.NDArray[np.intp]) -> pl.DataFrame:
    """Return the rows to keep of these columns; nan is null, but of a threshold."""
    series = [
        pl.Series(name, column[keep], nan_to_null=name != "threshold")
        for name, column in columns.items()
    ]
    return pl.DataFrame(series)  # much cheaper for few rows than a dict of arrays and a query
