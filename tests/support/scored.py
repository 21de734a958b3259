"""Random rows with a class and a probability, and their counts at each distinct score."""

from typing import NamedTuple

import numpy as np


class Scored(NamedTuple):
    """Classes 0 and 1, probabilities in [0, 1], and weights or none."""

    y: np.ndarray
    s: np.ndarray
    w: np.ndarray | None

    def counts(self):
        """Return scores, descending as in a sweep, and positives and negatives at each."""
        return counted(self.y, self.s, self.w)


def counted(y, s, w=None):
    """Return distinct scores, descending, and the weight of positives and negatives at each."""
    scores, at = np.unique(s, return_inverse=True)
    parts = []
    for label in (1, 0):
        if w is None:
            part = np.bincount(at[y == label], minlength=len(scores)).astype(np.uint32)
        else:
            part = np.bincount(at, np.where(y == label, w, 0.0), len(scores))
        parts.append(part[::-1])
    return scores[::-1], *parts


def scored(seed, weighted=False, rows=400, ties=True, ends=True):
    """Return rows of a score that is neither useless, perfect nor calibrated."""
    rng = np.random.default_rng(seed)
    z = rng.normal(rng.normal(), 1.5, rows)
    y = (rng.random(rows) < 1 / (1 + np.exp(-(0.7 * z + 0.3)))).astype(np.int64)
    y[:2] = 0, 1
    s = 1 / (1 + np.exp(-z))
    if ties:
        s = np.where(rng.random(rows) < 0.7, s.round(2), s)
    if not ends:
        s = s.clip(0.001, 0.999)
    return Scored(y, s, rng.random(rows) + 0.01 if weighted else None)
