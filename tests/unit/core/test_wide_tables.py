"""Tables of thousands of classes, found as the rows go by."""

import numpy as np
import pytest

import confmat as cm
from confmat import _core


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("low", [0, -7_000])
def test_thousands_of_labels_of_many_rows(threads, low):
    rows, k = 12_000_000, 2_400
    rng = np.random.default_rng(low + 7_005)
    y = rng.integers(0, k, rows, dtype=np.uint16)
    p = rng.integers(0, k, rows, dtype=np.uint16)
    y[:10_000] //= 2  # the first rows do not have all of the labels
    p[:10_000] //= 2
    sides = (side.astype(np.int32) + low for side in (y, p))
    state, _ = _core.count(*sides, None, None, threads)
    labels, cells = list(state.labels), state.cells
    assert labels == list(range(low, low + k))
    assert (cells.ravel() == np.bincount(y * np.int64(k) + p, minlength=k * k)).all()


def test_few_labels_far_apart_stay_a_small_table():
    y = np.array([0, 3_999, 50_000] * 1_000_000)
    m = cm.confusion_matrix(y, y)
    assert (m.labels, m.counts.tolist()) == (
        (0, 3_999, 50_000),
        (np.eye(3, dtype=int) * 1_000_000).tolist(),
    )
