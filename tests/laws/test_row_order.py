"""The order of the rows carries no meaning: no bit of any metric depends on it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.value_names import ASKED

import confmat as cm

KINDS = {None: lambda rng, n: None, "int": lambda rng, n: rng.integers(0, 9, n),
         "float": lambda rng, n: rng.random(n) * 10.0 ** rng.integers(-9, 9, n)}  # fmt: skip


def all_values(y, p, w):
    """Return every metric; class metrics are about the last class."""
    m = cm.confusion_matrix(y, p, labels=range(4), sample_weight=w)
    return np.array(list(m.values(ASKED, pos_label=3).values()))


@pytest.mark.parametrize("weighted", KINDS)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 400))
def test_row_order(weighted, seed, n):
    rng = np.random.default_rng(seed)
    y, p, w = rng.integers(0, 4, n), rng.integers(0, 4, n), KINDS[weighted](rng, n)
    order = rng.permutation(n)
    moved = None if w is None else w[order]
    assert all_values(y, p, w).tobytes() == all_values(y[order], p[order], moved).tobytes()


def test_pairing_does_matter():
    y, p = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    assert all_values(y, p, None).tobytes() != all_values(y, p[::-1], None).tobytes()
