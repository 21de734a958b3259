"""Calibration in bins: tables, errors, decompositions of the Brier score, bad input."""

import copy
import math
import pickle
import sys
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.scored import counted, scored

import confmat as cm

SMALL = ([0.0, 0.1, 0.10000000000000002, 0.5, 1.0], [1, 2, 3, 0, 4], [5, 0, 1, 2, 1])
STRATEGIES = ("uniform", "quantile", "isotonic")


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


def test_order_of_scores_does_not_matter():
    s, p, n = scored(3).counts()
    up, down = cm.Calibration(s[::-1], p[::-1], n[::-1]), cm.Calibration(s, p, n)
    assert up.table().equals(down.table())
    assert (up.slope, up.brier) == (down.slope, down.brier)


def test_scores_of_no_weight_do_not_show():
    c = cm.Calibration([0.1, 0.2, 0.9], [1, 0, 2], [2, 0, 1], strategy="isotonic")
    assert c.table().equals(cm.Calibration([0.1, 0.9], [1, 2], [2, 1], strategy="isotonic").table())


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


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("weighted", [False, True])
@given(seed=st.integers(0, 2**32))
def test_errors_are_what_they_say(strategy, weighted, seed):
    rows = scored(seed, weighted, rows=60)
    c = cm.Calibration(*rows.counts(), bins=6, strategy=strategy)
    w = np.ones(60) if rows.w is None else rows.w
    at = np.searchsorted(c.edges[1:-1], rows.s)
    gaps, sizes = [], []
    for k in set(at):
        mine = at == k
        gaps.append(abs(np.average((rows.s - rows.y)[mine], weights=w[mine])))
        sizes.append(w[mine].sum())
    gaps, sizes = np.array(gaps), np.array(sizes)
    assert c.ece == c.error("l1") == pytest.approx(np.average(gaps, weights=sizes))
    assert c.rms_ce == pytest.approx(np.sqrt(np.average(gaps**2, weights=sizes)))
    assert c.mce == pytest.approx(gaps.max())
    roots = np.sqrt(sizes)
    assert c.ece_sqrt == pytest.approx(np.average(gaps, weights=roots))
    assert c.rms_ce_sqrt == pytest.approx(np.sqrt(np.average(gaps**2, weights=roots)))
    assert c.error("max", "sqrt") == c.mce
    adaptive = cm.Calibration(*rows.counts(), bins=6, strategy="quantile").ece
    assert c.adaptive_ece == adaptive


def test_adaptive_ece_of_given_edges_has_as_many_bins():
    rows = scored(9).counts()
    wanted = cm.Calibration(*rows, 3, "quantile").ece
    assert cm.Calibration(*rows, bins=[0, 0.2, 0.3, 1]).adaptive_ece == wanted


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("weighted", [False, True])
@given(seed=st.integers(0, 2**32), bins=st.integers(1, 30))
def test_murphys_terms_sum_to_the_brier_score(strategy, weighted, seed, bins):
    rows = scored(seed, weighted, rows=80)
    c = cm.Calibration(*rows.counts(), bins=bins, strategy=strategy)
    brier = np.average((rows.s - rows.y) ** 2, weights=rows.w)
    assert c.brier == pytest.approx(brier, rel=1e-13)
    for terms in (c.brier_decomposition, c.brier_decomposition_exact):
        assert terms.brier == c.brier
        total = terms.reliability - terms.resolution + terms.uncertainty
        total += terms.within_variance - terms.within_covariance
        assert total == pytest.approx(c.brier, abs=1e-12)
        assert min(terms.reliability, terms.resolution, terms.within_variance) >= 0
    exact = c.brier_decomposition_exact
    assert exact.within_variance == pytest.approx(0, abs=1e-15)
    assert exact.within_covariance == pytest.approx(0, abs=1e-15)
    base = np.average(rows.y, weights=rows.w)
    assert exact.uncertainty == pytest.approx(base * (1 - base))


