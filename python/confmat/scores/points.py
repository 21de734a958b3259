"""The scores of a sweep as metrics take them: those of the rows, or the middles of bins."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError
from confmat.scores.score_names import is_of_probability
from confmat.scores.state import Counts, Floats, ScoreState

Points: TypeAlias = tuple[npt.NDArray[Any], Counts, Counts]


def points(state: ScoreState, name: str) -> Points:
    """Return scores and counts for one metric."""
    at = state._at
    if not state.is_exact and is_of_probability(name):
        low, high = state._edges() if outside(state) else span(state)
        middle = low / 2 + high / 2
        # Between neighbouring doubles the middle rounds to one of them: at worst to the next bin.
        at = np.where(middle < high, middle, low)
    return at, state._positives, state._negatives


def span(state: ScoreState) -> tuple[Floats, Floats]:
    """Return the least and the largest score of each bin, as probabilities."""
    low, high = state._edges()
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)


def outside(state: ScoreState) -> str | None:
    """Return which score or bin is no probability, or None."""
    at = state._at
    if state.is_exact:
        if not len(at) or (at[-1] >= 0 and at[0] <= 1):
            return None
        return f"the score {at[0] if at[0] > 1 else at[-1]} is outside [0, 1]"
    low, high = state._edges()
    bad = (low > 1) | ((high <= 0) & (low < 0))
    if not bad.any():
        return None
    first = int(bad.argmax())
    return f"the bin [{low[first]}, {high[first]}) is outside [0, 1]"


def check_probabilities(state: ScoreState, name: str) -> None:
    """Refuse bins outside [0, 1], for the metric `name`; of exact scores the core does.

    The middle of a bin is no score of the data: the core would name it.
    """
    why = None if state.is_exact else outside(state)
    if why:
        raise InputError(f"`y_score`: {why}; {name} needs probabilities, from 0 to 1")
