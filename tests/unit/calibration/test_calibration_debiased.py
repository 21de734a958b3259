"""The debiased calibration error: its definition, that it is unbiased, and what it cannot say."""

import math

import numpy as np
import pytest

import confmat as cm


def by_rows(score, y, edges):
    """Return the estimate of Kumar et al. (2019), row by row as in their published code."""
    at = np.searchsorted(edges[1:-1], score)
    total = 0.0
    for k in set(at):
        mine = at == k
        if mine.sum() < 2:
            continue
        share = y[mine].mean()
        square = (score[mine].mean() - share) ** 2 - share * (1 - share) / (mine.sum() - 1)
        total += mine.mean() * square
    return math.sqrt(max(total, 0.0))


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_definition(strategy):
    for seed in range(30):
        rng = np.random.default_rng(seed)
        score = np.round(rng.random(40), 2)
        y = (rng.random(40) < score**2).astype(int)
        c = cm.sweep(y, score, pos_label=1).calibration(6, strategy)
        assert c.rms_ce_debiased == pytest.approx(by_rows(score, y, c.edges), abs=1e-14)
        assert c.rms_ce_debiased <= c.rms_ce


def test_calibrated_scores_have_none_on_average():
    rng = np.random.default_rng(0)
    plain, debiased = [], []
    for _ in range(400):
        score = rng.random(200)
        c = cm.sweep(rng.random(200) < score, score).calibration(10, "quantile")
        plain.append(c.rms_ce**2)
        bins = c.table()
        share, n = bins["fraction_positive"].to_numpy(), bins["n"].to_numpy()
        chance = np.average(share * (1 - share) / (n - 1), weights=n)
        debiased.append(c.rms_ce**2 - chance)
        assert c.rms_ce_debiased == pytest.approx(math.sqrt(max(debiased[-1], 0.0)), abs=1e-12)
    assert np.mean(plain) > 0.005
    assert abs(np.mean(debiased)) < 3 * np.std(debiased) / 20


def test_effective_rows():
    # Bins of 4 and 6 units of weight, which are 2 and 3 rows.
    near, far = (0.9 - 0.25) ** 2, (0.95 - 4 / 6) ** 2
    square = 0.4 * (near - 0.1875 / 1) + 0.6 * (far - (2 / 9) / 2)
    state = [0.9, 0.95], [1.0, 4.0], [3.0, 2.0]
    c = cm.Calibration(*state, bins=[0, 0.92, 1], n_effective=5)
    assert c.rms_ce_debiased == pytest.approx(math.sqrt(square))
    square = 0.4 * (near - 0.1875 / 3) + 0.6 * (far - (2 / 9) / 5)
    c = cm.Calibration(*state, bins=[0, 0.92, 1])
    assert c.rms_ce_debiased == pytest.approx(math.sqrt(square))


def test_undefined():
    c = cm.Calibration([0.2, 0.7], [1, 0], [0, 1])
    assert math.isnan(c.rms_ce_debiased)
    assert c.reason("rms_ce_debiased") == "no bin has two rows"
    assert c.reason("rms_ce") is None
    empty = cm.sweep([], []).calibration()
    assert math.isnan(empty.rms_ce_debiased)
    assert empty.reason("rms_ce_debiased") == "there are no rows"
    assert "rms_ce_debiased" in c.overall()["metric"]


def test_brier_is_that_of_the_sweep():
    rng = np.random.default_rng(5)
    for kind in (np.float32, np.float64):
        s = cm.sweep(rng.integers(0, 2, 999), rng.random(999).astype(kind))
        assert s.calibration().brier == s.brier
        assert s.calibration().brier_decomposition.brier == s.brier
