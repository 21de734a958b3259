"""Logarithms of tails: against exact fractions, SciPy and the closed forms that some have."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from confmat.significance.discrete_tails import (
    log_binomial,
    log_binomial_tail,
    log_factorial,
    log_fisher,
)
from confmat.significance.result import p_text
from confmat.significance.tails import log_chi2, log_kolmogorov, log_normal, log_t

shares = st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(-1, n + 1), st.just(n)))


def log_of(fraction):
    """Return the logarithm of a fraction of any size."""
    return math.log(fraction.numerator) - math.log(fraction.denominator) if fraction else -math.inf


def binomial(k, n, yes, no):
    if not 0 <= k <= n:
        return Fraction(0)
    share = Fraction(yes, yes + no)
    return math.comb(n, k) * share**k * (1 - share) ** (n - k)


@pytest.mark.parametrize("n", [0, 1, 2, 127, 128, 129, 130, 1_000, 20_000])
def test_log_factorial(n):
    exact = math.factorial(n)
    shift = max(exact.bit_length() - 200, 0)
    found = math.log(exact >> shift) + shift * math.log(2)
    assert float(log_factorial(n)) == pytest.approx(found, rel=1e-14, abs=1e-300)


def test_factorials_go_on_in_all_digits_where_the_series_takes_over():
    for n in range(120, 140):
        step = log_factorial(n) - log_factorial(n - 1)
        assert abs(math.exp(float(step)) / n - 1) < 1e-14
        wanted = step - type(step)(n).ln()
        assert abs(wanted) < type(step)("1e-40")


@given(shares, st.integers(0, 30), st.integers(1, 30), st.booleans())
def test_binomial_tails_are_the_exact_sums(share, one, other, turn):
    k, n = share
    yes, no = (other, one) if turn else (one, other)
    if k in range(n + 1):
        point = log_of(binomial(k, n, yes, no))
        assert log_binomial(k, n, yes, no) == pytest.approx(point, rel=1e-13, abs=1e-13)
    tail = log_of(sum((binomial(j, n, yes, no) for j in range(max(k, 0), n + 1)), Fraction(0)))
    assert log_binomial_tail(k, n, yes, no) == pytest.approx(tail, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize(
    ("k", "n", "yes", "no", "wanted"),
    [  # in 60 digits with mpmath 1.3: the point probability times 2F1(1, k - n; k + 1; -p / q)
        (600, 1000, 1, 1, -22.715259239806745),
        (900, 1000, 1, 1, -371.1164211849318),
        (5_002_000, 10**7, 1, 1, -2.2729456979078235),
        (500_003_000_000, 10**12, 1, 1, -20.736762791600363),
        (500_030_000_000, 10**12, 1, 1, -1805.01350174391),
    ],
)
def test_binomial_tails_of_any_number_of_rows(k, n, yes, no, wanted):
    assert log_binomial_tail(k, n, yes, no) == pytest.approx(wanted, rel=1e-12)
    assert log_binomial_tail(k, n, yes * 10**12, no * 10**12) == pytest.approx(wanted, rel=1e-12)


def test_a_tail_and_the_rest_are_everything():
    for k, n, yes, no in ((480, 1_000, 1, 1), (52, 10_000, 1, 199), (10**6 + 50, 10**7, 1, 9)):
        both = math.exp(log_binomial_tail(k, n, yes, no))
        both += math.exp(log_binomial_tail(n - k + 1, n, no, yes))
        assert both == pytest.approx(1, abs=1e-12)


def fisher(a, b, c, d):
    """Return Fisher's p-value as a fraction."""
    row, other, column = a + b, c + d, a + c
    support = range(max(column - other, 0), min(row, column) + 1)
    ways = {x: math.comb(row, x) * math.comb(other, column - x) for x in support}
    return Fraction(sum(way for way in ways.values() if way <= ways[a]), sum(ways.values()))


@given(st.tuples(*[st.integers(0, 30)] * 4))
def test_fisher_is_the_exact_sum(cells):
    assert log_fisher(*cells) == pytest.approx(log_of(fisher(*cells)), rel=1e-12, abs=1e-12)