def test_murphys_terms_by_hand():
    # One bin: scores 0.2 and 0.6, two rows each; one positive of two and two of two.
    terms = cm.Calibration([0.2, 0.6], [1, 2], [1, 0], bins=1).brier_decomposition
    assert terms.brier == pytest.approx((0.8**2 + 0.2**2 + 2 * 0.4**2) / 4)
    assert terms.reliability == pytest.approx((0.4 - 0.75) ** 2)
    assert terms.resolution == 0
    assert terms.uncertainty == 0.75 * 0.25
    assert terms.within_variance == pytest.approx(0.2**2)
    # off the mean by -0.2, -0.2, 0.2, 0.2, and y off by 0.25, -0.75, 0.25, 0.25
    assert terms.within_covariance == pytest.approx(2 * 0.2 * (-0.25 + 0.75 + 0.5) / 4)


@pytest.mark.parametrize("weighted", [False, True])
@given(seed=st.integers(0, 2**32))
def test_corp_terms(weighted, seed):
    rows = scored(seed, weighted, rows=80)
    c = cm.Calibration(*rows.counts())
    terms = c.corp
    total = terms.miscalibration - terms.discrimination + terms.uncertainty
    assert total == pytest.approx(c.brier, abs=1e-12)
    assert terms.miscalibration >= 0
    assert terms.discrimination >= 0
    blocks = cm.Calibration(*rows.counts(), strategy="isotonic").brier_decomposition
    assert terms.discrimination == pytest.approx(blocks.resolution, abs=1e-15)


def test_corp_of_a_calibrated_score_has_no_miscalibration():
    terms = cm.Calibration([0.25, 0.5, 0.75], [1, 2, 3], [3, 2, 1]).corp
    assert terms.miscalibration == 0
    assert terms.brier == terms.uncertainty - terms.discrimination


def test_without_scipy_isotonic_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    c = cm.Calibration(*SMALL)
    assert c.ece > 0
    assert len(c.overall()) == 13
    with pytest.raises(cm.ConfmatError, match=r"SciPy 1\.12.*confmat\[stats\]"):
        _ = c.corp
    with pytest.raises(cm.ConfmatError, match="SciPy"):
        cm.Calibration(*SMALL, strategy="isotonic")


def test_weights_act_like_repeated_rows():
    s, p, n = scored(5).counts()
    whole, real = cm.Calibration(s, p, n), cm.Calibration(s, p.astype(float), n.astype(float))
    assert whole.table().drop("n").equals(real.table().drop("n"))
    assert real.table()["n"].dtype == pl.Float64
    assert whole.overall().equals(real.overall())
    third = cm.Calibration(s, p / 3, n / 3, n_effective=400)
    np.testing.assert_allclose(third.table()["ci_low"], whole.table()["ci_low"], rtol=1e-12)
    assert third.spiegelhalter_z == pytest.approx(whole.spiegelhalter_z)
    assert third.slope == pytest.approx(whole.slope)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_rows(strategy):
    c = cm.Calibration([], [], [], bins=4, strategy=strategy)
    assert c.table()["n"].sum() == c.n == 0
    assert c.table()["mean_score"].null_count() == len(c.table())
    frame = c.overall()
    assert frame["value"].null_count() == len(frame)
    assert set(frame["reason"]) == {"there are no rows"}
    for terms in (c.brier_decomposition, c.brier_decomposition_exact, c.corp):
        assert all(math.isnan(term) for term in terms)
    assert "n=0" in repr(c)


def test_one_class():
    c = cm.Calibration([0.2, 0.9], [0, 0], [3, 5])
    assert c.ece == pytest.approx((0.2 * 3 + 0.9 * 5) / 8)
    assert c.brier_decomposition_exact.uncertainty == 0
    for name in ("slope", "intercept", "in_the_large"):
        assert math.isnan(getattr(c, name))
        assert c.reason(name) == "all rows are of one class"
    assert c.reason("ece") is None


def test_overall_frame():
    frame = cm.Calibration(*scored(1).counts()).overall()
    assert frame.columns == ["metric", "value", "reason"]
    assert frame.dtypes == [pl.String, pl.Float64, pl.String]
    c = cm.Calibration(*SMALL)
    for name, value, reason in c.overall().rows():
        number = getattr(c, name)
        assert math.isnan(number) if value is None else value == number
        assert reason == c.reason(name)
        assert (reason is None) == (value is not None)


