"""Rates of weights as rates of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from confmat.intervals.levels import Floats

_ROUNDING = 1e-12  # of rates of float weights
_FEW = 8  # rows: the weights of so many are taken to be half of what they tell


def effective_rows(part: Any, whole: Any, squares: Any) -> tuple[Floats, Floats]:
    """Return a rate of weights as one of as many rows as give it its variance.

    `squares` are the squared weights in part and in whole. The weights of a few rows, as of those
    that are wrong, tell little: they are taken to be no lighter than all, the fewer they are the
    more. Without a variance, of Kish's effective number; nan where the squares are not known.
    """
    if squares is None:
        nothing = np.full(np.broadcast(part, whole).shape, np.nan)
        return nothing, nothing
    k, n = (np.asarray(side, np.float64) for side in squares)
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = part / whole
        share = np.where(share < _ROUNDING, 0.0, np.where(share > 1 - _ROUNDING, 1.0, share))
        inside = _variance(part, k, n / whole), _variance(whole - part, n - k, n / whole)
        variance = (inside[0] * (1 - share) ** 2 + inside[1] * share**2) / whole / whole
        sure = share * (1 - share) == 0
        rows = np.where(sure, whole * (whole / n), share * (1 - share) / variance)
    return share * rows, rows


def _variance(total: Floats, squares: Floats, weight: Floats) -> Floats:
    """Return the squared weights of some rows; of few no less than if each had this weight."""
    squares = np.maximum(squares, 0.0)
    lacking = np.maximum(total * weight - squares, 0.0)
    out: Floats = squares + lacking * (_FEW / (total * (total / squares) + _FEW))
    return out
