"""Sweeps at another share of positives: rates stay, what depends on shares follows."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import confmat as cm
from confmat.intervals.scales import on_scale

RNG = np.random.default_rng(8)
Y = RNG.random(3_000) < 0.3
S = np.clip(RNG.normal(0.35 + 0.25 * Y, 0.15), 0, 1)
EDGES = [0.0, 0.3, 0.55, 0.7, 1.0]
BINS = [None, "unit", "unit/4", "float16", 64, 4096, EDGES, ("quantile", 9)]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("bins", BINS, ids=str)
def test_bins_and_rates_stay_and_shares_are_as_asked(bins, dtype):
    s = cm.sweep(Y, S.astype(dtype), bins=bins)
    new = s.at_prevalence(0.02)
    assert type(new) is type(s)
    assert (new.is_exact, new.clip, new.labels) == (s.is_exact, s.clip, s.labels)
    assert new.n == pytest.approx(3_000)
    assert new.n_positive / new.n == pytest.approx(0.02, rel=1e-12)
    np.testing.assert_array_equal(new._at, s._at)
    if bins is not None:
        np.testing.assert_array_equal(new.lower, s.lower)
        np.testing.assert_array_equal(new.upper, s.upper)
        np.testing.assert_array_equal(new.bins, s.bins)
    np.testing.assert_allclose(new.tp / new.n_positive, s.tp / s.n_positive, rtol=1e-12)
    np.testing.assert_allclose(new.fp / new.n_negative, s.fp / s.n_negative, rtol=1e-12)
    assert new.roc_auc == pytest.approx(s.roc_auc, rel=1e-12)
    assert new.ks == pytest.approx(s.ks, rel=1e-12)


@pytest.mark.parametrize("bins", [None, "unit", 4096], ids=str)
def test_tables_are_those_of_matrices_at_that_share(bins):
    s = cm.sweep(Y, S, bins=bins)
    new = s.at_prevalence(0.05)
    for at in (2, len(s) // 2, len(s) - 3):
        threshold = float(s._at[at])
        one, other = new.at(threshold), s.at(threshold).at_prevalence(0.05)
        np.testing.assert_allclose(one.counts, other.counts, rtol=1e-10)
        for name in ("precision", "f1", "mcc", "accuracy"):
            assert one[name] == pytest.approx(other[name], rel=1e-9)


def test_the_decision_curve_is_that_of_rates():
    s = cm.sweep(Y, S)
    p, at = 0.1, np.array([0.1, 0.3, 0.5])
    found = s.at_prevalence(p).decision_curve(at)["net_benefit"]
    tpr = np.array([(S[Y] >= x).mean() for x in at])
    fpr = np.array([(S[~Y] >= x).mean() for x in at])
    np.testing.assert_allclose(found, tpr * p - fpr * (1 - p) * at / (1 - at), rtol=1e-9)
    cost = [[0, 1], [10, 0]]
    found = s.at_prevalence(p).cost_curve(cost, thresholds=at)["mean_cost"].reverse()
    np.testing.assert_allclose(found, fpr * (1 - p) + 10 * (1 - tpr) * p, rtol=1e-9)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
def test_the_own_share_changes_nothing(rows):
    y, scores = zip(*rows, strict=True)
    s = cm.sweep(np.array(y), np.array(scores) / 8)
    new = s.at_prevalence(float(np.mean(y)))
    np.testing.assert_allclose(new.positives, s.positives, rtol=1e-12)
    np.testing.assert_allclose(new.negatives, s.negatives, rtol=1e-12)
    for name in ("average_precision", "brier", "log_loss", "ece"):
        assert new[name] == pytest.approx(s[name], rel=1e-9, abs=1e-12, nan_ok=True)


def test_names_of_classes_and_infinite_scores():
    s = cm.sweep(["ham", "spam", "spam"], [-math.inf, math.inf, 0.5], pos_label="spam")
    new = s.at_prevalence(0.5)
    assert (new.labels, new.pos_label) == (["ham", "spam"], "spam")
    assert new.at(0.5).counts.tolist() == [[1.5, 0], [0, 1.5]]
    binned = cm.sweep([0, 1, 1, 1], [-math.inf, math.inf, 0.5, 0.7], bins=64)
    np.testing.assert_array_equal(binned.at_prevalence(0.5).lower, binned.lower)
    only = s.at_prevalence(0.0)
    assert (only.n_positive, only.n) == (0, 3)


@pytest.mark.parametrize("bad", [-0.1, 1.5, math.nan, "x", True, None])
def test_a_share_that_is_none_is_refused(bad):
    with pytest.raises(cm.InputError, match="`prevalence` is"):
        cm.sweep(Y, S).at_prevalence(bad)
    with pytest.raises(cm.InputError, match="no row is of class True"):
        cm.sweep(np.zeros(3, bool), [0.1, 0.2, 0.3]).at_prevalence(0.1)


@pytest.mark.parametrize("bins", [None, "unit", EDGES], ids=str)
def test_intervals_of_what_stays_are_those_of_the_rows(bins):
    s = cm.sweep(Y, S, bins=bins)
    for new in (s.at_prevalence(0.02), s.at_prevalence(0.9).at_prevalence(0.02)):
        names = ["roc_auc", "gini", "ks"]
        wanted = {name: s.ci(name, 0.9, seed=1, replicates=200) for name in names}
        for name in names:
            found = new.ci(name, 0.9, seed=1, replicates=200)
            assert found[:4] == pytest.approx(wanted[name][:4])
            assert found.method == wanted[name].method
        table = new.overall([*names, "ece"], ci=0.9, seed=1, replicates=200)
        for name, low in table.select("metric", "low").rows()[:3]:
            assert low == pytest.approx(wanted[name].low)
        assert table["low"][3] is None
        assert table["reason"][3].startswith("no interval: the share of positives was set")
        for band in ("pointwise", "simultaneous"):
            one, other = (x.roc_curve(ci=0.9, band=band) for x in (new, s))
            for column in ("tpr_low", "tpr_high", "fpr_low", "fpr_high"):
                np.testing.assert_allclose(one[column], other[column], atol=1e-9)
        assert new.adequacy()["low"].item() == pytest.approx(s.adequacy()["low"].item())
        named = new.with_labels(0, 1)
        assert named.ci("roc_auc").low == pytest.approx(s.ci("roc_auc").low)
    for asked in ({"name": "h_measure"}, {"name": "brier", "method": "bootstrap"}):
        told = new.ci(**asked)
        assert math.isnan(told.low)
        assert told.method.startswith(
            "none: the share of positives was set, and rows are not drawn"
        )


def test_a_simultaneous_band_of_precision_takes_the_share_as_known():
    new = cm.sweep(Y, S).at_prevalence(0.05)
    pr = new.pr_curve(ci=0.95, band="simultaneous")
    roc = new.roc_curve(ci=0.95, band="simultaneous")[1:]
    low = 0.05 * roc["tpr_low"] / (0.05 * roc["tpr_low"] + 0.95 * roc["fpr_high"])
    np.testing.assert_allclose(pr["precision_low"], low, rtol=1e-9)


def test_without_rows_of_both_classes_behind_it_there_are_none():
    s = cm.sweep(Y, S)
    for new in (s.at_prevalence(0.0), s.at_prevalence(1.0)):
        assert math.isnan(new.at(0.5).ci("accuracy").low)
    kept = s.at_prevalence(0.1)
    for new in (cm.Sweep.from_bytes(kept.to_bytes()), kept + kept):
        assert new.ci("roc_auc").method == "none: the squared weights are not known"
        assert new.pr_curve(ci=0.9)["precision_low"].null_count() == len(new)


SHARE = 0.2


def variance_at_share(losses, y, weights=None):
    """Return the variance of the mean over both classes, a sample each, at the share."""
    w = np.ones(len(y)) if weights is None else weights
    variance = 0.0
    for side, part in ((y, SHARE), (~y, 1 - SHARE)):
        x, v = losses[side], w[side]
        n = v.sum() ** 2 / (v @ v)
        away = x - np.average(x, weights=v)
        variance += part**2 * (v**2 @ away**2) / v.sum() ** 2 * n / (n - 1)
    return variance


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["bool", "text", "categorical", "int64"])
def test_losses_have_the_variance_of_each_class(weighted, kind):
    rng = np.random.default_rng(5)
    y = rng.random(300) < 0.4
    p = np.round(np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0.01, 0.99), 2)
    w = rng.exponential(size=300) if weighted else None
    truth = {
        "bool": y,
        "int64": y.astype(np.int64),
        "text": np.where(y, "yes", "no"),
        "categorical": pl.Series(np.where(y, "yes", "no")).cast(pl.Categorical),
    }[kind]
    label = "yes" if kind in ("text", "categorical") else None
    s = cm.sweep(truth, p, sample_weight=w, pos_label=label).at_prevalence(SHARE)
    of = {
        "brier": (y - p) ** 2,
        "log_loss": -np.log(np.where(y, p, 1 - p)),
        "brier_skill": 1 - (y - p) ** 2 / (SHARE * (1 - SHARE)),
    }
    for name, losses in of.items():
        found = s.ci(name)
        means = [np.average(losses[x], weights=None if w is None else w[x]) for x in (y, ~y)]
        assert found.value == pytest.approx(SHARE * means[0] + (1 - SHARE) * means[1])
        assert found.se == pytest.approx(math.sqrt(variance_at_share(losses, y, w)))
        assert found.low < found.value < found.high
        assert found.method == "mean"
    lo, _ = on_scale(*s.ci("brier")[::3], 0.0, 1.0, 0.9, "lower")
    assert s.ci("brier", 0.9, side="lower")[1:3] == pytest.approx((lo, 1.0))
    again = s.at_prevalence(0.7).at_prevalence(SHARE)
    assert again.ci("brier")[:4] == pytest.approx(s.ci("brier")[:4])


def test_average_precision_has_the_variance_of_rows_left_out_class_by_class():
    rng = np.random.default_rng(6)
    y = np.arange(400) < 120
    p = np.round(rng.normal(1.0 * y), 1)
    found = cm.sweep(y, p).at_prevalence(0.35).ci("average_precision")
    variance = 0.0
    for side in (True, False):
        rows = np.flatnonzero(y == side)
        less = [
            cm.sweep(np.delete(y, i), np.delete(p, i)).at_prevalence(0.35).average_precision
            for i in rows
        ]
        variance += (len(rows) - 1) * np.var(less)
    assert found.se == pytest.approx(math.sqrt(variance), rel=0.03)
    assert found.method == "delta"
    assert found[1:3] == pytest.approx([float(x) for x in on_scale(*found[::3], 0.0, 1.0)])


def test_average_precision_that_rests_on_few_negatives_has_none():
    rng = np.random.default_rng(7)
    y = np.arange(1_100) < 300
    s = cm.sweep(y, rng.normal(size=1_100) + y)
    assert s.at_prevalence(3 / 11).ci("average_precision").method == "delta"
    assert s.at_prevalence(0.9).ci("average_precision").method == "delta"
    assert s.at_prevalence(0.2).ci("average_precision").method == "delta"  # as 200 positives
    told = s.at_prevalence(0.199).ci("average_precision")
    assert told.method == (
        "none: at this share 800 negatives come with 199 positives; it takes those of 200"
    )
    table = s.at_prevalence(0.1).overall("average_precision", ci=0.95)
    assert table["reason"].item().startswith("no interval: at this share 800 negatives")
    few = cm.sweep(y[200:], rng.normal(size=900) + y[200:])  # of 100 positives as with these
    assert few.at_prevalence(1 / 9).ci("average_precision").method == "delta"
    assert math.isnan(few.at_prevalence(0.11).ci("average_precision").low)


def test_few_rows_at_a_share():
    for rows in (([True, False, False], [0.5, 0.2, 0.6]), ([False, True, True], [0.4, 0.2, 0.9])):
        s = cm.sweep(*rows).at_prevalence(0.5)
        for name in ("brier", "average_precision"):
            assert s.ci(name).method == "none: a class has one row alone"
    y = np.arange(300) < 150
    right = cm.sweep(y, y * 0.5 + 0.25).at_prevalence(0.5)
    for name in ("brier", "average_precision"):  # of rows that are all alike, by Wilson's of none
        found = right.ci(name)
        assert found.se == pytest.approx(0, abs=1e-12)
        assert found.low < found.value
    assert right.ci("average_precision").low == pytest.approx(150 / (150 + stats.chi2.ppf(0.95, 1)))


@pytest.mark.parametrize(("share", "sizes"), [(0.02, (50, 200)), (0.5, (50, 500))])
def test_intervals_at_a_share_hold_the_truth(share, sizes):
    """Of normal scores in 400 samples, against a million rows."""
    rng = np.random.default_rng(8)

    def drawn(positives, negatives):
        y = np.arange(positives + negatives) < positives
        x = rng.normal(size=len(y)) + 1.2 * y
        return cm.sweep(y, 1 / (1 + np.exp(-1.2 * (x - 0.6)))).at_prevalence(share)

    names = ["brier", "log_loss"] + ["average_precision"] * (share == 0.5)
    truth = drawn(500_000, 500_000).values(names)
    held = dict.fromkeys(names, 0)
    for _ in range(400):
        s = drawn(*sizes)
        for name in names:
            _, low, high, *_ = s.ci(name)
            held[name] += low <= truth[name] <= high
    assert all(0.91 <= count / 400 <= 0.985 for count in held.values()), held
