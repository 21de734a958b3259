"""Cuts of a sweep: how many of its entries a threshold predicts positive, and the counts there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.scores.grid import increasing
from confmat.scores.state import Floats, ScoreState, Totals

Cuts = npt.NDArray[np.intp]


def cuts_at(state: ScoreState, thresholds: Floats, nearest: bool = False) -> Cuts:
    """Return how many entries are predicted positive at each threshold.

    One inside a bin of several scores is an error, or takes the nearest edge of the bin.
    """
    few, many = cuts_around(state, thresholds)
    inside = few != many
    if not inside.any():
        return few
    bins = few[inside]
    low, high = (edges[bins] for edges in state._edges())
    at = thresholds[inside]
    if not nearest:
        raise InputError(
            f"the threshold {at[0]} lies inside the bin [{low[0]}, {high[0]}); "
            "wanted an edge, or nearest=True"
        )
    few[inside] += at - low < high - at
    return few


def cuts_around(state: ScoreState, thresholds: Floats) -> tuple[Cuts, Cuts]:
    """Return the cuts at the edges above and below each threshold; equal where it is exact."""
    below = np.searchsorted(state._at[::-1], rounded_up(thresholds, state._at.dtype))
    few = len(state._at) - below
    if state.is_exact:
        return few, few
    upper = np.append(state._edges()[1], -math.inf)[few]
    return few, few + (thresholds < upper)


def counts_at(state: ScoreState, cuts: npt.NDArray[Any]) -> tuple[Totals, Totals]:
    """Return tp and fp where the first `cuts` entries are predicted positive."""
    return _taken(state.tp, cuts), _taken(state.fp, cuts)


def squares_at_cuts(state: ScoreState, cuts: npt.NDArray[Any]) -> tuple[Floats, Floats] | None:
    """Return the squared weights in tp and in fp there; None of counts, or not known."""
    squares = state._squares_within()
    if squares is None:
        return None
    positives, negatives = (_taken(np.cumsum(side), cuts) for side in squares)
    return positives, negatives


def _taken(part: Any, cuts: npt.NDArray[Any]) -> Any:
    found = part[np.maximum(cuts, 1) - 1] if len(part) else np.zeros(len(cuts), part.dtype)
    return np.where(cuts > 0, found, part.dtype.type(0))


def path(
    state: ScoreState, thresholds: Any = None, origin: bool = True
) -> tuple[npt.NDArray[Any], Totals, Totals]:
    """Return thresholds from the highest down, and the counts at each.

    By default +inf (the origin, where nothing is predicted positive) and every score;
    otherwise those given.
    """
    if thresholds is not None:
        given = increasing(thresholds, "thresholds")[::-1]
        return given, *counts_at(state, cuts_at(state, given))
    if not origin:
        return state._at, state.tp, state.fp
    first: Any = ((math.inf, state._at), (0, state.tp), (0, state.fp))
    at, tp, fp = (np.concatenate([np.array([x], part.dtype), part]) for x, part in first)
    return at, tp, fp


def squares_along(
    state: ScoreState, thresholds: Any = None, origin: bool = True
) -> tuple[Floats, Floats] | None:
    """Return the squared weights in tp and in fp along a `path`; None of counts, or not known."""
    if thresholds is None:
        cuts: Any = np.arange(0 if origin else 1, len(state) + 1)
    else:
        cuts = cuts_at(state, increasing(thresholds, "thresholds")[::-1])
    return squares_at_cuts(state, cuts)


def spread(state: ScoreState, count: int) -> Cuts:
    """Return at most `count` cuts, about the same number of rows apart."""
    if count < 1:
        raise InputError(f"`thresholds` is {count}; wanted at least 1, or numbers")
    rows = state.tp + state.fp
    targets = np.linspace(0, state.n, count) if count > 1 else np.array([float(state.n)])
    found = np.searchsorted(rows, targets)
    return np.unique(np.minimum(found, len(rows) - 1)) + 1 if len(rows) else found[:0]


def rounded_up(thresholds: Floats, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return the thresholds in the dtype of the scores, rounded so that `>=` stays the same."""
    if dtype == np.float64:
        return thresholds
    with np.errstate(over="ignore"):
        narrow = thresholds.astype(dtype)
    low = narrow.astype(np.float64) < thresholds
    narrow[low] = np.nextafter(narrow[low], dtype.type(math.inf))
    return narrow
