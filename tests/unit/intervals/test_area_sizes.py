"""Areas under the ROC curve by their size: published numbers, fractions, scores of normals."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confmat as cm
from confmat import InputError
from confmat.intervals.area_sizes import area_interval, hanley_mcneil, positives_for_auc
from confmat.intervals.levels import z_of


@given(st.integers(1, 400), st.integers(1, 400), st.integers(0, 100))
def test_the_spread_of_an_area_is_that_of_fractions(n1, n0, percent):
    a = Fraction(percent, 100)
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    top = a * (1 - a) + (n1 - 1) * (q1 - a * a) + (n0 - 1) * (q2 - a * a)
    wanted = math.sqrt(top / (n1 * n0))
    assert hanley_mcneil(percent / 100, n1, n0) == pytest.approx(wanted, rel=1e-6, abs=1e-9)


# Hanley and McNeil (1982), of a rating of 51 abnormal and 58 normal images: 0.893, error 0.032.
def test_the_spread_of_an_area_of_the_paper():
    assert hanley_mcneil(0.893, 51, 58) == pytest.approx(0.032, abs=6e-4)
    assert math.isnan(hanley_mcneil(0.9, 0, 10))
    assert math.isnan(hanley_mcneil(math.nan, 10, 10))


@given(st.floats(0, 1), st.integers(1, 500), st.integers(1, 500))
def test_ends_are_z_of_their_own_errors_away(auc, n1, n0):
    low, high = area_interval(auc, n1, n0)
    assert 0 <= low <= auc <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            reach = z_of(0.95) * hanley_mcneil(end, n1, n0)
            assert abs(auc - end) == pytest.approx(reach, rel=1e-6, abs=1e-9)


def test_ends_hold_the_area_of_normal_scores():
    """Of 500 samples; three standard errors below 95 % are 92 %."""
    rng = np.random.default_rng(31)
    held = 0
    for _ in range(500):
        y = np.repeat([False, True], [120, 60])
        s = cm.sweep(y, rng.normal(y * 1.1902, 1))  # an area of 0.8
        low, high = area_interval(s.roc_auc, 60, 120)
        held += low <= 0.8 <= high
    assert 0.92 < held / 500 <= 0.99


@settings(max_examples=40)
@given(st.floats(0.02, 0.9), st.floats(0.5, 1), st.floats(0.01, 0.9))
def test_so_many_positives_give_the_width_of_an_area(width, auc, share):
    n = positives_for_auc(width, auc, share)

    def width_of(positives):
        low, high = area_interval(auc, positives, max(positives * (1 - share) / share, 1))
        return high - low

    assert width_of(n) <= width
    assert n == 1 or width_of(n - 1) > width


@pytest.mark.parametrize("bad", [-0.1, 1.1, "x", None])
def test_numbers_outside_their_range_are_refused(bad):
    with pytest.raises(InputError, match="`width` is"):
        positives_for_auc(bad, 0.8)
    with pytest.raises(InputError, match="`auc` is"):
        positives_for_auc(0.1, bad)
    with pytest.raises(InputError, match="`share` is"):
        positives_for_auc(0.1, 0.8, share=bad)
