"""Intervals of one rate and of two: against published numbers, SciPy and the tests they invert."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from confmat import InputError
from confmat.intervals.differences import newcombe, of_limits
from confmat.intervals.levels import level_of, z_of
from confmat.intervals.ratios import katz, score_ratio
from confmat.intervals.wilson import wilson


@st.composite
def shares(draw, least=1):
    n = draw(st.integers(least, 400))
    return draw(st.integers(0, n)), n


@given(shares(), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_wilson_is_that_of_scipy(share, level):
    low, high = wilson(*share, level)
    wanted = stats.binomtest(*share).proportion_ci(level, method="wilson")
    assert (low, high) == pytest.approx((wanted.low, wanted.high), abs=1e-12)
    assert 0 <= low <= share[0] / share[1] <= high <= 1


def test_wilson_ends_exactly_at_nothing_and_everything():
    n = np.arange(1, 2_000)
    for level in (0.5, 0.95, 0.999):
        assert (wilson(0 * n, n, level)[0] == 0).all()
        assert (wilson(n, n, level)[1] == 1).all()


@given(shares())
def test_wilson_of_one_side(share):
    low, high = wilson(*share, 0.95, side="lower")
    assert (low, high) == (wilson(*share, 0.9)[0], 1.0)
    low, high = wilson(*share, 0.95, side="upper")
    assert (low, high) == (0.0, wilson(*share, 0.9)[1])


def test_no_rows_and_unknown_counts_have_no_interval():
    for side in ("both", "lower", "upper"):
        ends = wilson([0, math.nan, 1], [0, 3, math.nan], side=side)
        assert np.isnan(ends).all()
        ends = newcombe([0, 1, math.nan], [0, 3, 2], [1, 0, 1], [2, 0, 2], side=side)
        assert np.isnan(ends).all()
        ends = score_ratio([0, 1, 0], [0, 3, 3], [1, 0, 0], [2, 0, 2], side=side)
        assert np.isnan(ends).all()
        assert np.isnan(katz([0, 1], [3, 3], [1, 0], [2, 2], side=side)).all()


# Table II of Newcombe (1998), method 10.
@pytest.mark.parametrize(
    ("counts", "wanted"),
    [
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((6, 7, 2, 7), (0.0582, 0.8062)),
        ((5, 56, 0, 29), (-0.0381, 0.1926)),
        ((0, 10, 0, 20), (-0.1611, 0.2775)),
        ((0, 10, 0, 10), (-0.2775, 0.2775)),
        ((10, 10, 0, 20), (0.6791, 1.0)),
        ((10, 10, 0, 10), (0.6075, 1.0)),
    ],
)
def test_newcombe_has_the_numbers_of_the_paper(counts, wanted):
    assert newcombe(*counts) == pytest.approx(wanted, abs=5e-5)


@given(shares(), shares())
def test_newcombe_turns_with_its_rates_and_stays_in_range(one, other):
    low, high = newcombe(*one, *other)
    assert -1 <= low <= one[0] / one[1] - other[0] / other[1] <= high <= 1
    assert newcombe(*other, *one) == (-high, -low)
    assert newcombe(*one, *other, 0.95, "lower") == (newcombe(*one, *other, 0.9)[0], 1.0)
    assert newcombe(*one, *other, 0.95, "upper") == (-1.0, newcombe(*one, *other, 0.9)[1])


def test_a_difference_of_limits_is_newcombe_where_they_are_wilson():
    one, other = (0.8, *wilson(56, 70)), (0.6, *wilson(48, 80))
    assert of_limits(one, other) == pytest.approx(newcombe(56, 70, 48, 80))


def chi_squared(ratio, k, n, k2, n2):
    """Return the score statistic by maximising the likelihood under the ratio."""

    def loss(q2):
        q = ratio * q2
        return -stats.binom.logpmf(k, n, q) - stats.binom.logpmf(k2, n2, q2)

    most = min(1.0, 1 / ratio)
    options = {"bounds": (0, most), "method": "bounded", "options": {"xatol": 1e-13}}
    q2 = optimize.minimize_scalar(loss, **options).x
    q = ratio * q2
    spread = q * (1 - q) / n + ratio**2 * q2 * (1 - q2) / n2
    return (k / n - ratio * k2 / n2) / math.sqrt(spread)


@pytest.mark.parametrize(
    "counts", [(36, 40, 16, 80), (3, 30, 11, 25), (1, 90, 2, 7), (9, 10, 9, 9)]
)
def test_the_ends_of_the_score_interval_are_where_the_test_rejects(counts):
    for level in (0.9, 0.95, 0.99):
        low, high = score_ratio(*counts, level)
        z = z_of(level)
        assert chi_squared(float(low), *counts) == pytest.approx(z, abs=1e-4)
        assert chi_squared(float(high), *counts) == pytest.approx(-z, abs=1e-4)


def test_score_interval_without_counts():
    low, high = score_ratio([0, 5, 30], 30, [5, 0, 30], 30)
    assert low.tolist()[0] == 0.0
    assert high.tolist()[1] == math.inf
    assert chi_squared(float(high[0]), 0, 30, 5, 30) == pytest.approx(-z_of(0.95), abs=1e-4)
    assert low[2] < 1 < high[2]
    assert low[2] * high[2] == pytest.approx(1)


@settings(max_examples=200)
@given(shares(), shares(), st.sampled_from([0.8, 0.95]))
def test_ratios_turn_over_with_their_rates(one, other, level):
    low, high = (float(end) for end in score_ratio(*one, *other, level))
    turned = [float(end) for end in score_ratio(*other, *one, level)]
    if one[0] == other[0] == 0:
        assert math.isnan(low)
        return
    assert low <= high
    with np.errstate(divide="ignore"):
        wanted = [float(1 / np.float64(end)) for end in (high, low)]
    assert turned == pytest.approx(wanted, rel=1e-6)
    if one[0] and other[0]:
        ends = katz(*one, *other, level)
        wanted = stats.contingency.relative_risk(*one, *other).confidence_interval(level)
        assert ends == pytest.approx((wanted.low, wanted.high))


def test_many_at_once_are_each_as_alone():
    rng = np.random.default_rng(3)
    n, n2 = rng.integers(1, 50, (2, 300))
    k, k2 = rng.integers(0, n + 1), rng.integers(0, n2 + 1)
    for method in (newcombe, katz, score_ratio):
        together = np.array(method(k, n, k2, n2))
        alone = [method(*row) for row in zip(k, n, k2, n2, strict=True)]
        np.testing.assert_array_equal(together.T, alone)
    assert wilson([[1], [2]], [3, 4, 5])[0].shape == (2, 3)


def test_levels():
    assert z_of(0.95) == pytest.approx(stats.norm.ppf(0.975), abs=1e-12)
    assert z_of(0.95, "upper") == pytest.approx(stats.norm.ppf(0.95), abs=1e-12)
    assert level_of(z_of(0.9)) == pytest.approx(0.9)
    for level in (0, 1, 95, -1, math.nan, True, "0.95", None):
        with pytest.raises(InputError, match=r"`level` is .*; wanted a number between 0 and 1"):
            z_of(level)
    with pytest.raises(InputError, match="`side` is 'two'; wanted one of both, lower, upper"):
        wilson(1, 2, side="two")


@pytest.mark.parametrize("k", [-1, 4, math.inf])
def test_what_is_no_count_is_refused_with_its_row(k):
    with pytest.raises(InputError, match=r"`numerators` is .* of `denominators` 3 at row 1"):
        wilson([1, k], 3)
    with pytest.raises(InputError, match=r"`other_numerators` is .* at row 1"):
        newcombe(1, 3, [1, k], 3)
    with pytest.raises(InputError, match="are no counts"):
        katz(["a"], 3, 1, 3)
