"""Intervals of areas under ROC curves: published ones, laws, coverage."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import norm

from confmat.errors import InputError
from confmat.intervals.areas import METHODS, area_interval, variance_of_area
from confmat.intervals.wilson import wilson

Z = norm.ppf(0.975)


@pytest.mark.parametrize(
    ("area", "variance", "low", "high"),
    [
        # The tests of pROC 1.19: ndka and s100b of 41 and 72 patients.
        (0.611957994579946, 0.0031908105493913, 0.501244999271703, 0.722670989888189),
        (0.731368563685637, 0.00266868245717244, 0.6301182, 0.8326189),
    ],
)
def test_plain_is_that_of_proc(area, variance, low, high):
    found = area_interval(area, variance, 41, 72, method="delong_plain")
    assert found[:2] == pytest.approx((low, high), abs=5e-8)
    assert found[2] == math.sqrt(variance)


def test_logit_by_definition():
    area, variance = 0.9, 0.0016
    centre, reach = math.log(9), Z * 0.04 / 0.09
    wanted = [1 / (1 + math.exp(-(centre + sign * reach))) for sign in (-1, 1)]
    assert area_interval(area, variance, 40, 60, method="delong_logit")[:2] == pytest.approx(wanted)


@pytest.mark.parametrize("area", [0.0, 0.02, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("sizes", [(1, 1), (3, 40), (50, 50), (40, 100_000)])
def test_newcombe_ends_are_as_far_as_their_variance_allows(area, sizes):
    low, high, error, method = area_interval(area, 0.001, *sizes, method="newcombe")
    assert (method, error) == ("newcombe", math.sqrt(variance_of_area(area, *sizes)))
    for end, far in ((low, 0.0), (high, 1.0)):
        if end == far == area:
            continue
        assert abs(end - area) == pytest.approx(Z * math.sqrt(variance_of_area(end, *sizes)))


def test_model_is_that_of_hanley_and_mcneil_for_equal_sizes():
    """Their formula with Q1 and Q2 of exponential scores, where both classes have n rows."""
    for area, n in itertools.product((0.5, 0.7, 0.93), (2, 10, 300)):
        q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
        wanted = area * (1 - area) + (n - 1) * (q1 + q2 - 2 * area**2)
        assert variance_of_area(area, n, n) == pytest.approx(wanted / n**2, rel=1e-12)


areas = st.floats(1e-18, 1) | st.sampled_from([0.0, 0.5, 1.0])  # of at most 10^18 pairs
sizes = st.integers(1, 10**9)


@given(areas, st.floats(0, 1), sizes, sizes, st.sampled_from(METHODS), st.floats(0.5, 0.999))
def test_laws(area, share, m, n, method, level):
    """Within [0, 1], around the area, symmetric, wider at a higher level, and of some width."""
    variance = share * area * (1 - area) / min(m, n)
    assume(variance == 0 or variance > 1e-20)
    low, high, error, _ = area_interval(area, variance, m, n, level, method=method)
    assert 0 <= low <= area <= high <= 1
    assert error >= 0
    assert low < high
    turned = area_interval(1 - area, variance, m, n, level, method=method)
    if 1 - (1 - area) == area:
        assert turned[:2] == pytest.approx((1 - high, 1 - low), abs=1e-9)
    wide = area_interval(area, variance, m, n, (1 + level) / 2, method=method)
    assert wide[0] <= low + 1e-12
    assert wide[1] >= high - 1e-12
    below = area_interval(area, variance, m, n, (1 + level) / 2, "lower", method)
    above = area_interval(area, variance, m, n, (1 + level) / 2, "upper", method)
    assert (below[1], above[0]) == (1.0, 0.0)
    assert (below[0], above[1]) == pytest.approx((low, high), abs=1e-9)


def test_no_area_varies_more_than_a_rate_of_the_smaller_class():
    """50 positives above nearly all of a million negatives: the logit alone would reach 0."""
    low, high = area_interval(1 - 1e-6, 1e-15, 50, 10**6)[:2]
    assert low == pytest.approx(wilson(50 * (1 - 1e-6), 50)[0])
    assert high > 1 - 1e-6
    turned = area_interval(1e-6, 1e-15, 50, 10**6)
    assert turned[:2] == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_unknown_variances_leave_newcombe():
    for variance in (math.nan, 0.0):
        for method in ("delong_logit", "delong_plain"):
            assert area_interval(0.7, variance, 1, 9, method=method)[3] == "newcombe"
    assert area_interval(0.7, math.nan, 1, 9)[3] == "newcombe"
    assert area_interval(0.7, 0.0, 5, 9)[3] == "delong"
    assert all(math.isnan(end) for end in area_interval(math.nan, math.nan, 0, 9)[:3])


def test_refusals():
    with pytest.raises(InputError, match="`method` is 'wald'"):
        area_interval(0.7, 0.01, 5, 9, method="wald")
    with pytest.raises(InputError, match="`side`"):
        area_interval(0.7, 0.01, 5, 9, side="left")
    with pytest.raises(InputError, match="`level`"):
        area_interval(0.7, 0.01, 5, 9, 95)


@pytest.mark.parametrize("area", [0.7, 0.9, 0.97])
def test_coverage_of_50_positives(area):
    """Normal scores, 50 positives and 500 negatives: from 92.7 to 98 of 100, nominal 95."""
    rng = np.random.default_rng(int(100 * area))
    runs, m, n = 1000, 50, 500
    x = rng.normal(math.sqrt(2) * norm.ppf(area), 1, (runs, m))
    y = np.sort(rng.normal(0, 1, (runs, n)))
    held = 0
    for positives, negatives in zip(x, y, strict=True):
        of_positives = np.searchsorted(negatives, positives) / n
        of_negatives = 1 - np.searchsorted(np.sort(positives), negatives) / m
        variance = of_positives.var(ddof=1) / m + of_negatives.var(ddof=1) / n
        low, high = area_interval(of_positives.mean(), variance, m, n)[:2]
        held += low <= area <= high
    assert 927 <= held <= 980
