"""Intervals of max - min and of min / max over groups: what they promise, and how they are made."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from confmat.intervals import ranges
from confmat.intervals.differences import newcombe
from confmat.intervals.quantiles import z_of_all_pairs
from confmat.intervals.ranges import range_interval, range_ratio


@pytest.mark.parametrize("groups", [2, 3, 5, 20, 500])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_critical_values_are_those_of_tukey(groups, level):
    wanted = stats.studentized_range.ppf(level, groups, 1e7) / np.sqrt(2)
    assert z_of_all_pairs(level, groups) == pytest.approx(wanted, abs=2e-5)


groups = st.lists(
    st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    min_size=2,
    max_size=8,
)


@settings(max_examples=200)
@given(groups, st.sampled_from([0.8, 0.95]))
def test_what_all_ranges_have(counts, level):
    k, n = np.array(counts).T
    value, low, high = range_interval(k, n, level)
    rates = k / n
    assert value == rates.max() - rates.min()
    assert 0 <= low <= value <= high <= 1
    share, least, most = range_ratio(k, n, level)
    if rates.max() == 0:
        assert np.isnan([share, least, most]).all()
        return
    assert share == rates.min() / rates.max()
    assert 0 <= least <= share <= most <= 1
    assert (low > 0) == (most < 1)  # the two say the same of equal groups
    turned = range_interval(n - k, n, level)
    np.testing.assert_allclose(turned, (value, low, high), atol=1e-9)


@settings(max_examples=200)
@given(groups, st.sampled_from([0.8, 0.95]))
def test_ends_are_those_of_the_furthest_pair(counts, level):
    pairs = list(permutations(counts, 2))
    alone = [newcombe(*one, *other, level) for one, other in pairs]
    quarters = [0.25 / one[1] + 0.25 / other[1] for one, other in pairs]
    wide = 2 * stats.norm.cdf(z_of_all_pairs(level, len(counts))) - 1
    together = [newcombe(*one, *other, wide) for one, other in pairs]
    low = max(float(ends[0]) - more for ends, more in zip(together, quarters, strict=True))
    high = max(float(ends[1]) + more for ends, more in zip(alone, quarters, strict=True))
    found = range_interval(*np.array(counts).T, level)
    np.testing.assert_allclose(found[1:], (max(low, 0), min(high, 1)), atol=1e-9)


@given(groups)
def test_the_ratio_is_where_a_difference_is_zero(counts):
    """Each end r of min / max leaves 0 at an end of the interval of min - r max of some pair."""
    k, n = np.array(counts).T
    together, alone = ranges.of_counts(k, n, 0.95)
    _, low, high = ranges.smallest_ratio(together, alone)
    if np.isnan(low):
        return

    def gaps(limits, ratio, sign):
        value, step = limits.value, limits.step
        down, up = value - limits.low, limits.high - value
        small, large = (down, up) if sign < 0 else (up, down)
        return [
            value[i] - ratio * value[j]
            + sign * (step[i] + ratio * step[j] + np.hypot(small[i], ratio * large[j]))
            for i, j in permutations(range(len(n)), 2)
        ]  # fmt: skip

    if low > 0:  # below it, every pair is above 0
        assert min(gaps(alone, low, -1)) == pytest.approx(0, abs=1e-9)
    else:
        assert min(gaps(alone, 1e-9, -1)) <= 1e-6
    if high < 1:
        assert min(gaps(together, high, 1)) == pytest.approx(0, abs=1e-9)
    else:
        assert min(gaps(together, 1, 1)) >= -1e-9


def test_many_groups_take_the_pairs_that_matter(monkeypatch):
    rng = np.random.default_rng(5)
    for _ in range(20):
        n = rng.integers(1, rng.choice([4, 40, 4000]), 300)
        k = rng.binomial(n, rng.random() * rng.random(300))
        few = [range_interval(k, n), range_ratio(k, n)]
        monkeypatch.setattr(ranges, "_MANY", 1000)
        every = [range_interval(k, n), range_ratio(k, n)]
        monkeypatch.undo()
        np.testing.assert_array_equal(few, every)


def test_groups_without_rows_are_left_out_and_rows_of_groups_are_apart():
    alone = [range_interval([3, 9], [10, 12]), range_interval([1, 2, 9], [10, 10, 10])]
    together = range_interval([[3, 9, 0], [1, 2, 9]], [[10, 12, 0], [10, 10, 10]])
    np.testing.assert_array_equal(np.transpose(together), alone)
    np.testing.assert_array_equal(range_interval([3, 0, 9], [10, 0, 12]), alone[0])
    for nothing in ([], [1], [np.nan, 1]):
        assert np.isnan(range_interval(nothing, [3] * len(nothing))).all()
        assert np.isnan(range_ratio(nothing, [3] * len(nothing))).all()
    assert np.isnan(range_ratio([0, 0], [4, 5])).all()
    assert not np.isnan(range_interval([0, 0], [4, 5])).any()


def exact_coverage(groups, rows, rate):
    """Return how often 0 is in the interval where all groups have this rate, by all outcomes."""
    k = np.arange(rows + 1)
    least, most = np.meshgrid(k, k, indexing="ij")
    outcomes = np.stack([least, most], -1).reshape(-1, 2)
    # Groups between the two never reach further than these, of groups of one size.
    inner = np.repeat(outcomes[:, :1], groups - 2, axis=1)
    _, low, _ = range_interval(np.hstack([outcomes, inner]), rows)
    below = np.append(0, stats.binom.cdf(k, rows, rate))
    between = np.clip(below[None, 1:] - below[:-1, None], 0, 1) ** groups * (most >= least)
    extremes = between.copy()
    extremes[:, 1:] -= between[:, :-1]
    extremes[:-1] -= between[1:]
    extremes[:-1, 1:] += between[1:, :-1]
    holds = (low == 0).reshape(most.shape) | (most < least)
    return (extremes * (most >= least) * holds).sum()


@pytest.mark.parametrize("groups", [2, 5, 20])
@pytest.mark.parametrize("rows", [8, 10, 20, 30, 50, 100])
def test_equal_groups_are_covered_exactly(groups, rows):
    shares = [exact_coverage(groups, rows, rate) for rate in (0.05, 0.2, 0.35, 0.5)]
    assert min(shares) >= 0.95
    assert max(shares) <= 1 + 1e-9


@pytest.mark.parametrize(("rows", "others"), [(10, 10), (30, 30), (10, 100), (100, 100)])
def test_two_groups_are_covered_whatever_their_rates(rows, others):
    rates = np.linspace(0.02, 0.98, 25)
    k, k2 = (grid.ravel() for grid in np.meshgrid(range(rows + 1), range(others + 1)))
    counts = np.stack([k, k2], -1)
    _, low, high = range_interval(counts, [rows, others])
    first = stats.binom.pmf(k[:, None], rows, rates)
    second = stats.binom.pmf(k2[:, None], others, rates)
    for rate, share in zip(rates, first.T, strict=True):
        truth = abs(rate - rates)
        holds = (low[:, None] <= truth + 1e-9) & (truth - 1e-9 <= high[:, None])
        assert (share[:, None] * second * holds).sum(0).min() >= 0.95
