"""Rows split in any way and counted apart merge to what all rows give, to the bit."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm

LABELS = [0, 1, 2, 3]


def counted(y, p, w, at=slice(None)):
    weight = None if w is None else w[at]
    return cm.confusion_matrix(y[at], p[at], labels=LABELS, sample_weight=weight, other="bucket")


@pytest.mark.parametrize("weighted", [None, "int", "dyadic"])
@given(seed=st.integers(0, 2**32), cuts=st.lists(st.integers(0, 200), max_size=6))
def test_split_and_merge(weighted, seed, cuts):
    rng = np.random.default_rng(seed)
    y, p = rng.integers(0, 5, (2, 200))
    # Sums of eighths are exact, so the order of additions cannot show.
    w = {None: None, "int": rng.integers(0, 99, 200), "dyadic": rng.integers(0, 99, 200) / 8}[
        weighted
    ]
    edges = [0, *sorted(cuts), 200]
    parts = [counted(y, p, w, slice(a, b)) for a, b in pairwise(edges)]
    whole = counted(y, p, w)
    assert sum(parts).to_bytes() == whole.to_bytes()
    assert sum(reversed(parts)) == whole
    assert whole.n_other == int(((y == 4) | (p == 4)).sum())


@pytest.mark.parametrize("weighted", [None, "int", "dyadic"])
@pytest.mark.parametrize("n_labels", [1, 3, 8, 9, 25])
@given(seed=st.integers(0, 2**32), cuts=st.lists(st.integers(0, 60), max_size=3))
def test_split_and_merge_sets(n_labels, weighted, seed, cuts):
    rng = np.random.default_rng(seed)
    y, p = rng.random((2, 60, n_labels)) < 0.3
    kinds = {None: None, "int": rng.integers(0, 9, 60), "dyadic": rng.integers(0, 9, 60) / 8}
    w = kinds[weighted]
    edges = [0, *sorted(cuts), 60]
    parts = [
        cm.multilabel(y[a:b], p[a:b], sample_weight=None if w is None else w[a:b])
        for a, b in pairwise(edges)
    ]
    whole = cm.multilabel(y, p, sample_weight=w)
    assert sum(parts) == sum(reversed(parts)) == whole
    assert sum(parts).powerset().equals(whole.powerset())


@given(seed=st.integers(0, 2**32))
def test_what_is_taken_away_is_gone(seed):
    rng = np.random.default_rng(seed)
    y, p = rng.integers(0, 5, (2, 90))
    whole, part = counted(y, p, None), counted(y, p, None, slice(0, 30))
    rest = counted(y, p, None, slice(30, None))
    assert (whole - part).to_bytes() == rest.to_bytes()


@given(seed=st.integers(0, 2**32))
def test_merged_sums_of_weights_are_those_of_all_rows(seed):
    """Exact sums travel with the cells, so merged matrices are rounded once, as whole ones are."""
    rng = np.random.default_rng(seed)
    y, p = rng.integers(0, 4, (2, 200))
    w = rng.random(200) * 10.0 ** rng.integers(-9, 9, 200)
    parts = [counted(y, p, w, slice(a, a + 50)) for a in range(0, 200, 50)]
    whole = counted(y, p, w)
    for merged in (sum(parts), sum(parts[::-1]), cm.merge(part.to_bytes() for part in parts)):
        assert merged.to_bytes() == whole.to_bytes()
        assert (merged.counts == whole.counts).all()
    assert (whole - parts[2]).to_bytes() == sum([*parts[:2], parts[3]]).to_bytes()


def test_merging_needs_the_same_labels():
    one = cm.confusion_matrix([0, 1], [0, 1], labels=[0, 1])
    with pytest.raises(cm.InputError, match="only in the second: \\[2\\]"):
        one + cm.confusion_matrix([0, 1, 2], [0, 1, 2])