@given(st.tuples(*[st.integers(0, 2_000)] * 4))
@settings(max_examples=30)
def test_fisher_is_that_of_scipy(cells):
    p = stats.fisher_exact(np.reshape(cells, (2, 2))).pvalue
    if p > 1e-280:
        assert log_fisher(*cells) == pytest.approx(math.log(p), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize(
    "cells",
    [
        (5 * 10**8, 5 * 10**8 - 3_000, 5 * 10**8 - 30_000, 5 * 10**8),
        (10**9 + 10**6, 10**9, 10**9, 10**9 + 10**6),
        (10**9, 10**9 + 10**6, 10**9 + 10**6, 10**9),
    ],
)
def test_fisher_of_billions_of_rows(cells):
    statistic = stats.chi2_contingency(np.reshape(cells, (2, 2)), correction=True).statistic
    assert log_fisher(*cells) == pytest.approx(log_chi2(statistic, 1), rel=1e-4)


def test_the_most_probable_large_tables_are_no_evidence():
    quarter = 25 * 10**10
    assert log_fisher(quarter + 1, quarter, quarter, quarter + 1) == 0
    assert log_fisher(quarter, quarter + 1, quarter + 1, quarter) == 0
    # Not the most probable one, but as probable in 7 digits.
    assert log_fisher(quarter + 2, quarter, quarter, quarter + 2) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("half", [1, 2, 7, 40])
@pytest.mark.parametrize("x", [0.5, 30.0, 690.0, 1_000.0, 5_000.0, 1e6])
def test_chi_squared_of_even_degrees_is_a_sum_of_poisson_terms(half, x):
    terms = [i * math.log(x) - math.lgamma(i + 1) for i in range(half)]
    wanted = -x + float(special.logsumexp(terms))
    assert log_chi2(2 * x, 2 * half) == pytest.approx(wanted, rel=1e-14, abs=1e-12)


@pytest.mark.parametrize("z", [0.1, 2.0, 30.0, 37.0, 200.0, 1e5])
def test_chi_squared_of_one_degree_is_the_square_of_a_normal(z):
    assert log_chi2(z * z, 1) == pytest.approx(log_normal(z), rel=1e-14, abs=1e-14)


@pytest.mark.parametrize("df", [1, 3, 10, 45, 300])
def test_chi_squared_has_no_step_where_the_fraction_takes_over(df):
    at = np.linspace(stats.chi2.isf(1e-275, df), 1.2 * stats.chi2.isf(1e-290, df), 2_000)
    found = np.array([log_chi2(x, df) for x in at])
    assert (np.diff(found) < 0).all()
    assert np.abs(np.diff(found, 2)).max() < 1e-3


def test_normal_tails():
    assert log_normal(1.2, "greater") == pytest.approx(math.log(stats.norm.sf(1.2)), rel=1e-13)
    assert log_normal(1.2, "less") == pytest.approx(math.log(stats.norm.cdf(1.2)), rel=1e-13)
    assert log_normal(-1.2) == log_normal(1.2) == pytest.approx(math.log(2 * stats.norm.sf(1.2)))
    assert log_normal(0.0) == 0
    inf = math.inf
    assert [log_normal(z, "greater") for z in (inf, -inf)] == [-inf, 0]
    assert [log_normal(z, "less") for z in (inf, -inf)] == [0, -inf]
    assert [log_normal(z) for z in (inf, -inf)] == [-inf, -inf]


@pytest.mark.parametrize("x", [0.4, 1.0, 5.0, 17.9, 18.1, 60.0])
def test_kolmogorov_is_its_series(x):
    terms = sum((-1) ** (k - 1) * math.exp(-2 * x * x * (k * k - 1)) for k in range(1, 40))
    wanted = math.log(2) - 2 * x * x + math.log(terms)
    assert log_kolmogorov(x) == pytest.approx(wanted, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("log_p", "text"),
    [
        (0.0, "1"),
        (math.log(0.0123), "0.0123"),
        (-5_000 * math.log(10), "1.00e-5000"),
        (-5_000 * math.log(10) - 1e-9, "1.00e-5000"),
        (math.log(2.5) - 5_000 * math.log(10), "2.50e-5000"),
        (-math.inf, "0"),
        (math.nan, "-"),
    ],
)
def test_p_values_as_text(log_p, text):
    assert p_text(log_p) == text


@pytest.mark.parametrize("freedom", [1.0, 9.5, 50.0, 3_000.5])
def test_student_against_scipy_and_far_out(freedom):
    for t in (-3.0, 0.0, 0.4, 2.2, 15.0):
        for alternative, tail in (("greater", stats.t.sf), ("less", stats.t.cdf)):
            found = log_t(t, freedom, alternative)
            assert found == pytest.approx(math.log(tail(t, freedom)), rel=1e-9, abs=1e-14)
        wanted = min(math.log(2 * stats.t.sf(abs(t), freedom)), 0.0)
        assert log_t(t, freedom) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    # Far out the tail falls as a power; the slope of its logarithm says which.
    far = [log_t(t, freedom, "greater") for t in (1e8, 1e9)]
    assert (far[0] - far[1]) / math.log(10) == pytest.approx(freedom, rel=1e-6)


@pytest.mark.parametrize("freedom", [9.9e5, 1.1e6, 3e7, 1e10])
@pytest.mark.parametrize("t", [0.5, 10.0, 38.0, 60.0])
def test_student_of_many_rows_against_mpmath(freedom, t):
    with mpmath.workdps(40):
        x = freedom / (freedom + mpmath.mpf(t) ** 2)
        tail = mpmath.quad(
            lambda at: mpmath.exp(-(freedom + 1) / 2 * mpmath.log1p(at * at / freedom)),
            [t + i / max(t, 1) for i in (0, 2, 8, 30, 60)],
        )
        scale = mpmath.loggamma((freedom + 1) / 2) - mpmath.loggamma(mpmath.mpf(freedom) / 2)
        wanted = mpmath.log(tail) + scale - mpmath.log(freedom * mpmath.pi) / 2
    assert 0 < x < 1
    assert log_t(t, freedom, "greater") == pytest.approx(float(wanted), rel=1e-9)


def test_student_of_a_huge_statistic():
    # f^(f / 2) t^-f / (f B(f / 2, 1 / 2))
    for t in (1e160, 1e200, 1e300):
        beta = math.lgamma(2.5) + math.lgamma(0.5) - math.lgamma(3)
        wanted = 2.5 * math.log(5) - 5 * math.log(t) - math.log(5) - beta
        assert log_t(t, 5.0, "greater") == pytest.approx(wanted, rel=1e-12)
    assert log_t(1e200, 1e8) == -math.inf


def test_student_of_endless_rows_is_normal():
    assert log_t(2.5, math.inf) == log_normal(2.5)
    assert log_t(math.inf, 7.0) == -math.inf
