"""Intervals of metrics of matrices: published formulas, rows left out, weights, bad arguments."""

import math
import re

import numpy as np
import pytest
from scipy import stats

import confmat as cm
from confmat.intervals.binomial import METHODS, rate_interval

CELLS = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])


def test_rates_are_those_of_scipy():
    m = cm.ConfusionMatrix([[80, 20], [13, 47]])
    cases = {"recall": (47, 60), "precision": (47, 67), "accuracy": (127, 160), "fpr": (20, 100)}
    for name, (k, n) in cases.items():
        test = stats.binomtest(k, n)
        for method, theirs in (("wilson", "wilson"), ("clopper_pearson", "exact")):
            wanted = test.proportion_ci(0.9, theirs)
            found = m.ci(name, 0.9, method=method)
            assert found[:3] == pytest.approx((k / n, wanted.low, wanted.high), rel=1e-12)
            assert found.method == method
        assert found.se == pytest.approx(math.sqrt(k / n * (1 - k / n) / n))
        assert m.ci(name, 0.9) == m.ci(name, 0.9, method="wilson")


def test_other_methods_of_rates():
    # statsmodels 0.15.0, proportion_confint(3, 40, 0.1, method).
    wanted = {
        "jeffreys": (0.027588923604135493, 0.1661125858034785),
        "agresti_coull": (0.02577306006961333, 0.17807737127902612),
        "clopper_pearson": (0.020753601475701208, 0.18258685001590125),
        "wilson": (0.030370252611738993, 0.17348017873690041),
    }
    for method, ends in wanted.items():
        low, high = rate_interval(3, 40, method, 0.9)
        assert (float(low), float(high)) == pytest.approx(ends, rel=1e-10)
    for method in METHODS:
        low, high = rate_interval([0, 7, 0], [7, 7, 0], method, side="lower")
        assert low[0] == 0
        assert high[:2].tolist() == [1, 1]
        assert np.isnan([low[2], high[2]]).all()


def test_kappa_has_the_published_standard_error():
    """By the formula of Fleiss, Cohen and Everitt, and as statsmodels 0.15.0 has it."""
    m = cm.ConfusionMatrix(CELLS)
    n = CELLS.sum()
    p, rows, cols = CELLS / n, CELLS.sum(1) / n, CELLS.sum(0) / n
    expected, kappa = rows @ cols, m.kappa
    right = np.trace(p)
    diagonal = np.diag(p) @ ((1 - expected) - (rows + cols) * (1 - right)) ** 2
    off = p * (cols[:, None] + rows[None, :]) ** 2
    off = (off.sum() - np.trace(off)) * (1 - right) ** 2
    variance = diagonal + off - (right * expected - 2 * expected + right) ** 2
    wanted = math.sqrt(variance / n) / (1 - expected) ** 2
    assert m.ci("kappa").se == pytest.approx(wanted, rel=1e-10)
    assert wanted == pytest.approx(0.05100181557607784, rel=1e-10)
    low, high = np.tanh(np.arctanh(kappa) + np.array([-1, 1]) * 1.959964 * wanted / (1 - kappa**2))
    assert m.ci("kappa")[1:3] == pytest.approx((low, high), rel=1e-6)


