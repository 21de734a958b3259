"""Bands that hold a whole ROC, precision-recall or DET curve."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy import stats

import confmat as cm
from confmat.errors import InputError
from confmat.intervals.distribution_band import distribution_band

BAND = {"ci": 0.95, "band": "simultaneous"}
CURVES = {
    "roc_curve": ("fpr", "tpr"),
    "pr_curve": ("recall", "precision"),
    "det_curve": ("fpr", "fnr"),
}


def drawn(seed, n=300, shift=1.0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    return y, rng.normal(size=n) + shift * y


@pytest.mark.parametrize("name", CURVES)
def test_bands_hold_the_curve_and_are_nested(name):
    s = cm.sweep(*drawn(1))
    curve = getattr(s, name)
    usual, wide, narrow, alone = (
        curve(**BAND),
        curve(ci=0.99, band="simultaneous"),
        curve(ci=0.5, band="simultaneous"),
        curve(ci=0.95),
    )
    assert usual.drop(pl.selectors.contains("_")).equals(curve())
    for rate in CURVES[name]:
        low, high = f"{rate}_low", f"{rate}_high"
        assert ((usual[low] <= usual[rate]) & (usual[rate] <= usual[high])).all()
        assert ((usual[low] >= 0) & (usual[high] <= 1)).all()
        assert ((wide[low] <= usual[low]) & (usual[low] <= narrow[low])).all()
        assert ((wide[high] >= usual[high]) & (usual[high] >= narrow[high])).all()
        assert (usual[high] - usual[low] >= alone[high] - alone[low]).all()


def test_two_samples_at_the_root_of_the_level():
    y, scores = drawn(2)
    roc = cm.sweep(y, scores).roc_curve(**BAND)
    low, high = distribution_band(roc["fp"].to_numpy(), int((~y).sum()), 0.95**0.5)
    assert roc["fpr_low"].to_list() == low.tolist()
    assert roc["fpr_high"].to_list() == high.tolist()
    det = cm.sweep(y, scores).det_curve(**BAND)
    assert (det["fnr_low"] - (1 - roc["tpr_high"])).abs().max() == 0


def test_precision_follows_from_what_it_is_made_of():
    y, scores = drawn(3)
    s = cm.sweep(y, scores)
    pr = s.pr_curve(**BAND)
    each = 0.95 ** (1 / 3)
    fpr = distribution_band(pr["fp"].to_numpy(), s.n_negative, each)
    share = cm.ConfusionMatrix([[0, s.n_negative], [0, s.n_positive]]).ci("precision", each)
    for at, end in ((50, "low"), (200, "high")):
        tpr, wrong, p = (
            (pr["recall_low"][at], fpr[1][at], share.low)
            if end == "low"
            else (pr["recall_high"][at], fpr[0][at], share.high)
        )
        assert pr[f"precision_{end}"][at] == pytest.approx(p * tpr / (p * tpr + (1 - p) * wrong))


def test_thresholds_points_and_bins_are_rows_of_the_band():
    y, scores = drawn(4)
    for weights in (None, np.random.default_rng(4).exponential(size=len(y))):
        s = cm.sweep(y, scores, sample_weight=weights)
        roc = s.roc_curve(**BAND)
        few = roc[[90, 40, 10]]
        found = s.roc_curve(thresholds=few["threshold"].to_list(), **BAND)
        assert_frame_equal(found, few.reverse(), check_exact=False, abs_tol=1e-12)
        assert s.roc_curve(max_points=7, **BAND).height <= 7
        assert s.roc_curve(hull=True, **BAND).height > 2
    share = 1 / (1 + np.exp(-scores))
    exact, binned = cm.sweep(y, share), cm.sweep(y, share, bins=16)
    edges = binned.roc_curve()["threshold"][1:].sort().to_list()
    of_bins = binned.roc_curve(thresholds=edges, **BAND)
    assert_frame_equal(of_bins, exact.roc_curve(thresholds=edges, **BAND))


@pytest.mark.parametrize("name", CURVES)
def test_weights_of_one_are_rows(name):
    y, scores = drawn(5)
    plain = getattr(cm.sweep(y, scores), name)(**BAND)
    for unit in (1.0, 0.37):
        weighted = getattr(cm.sweep(y, scores, sample_weight=np.full(len(y), unit)), name)(**BAND)
        for rate in CURVES[name]:
            for end in ("low", "high"):
                column = f"{rate}_{end}"
                assert (plain[column] - weighted[column]).abs().max() < 1e-9


def test_unknown_squares_have_no_band():
    s = cm.Sweep.from_bytes(cm.sweep(*drawn(6)).at_prevalence(0.1).to_bytes())
    for name, rates in CURVES.items():
        found = getattr(s, name)(**BAND)
        assert found[f"{rates[1]}_low"].null_count() == found.height


@pytest.mark.parametrize("labels", [[], [0, 0, 0], [1, 1, 1]])
@pytest.mark.parametrize("weights", [None, 0.5])
def test_classes_without_rows(labels, weights):
    y, scores = np.array(labels, np.int64), np.arange(len(labels), dtype=np.float64)
    of = None if weights is None else np.full(len(labels), weights)
    s = cm.sweep(y, scores, sample_weight=of)
    roc = s.roc_curve(**BAND)
    assert roc["tpr_low"].null_count() == (0 if s.n_positive else roc.height)
    assert roc["fpr_low"].null_count() == (0 if s.n_negative else roc.height)
    pr = s.pr_curve(**BAND)
    both = s.n_positive and s.n_negative
    assert pr["precision_low"].null_count() == (0 if both else pr.height)


def test_every_row_right():
    s = cm.sweep(np.arange(40) >= 20, np.arange(40.0))
    roc = s.roc_curve(**BAND)
    corner = roc.row(20, named=True)
    assert (corner["fpr_low"], corner["tpr_high"]) == (0.0, 1.0)
    assert corner["fpr_high"] == pytest.approx(1 - corner["tpr_low"])
    assert s.pr_curve(**BAND)["precision_high"][19] == 1.0


def test_refused():
    s = cm.sweep(*drawn(7))
    with pytest.raises(InputError, match="`band` is 'whole'; wanted one of pointwise, simult"):
        s.roc_curve(ci=0.95, band="whole")
    with pytest.raises(InputError, match="without a level; wanted ci="):
        s.pr_curve(band="simultaneous")
    with pytest.raises(InputError, match="`ci` is 3"):
        s.det_curve(ci=3, band="simultaneous")


def test_whole_curves_are_held():
    """Scores are normal; at both sides of every step the limits hold both rates."""
    rng = np.random.default_rng(8)
    y = np.repeat([True, False], [40, 160])
    held = {"pointwise": 0, "simultaneous": 0}
    runs = 400
    for _ in range(runs):
        s = cm.sweep(y, rng.normal(size=200) + y)
        for band in held:
            roc = s.roc_curve(ci=0.95, band=band)
            upper = roc["threshold"].to_numpy()
            inside = True
            for at in (upper, np.append(upper[1:], -np.inf)):
                for rate, true in (("tpr", stats.norm.sf(at - 1)), ("fpr", stats.norm.sf(at))):
                    low, high = (roc[f"{rate}_{end}"].to_numpy() for end in ("low", "high"))
                    inside &= bool(((low <= true + 1e-12) & (true <= high + 1e-12)).all())
            held[band] += inside
    assert held["simultaneous"] >= 0.935 * runs
    assert held["pointwise"] < 0.5 * runs


def test_classes_and_slices():
    rng = np.random.default_rng(9)
    y = rng.integers(0, 3, 240)
    p = rng.random((240, 3)) + np.eye(3)[y]
    p /= p.sum(1, keepdims=True)
    k = cm.multiclass_sweep(y, p)
    for name in ("roc_curve", "pr_curve"):
        for of in (BAND, {"ci": 0.9}):
            whole = getattr(k, name)(average=None, **of)
            assert whole["label"].unique(maintain_order=True).to_list() == [0, 1, 2]
            for label in (0, 1, 2):
                one = getattr(k.one_vs_rest(label), name)(**of)
                assert whole.filter(label=label).drop("label").equals(one)
        with pytest.raises(InputError, match="wanted average=None"):
            getattr(k, name)(ci=0.9)
        nothing = cm.multiclass_sweep(y[:0], p[:0], labels=[0, 1, 2])
        empty = getattr(nothing, name)(average=None, **BAND)
        assert empty.columns == getattr(k, name)(average=None, **BAND).columns
    log = pl.DataFrame({"y": y == 1, "p": p[:, 1], "half": np.arange(240) % 2})
    e = cm.evaluate(log, "y", y_score="p", by="half")
    rows = log.filter(half=0)
    same = cm.sweep(rows["y"], rows["p"], bins="unit").roc_curve(**BAND)
    assert e.sweep(0).roc_curve(**BAND).equals(same)