@pytest.mark.parametrize("bins", [10, [0, 0.25, 1]])
def test_copies_are_the_same(bins):
    c = cm.Calibration(*SMALL, bins=bins, n_effective=9, clip=0.01)
    for twin in (pickle.loads(pickle.dumps(c)), copy.copy(c), copy.deepcopy(c)):
        assert twin.table().equals(c.table())
        assert twin.overall().equals(c.overall())
        assert repr(twin) == repr(c)
    with pytest.raises(AttributeError, match="does not change; cannot set 'n'"):
        c.n = 3
    assert repr(cm.Calibration([0.5], [1], [1])) == (
        "<Calibration of 10 bins (uniform), n=2, ece=0>"
    )


@pytest.mark.parametrize(
    ("scores", "found"),
    [([0.5, 1.5], "1.5"), ([-0.25, 0.5], "-0.25"), ([0.5, math.inf], "inf")],
)
def test_scores_that_are_no_probabilities(scores, found):
    with pytest.raises(cm.InputError, match=f"`y_score` holds {found}; .* from 0 to 1"):
        cm.Calibration(scores, [1, 1], [1, 1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bins": 0}, "`bins` is 0; wanted at least 1"),
        ({"bins": True}, "`bins` is True"),
        ({"bins": 2.5}, "`bins` is 2.5; wanted a number of bins or at least two edges"),
        ({"bins": "10"}, "`bins` is '10'"),
        ({"bins": [0.5]}, "at least two edges"),
        ({"bins": ["a", "b"]}, "at least two edges"),
        ({"bins": [0, 0.5, 0.5, 1]}, "`bins` holds 0.5 and then 0.5 at position 2; .* increasing"),
        ({"bins": [0, math.nan, 1]}, "`bins` holds nan at position 1; wanted finite"),
        ({"bins": [0, math.inf]}, "`bins` holds inf at position 1"),
        ({"bins": [0.1, 1]}, "goes from 0.1 to 1.0; wanted edges from 0 to 1"),
        ({"bins": [0, 1], "strategy": "quantile"}, "`strategy` is 'quantile'; wanted one of the"),
        ({"strategy": "kmeans"}, "'kmeans'; wanted one of 'uniform', 'quantile', 'isotonic'"),
        ({"strategy": [0, 1]}, "edges go to `bins`"),
        ({"clip": 0.5}, "`clip` is 0.5"),
        ({"clip": True}, "`clip` is True"),
        ({"n_effective": True}, "`n_effective` is True"),
        ({"n_effective": 0}, "`n_effective` is 0"),
        ({"n_effective": math.inf}, "`n_effective` is inf"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(cm.InputError, match=message):
        cm.Calibration(*SMALL, **options)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([0.1, 0.2], [1], [1, 1]), r"shapes \(2,\), \(1,\) and \(2,\)"),
        (([[0.1]], [[1]], [[1]]), "shapes"),
        (([0.1, 0.1], [1, 1], [1, 1]), r"`scores` holds \[0.1, 0.1\] side by side"),
        (([0.1, 0.3, 0.2], [1, 1, 1], [1, 1, 1]), r"`scores` holds \[0.3, 0.2\]"),
        (([0.5, math.nan], [1, 1], [1, 1]), "`scores` holds nan at position 1"),
        (([math.nan], [1], [1]), "`scores` holds nan at position 0"),
        (([0.1, 0.2], [1, -1], [1, 1]), "`positives` holds -1.0"),
        (([0.1, 0.2], [1, 1], [math.nan, 1]), "`negatives` holds nan"),
    ],
)
def test_bad_counts(arrays, message):
    with pytest.raises(cm.InputError, match=message):
        cm.Calibration(*arrays)


def test_unknown_names():
    c = cm.Calibration(*SMALL)
    with pytest.raises(cm.InputError, match="'sharpness'; wanted one of ece"):
        c.reason("sharpness")
    with pytest.raises(cm.InputError, match="`norm` is 'l3'"):
        c.error("l3")
    with pytest.raises(cm.InputError, match="`weights` is 'n'"):
        c.error(weights="n")


def test_a_score_next_to_the_last_edge():
    y, s = np.array([1, 0]), np.array([np.nextafter(1, 0), 1.0])
    assert cm.Calibration(*counted(y, s)).table()["n"].to_list()[-1] == 2
