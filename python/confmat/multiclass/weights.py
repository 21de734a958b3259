"""Weights of rows: numbers of any kind brought to floats, and checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from confmat.errors import InputError, Row
from confmat.inputs import column
from confmat.multiclass.inputs import Floats


def read_weights(values: Any, rows: int) -> tuple[Floats, npt.NDArray[np.bool_] | None]:
    """Return weights as contiguous float64, and which of them are null, or None.

    Raises
    ------
    InputError
        Not numbers, or not as many as rows.
    """
    data = column(values, "sample_weight").data
    nulls = None
    whole = isinstance(data, np.ndarray) and data.dtype.kind in "iu"
    if not isinstance(data, np.ndarray):
        series = data if isinstance(data, pl.Series) else pl.Series(data)
        if not series.dtype.is_numeric() and series.dtype not in (pl.Boolean, pl.Null):
            raise InputError(f"`sample_weight` has dtype {series.dtype}: wanted numbers")
        if series.null_count():
            nulls = series.is_null().to_numpy()
        whole = series.dtype.is_integer()
        data = series.cast(pl.Float64).fill_null(0.0).to_numpy()
    if len(data) != rows:
        raise InputError(f"`sample_weight` has {len(data)} rows and `y_true` {rows}")
    if whole and np.abs(data.astype(np.float64)).sum() >= 2.0**53:
        raise InputError(
            "`sample_weight` holds integers that sum to 2^53 or more, where their sums are not "
            "exact here; wanted smaller ones, or floats"
        )
    return np.ascontiguousarray(data, dtype=np.float64), nulls


def check_weights(weights: Floats, used: npt.NDArray[np.bool_]) -> None:
    """Refuse the first weight of a used row that is not finite or is negative.

    Areas are ratios of sums of products of two weights: so weights that are all too large or all
    too small for these are refused as well.
    """
    bad = used & ~((weights >= 0) & (weights < np.inf))
    if bad.any():
        row = int(bad.argmax())
        why = "is negative" if weights[row] < 0 and np.isfinite(weights[row]) else "is not finite"
        raise InputError(f"weight {weights[row]:g} ", Row(row), f" of `sample_weight` {why}")
    total = float((weights[used] * 1e-160).sum())  # a sum that cannot overflow
    most = float(weights[used].max(initial=0.0))
    if total > 1e-10 or 0 < most < 1e-150:
        raise InputError(
            f"`sample_weight` goes up to {most}; wanted a sum of at most 1e150, and a weight of at "
            "least 1e-150 if not all are 0"
        )
