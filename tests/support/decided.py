"""Rows with scores, drawn and given, and their matrix at a threshold counted by hand."""

import numpy as np
from hypothesis import strategies as st

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
COST = [[0, 3], [5, 0]]
rows = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 9)), min_size=1, max_size=40)


def data(seed=0, n=400):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1).round(2)


def by_hand(y, scores, threshold):
    y, positive = np.asarray(y) == 1, np.asarray(scores, dtype=np.float64) >= threshold
    return [
        [int((~y & ~positive).sum()), int((~y & positive).sum())],
        [int((y & ~positive).sum()), int((y & positive).sum())],
    ]
