"""Sweeps added: the whole from its parts, and what is refused."""

import math
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
EDGES = [-20.0, -3.0, 0.0, 0.5, 4.0, 20.0]
number = st.one_of(st.integers(-9, 9).map(float), st.floats(-9, 9), st.just(-0.0))
row = st.tuples(st.integers(0, 1), number, st.integers(1, 3))


def swept(rows, **options):
    y, scores, weights = ([row[i] for row in rows] for i in range(3))
    y, scores = np.array(y, dtype=np.int64), np.array(scores, dtype=np.float64)
    return cm.sweep(y, scores, sample_weight=np.array(weights, dtype=np.int64), **options)


@given(
    st.lists(st.lists(row, max_size=12), min_size=1, max_size=5),
    st.sampled_from([None, EDGES, 2, 256, 65536, "unit"]),
)
def test_split_and_merged_is_the_whole(parts, bins):
    whole = swept([row for part in parts for row in part], bins=bins)
    merged = reduce(add, [swept(part, bins=bins) for part in parts])
    assert merged == whole
    assert hash(merged) == hash(whole)
    assert merged.to_bytes() == whole.to_bytes()
    assert sum(swept(part, bins=bins) for part in parts) == whole


def test_mixed_counts_and_weights_merge_to_weights():
    both = cm.sweep(Y, SCORES) + cm.sweep([1], [0.4], sample_weight=[0.5])
    assert both.weighted
    assert both.n_positive == 2.5
    float32 = cm.sweep(Y, np.array(SCORES, dtype=np.float32))
    assert (float32 + float32).scores.dtype == np.float32


def test_what_cannot_be_merged():
    s, b = cm.sweep(Y, SCORES), cm.sweep(Y, SCORES, bins=[0.0, 0.5, 1.0])
    texts = cm.sweep(["a", "b"], [0.1, 0.2], pos_label="b")
    with pytest.raises(cm.InputError, match="cannot add: labels differ"):
        s + texts
    with pytest.raises(cm.InputError, match="cannot add: labels differ"):
        texts + cm.sweep(["a", "b"], [0.1, 0.2], pos_label="a")
    with pytest.raises(cm.InputError, match="labels differ"):
        s + cm.sweep([False, True], [0.1, 0.2])
    with pytest.raises(cm.InputError, match="an exact sweep and a sweep of 2 given bins from 0"):
        s + b
    for bins in ([0.0, 0.4, 1.0], 64):
        with pytest.raises(cm.InputError, match="cannot add: a sweep of 2 given bins"):
            b + cm.sweep(Y, SCORES, bins=bins)
        with pytest.raises(cm.InputError, match="cannot subtract: a sweep of 2 given bins"):
            b - cm.sweep(Y, SCORES, bins=bins)
    with pytest.raises(TypeError):
        s + 1
    with pytest.raises(TypeError):
        s - 1


def test_dropped_rows_add_up():
    one = cm.sweep([1, None, 0], [0.1, 0.2, math.nan], nan="drop")
    assert ((one + one).n_dropped, (one + one).n_nan) == (2, 2)
