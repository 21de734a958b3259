"""The difference of two states of scores: what is left where the rows of the second are taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.scores.saved import State


def difference(one: State, two: State) -> tuple[Any, Any, Any]:
    """Return scores with lower and upper edges, positives and negatives of `one` less `two`.

    Both are of the same bins, or of scores. Refuses what would go below zero, and scores that the
    bins of `one` do not hold. Scores that are known stay so, for none is added.
    """
    if one.n_dropped < two.n_dropped or one.n_nan < two.n_nan:
        raise InputError("cannot subtract: n_dropped or n_nan is larger in the second")
    places = _places(one, two)
    sides = (one.positives, two.positives), (one.negatives, two.negatives)
    positives, negatives = (_less(one, places, *side) for side in sides)
    some = (positives > 0) | (negatives > 0)
    parts = (one.scores, one.lower, one.upper)
    entries = tuple(None if part is None else part[some] for part in parts)
    return entries, positives[some], negatives[some]


def _entries(state: State) -> npt.NDArray[Any]:
    """Return what tells the entries apart: lower edges of bins, or scores."""
    entries = state.scores if state.lower is None else state.lower
    assert entries is not None
    return entries


def _places(one: State, two: State) -> npt.NDArray[np.intp]:
    """Return where the entries of `two` are in `one`."""
    mine, theirs = _entries(one), _entries(two)
    places = len(mine) - 1 - np.searchsorted(mine[::-1], theirs)
    found = places >= 0
    found[found] = mine[places[found]] == theirs[found]
    if not found.all():
        at = theirs[~found][0]
        where = f"the score {at} is not" if one.lower is None else f"the bin from {at} is empty"
        raise InputError(f"cannot subtract: {where} in the first")
    if one.scores is not None and two.scores is not None:
        strange = one.scores[places] != two.scores
        if strange.any():
            at = int(strange.argmax())
            raise InputError(
                f"cannot subtract: the bin from {theirs[at]} holds the score {two.scores[at]} in "
                f"the second and {one.scores[places[at]]} in the first"
            )
    return places


def _less(one: State, places: npt.NDArray[Any], mine: Any, theirs: Any) -> npt.NDArray[Any]:
    real = "f" in mine.dtype.kind + theirs.dtype.kind
    kind: Any = np.float64 if real else np.int64
    left: npt.NDArray[Any] = mine.astype(kind)
    left[places] -= theirs.astype(kind)
    if real:  # differences within rounding of the minuend are zero
        left[(left < 0) & (left >= -1e-12 * mine)] = 0.0
    if (left < 0).any():
        at = int((left < 0).argmax())
        where = "score" if one.lower is None else "bin from"
        raise InputError(
            f"cannot subtract: the {where} {_entries(one)[at]} holds {mine[at]} in the first and "
            f"{theirs[places == at][0]} in the second"
        )
    return left if real else left.astype(mine.dtype)
