"""Tests of scores: by their definitions over rows, and as SciPy has them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import confmat as cm

RNG = np.random.default_rng(5)
P = RNG.random(500)
Y = (RNG.random(500) < P).astype(int)
S = cm.sweep(Y, P)
calibrated = pytest.mark.parametrize("name", ["spiegelhalter", "hosmer_lemeshow"])


def spiegelhalter(y, p):
    """Return z: the Brier score, less what it is expected to be, over its standard deviation."""
    brier, expected = np.mean((y - p) ** 2), np.mean(p * (1 - p))
    return (brier - expected) / math.sqrt(np.sum((1 - 2 * p) ** 2 * p * (1 - p)) / len(y) ** 2)


def test_spiegelhalter_is_that_of_the_rows():
    z = spiegelhalter(Y, P)
    found = S.test("spiegelhalter")
    assert found.statistic == pytest.approx(z, rel=1e-9)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-9)
    ties = np.round(P, 1)
    assert cm.sweep(Y, ties).test("spiegelhalter").statistic == pytest.approx(
        spiegelhalter(Y, ties), rel=1e-9
    )


def test_scores_that_are_too_sure_are_found():
    sure = np.where(P > 0.5, 1 - (1 - P) ** 2, P**2)
    found = cm.sweep(Y, sure).test("spiegelhalter")
    assert found.statistic > 3
    assert cm.sweep(Y, sure).test("hosmer_lemeshow").p_value < 1e-3


@calibrated
def test_the_sizes_of_tests_of_calibration(name):
    rng = np.random.default_rng(17)
    p = rng.beta(2, 2, (600, 300))
    y = (rng.random(p.shape) < p).astype(int)
    found = [cm.sweep(*rows).test(name).p_value for rows in zip(y, p, strict=True)]
    assert 0.03 < np.mean(np.array(found) < 0.05) < 0.075


def test_spiegelhalter_where_nothing_is_left_to_chance():
    assert math.isnan(cm.sweep([0, 1], [0.5, 0.5]).test("spiegelhalter").p_value)
    assert math.isnan(cm.sweep([0, 1], [0.0, 1.0]).test("spiegelhalter").p_value)
    found = cm.sweep([1, 1], [0.0, 1.0]).test("spiegelhalter")
    assert (found.statistic, found.p_value, found.log_p) == (math.inf, 0, -math.inf)


@given(st.integers(0, 2**31), st.integers(2, 12), st.booleans(), st.sampled_from([1, 2, 9]))
def test_hosmer_and_lemeshow_by_groups_of_rows(seed, groups, fitted, digits):
    rng = np.random.default_rng(seed)
    p = np.clip(np.round(rng.random(150), digits), 0.01, 0.99)
    y = (rng.random(150) < p).astype(int)
    # As `cut` of R parts them: (a, b], at quantiles, the lowest included.
    edges = np.unique(np.quantile(p, np.arange(1, groups) / groups))
    group = np.searchsorted(edges, p, side="left")
    wanted, parts = 0.0, 0
    for one in np.unique(group):
        rows = group == one
        parts += 1
        for of_class, share in ((y, p), (1 - y, 1 - p)):
            expected = share[rows].sum()
            wanted += (of_class[rows].sum() - expected) ** 2 / expected
    found = cm.sweep(y, p).test("hosmer_lemeshow", groups=groups, fitted=fitted)
    df = parts - 2 * fitted
    if df < 1:
        assert math.isnan(found.p_value)
    else:
        assert found.statistic == pytest.approx(wanted, rel=1e-8)
        assert found.df == df
        assert found.p_value == pytest.approx(stats.chi2.sf(wanted, df), rel=1e-6)


def test_ks_is_that_of_scipy():
    scores = RNG.normal(size=300) + 0.3 * Y[:300]
    s = cm.sweep(Y[:300], scores)
    wanted = stats.ks_2samp(scores[Y[:300] == 1], scores[Y[:300] == 0], method="exact")
    found = s.test("ks")
    assert found.method == "exact"
    assert found.statistic == pytest.approx(wanted.statistic, rel=1e-12) == s.ks
    assert found.p_value == pytest.approx(wanted.pvalue, rel=1e-9)


def test_ks_of_many_rows_has_the_limit_distribution():
    y = np.arange(60_000) % 3 == 0
    scores = RNG.normal(size=60_000) + 0.02 * y
    found = cm.sweep(y, scores).test("ks")
    wanted = stats.ks_2samp(scores[y], scores[~y], method="asymp")
    assert found.method == "limit distribution"
    assert found.p_value == pytest.approx(wanted.pvalue, rel=0.02)
    apart = cm.sweep(y, y.astype(float)).test("ks")
    assert apart.p_value == 0
    assert apart.log_p == pytest.approx(math.log(2) - 2 * 20_000 * 40_000 / 60_000)


def test_ks_of_bins_and_of_one_class():
    binned = cm.sweep(Y, P, bins=[0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert binned.test("ks").statistic == pytest.approx(binned.ks)
    found = cm.sweep([1, 1], [0.2, 0.3]).test("ks")
    assert math.isnan(found.p_value)
    assert "one class" in found.note


@calibrated
def test_what_tests_of_calibration_refuse(name):
    with pytest.raises(cm.InputError, match="bins"):
        cm.sweep(Y, P, bins=[0.0, 0.5, 1.0]).test(name)
    with pytest.raises(cm.InputError, match="weighted"):
        cm.sweep(Y, P, sample_weight=P).test(name)
    with pytest.raises(cm.InputError, match="outside"):
        cm.sweep(Y, P + 1).test(name)
    empty = cm.sweep([], [])
    assert math.isnan(empty.test(name).p_value)


def test_refused():
    with pytest.raises(cm.InputError, match="weighted"):
        cm.sweep(Y, P, sample_weight=P).test("ks")
    with pytest.raises(cm.InputError, match="groups"):
        S.test("hosmer_lemeshow", groups=1)
    with pytest.raises(cm.InputError, match="'spiegelhalter', 'hosmer_lemeshow', 'ks'"):
        S.test("delong")


def test_float32_scores():
    single = P.astype(np.float32)
    found = cm.sweep(Y, single).test("spiegelhalter")
    assert found.statistic == pytest.approx(spiegelhalter(Y, single.astype(float)), rel=1e-9)