@pytest.mark.parametrize(
    "name", ["mcc", "f1_macro", "gmcc", "balanced_accuracy", "precision_macro"]
)
def test_the_standard_error_is_that_of_rows_left_out(name):
    """The infinitesimal jackknife of weighted rows, each moved a little."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, 3, 60)
    p = np.where(rng.random(60) < 0.7, y, rng.integers(0, 3, 60))
    w = rng.integers(1, 5, 60) / 2 + 0.25
    m = cm.confusion_matrix(y, p, sample_weight=w)
    moves = []
    for row in range(60):
        ends = []
        for sign in (1, -1):
            there = w.copy()
            there[row] *= 1 + sign * 1e-4
            ends.append(cm.confusion_matrix(y, p, sample_weight=there).value(name))
        moves.append((ends[0] - ends[1]) / 2e-4)
    wanted = math.sqrt(np.square(moves).sum())
    found = m.ci(name, method="delta")
    assert found.se == pytest.approx(wanted, rel=1e-6)


def test_equal_weights_count_as_rows():
    y, p = [0, 1, 1, 0, 1, 0, 1, 1], [0, 1, 0, 0, 1, 1, 1, 1]
    plain = cm.confusion_matrix(y, p)
    for weight in (0.3, 2, 1e9):
        m = cm.confusion_matrix(y, p, sample_weight=[weight] * 8)
        for name in ("recall", "mcc", "f1", "eve"):
            assert m.ci(name)[:4] == pytest.approx(plain.ci(name)[:4], rel=1e-9)
    bare = cm.ConfusionMatrix([[1.5, 2.0], [3.0, 4.0]])
    assert math.isnan(bare.ci("recall").low)
    assert bare.ci("recall").method == "none: the squared weights are not known"
    for m, name, why in (
        (plain.balanced(), "mcc", "the squared weights are not known"),
        (cm.confusion_matrix(["a"] * 3, ["a"] * 3), "balanced_accuracy", "the gradient is 0 here"),
        (cm.ConfusionMatrix([[5, 0], [3, 0]]), "precision", "class 1: tp + fp = 0"),
    ):
        for method in (None, "delta"):
            assert m.ci(name, method=method).method.startswith(f"none: {why}")


def test_values_at_an_end_of_their_range():
    m = cm.ConfusionMatrix([[30, 0], [0, 30]])
    for name in ("mcc", "f1", "kappa", "gmcc"):
        value, low, high, _, method = m.ci(name)
        assert (value, high) == (1.0, 1.0)
        assert 0.7 < low < 0.95
        assert method == "delta of smoothed cells"
    assert m.ci("recall").low == pytest.approx(
        stats.binomtest(30, 30).proportion_ci(0.95, "wilson").low
    )
    singular = cm.ConfusionMatrix([[2, 2, 2], [1, 1, 1], [3, 1, 2]])
    assert math.isnan(singular.ci("gmcc", method="delta").low)


def test_many_classes_and_sparse_ones():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 5_000, 20_000)
    p = np.where(rng.random(20_000) < 0.8, y, rng.integers(0, 5_000, 20_000))
    m = cm.confusion_matrix(y, p)
    right = int((y == p).sum())
    wanted = stats.binomtest(right, 20_000).proportion_ci(0.95, "wilson")
    assert m.ci("accuracy")[1:3] == pytest.approx((wanted.low, wanted.high), rel=1e-12)
    assert math.isnan(m.ci("f1_macro").low)
    assert m.ci("f1_macro").method == (
        f"none: a sparse matrix, as this one of {len(m.labels)} classes is, has no gradient by its "
        "cells; 'bootstrap' needs none"
    )
    of: dict = {"method": "bootstrap", "seed": 1, "replicates": 400}
    drawn = m.ci("mcc", **of)
    assert drawn.low < drawn.value < drawn.high
    beside = m.ci("mutual_information", **of)
    assert beside.method.startswith("none: the replicates lie so far to one side of the value")
    assert beside.se > 0
    large = cm.confusion_matrix(np.arange(30_000) % 12_000, np.arange(30_000)[::-1] % 12_000)
    for call in (large.value, large.ci):
        with pytest.raises(cm.InputError, match="eve of over 11585 classes: not computed"):
            call("eve")
    asked = ["accuracy", "eve", "f1_macro", "recall_ovo"]
    told = large.overall(asked, ci=0.95).rows_by_key("metric", named=True, unique=True)
    for name, row in told.items():
        assert row["value"] == (None if name in ("eve", "recall_ovo") else large.value(name))
        if name == "accuracy":
            assert (row["low"], row["high"], row["reason"]) == (*large.ci(name)[1:3], None)
        else:
            assert (row["low"], row["high"]) == (None, None)
            why = large.ci(name).method if name == "f1_macro" else large.reason(name)
            assert row["reason"] == f"{'no interval: ' * (name == 'f1_macro')}{why}".replace(
                ": none: ", ": "
            )
    table = m.per_class(["recall"], ci=0.95)
    assert (table["recall_low"] <= table["recall"]).all()
    dense = cm.confusion_matrix(y[:2000] % 300, p[:2000] % 300)
    assert dense.ci("f1_macro").low < dense.f1_macro < dense.ci("f1_macro").high


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"level": 95}, "`level` is 95; wanted a number between 0 and 1"),
        ({"level": float("nan")}, "`level` is nan"),
        ({"side": "left"}, "`side` is 'left'; wanted one of both, lower, upper"),
        ({"method": "wald"}, "`method` is 'wald'; wanted one of delta, bootstrap, wilson"),
        ({"method": "wilson"}, "`method` is 'wilson', which is of rates of rows, and mcc is none"),
        ({"method": "delta", "side": "no"}, "`side` is 'no'"),
        ({"beta": 2}, "`mcc` has no parameter `beta`"),
    ],
)
def test_bad_arguments(asked, said):
    m = cm.ConfusionMatrix([[5, 1], [2, 6]])
    with pytest.raises(cm.InputError, match=re.escape(said)):
        m.ci("mcc", **asked)


def test_expressions_say_what_is_no_interval():
    with pytest.raises(cm.InputError, match="`ci` needs a Struct"):
        cm.metric("mcc", "y", "p", ci=0.95)
    with pytest.raises(cm.InputError, match="`ci` is 2; wanted a number between 0 and 1"):
        cm.metrics("y", "p", ci=2)
