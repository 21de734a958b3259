"""Tables that the laws run over: a fixed pool of every awkward shape, and a hypothesis strategy."""

import numpy as np
from hypothesis import strategies as st

SIZES = (2, 3, 4, 5, 6)
_EACH = 48


def _one(rng, k, kind):
    table = rng.integers(0, 30, (k, k))
    if kind == 1:  # many zeros
        table *= rng.random((k, k)) < 0.4
    elif kind == 2:  # a class absent from both sides
        at = rng.integers(k)
        table[at, :] = table[:, at] = 0
    elif kind == 3:  # a class that is never true, and one that is never predicted
        table[rng.integers(k), :] = 0
        table[:, rng.integers(k)] = 0
    elif kind == 4:  # all rows of one true class
        table[np.arange(k) != rng.integers(k), :] = 0
    elif kind == 5:  # all rows in one cell
        table = np.zeros_like(table)
        table[tuple(rng.integers(0, k, 2))] = rng.integers(1, 30)
    elif kind == 6:  # nearly perfect, with classes of very different size
        table = np.diag(10 ** rng.integers(0, 7, k)) + table * (rng.random((k, k)) < 0.2)
    elif kind == 7:  # nothing right
        np.fill_diagonal(table, 0)
    return table


def _pool(k):
    rng = np.random.default_rng(k)
    made = [_one(rng, k, at % 8) for at in range(_EACH)]
    return np.array([np.zeros((k, k), np.int64), np.ones((k, k), np.int64), *made], np.int64)


# Stacks of tables, one for each number of classes; the first table of each is empty.
POOL = {k: _pool(k) for k in SIZES}

# The same tables as sums of weights that are no whole numbers.
WEIGHTED = {k: stack * 0.37 for k, stack in POOL.items()}


@st.composite
def tables(draw, cells=None, sizes=SIZES):
    """Draw one table: small cells shrink well, large ones reach the exact 128-bit kit."""
    k = draw(st.sampled_from(sizes))
    if cells is None:
        cells = st.one_of(st.just(0), st.integers(0, 9), st.integers(0, 2**50))
    flat = draw(st.lists(cells, min_size=k * k, max_size=k * k))
    return np.array(flat, np.int64).reshape(k, k)
