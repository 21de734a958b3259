"""Counts of positives and negatives at each distinct score: what calibration works on."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from confmat.errors import InputError

Floats = npt.NDArray[np.float64]
# What the weights of a class may add up to, in the core too.
_LEAST, MOST_WEIGHT = 1e-150, 1e150


class ScoreCounts(NamedTuple):
    """Distinct scores, ascending, and the weight of the rows at each; all of shape (m,)."""

    scores: Floats
    positives: Floats
    negatives: Floats

    @property
    def mass(self) -> Floats:
        """The weight of all rows at each score."""
        return self.positives + self.negatives

    @property
    def n(self) -> float:
        """The weight of all rows."""
        return float(self.positives.sum() + self.negatives.sum())

    @property
    def n_positive(self) -> float:
        """The weight of all positive rows."""
        return float(self.positives.sum())


def score_counts(scores: Any, positives: Any, negatives: Any) -> ScoreCounts:
    """Return the state of an exact sweep as float64 in ascending order of score.

    Scores of no weight are left out. Counts are exact up to 2**53.

    Raises
    ------
    InputError
        Shapes that differ; scores that are nan or not in strict order, up or down; counts that
        are negative or not finite, or add up to what is too small or too large to compute with.
    """
    s = np.asarray(scores, dtype=np.float64)
    p = np.asarray(positives, dtype=np.float64)
    n = np.asarray(negatives, dtype=np.float64)
    if s.ndim != 1 or not s.shape == p.shape == n.shape:
        raise InputError(
            f"`scores`, `positives` and `negatives` have shapes {s.shape}, {p.shape} and "
            f"{n.shape}; wanted one number of each for each distinct score"
        )
    if np.isnan(s).any():
        at = int(np.isnan(s).argmax())
        raise InputError(f"`scores` holds nan at position {at}; wanted numbers")
    if len(s) > 1 and s[0] > s[-1]:
        s, p, n = s[::-1], p[::-1], n[::-1]
    rising = s[1:] > s[:-1]
    if not rising.all():
        at = int(np.argmin(rising))
        raise InputError(
            f"`scores` holds {s[at : at + 2].tolist()} side by side; "
            "wanted distinct scores in order"
        )
    for name, part in (("positives", p), ("negatives", n)):
        bad = ~((part >= 0) & (part < math.inf))
        if bad.any():
            raise InputError(
                f"`{name}` holds {part[bad][0]}; wanted finite numbers that are not negative"
            )
        total = float(part.sum())
        if total and not _LEAST <= total <= MOST_WEIGHT:
            raise InputError(
                f"`{name}` add up to {total:g}; "
                f"wanted 0, or a sum from {_LEAST:g} to {MOST_WEIGHT:g}"
            )
    held = (p > 0) | (n > 0)
    if not held.all():
        s, p, n = s[held], p[held], n[held]
    return ScoreCounts(s, p, n)


def check_probabilities(counts: ScoreCounts, wanted_by: str) -> None:
    """Raise InputError if a score is outside [0, 1]."""
    s = counts.scores
    if len(s) and not (s[0] >= 0 and s[-1] <= 1):
        found = s[0] if s[0] < 0 else s[-1]
        raise InputError(f"`y_score` holds {found}; {wanted_by} wants probabilities, from 0 to 1")


def check_finite(counts: ScoreCounts, wanted_by: str) -> None:
    """Raise InputError if a score is infinite."""
    bad = ~np.isfinite(counts.scores)
    if bad.any():
        raise InputError(
            f"`y_score` holds {counts.scores[bad][0]}; {wanted_by} wants finite scores"
        )


def dot(one: Floats, two: Floats) -> float:
    """Return the sum of products: unlike that of BLAS, the same on any number of threads."""
    return float((one * two).sum())


def logits(scores: Floats) -> Floats:
    """Return ln(s / (1 - s)); infinite at 0 and 1."""
    with np.errstate(divide="ignore"):
        return np.log(scores) - np.log1p(-scores)
