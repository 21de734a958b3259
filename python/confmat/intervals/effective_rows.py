"""Rates of weights as rates of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat import _core
from confmat.intervals.levels import Floats

_ROUNDING = 1e-12  # of rates of float weights


def effective_rows(part: Any, whole: Any, squares: Any) -> tuple[Floats, Floats]:
    """Return a rate of weights as one of as many rows as give it its variance.

    `squares` are the squared weights in part and in whole. The weights of a few rows, as of those
    that are wrong, tell little: they are taken to be no lighter than all, the fewer they are the
    more. Without a variance, of Kish's effective number; nan where the squares are not known.
    """
    if squares is None:
        nothing = np.full(np.broadcast(part, whole).shape, np.nan)
        return nothing, nothing
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.divide(part, whole, dtype=np.float64)
    share = np.where(share < _ROUNDING, 0.0, np.where(share > 1 - _ROUNDING, 1.0, share))
    rows = np.asarray(_core.effective_rows(share * whole, whole, *squares))
    return share * rows, rows
