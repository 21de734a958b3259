"""Random columns of labels, as scikit-learn and confmat both take them."""

from typing import NamedTuple

import numpy as np


class Columns(NamedTuple):
    """True and predicted labels, with integer or float weights or none."""

    y: np.ndarray
    p: np.ndarray
    w: np.ndarray | None


def columns(seed, weighted=None, classes=None, rows=None):
    """Return columns of 2 to 6 classes, uneven, some of them missing on one side."""
    rng = np.random.default_rng(seed)
    k = classes or int(rng.integers(2, 7))
    n = rows or int(rng.integers(k, 120))
    shares = rng.dirichlet(np.ones(k))
    y = rng.choice(k, n, p=shares)
    p = np.where(rng.random(n) < rng.random(), y, rng.integers(0, k, n))
    y[:2], p[:2] = (0, 1), (1, 1)  # two classes at least, on both sides together
    w = {None: None, "int": rng.integers(0, 9, n) + 1, "float": rng.random(n) + 0.01}[weighted]
    return Columns(y, p, w)


SEEDS = range(40)
WEIGHTS = (None, "int", "float")
