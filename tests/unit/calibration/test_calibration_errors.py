"""Calibration errors, and the terms of the Brier score by Murphy and by isotonic regression."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.scored import scored

import confmat as cm

STRATEGIES = ("uniform", "quantile", "isotonic")


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
    assert c.ece == c.value("ece") == pytest.approx(np.average(gaps, weights=sizes))
    assert c.rms_ce == pytest.approx(np.sqrt(np.average(gaps**2, weights=sizes)))
    assert c.mce == pytest.approx(gaps.max())
    roots = np.sqrt(sizes)
    assert c.ece_sqrt == pytest.approx(np.average(gaps, weights=roots))
    assert c.rms_ce_sqrt == pytest.approx(np.sqrt(np.average(gaps**2, weights=roots)))
    assert c["mce"] == c.mce
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
