"""Tests against a margin: what passes is what the interval says."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import confmat as cm

numbers = st.floats(-2, 2)


def test_two_one_sided_tests():
    found = cm.equivalence(-0.004, 0.006, margin=0.02)
    assert found.alternative == "equivalent"
    assert found.statistic == pytest.approx(0.016 / 0.006)
    assert found.p_value == pytest.approx(stats.norm.sf(0.016 / 0.006))
    assert found.compared.endswith("within -0.02 and 0.02")
    low = cm.equivalence(-0.004, 0.006, margin=0.02, claim="not less")
    assert low.p_value == found.p_value
    high = cm.equivalence(-0.004, 0.006, margin=0.02, claim="not greater")
    assert high.statistic == pytest.approx(-0.024 / 0.006)
    assert high.p_value == pytest.approx(stats.norm.cdf(-4))


@given(numbers, st.floats(0.01, 2), st.floats(0.01, 2), st.floats(0.01, 2))
def test_it_passes_where_the_interval_lies_within(difference, se, low, high):
    found = cm.equivalence(difference, se, (-low, high))
    reach = stats.norm.isf(0.05) * se
    if -low < difference - reach and difference + reach < high:
        assert found.p_value <= 0.05
    else:
        assert found.p_value >= 0.05
    sides = [
        cm.equivalence(difference, se, (-low, high), claim=claim).p_value
        for claim in ("not less", "not greater")
    ]
    assert found.p_value == max(sides)


@given(numbers, st.floats(0, 2), st.floats(0.01, 2))
def test_both_directions_are_alike(difference, se, margin):
    found = cm.equivalence(difference, se, margin)
    back = cm.equivalence(-difference, se, margin)
    assert found.log_p == pytest.approx(back.log_p)


def test_without_an_error_the_difference_decides():
    assert cm.equivalence(0.01, 0, 0.02).p_value == 0
    assert cm.equivalence(0.03, 0, 0.02).p_value == 1
    assert cm.equivalence(0.02, 0, 0.02).p_value == 0.5


def test_undefined():
    for given_ in ((math.nan, 0.1), (0.1, math.nan)):
        found = cm.equivalence(*given_, 0.02)
        assert math.isnan(found.p_value)
        assert "undefined" in found.note


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0.1, -0.1, 0.02), "se"),
        ((0.1, math.inf, 0.02), "se"),
        (("a", 0.1, 0.02), "difference"),
        ((0.1, 0.1, 0.0), "margin"),
        ((0.1, 0.1, -0.02), "margin"),
        ((0.1, 0.1, math.nan), "margin"),
        ((0.1, 0.1, (0.02, -0.02)), "margin"),
        ((0.1, 0.1, (0.02, 0.03, 0.04)), "margin"),
        ((0.1, 0.1, True), "margin"),
    ],
)
def test_refused(arguments, words):
    with pytest.raises(cm.InputError, match=words):
        cm.equivalence(*arguments)
    with pytest.raises(cm.InputError, match="claim"):
        cm.equivalence(0.1, 0.1, 0.2, claim="equal")
