"""Sweeps taken away from sweeps: what was merged is unlearned, and nothing goes below zero."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.forgotten import forgotten

import confmat as cm

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
EDGES = [-20.0, -3.0, 0.0, 0.5, 4.0, 20.0]
number = st.one_of(st.integers(-9, 9).map(float), st.floats(-9, 9), st.just(-0.0))
row = st.tuples(st.integers(0, 1), number, st.integers(1, 3))


def swept(rows, bins):
    y, scores, weights = ([row[i] for row in rows] for i in range(3))
    y, scores = np.array(y, dtype=np.int64), np.array(scores, dtype=np.float64)
    return cm.sweep(y, scores, sample_weight=np.array(weights, dtype=np.int64), bins=bins)


@given(st.lists(row, max_size=20), st.lists(row, max_size=20), st.sampled_from([None, EDGES, 64]))
def test_subtraction_undoes_addition(one, two, bins):
    a, b = swept(one, bins=bins), swept(two, bins=bins)
    left = (a + b) - b
    wanted = a if (a + b).is_exact else forgotten(a)  # what is lost does not come back
    assert left == wanted
    assert left.to_bytes() == wanted.to_bytes()


@pytest.mark.parametrize("bins", [None, [0.0, 0.3, 0.8, 1.0]])
def test_subtraction_of_weights(bins):
    rng = np.random.default_rng(2)
    y, scores, w = rng.integers(0, 2, 200), rng.random(200), rng.random(200)
    parts = [
        cm.sweep(y[i::2], scores[i::2].round(2), sample_weight=w[i::2], bins=bins) for i in (0, 1)
    ]
    left = parts[0] + parts[1] - parts[1]
    assert np.allclose(left.positives, parts[0].positives, rtol=1e-12)
    assert left._at.tolist() == parts[0]._at.tolist()
    assert (parts[0] - parts[0]).n == 0


@pytest.mark.parametrize("bins", [None, [0.0, 1.0]])
def test_differences_within_rounding_are_zero(bins):
    weights = (0.3, 0.2, 0.1)
    whole = cm.sweep([1] * 3, [0.5] * 3, sample_weight=weights, bins=bins)
    parts = sum(cm.sweep([1], [0.5], sample_weight=[w], bins=bins) for w in weights)
    assert whole.n < sum(map(Fraction, weights))  # rounded
    assert len(whole - parts) == 0


def test_what_cannot_be_subtracted():
    bins = [0.0, 0.5, 1.0]
    b = cm.sweep(Y, SCORES, bins=bins)
    with pytest.raises(cm.InputError, match=r"the bin from 0.5 holds 1 in the first and 2 in"):
        b - (b + cm.sweep([1], [0.9], bins=bins))
    with pytest.raises(cm.InputError, match=r"the bin from 0.5 is empty in the first"):
        cm.sweep([0, 1], [0.1, 0.2], bins=bins) - b
    with pytest.raises(cm.InputError, match="n_dropped is larger"):
        b - cm.sweep([None], [0.2], bins=bins)
    s = cm.sweep(Y, SCORES)
    with pytest.raises(cm.InputError, match=r"the score 0.8 holds 1 in the first and 2 in the sec"):
        s - (s + cm.sweep([1], [0.8]))
    with pytest.raises(cm.InputError, match=r"the score 0.8 is not in the first"):
        cm.sweep([0, 1], [0.1, 0.35]) - s
    with pytest.raises(cm.InputError, match=r"the score 0.4 is not in the first"):
        s - cm.sweep([0, 0], [0.1, 0.4]) - cm.sweep([0], [0.4])
    with pytest.raises(cm.InputError, match=r"the score 0.9 is not in the first"):
        cm.sweep([], []) - cm.sweep([1], [0.9])
    with pytest.raises(cm.InputError, match=r"an exact sweep and a sweep of 2 given bins"):
        s - b
    with pytest.raises(cm.InputError, match="n_nan is larger"):
        s - cm.sweep([1], [math.nan], nan="drop")


def test_counts_that_are_taken_away_keep_their_dtype():
    s = cm.sweep(Y, SCORES)
    assert s.positives.dtype == np.uint32
    assert ((s + s) - s).positives.dtype == np.uint32
    assert ((s + s) - s).to_bytes() == s.to_bytes()
    lighter = s - cm.sweep([1], [0.8], sample_weight=[0.25])
    assert lighter.weighted
    assert lighter.positives.tolist() == [0.75, 0.0, 1.0, 0.0]
    single = cm.sweep(Y, np.array(SCORES, dtype=np.float32))
    assert (single + single - single) == single
