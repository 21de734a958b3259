"""The difference of two states of scores: what is left where the rows of the second are taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.score_bytes import State


def difference(one: State, two: State) -> tuple[Any, Any, Any, Any]:
    """Return scores or edges (lower and upper), positives and negatives of `one` less `two`.

    Both are of the same bins, or of scores. Refuses what would go below zero.
    """
    if one.n_dropped < two.n_dropped or one.n_nan < two.n_nan:
        raise InputError("cannot subtract: n_dropped or n_nan is larger in the second")
    places = len(one.at) - 1 - np.searchsorted(one.at[::-1], two.at)
    found = places >= 0
    found[found] = one.at[places[found]] == two.at[found]
    if not found.all():
        at = two.at[~found][0]
        where = f"the score {at} is not" if one.upper is None else f"the bin from {at} is empty"
        raise InputError(f"cannot subtract: {where} in the first")
    sides = (one.positives, two.positives), (one.negatives, two.negatives)
    positives, negatives = (_less(one, places, *side) for side in sides)
    some = (positives > 0) | (negatives > 0)
    upper = None if one.upper is None else one.upper[some]
    return one.at[some], upper, positives[some], negatives[some]


def _less(one: State, places: npt.NDArray[Any], mine: Any, theirs: Any) -> npt.NDArray[Any]:
    real = "f" in mine.dtype.kind + theirs.dtype.kind
    kind: Any = np.float64 if real else np.int64
    left: npt.NDArray[Any] = mine.astype(kind)
    left[places] -= theirs.astype(kind)
    if real:  # differences within rounding of the minuend are zero
        left[(left < 0) & (left >= -1e-12 * mine)] = 0.0
    if (left < 0).any():
        at = int((left < 0).argmax())
        where = "score" if one.upper is None else "bin from"
        raise InputError(
            f"cannot subtract: the {where} {one.at[at]} holds {mine[at]} in the first and "
            f"{theirs[places == at][0]} in the second"
        )
    return left if real else left.astype(mine.dtype)
