"""Calibration curves, Brier scores, isotonic and sigmoid calibration, as scikit-learn."""

import numpy as np
import pytest
from sklearn.calibration import _SigmoidCalibration, calibration_curve
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss
from support.scored import scored

import confmat as cm
from confmat.calibration.fit import recalibrate

SEEDS = range(12)


@pytest.mark.parametrize("bins", [1, 5, 10, 40])
@pytest.mark.parametrize("seed", SEEDS)
def test_uniform_curve(seed, bins):
    rows = scored(seed)
    shares, means = calibration_curve(rows.y, rows.s, n_bins=bins)
    table = cm.Calibration(*rows.counts(), bins=bins).table().drop_nulls()
    np.testing.assert_allclose(table["fraction_positive"], shares, rtol=1e-13)
    np.testing.assert_allclose(table["mean_score"], means, rtol=1e-13)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_quantile_curve(seed, ties):
    rows = scored(seed, ties=ties)
    for bins in (2, 5, 10, 25):  # divisors of the rows: the definitions of a quantile agree
        shares, means = calibration_curve(rows.y, rows.s, n_bins=bins, strategy="quantile")
        table = cm.Calibration(*rows.counts(), bins=bins, strategy="quantile").table()
        np.testing.assert_allclose(table.drop_nulls()["mean_score"], means, rtol=1e-13)
        np.testing.assert_allclose(table.drop_nulls()["fraction_positive"], shares, rtol=1e-13)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_brier_score(seed, weighted):
    rows = scored(seed, weighted)
    wanted = brier_score_loss(rows.y, rows.s, sample_weight=rows.w)
    assert cm.Calibration(*rows.counts()).brier == pytest.approx(wanted, rel=1e-13)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_isotonic(seed, weighted):
    rows = scored(seed, weighted)
    model = IsotonicRegression(out_of_bounds="clip").fit(rows.s, rows.y, rows.w)
    grid = np.concatenate([rows.s, np.linspace(-0.5, 1.5, 301)])
    ours = recalibrate(*rows.counts(), "isotonic")
    np.testing.assert_allclose(ours.apply(grid), model.predict(grid), rtol=1e-9, atol=1e-12)
    fit = model.predict(rows.s)
    after = brier_score_loss(rows.y, fit.clip(0, 1), sample_weight=rows.w)
    corp = cm.Calibration(*rows.counts()).corp
    assert corp.miscalibration == pytest.approx(corp.brier - after, abs=1e-12)
    assert corp.discrimination == pytest.approx(corp.uncertainty - after, abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_sigmoid(seed, weighted):
    rows = scored(seed, weighted)
    model = _SigmoidCalibration().fit(rows.s, rows.y, rows.w)
    ours = recalibrate(*rows.counts(), "platt")
    # Its optimiser stops early; ours is the optimum.
    np.testing.assert_allclose(ours.apply(rows.s), model.predict(rows.s), atol=2e-4)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_logistic_regression(seed, weighted):
    rows = scored(seed, weighted, ends=False)
    logit = np.log(rows.s / (1 - rows.s))
    c = cm.Calibration(*rows.counts())
    for x, (slope, intercept) in (
        (logit, (c.slope, c.intercept)),
        (rows.s, parameters(rows, logit=False)),
        (logit, parameters(rows, logit=True)),
    ):
        model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10)
        model.fit(x[:, None], rows.y, rows.w)
        assert slope == pytest.approx(model.coef_.item(), rel=1e-7)
        assert intercept == pytest.approx(model.intercept_.item(), rel=1e-7, abs=1e-9)


def parameters(rows, logit):
    fit = recalibrate(*rows.counts(), "platt", smoothing=False, logit=logit)
    return fit.a, fit.b
