"""Rates of weights as rates of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.intervals.levels import Floats

_ROUNDING = 1e-12  # of rates of float weights


def effective_rows(part: Any, whole: Any, squares: Any) -> tuple[Floats, Floats]:
    """Return a rate of weights as one of as many rows as give it its variance.

    `squares` are the squared weights in part and in whole. Without a variance, of Kish's effective
    number; nan where the squares are not known.
    """
    if squares is None:
        nothing = np.full(np.broadcast(part, whole).shape, np.nan)
        return nothing, nothing
    k, n = squares
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = part / whole
        share = np.where(share < _ROUNDING, 0.0, np.where(share > 1 - _ROUNDING, 1.0, share))
        variance = (k * (1 - share) ** 2 + np.maximum(n - k, 0.0) * share**2) / whole / whole
        sure = share * (1 - share) == 0
        rows = np.where(sure, whole * (whole / n), share * (1 - share) / variance)
    return share * rows, rows
