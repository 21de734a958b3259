"""States of sweeps that tests make."""

import numpy as np
from hypothesis import assume

import confmat as cm


def forgotten(s):
    """Return a binned sweep without the scores of its bins, as if one of these had held two."""
    if not s.is_exact:
        return s
    for score, lower, upper in zip(s.scores, s.lower, s.upper, strict=True):
        for end in (np.inf, -np.inf):
            other = np.nextafter(score, s.scores.dtype.type(end))
            if lower <= other < upper and other != score:
                return _after(s, other)
    assume(not len(s))  # no bin can hold two scores
    return s


def _after(s, other):
    """Return what is left of `s` once a row with this score was there."""
    y = np.array([s.pos_label])
    weight = np.array([1.0]) if s.weighted else None
    rows = {"bins": s.bins, "pos_label": s.pos_label, "sample_weight": weight}
    row = of_type(cm.sweep(y, np.array([other]), **rows), s._score_type)
    return s + row - row


def of_type(s, score_type):
    """Return the same sweep of scores that had another dtype before they were read."""
    return type(s)._around(s._state.with_type(score_type))
