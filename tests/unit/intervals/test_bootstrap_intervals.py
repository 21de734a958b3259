"""Percentile and BCa intervals of replicates: published numbers, SciPy, hostile input."""

import math

import numpy as np
import pytest
from scipy import stats

from confmat.errors import InputError
from confmat.intervals.bootstrap import bca, deviations, least_replicates, percentile
from confmat.intervals.jackknife import acceleration, picked_rows

# Efron and Tibshirani (1993), table 14.1: spatial test data, instrument A.
SPATIAL = np.array(
    [48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26,
     30, 41]
)  # fmt: skip


def replicates_of(seed, n=2000):
    rng = np.random.default_rng(seed)
    return rng.gamma(3.0, size=n)


def test_percentiles_are_order_statistics():
    drawn = np.random.default_rng(1).permutation(999).astype(float)
    low, high, undefined = percentile(drawn, 0.9)
    assert (low, high, undefined) == (49.0, 949.0, 0.0)
    assert percentile(drawn, 0.95, "lower")[:2] == (49.0, math.inf)
    assert percentile(drawn, 0.95, "upper")[:2] == (-math.inf, 949.0)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_percentiles_between_order_statistics(level):
    drawn = replicates_of(2, 1234)
    tail = (1 - level) / 2
    expected = np.quantile(drawn, [tail, 1 - tail], method="weibull")
    np.testing.assert_allclose(percentile(drawn, level)[:2], expected, rtol=1e-12)


def test_columns_are_alike():
    drawn = np.stack([replicates_of(seed) for seed in range(3)], axis=1)
    drawn[::4, 1] = np.nan
    low, high, undefined = percentile(drawn, 0.9)
    assert undefined.tolist() == [0, 0.25, 0]
    for at in range(3):
        assert (low[at], high[at]) == percentile(drawn[:, at], 0.9)[:2]
    some = drawn[:, 1][~np.isnan(drawn[:, 1])]
    assert (low[1], high[1]) == percentile(some, 0.9)[:2]
    rates, values = [0.01, -0.02, 0.1], [3.0, 2.9, 3.2]
    both = bca(values, drawn, rates, 0.9)
    for at in range(3):
        one = bca(values[at], drawn[:, at], rates[at], 0.9)
        assert [part[at] for part in both] == [float(part) for part in one]


def test_infinite_replicates_are_ends():
    drawn = np.append(np.full(100, -np.inf), np.arange(899.0))
    low, high, _ = percentile(drawn, 0.9)
    assert (low, high) == (-math.inf, 849.0)


def test_bca_of_the_spatial_data():
    """Efron and Tibshirani (1993), section 14.3: the variance of 26 scores."""
    assert SPATIAL.var() == pytest.approx(171.5, abs=0.05)
    rate = acceleration((SPATIAL - SPATIAL.mean()) ** 2, np.ones(26))
    assert float(rate) == pytest.approx(0.061, abs=5e-4)
    # With their z0 of 0.146 the ends are those of the shares 0.110 and 0.985 (equation 14.13).
    drawn = np.arange(1999.0)
    value = float(stats.norm.cdf(0.146)) * 1999 - 0.5
    low, high, _ = bca(value, drawn, 0.061, 0.90)
    assert (low + 1) / 2000 == pytest.approx(0.110, abs=1e-3)
    assert (high + 1) / 2000 == pytest.approx(0.985, abs=1e-3)
    # Theirs of 2,000 replicates is (115.8, 259.6).
    drawn = np.random.default_rng(0).choice(SPATIAL, (20_000, 26)).var(axis=1)
    low, high, _ = bca(SPATIAL.var(), drawn, rate, 0.90)
    assert low == pytest.approx(115.8, abs=4)
    assert high == pytest.approx(259.6, abs=8)


def test_bca_as_scipy():
    rng = np.random.default_rng(4)
    rows = rng.gamma(2.0, size=60)
    kept = []

    def mean_of_roots(x, axis=-1):
        found = np.sqrt(x).mean(axis) ** 2
        kept.append(found)
        return found

    expected = stats.bootstrap(
        (rows,), mean_of_roots, n_resamples=4000, method="BCa", rng=rng, vectorized=True
    )
    value = float(np.sqrt(rows).mean() ** 2)
    less = np.array([np.sqrt(np.delete(rows, i)).mean() ** 2 for i in range(60)])
    low, high, _ = bca(value, expected.bootstrap_distribution, acceleration(-less, np.ones(60)))
    assert low == pytest.approx(expected.confidence_interval.low, rel=2e-3)
    assert high == pytest.approx(expected.confidence_interval.high, rel=2e-3)


def test_bca_without_bias_and_skewness_is_percentile():
    drawn = np.arange(999.0)
    plain = percentile(drawn)
    np.testing.assert_allclose(bca(499.0, drawn, 0.0), plain, atol=1e-9)
    low, high, _ = bca(499.0, drawn, 0.05)
    assert low > plain[0]
    assert high > plain[1]
    assert bca(499.0, drawn, 0.05, 0.975, "lower")[0] == pytest.approx(low, abs=1e-9)
    assert bca(499.0, drawn, 0.05, 0.975, "lower")[1] == math.inf
    assert bca(499.0, drawn, 0.05, 0.975, "upper")[0] == -math.inf
    assert bca(499.0, drawn, 0.05, 0.975, "upper")[1] == pytest.approx(high, abs=1e-9)


