"""Limits of a rate by its likelihood, and the band that holds a whole distribution function."""

import math

import numpy as np
import pytest

from confmat.errors import InputError
from confmat.intervals.distribution_band import distribution_band, divergence_bound
from confmat.intervals.likelihood import likelihood_limits


def deviance(k, n, p):
    """Return twice the logarithm of the likelihood of k / n over that of p."""
    pairs = ((k, n * p), (n - k, n * (1 - p)))
    return 2 * sum(a * math.log(a / b) for a, b in pairs if a)


@pytest.mark.parametrize("n", [1, 7, 40, 10**6, 10**12])
def test_limits_have_the_deviance_that_is_asked_for(n):
    for k in sorted({0, 1, n // 3, n - 1, n}):
        for wanted in (0.01, 3.84, 14.0):
            low, high = (float(end) for end in likelihood_limits(k, n, wanted))
            assert 0 <= low <= k / n <= high <= 1
            assert (low == 0) == (k == 0)
            assert (high == 1) == (k == n)
            rounding = 1e-6 * wanted + 1e-13 * n
            for end in {low, high} - {0.0, 1.0}:
                assert deviance(k, n, end) == pytest.approx(wanted, abs=rounding)


def test_limits_of_fractions_of_a_row():
    low, high = likelihood_limits(1e-3, 7.5, [0, 6, 600])
    assert (low[0], high[0]) == pytest.approx((1e-3 / 7.5, 1e-3 / 7.5))
    assert (low[1:] < 1e-200).all()
    assert (np.diff(high) > 0).all()
    assert (high <= 1).all()


def held(n, level):
    """Return how often the band holds the distribution function of n uniform rows, exactly.

    The rows up to each point are those of a Poisson process, given that there are n in all. Where
    the band of k rows begins more than k - 1 of them may be there, and where it ends more than k
    must be.
    """
    low, high = distribution_band(np.arange(n + 1), n, level)
    events = [(x, 0, k) for k, x in enumerate(low.tolist()) if k]
    events += [(x, 1, k) for k, x in enumerate(high.tolist()) if k < n]
    chance, most, at = np.zeros(n + 1), 0, 0.0
    chance[0] = 1.0
    steps = [math.lgamma(j + 1) for j in range(n + 1)]

    def moved(chance, by):
        if by <= 0:
            return chance
        kernel = np.exp([-n * by + j * math.log(n * by) - steps[j] for j in range(n + 1)])
        return np.convolve(chance, kernel)[: n + 1]

    for x, is_end, k in sorted(events):
        chance, at = moved(chance, x - at), x
        chance[most + 1 :] = 0.0
        if is_end:
            chance[: k + 1] = 0.0
        else:
            most = max(most, k)
    return moved(chance, 1 - at)[n] / math.exp(-n + n * math.log(n) - steps[n])


@pytest.mark.parametrize("n", [1, 2, 3, 10, 40, 150])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95**0.5, 0.95 ** (1 / 3), 0.999])
def test_the_band_holds_the_function_as_often_as_it_says(n, level):
    missed = 1 - held(n, level)
    assert missed <= (1 - level) * (1 + 1e-9)
    if n == 1:
        assert missed == pytest.approx(1 - level)
    else:
        assert missed >= 0.55 * (1 - level)


def test_the_exact_probability_is_that_of_samples():
    rng = np.random.default_rng(3)
    rows = np.sort(rng.random((20_000, 25)), 1)
    low, high = distribution_band(np.arange(26), 25, 0.8)
    share = ((rows >= low[1:]) & (rows <= high[:-1])).all(1).mean()
    assert share == pytest.approx(held(25, 0.8), abs=0.01)


def test_bands_are_nested_and_hold_the_estimate():
    counts = np.arange(201)
    narrow, wide = (distribution_band(counts, 200, level) for level in (0.5, 0.99))
    assert (wide[0] <= narrow[0]).all()
    assert (narrow[0] <= counts / 200).all()
    assert (counts / 200 <= narrow[1]).all()
    assert (narrow[1] <= wide[1]).all()
    assert (np.diff(wide[0]) >= 0).all()
    assert wide[0].min() >= 0
    assert wide[1].max() <= 1
    assert divergence_bound(1e9, 0.95) < 1.7 * divergence_bound(10, 0.95)


def test_no_rows_and_no_level():
    assert np.isnan(distribution_band([0.0, 0.0], 0)).all()
    assert np.isnan(distribution_band([0.0, 0.0], math.nan)).all()
    with pytest.raises(InputError, match="`level` is 2"):
        distribution_band([0.0], 1, 2)
