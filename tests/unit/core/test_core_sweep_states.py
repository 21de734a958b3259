"""States of sweeps: parts merge to the whole, bins hold their rows."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.core_sweeps import parts_of, sweep_binned

from confmat import _core
from confmat.errors import InputError

RNG = np.random.default_rng(43)


def bits(state):
    """Return scores, positives and negatives as bytes."""
    return [(part.dtype, part.tobytes()) for part in parts_of(state)[:3]]


def swept(y, s):
    return _core.sweep(y, s, None, None, False, False, 1)


rows = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 0.1, 0.5, np.inf]) | st.floats(allow_nan=False),
    ),
    max_size=60,
)


@settings(max_examples=150, deadline=None)
@given(rows, st.lists(st.integers(0, 60), min_size=1, max_size=3), st.sampled_from(["f4", "f8"]))
def test_parts_merge_to_the_whole(rows, cuts, dtype):
    y = np.array([row[0] for row in rows], dtype=bool)
    with np.errstate(over="ignore"):
        s = np.array([row[1] for row in rows]).astype(dtype)
    parts = [
        swept(*part)
        for part in zip(np.split(y, sorted(cuts)), np.split(s, sorted(cuts)), strict=True)
    ]
    whole = swept(y, s)
    for merged in (
        _core.merge_sweeps(parts),
        _core.merge_sweeps(parts[::-1]),
        _core.merge_sweeps([part.to_bytes() for part in parts]),
        reduce(_core.SweepState.added, parts),
    ):
        assert bits(merged) == bits(whole)
        assert merged.to_bytes() == whole.to_bytes()


def test_counts_grow_and_become_weights():
    y, s = np.array([True]), np.array([0.5], "f4")
    one = _core.sweep(y, s, np.array([2**32 - 1]), None, False, False, 1)
    wide = one.added(one)
    assert (one.positives.dtype, wide.positives.dtype) == ("u4", "u8")
    assert wide.positives.tolist() == [2**33 - 2]
    weighted = _core.sweep(y, s, np.array([1.5]), None, False, False, 1)
    assert one.added(weighted).positives.tolist() == [2**32 + 0.5]
    most = _core.sweep(y, s, np.array([2**62]), None, False, False, 1)
    with pytest.raises(InputError, match=r"cannot add: the counts sum to more than 2\^63 - 1"):
        most.added(most)


@pytest.mark.parametrize(
    "bins", [2, 512, 65536, "unit", np.array([-1.0, 0.25, 0.5]), np.array([0.0])]
)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i2"])
def test_bins_hold_their_rows(dtype, bins):
    n = 20_000
    y, s = RNG.random(n) < 0.3, np.round(RNG.normal(size=n) * 3, 3).astype(dtype)
    state = sweep_binned(y, s, None, None, bins, threads=2)
    lower, upper, positives, negatives = (
        state.lower, state.upper, state.positives, state.negatives,
    )  # fmt: skip
    assert positives.dtype == negatives.dtype == "u4"
    assert (lower < upper).all()
    assert (upper[1:] <= lower[:-1]).all()
    inside = (lower[:, None] <= s) & (s < upper[:, None])
    np.testing.assert_array_equal(positives, (inside & y).sum(1))
    np.testing.assert_array_equal(negatives, (inside & ~y).sum(1))
    assert (positives + negatives > 0).all()
    assert (positives + negatives).sum() == n
    assert parts_of(state)[3:] == ((False, True), n, 0, 0)


def test_binned_states_merge_and_subtract_exactly():
    y, s = RNG.random(3_000) < 0.3, RNG.random(3_000)
    whole, *parts = (
        sweep_binned(y[part], s[part], None, None, 1024)
        for part in (slice(None), slice(1_000), slice(1_000, None))
    )
    merged = _core.merge_sweeps(parts)
    assert merged.to_bytes() == whole.to_bytes()
    assert merged.taken_away(parts[1]).same(parts[0])


@pytest.mark.parametrize("bins", [0, 1, 3, 2**17])
def test_wrong_number_of_bins(bins):
    with pytest.raises(InputError, match=r"`bins` is .* power of two"):
        sweep_binned(np.array([1]), np.array([0.5]), None, None, bins)


@pytest.mark.parametrize("edges", [[], [1.0, 1.0], [np.nan], [0.0, np.inf], [2.0, 1.0]])
def test_wrong_edges(edges):
    with pytest.raises(InputError, match="`bins`"):
        sweep_binned(np.array([1]), np.array([0.5]), None, None, np.array(edges, dtype="f8"))