def test_bca_of_ties_counts_half_of_them():
    drawn = np.repeat(np.arange(5.0), 200)
    low, high, _ = bca(2.0, drawn, 0.0, 0.5)  # as many below as above
    assert (low, high) == (1.0, 3.0)
    low, high, _ = bca(np.full(3, 7.0), np.full((1000, 3), 7.0), 0.0)
    assert low.tolist() == high.tolist() == [7.0] * 3


@pytest.mark.parametrize(
    ("value", "rate", "drawn"),
    [
        (math.nan, 0.0, np.arange(1000.0)),
        (500.0, math.nan, np.arange(1000.0)),
        (-1.0, 0.0, np.arange(1000.0)),  # below all of them
        (1000.0, 0.0, np.arange(1000.0)),
        (5.0, 0.0, np.arange(1000.0)),  # an end lies beyond all of them
        (500.0, 9.0, np.arange(1000.0)),
        (0.5, 0.0, np.full(1000, np.nan)),
    ],
)
def test_ends_that_are_not_known_are_nan(value, rate, drawn):
    low, high, _ = bca(value, drawn, rate)
    assert math.isnan(low)
    assert math.isnan(high)


def test_too_few_replicates_are_refused():
    assert least_replicates(0.95) == 400
    assert least_replicates(0.99) == 2000
    assert least_replicates(0.95, "lower") == 200
    for level, least in ((0.95, 400), (0.99, 2000), (0.9, 200)):
        bca(0.5, np.linspace(0, 1, least), 0.0, level)
        with pytest.raises(InputError, match=f"at least {least:,}"):
            bca(0.5, np.linspace(0, 1, least - 1), 0.0, level)
    percentile(np.arange(39.0))
    with pytest.raises(InputError, match="at least 39"):
        percentile(np.arange(38.0))
    with pytest.raises(InputError, match="`replicates` are 0"):
        percentile([])


@pytest.mark.parametrize(
    "call",
    [
        lambda: percentile(np.arange(999.0), 1.0),
        lambda: percentile(np.arange(999.0), 0.9, "left"),
        lambda: percentile(np.zeros((2, 2, 2))),
        lambda: percentile("many"),
        lambda: bca([1.0, 2.0, 3.0], np.zeros((999, 2)), 0.0),
        lambda: bca(1.0, np.zeros((999, 2)), [0.0] * 5),
        lambda: acceleration([1.0, 2.0], [3.0]),
    ],
)
def test_hostile_arguments(call):
    with pytest.raises(InputError):
        call()


def test_acceleration_is_a_sixth_of_the_skewness():
    rng = np.random.default_rng(5)
    counts = rng.integers(1, 50, 40)
    changes = rng.normal(size=40) ** 2
    rows = np.repeat(changes, counts)
    expected = stats.skew(rows) / 6 / math.sqrt(len(rows))
    assert float(acceleration(changes, counts)) == pytest.approx(expected, rel=1e-12)
    assert float(acceleration(7 - 2e9 * changes, counts)) == pytest.approx(-expected, rel=1e-9)
    many = acceleration(np.stack([changes, -changes], 1), counts)
    assert many.tolist() == pytest.approx([expected, -expected])


def test_acceleration_of_strata():
    """Davison and Hinkley (1997), equation 5.24, of two samples."""
    rng = np.random.default_rng(6)
    one, other = rng.gamma(2.0, size=30), rng.gamma(1.0, size=50)
    parts = [(one - one.mean()) / 30, (other - other.mean()) / 50]  # of the sum of two means
    third = sum((part**3).sum() for part in parts)
    expected = third / 6 / sum((part**2).sum() for part in parts) ** 1.5
    found = acceleration(np.append(one / 30, other / 50), np.ones(80), [0] * 30 + [1] * 50)
    assert float(found) == pytest.approx(expected)


def test_acceleration_at_the_ends():
    assert float(acceleration([2.0, 2.0], [5, 9])) == 0.0
    assert float(acceleration([0.1 + 0.2, 0.3], [5, 9])) == 0.0  # rounding is no difference
    assert math.isnan(acceleration([1.0, math.nan], [5, 9]))
    assert not math.isnan(acceleration([1.0, 2.0, math.nan], [5, 9, 0]))
    assert acceleration(np.zeros((0, 2)), []).tolist() == [0.0, 0.0]


def test_rows_that_stand_for_all():
    counts = np.random.default_rng(7).integers(0, 9, 5000)
    cells, rows = picked_rows(counts)
    assert len(cells) <= 400
    assert rows.sum() == pytest.approx(counts.sum())
    assert (counts[cells] > 0).all()
    cells, rows = picked_rows([0, 4, 0, 2])
    assert cells.tolist() == [1, 3]
    assert rows.tolist() == [4, 2]


def test_deviations():
    drawn = np.random.default_rng(8).normal(size=(500, 2))
    np.testing.assert_allclose(deviations(drawn), drawn.std(0, ddof=1))
    drawn[3, 0] = np.nan
    assert deviations(drawn)[0] == pytest.approx(np.delete(drawn[:, 0], 3).std(ddof=1))
    assert math.isnan(deviations(np.array([[1.0], [np.nan]]))[0])
    assert math.isnan(deviations(np.array([[1.0], [np.inf], [2.0]]))[0])
