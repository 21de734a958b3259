"""How many rows are needed: the least that do, against SciPy, published numbers and statsmodels."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from confmat import InputError
from confmat.intervals.levels import z_of
from confmat.intervals.power import (
    power_of_two_rates,
    rows_for_mcnemar,
    rows_for_one_rate,
    rows_for_two_rates,
)
from confmat.intervals.sample_size import (
    rows_for_events,
    rows_for_width,
    rows_to_see,
    zero_events_bound,
)
from confmat.intervals.wilson import limits

LEVELS = st.sampled_from([0.5, 0.9, 0.95, 0.999])


def width_of(rate, n, level):
    low, high = limits(np.float64(rate * n), np.float64(n), z_of(level))
    return float(high - low)


@given(st.floats(1e-4, 0.99), st.floats(0, 1), LEVELS)
def test_the_rows_are_the_least_that_give_the_width(width, rate, level):
    n = rows_for_width(width, rate, level)
    assert width_of(rate, n, level) <= width
    assert n == 1 or width_of(rate, n - 1, level) > width
    assert n <= rows_for_width(width, 0.5, level)


def test_the_rows_give_an_interval_of_scipy_of_that_width():
    for n, right in ((rows_for_width(0.1), 0.5), (rows_for_width(0.02, 0.0), 0.0)):
        found = stats.binomtest(round(right * n), n).proportion_ci(0.95, method="wilson")
        wanted = 0.1 if right else 0.02
        assert found.high - found.low == pytest.approx(wanted, rel=0.02)


@given(st.integers(1, 10_000), LEVELS)
def test_no_events_have_the_bound_of_the_exact_test(n, level):
    one = stats.binomtest(0, n, alternative="less").proportion_ci(level, method="exact")
    two = stats.binomtest(0, n).proportion_ci(level, method="exact")
    assert zero_events_bound(n, level) == pytest.approx(one.high, rel=1e-9)
    assert zero_events_bound(n, (1 + level) / 2) == pytest.approx(two.high, rel=1e-9)


# Of 14 patients none: at most 19.3 % (Hanley and Lippman-Hand, 1983).
def test_no_events_of_the_paper():
    assert zero_events_bound(14) == pytest.approx(0.193, abs=5e-4)
    assert zero_events_bound(0) == 1


@given(st.floats(1e-9, 0.999), LEVELS)
def test_so_many_rows_hold_one_of_a_class(share, level):
    n = rows_to_see(share, level)
    missed = math.log1p(-share)
    assert -math.expm1(n * missed) >= level * (1 - 1e-9)
    assert n == 1 or -math.expm1((n - 1) * missed) < level * (1 + 1e-9)


def test_rows_of_a_rare_class():
    assert rows_for_events(381, 1e-5) == 38_100_000
    assert rows_for_events(10, 1.0) == 10
    with pytest.raises(InputError, match="more than can be counted"):
        rows_for_events(10, 1e-30)
    with pytest.raises(InputError, match="`share` is"):
        rows_for_events(10, 1.5)


# R, help(power.prop.test): n = 76.7 of each group; power = 0.740 for n = 50. The others are from
# statsmodels 0.15, samplesize_proportions_2indep_onetail and power_proportions_2indep.
def test_two_rates_need_the_rows_of_other_programs():
    assert rows_for_two_rates(0.5, 0.75, power=0.9) == math.ceil(76.70692845177747)
    assert rows_for_two_rates(0.9, 0.85) == math.ceil(685.596858325361)
    assert rows_for_two_rates(0.2, 0.3, side="lower") == math.ceil(230.79723843051025)
    assert power_of_two_rates(50, 0.5, 0.75) == pytest.approx(0.7401671934536109, abs=1e-5)
    assert power_of_two_rates(300, 0.85, 0.9) == pytest.approx(0.4568121941466422, abs=1e-4)


RATES = st.integers(0, 1000).map(lambda x: x / 1000)


@given(RATES, RATES, st.floats(0.55, 0.99), LEVELS)
def test_two_rates_are_told_apart_with_the_power_asked_for(one, other, power, level):
    if one == other:
        with pytest.raises(InputError, match="wanted two that differ"):
            rows_for_two_rates(one, other, power, level)
        return
    n = rows_for_two_rates(one, other, power, level)
    assert n == rows_for_two_rates(other, one, power, level)
    assert power_of_two_rates(n, one, other, level) >= power - 1e-9
    if n > 1:
        assert power_of_two_rates(n - 1, one, other, level) < power + 1e-9


def exact_power_of_one(n, null, true):
    k = np.arange(n + 1)
    z = (k / n - null) / math.sqrt(null * (1 - null) / n)
    return stats.binom.pmf(k, n, true)[abs(z) > z_of(0.95)].sum()


@pytest.mark.parametrize(("null", "true"), [(0.5, 0.6), (0.9, 0.85), (0.2, 0.4), (0.7, 0.65)])
def test_one_rate_is_told_from_a_number_with_about_the_power_asked_for(null, true):
    n = rows_for_one_rate(null, true)
    around = [exact_power_of_one(m, null, true) for m in range(n - 10, n + 11)]
    assert np.mean(around) == pytest.approx(0.8, abs=0.02)


def test_one_rate_needs_the_rows_of_text_books():
    assert rows_for_one_rate(0.5, 0.6) == 194


def exact_power_of_mcnemar(n, one, other):
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    some = b + c <= n
    b, c = b[some], c[some]
    log = stats.multinomial.logpmf(
        np.stack([b, c, n - b - c], -1), n, [one, other, 1 - one - other]
    )
    with np.errstate(invalid="ignore"):
        rejects = (b - c) ** 2 > z_of(0.95) ** 2 * (b + c)
    return np.exp(log)[rejects].sum()


@pytest.mark.parametrize(("one", "other"), [(0.25, 0.1), (0.3, 0.15), (0.12, 0.2)])
def test_mcnemar_has_about_the_power_asked_for(one, other):
    n = rows_for_mcnemar(one, other)
    assert exact_power_of_mcnemar(n, one, other) == pytest.approx(0.8, abs=0.025)


def test_mcnemar_of_shares_that_are_too_many():
    with pytest.raises(InputError, match="add up to"):
        rows_for_mcnemar(0.7, 0.5)


@pytest.mark.parametrize("bad", [0, 1, -0.1, math.nan, "x", True, None])
def test_numbers_outside_their_range_are_refused(bad):
    with pytest.raises(InputError, match="`width` is"):
        rows_for_width(bad)
    with pytest.raises(InputError, match="`power` is"):
        rows_for_two_rates(0.4, 0.5, power=bad)
    with pytest.raises(InputError, match="`level` is"):
        zero_events_bound(10, bad)
    with pytest.raises(InputError, match="`rate` is"):
        rows_for_width(0.1, rate=-0.5 if bad in (0, 1) else bad)


def test_a_width_of_more_rows_than_can_be_counted():
    with pytest.raises(InputError, match="more than can be counted"):
        rows_for_width(1e-12)
