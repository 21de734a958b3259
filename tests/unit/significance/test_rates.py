"""Tests of rates: against caret, statsmodels, exact fractions and the fits that they stand for."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

import confmat as cm
from confmat.intervals.wilson import wilson
from confmat.significance.rates import no_information, score_z, score_z_of_one

shares = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_no_information_as_caret():
    """The output of confusionMatrix that https://stats.stackexchange.com/a/253435 explains."""
    assert no_information(310, 289, 400).p_value == pytest.approx(0.00994, abs=5e-6)


@pytest.mark.parametrize(
    ("right", "majority", "n", "exponent"),
    [(60, 50, 100, -1), (900, 500, 1_000, -162), (9_000, 5_000, 10_000, -1601)],
)
def test_no_information_is_the_exact_fraction(right, majority, n, exponent):
    share = Fraction(majority, n)
    terms = (math.comb(n, k) * majority**k * (n - majority) ** (n - k) for k in range(right, n + 1))
    wanted = Fraction(sum(terms), n**n)
    log_p = math.log(wanted.numerator) - math.log(wanted.denominator)
    found = no_information(right, majority, n)
    assert share == Fraction(1, 2)
    assert found.log_p == pytest.approx(log_p, rel=1e-13)
    assert found.p_value == pytest.approx(float(wanted), rel=1e-10)
    assert -log_p / math.log(10) == pytest.approx(-exponent, abs=1)


def test_no_information_of_a_trillion_rows():
    z = 2.0
    n = 10**12
    found = no_information(n * 9 // 10 + int(z * math.sqrt(n * 0.09)), n * 9 // 10, n)
    assert found.p_value == pytest.approx(stats.norm.sf(z), rel=1e-5)
    assert no_information(n, n // 2, n).log_p == pytest.approx(-n * math.log(2), rel=1e-14)
    assert 0 < no_information(n // 2, n // 2, n).p_value - 0.5 < 1e-6


def test_no_information_at_the_ends():
    assert no_information(0, 5, 10).p_value == 1
    assert no_information(10, 10, 10).p_value == 1
    assert no_information(3, 10, 10).p_value == 1
    found = no_information(0, 0, 0)
    assert math.isnan(found.p_value)
    assert found.note == "n = 0"


def test_scores_of_no_difference_are_the_pooled_z():
    """Statsmodels 0.15.0: proportions_ztest."""
    assert score_z(56, 70, 48, 80) == pytest.approx(2.6501719512585336, rel=1e-12)


@pytest.mark.parametrize(
    ("n_less", "low", "high"), [(0, 0.0533, 0.3377), (1, 0.0528, 0.3382)], ids=["Mee", "Miettinen"]
)
def test_published_intervals_are_what_the_score_does_not_reject(n_less, low, high):
    """Newcombe (1998), Table II, the first example: methods 5 and 6."""
    scale = math.sqrt((150 - n_less) / 150)
    for end, sign in ((low, 1), (high, -1)):
        z = float(score_z(56, 70, 48, 80, end)) * scale
        assert z == pytest.approx(sign * 1.959964, abs=2e-3)


@given(shares, shares, st.floats(-0.9, 0.9))
@settings(max_examples=200)
def test_the_score_is_taken_where_the_rates_fit_best(one, other, difference):
    assume(abs(difference) > 1e-3)
    (k, n), (k2, n2) = one, other
    low, high = max(0.0, difference), min(1.0, 1 + difference)

    def unlikely(q):
        q2 = q - difference
        parts = ((k, q), (n - k, 1 - q), (k2, q2), (n2 - k2, 1 - q2))
        return -sum(times * math.log(max(share, 1e-300)) for times, share in parts if times)

    q = optimize.minimize_scalar(
        unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    ).x
    q = min((q, low, high), key=unlikely)
    spread = math.sqrt(
        max(q * (1 - q), 0) / n + max((q - difference) * (1 - q + difference), 0) / n2
    )
    gap = k / n - k2 / n2 - difference
    found = float(score_z(k, n, k2, n2, difference))
    assume(spread > 1e-4)
    assert found == pytest.approx(gap / spread, rel=1e-4, abs=1e-5)


@given(shares, shares, st.floats(-0.9, 0.9))
def test_exchanged_rates_have_the_opposite_score(one, other, difference):
    found = float(score_z(*one, *other, difference))
    back = float(score_z(*other, *one, -difference))
    assert found == pytest.approx(-back, rel=1e-6, abs=1e-6)


@given(shares, st.sampled_from([0.5, 0.9, 0.99]))
def test_wilson_is_what_the_score_of_one_rate_does_not_reject(share, level):
    z = stats.norm.isf((1 - level) / 2)
    for end, sign in zip(wilson(*share, level), (1, -1), strict=True):
        if 0 < end < 1:
            assert score_z_of_one(*share, float(end)) == pytest.approx(sign * z, rel=1e-9)


def test_scores_at_the_ends():
    assert score_z([5, 0, 5], [5, 5, 5], [9, 0, 0], [9, 9, 9]).tolist()[:2] == [0, 0]
    assert np.isnan(score_z([0, 1], [0, 1], [1, 0], [1, 0])).all()
    assert score_z_of_one([3, 2], 3, 1.0).tolist() == [0, -math.inf]
    assert score_z_of_one(0, 3, -0.1) == math.inf
    assert np.isnan(score_z_of_one(0, 0, 0.5))
    with pytest.raises(cm.InputError, match="`k2` is 3"):
        score_z(1, 2, 3, 2)
