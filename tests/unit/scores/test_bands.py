"""Intervals of rates along curves, at operating points and thresholds, and of calibration bins."""

import math

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.errors import InputError


def drawn(seed, n=400):
    rng = np.random.default_rng(seed)
    truth = rng.random(n)
    return rng.random(n) < truth, np.clip(truth + rng.normal(0, 0.2, n), 0, 1)


def test_curves_with_bands():
    y, scores = drawn(10)
    s = cm.sweep(y, scores)
    roc = s.roc_curve(ci=0.9)
    assert roc.drop(pl.selectors.contains("_")).equals(s.roc_curve())
    m = s.at(roc["threshold"][100])
    for rate, metric in (("tpr", "recall"), ("fpr", "fpr")):
        wanted = m.ci(metric, 0.9)
        assert roc.select(rate, f"{rate}_low", f"{rate}_high").row(100) == pytest.approx(wanted[:3])
    pr = s.pr_curve(ci=0.9)
    assert pr.row(99, named=True)["precision_low"] == pytest.approx(m.ci("precision", 0.9).low)
    assert pr.select("recall_high").row(99)[0] == pytest.approx(m.ci("recall", 0.9).high)
    det = s.det_curve(ci=0.9)
    assert det["fnr_low"][100] == pytest.approx(m.ci("fnr", 0.9).low)
    few = s.roc_curve(max_points=5, ci=0.9)
    assert few.height <= 5
    assert few.join(roc, on=roc.columns).height == few.height
    with pytest.raises(InputError, match="`ci` is 2"):
        s.roc_curve(ci=2)


def test_operating_points_with_intervals():
    y, scores = drawn(11)
    s = cm.sweep(y, scores)
    plain, found = s.operating_points([0.9]), s.operating_points([0.9], ci=0.95)
    assert found.drop("low", "high").equals(plain)
    names = {"tpr": "recall", "fpr": "fpr", "tnr": "specificity", "ppv": "precision"}
    names |= {"npv": "npv", "fdr": "fdr"}
    assert set(found["rate"]) == set(names)
    for row in found.drop_nulls("threshold").iter_rows(named=True):
        wanted = s.at(row["threshold"]).ci(names[row["rate"]])
        assert (row["value"], row["low"], row["high"]) == pytest.approx(wanted[:3])
    none = cm.sweep([0, 1], [1.0, 0.0]).operating_points([0.99], ci=0.95)
    assert none.filter(pl.col("threshold").is_null())["low"].null_count() > 0


def test_calibration_at_another_level():
    s = cm.sweep(*drawn(12))
    wide, usual = (s.calibration(5).table(level) for level in (0.99, 0.95))
    assert usual.equals(s.calibration(5).table())
    assert (wide["ci_low"] < usual["ci_low"]).all()
    assert (wide["ci_high"] > usual["ci_high"]).all()
    with pytest.raises(InputError, match="`ci`"):
        s.calibration().table(ci=0)


def test_threshold_with_its_rates():
    y, scores = drawn(15)
    s = cm.sweep(y, scores)
    threshold, rates = s.threshold_for(recall=0.9, ci=0.9)
    assert threshold == s.threshold_for(recall=0.9)
    m = s.at(threshold)
    names = ("recall", "fpr", "specificity", "precision", "npv", "fdr")
    assert rates["rate"].to_list() == ["tpr", "fpr", "tnr", "ppv", "npv", "fdr"]
    for name, row in zip(names, rates.drop("rate").rows(), strict=True):
        assert row == pytest.approx(m.ci(name, 0.9)[:3])
    none = cm.sweep([0, 1], [1.0, 0.0]).threshold_for(precision=0.9, ci=0.9)
    assert math.isnan(none.threshold)
    assert none.rates["value"].null_count() == none.rates["low"].null_count() == 6
    nothing = cm.sweep([0, 1], [1.0, 0.0]).threshold_for(fpr=0.0, maximize="specificity", ci=0.9)
    assert nothing.threshold == math.inf
    assert nothing.rates["value"].to_list() == [0.0, 0.0, 1.0, None, 0.5, None]
    weighted = s.at_prevalence(float(np.mean(y)))
    found = weighted.threshold_for(recall=0.9, ci=0.9).rates
    assert found["value"].to_list() == pytest.approx(
        s.threshold_for(recall=0.9, ci=0.9).rates["value"].to_list()
    )
    np.testing.assert_allclose(
        found["low"][:3], s.threshold_for(recall=0.9, ci=0.9).rates["low"][:3]
    )
    assert (found["low"] < found["value"]).all()
    forgotten = cm.Sweep.from_bytes(weighted.to_bytes())
    assert forgotten.threshold_for(recall=0.9, ci=0.9).rates["low"].null_count() == 6
