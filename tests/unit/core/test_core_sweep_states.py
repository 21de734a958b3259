"""States of sweeps: parts merge to the whole, bins hold their rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat import _core
from confmat.errors import InputError

RNG = np.random.default_rng(43)


def sweep(y, s):
    """Return scores, positives and negatives."""
    return _core.sweep(y, s, None, None, False, 1)[:3]


def bits(states):
    return [(part.dtype, part.tobytes()) for part in states]


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
        sweep(*part)
        for part in zip(np.split(y, sorted(cuts)), np.split(s, sorted(cuts)), strict=True)
    ]
    whole = bits(sweep(y, s))
    assert bits(_core.sweep_merge(parts)) == whole
    assert bits(_core.sweep_merge(parts[::-1])) == whole
    nested = parts[0]
    for part in parts[1:]:
        nested = _core.sweep_merge([part, nested])
    assert bits(nested) == whole


def test_merge_types_and_wrong_states():
    one = (np.array([0.5], "f4"), np.array([2**32 - 1], "u4"), np.array([1], "u4"))
    wide = _core.sweep_merge([one, one])
    assert [part.dtype for part in wide] == ["f4", "u8", "u8"]
    assert wide[1].tolist() == [2**33 - 2]
    assert [part.dtype for part in _core.sweep_merge([])] == ["f4", "u4", "u4"]
    weighted = (np.array([0.5]), np.array([1.5]), np.array([0.0]))
    assert [part.tolist() for part in _core.sweep_merge([one, weighted])] == [
        [0.5], [2**32 + 0.5], [1.0],
    ]  # fmt: skip
    for state, message in [
        ((one[0][::-1].repeat(2), one[1].repeat(2), one[2].repeat(2)), "state 0: .*descend"),
        ((one[0], one[1], one[2].astype("i8")), "`negatives` of a state"),
        ((np.zeros((1, 1), "f4"), one[1], one[2]), "`scores` of a state"),
        ((one[0].repeat(4)[::2], one[1].repeat(2), one[2].repeat(2)), "`scores` of a state"),
        (one[:2], "a state is"),
        ((one[0], one[1].repeat(2), one[2]), "state 0: .*belong together"),
    ]:
        with pytest.raises(InputError, match=message):
            _core.sweep_merge([state])


@pytest.mark.parametrize(
    "bins", [2, 512, 65536, "unit", np.array([-1.0, 0.25, 0.5]), np.array([0.0])]
)
@pytest.mark.parametrize("dtype", ["f4", "f8", "i2"])
def test_bins_hold_their_rows(dtype, bins):
    n = 20_000
    y, s = RNG.random(n) < 0.3, np.round(RNG.normal(size=n) * 3, 3).astype(dtype)
    lower, upper, positives, negatives, _, labels, *rows = _core.sweep_binned(
        y, s, None, None, bins, False, 2
    )
    assert positives.dtype == negatives.dtype == "u8"
    assert (lower < upper).all()
    assert (upper[1:] <= lower[:-1]).all()
    inside = (lower[:, None] <= s) & (s < upper[:, None])
    np.testing.assert_array_equal(positives, (inside & y).sum(1))
    np.testing.assert_array_equal(negatives, (inside & ~y).sum(1))
    assert (positives + negatives > 0).all()
    assert (positives + negatives).sum() == n
    assert (labels, rows) == ((False, True), [n, 0, 0])


def test_binned_states_merge_and_subtract_exactly():
    y, s = RNG.random(3_000) < 0.3, RNG.random(3_000)
    whole, *parts = (
        [_core.sweep_binned(y[part], s[part], None, None, 1024, False, 1)[i] for i in (0, 2, 3)]
        for part in (slice(None), slice(1_000), slice(1_000, None))
    )
    merged = _core.sweep_merge([tuple(part) for part in parts])
    assert bits(merged) == bits(whole)


@pytest.mark.parametrize("bins", [0, 1, 3, 2**17])
def test_wrong_number_of_bins(bins):
    with pytest.raises(InputError, match=r"`bins` is .* power of two"):
        _core.sweep_binned(np.array([1]), np.array([0.5]), None, None, bins, False, 1)


@pytest.mark.parametrize("edges", [[], [1.0, 1.0], [np.nan], [0.0, np.inf], [2.0, 1.0]])
def test_wrong_edges(edges):
    with pytest.raises(InputError, match="`bins`"):
        _core.sweep_binned(
            np.array([1]), np.array([0.5]), None, None, np.array(edges, dtype="f8"), False, 1
        )
