"""Bins of a calibration: their edges, what lies in them, and Wilson's band."""

from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from support.scored import counted, scored

import confmat as cm

SMALL = ([0.0, 0.1, 0.10000000000000002, 0.5, 1.0], [1, 2, 3, 0, 4], [5, 0, 1, 2, 1])


def rows_of(table, *columns):
    return table.select(columns).rows()


def test_bins_are_open_below_and_closed_above():
    c = cm.Calibration(*SMALL)
    table = c.table()
    assert table.columns == [
        "lo",
        "hi",
        "n",
        "mean_score",
        "fraction_positive",
        "ci_low",
        "ci_high",
    ]
    assert table.dtypes == [pl.Float64, pl.Float64, pl.Int64, *[pl.Float64] * 4]
    assert table["lo"].to_list() == [k / 10 for k in range(10)]
    assert table["hi"].to_list() == [k / 10 for k in range(1, 11)]
    # 0 is in the first bin, 0.1 too, the next float is not; 0.5 is in (0.4, 0.5].
    assert table["n"].to_list() == [8, 4, 0, 0, 2, 0, 0, 0, 0, 5]
    assert table["fraction_positive"].to_list()[:5] == [3 / 8, 3 / 4, None, None, 0]
    assert table["mean_score"].to_list()[:5] == [0.2 / 8, 0.10000000000000002, None, None, 0.5]
    assert c.edges.tolist() == [k / 10 for k in range(11)]
    assert (c.n, c.n_effective, c.strategy) == (19, 19.0, "uniform")


@pytest.mark.parametrize("bins", [3, 7, 10, 100])
def test_scores_on_an_edge_belong_below_it(bins):
    edges = [k / bins for k in range(1, bins + 1)]
    c = cm.Calibration(edges, [1] * bins, [0] * bins, bins=bins)
    assert c.table()["n"].to_list() == [1] * bins


def test_scores_of_32_bits_are_compared_as_they_are():
    scores = np.array([0.1, 0.5], dtype=np.float32)  # the first is above the double 0.1
    c = cm.Calibration(scores, np.array([1, 1], np.uint32), np.array([0, 3], np.uint32))
    assert c.table()["n"].to_list()[:5] == [0, 1, 0, 0, 4]


def test_given_edges():
    c = cm.Calibration(*SMALL, bins=[0, 0.1, 0.5, 1])
    assert rows_of(c.table(), "lo", "hi", "n") == [(0, 0.1, 8), (0.1, 0.5, 6), (0.5, 1, 5)]
    assert c.strategy == "edges"
    assert c.edges.tolist() == [0, 0.1, 0.5, 1]
    assert cm.Calibration(*SMALL, bins=np.linspace(0, 1, 3)).table()["n"].to_list() == [14, 5]


def test_quantile_bins_of_distinct_scores_have_equal_mass():
    rng = np.random.default_rng(0)
    s = np.sort(rng.random(120))
    y = rng.integers(0, 2, 120)
    for bins in (1, 2, 5, 8, 12, 120):
        c = cm.Calibration(s, y, 1 - y, bins=bins, strategy="quantile")
        assert c.table()["n"].to_list() == [120 // bins] * bins
        tenths = cm.Calibration(s, y * 0.1, (1 - y) * 0.1, bins=bins, strategy="quantile")
        np.testing.assert_allclose(tenths.table()["n"], [12 / bins] * bins, rtol=1e-12)


def test_quantile_bins_keep_rows_of_one_score_together():
    c = cm.Calibration([0.1, 0.2, 0.3, 0.4], [1, 90, 1, 1], [1, 5, 1, 0], 4, "quantile")
    assert rows_of(c.table(), "lo", "hi", "n") == [(0, 0.2, 97), (0.2, 1, 3)]
    one = cm.Calibration([0.3], [3], [7], 10, "quantile")
    assert rows_of(one.table(), "lo", "hi", "n") == [(0, 0.3, 10), (0.3, 1, 0)]


def test_quantile_edges_at_the_ends():
    c = cm.Calibration([0.0, 0.5, 1.0], [5, 1, 9], [5, 3, 1], 4, "quantile")
    assert rows_of(c.table(), "lo", "hi", "n") == [(0, 0, 10), (0, 0.5, 4), (0.5, 1, 10)]
    assert c.ece == pytest.approx((5 + 1 + 1) / 24)
    one = cm.Calibration([1.0], [9], [1], 4, "quantile")
    assert rows_of(one.table(), "lo", "hi", "n") == [(0, 1, 10)]


def test_isotonic_bins_are_the_blocks():
    c = cm.Calibration([0.1, 0.2, 0.3, 0.7, 0.9], [1, 0, 3, 1, 4], [1, 4, 1, 3, 1], 10, "isotonic")
    assert rows_of(c.table(), "lo", "hi", "n", "fraction_positive") == [
        (0.0, 0.2, 6, 1 / 6),
        (0.2, 0.7, 8, 0.5),
        (0.7, 1.0, 5, 0.8),
    ]


def test_isotonic_blocks_of_equal_share_are_one():
    # The shares are 0.7, 0.706 and 0.5; the rounded mean of the last two is a hair above 0.7.
    c = cm.Calibration([0.1, 0.2, 0.3], [140, 240, 5], [60, 100, 5], strategy="isotonic")
    assert c.table()["n"].to_list() == [550]
    counts = [1, 140, 240, 5], [9, 60, 100, 5]
    c = cm.Calibration([0.05, 0.1, 0.2, 0.3], *counts, strategy="isotonic")
    assert c.table()["n"].to_list() == [10, 550]


@pytest.mark.parametrize("n_effective", [None, 7.5, 1000])
def test_wilson_band(n_effective):
    c = cm.Calibration(*scored(1).counts(), bins=7, n_effective=n_effective)
    z = NormalDist().inv_cdf(0.975)
    scale = 1 if n_effective is None else n_effective / 400
    for row in c.table().iter_rows(named=True):
        n, p = row["n"] * scale, row["fraction_positive"]
        # The bounds are where the test of the share p has its critical value.
        for bound in (row["ci_low"], row["ci_high"]):
            critical = z * z * bound * (1 - bound) / n
            assert (p - bound) ** 2 == pytest.approx(critical, rel=1e-12, abs=1e-15)
        assert 0 <= row["ci_low"] <= p <= row["ci_high"] <= 1


def test_wilson_band_equals_scipy():
    stats = pytest.importorskip("scipy.stats")
    for row in cm.Calibration(*scored(2).counts(), bins=5).table().iter_rows(named=True):
        test = stats.binomtest(round(row["n"] * row["fraction_positive"]), row["n"])
        wanted = test.proportion_ci(0.95, method="wilson")
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((wanted.low, wanted.high))


def test_a_score_next_to_the_last_edge():
    y, s = np.array([1, 0]), np.array([np.nextafter(1, 0), 1.0])
    assert cm.Calibration(*counted(y, s)).table()["n"].to_list()[-1] == 2
