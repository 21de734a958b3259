"""Intervals of the metrics of a sweep: by hand, by another road, of bins, of weights."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.haemorrhage import POOR, S100B

import confmat as cm
from confmat.errors import InputError

SCORED = st.lists(st.tuples(st.booleans(), st.integers(0, 20)), min_size=4, max_size=60).filter(
    lambda some: 0 < sum(y for y, _ in some) < len(some)
)


def drawn(seed, n=400):
    rng = np.random.default_rng(seed)
    truth = rng.random(n)
    return rng.random(n) < truth, np.clip(truth + rng.normal(0, 0.2, n), 0, 1)


def test_area_of_patients():
    """The documentation of pROC has 0.6301-0.8326 for s100b of the aSAH data."""
    s = cm.sweep(POOR, S100B)
    plain = s.ci("roc_auc", method="delong_plain")
    assert [round(number, 4) for number in plain[:3]] == [0.7314, 0.6301, 0.8326]
    usual = s.ci("roc_auc")
    assert usual.method == "delong"
    assert 0.6 < usual.low < plain.low
    assert usual.high < plain.high
    gini = s.ci("gini")
    assert gini[:3] == pytest.approx([2 * number - 1 for number in usual[:3]])
    assert gini.se == pytest.approx(2 * usual.se)


def test_one_sided():
    s = cm.sweep(POOR, S100B)
    for name in ("roc_auc", "gini"):
        low, high = s.ci(name, 0.95)[1:3]
        below, above = (s.ci(name, 0.975, side=side) for side in ("lower", "upper"))
        assert (below.low, above.high) == pytest.approx((low, high))
        assert (below.high, above.low) == (1.0, 0.0 if name == "roc_auc" else -1.0)


@given(SCORED)
def test_areas_have_width_within_their_range(some):
    y, scores = map(np.array, zip(*some, strict=True))
    found = cm.sweep(y, scores).ci("roc_auc")
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.high - found.low > 0.01


@pytest.mark.parametrize("name", ["brier", "log_loss"])
def test_losses_are_means_of_their_rows(name):
    y, scores = drawn(1)
    scores = np.clip(scores, 0.01, 0.99)
    losses = (y - scores) ** 2 if name == "brier" else -np.log(np.where(y, scores, 1 - scores))
    found = cm.sweep(y, scores).ci(name)
    assert found.value == pytest.approx(losses.mean())
    assert found.se == pytest.approx(losses.std(ddof=1) / 20)
    assert found.method == "mean"
    z = 1.959963984540054
    if name == "log_loss":
        wanted = [math.exp(math.log(found.value) + s * z * found.se / found.value) for s in (-1, 1)]
    else:
        odds, turn = math.log(found.value / (1 - found.value)), found.value * (1 - found.value)
        wanted = [1 / (1 + math.exp(-(odds + s * z * found.se / turn))) for s in (-1, 1)]
    assert found[1:3] == pytest.approx(wanted)


def test_skill_by_jackknife():
    """The standard error of the skill is that of leaving out each row in turn, within 3 %."""
    y, scores = drawn(2, 300)
    y &= np.arange(300) % 4 == 0
    less = []
    for i in range(300):
        keep = np.arange(300) != i
        less.append(cm.sweep(y[keep], scores[keep]).brier_skill)
    jackknife = math.sqrt(299 / 300 * np.sum((np.array(less) - np.mean(less)) ** 2))
    assert cm.sweep(y, scores).ci("brier_skill").se == pytest.approx(jackknife, rel=0.03)


def test_losses_without_spread():
    """All rows lose the same: Wilson's interval of 0 of n says how many could lose otherwise."""
    s = cm.sweep([0, 1] * 20, [0.5] * 40)
    found = s.ci("brier")
    some = 1.959963984540054**2 / (40 + 1.959963984540054**2)
    assert found[:3] == pytest.approx((0.25, 0.25 * (1 - some), 0.25 + 0.75 * some))
    even = cm.sweep([0, 1] * 20, [0.5] * 40).ci("log_loss")
    assert even[1:3] == pytest.approx(
        [math.log(2) * (1 - some), math.log(2) * (1 - some) + some * 52 * math.log(2)]
    )
    for n in range(2, 40):  # whose mean loss is rounded now and then
        ends = cm.sweep([0] * n, [0.1] * n).ci("log_loss")
        assert ends.low < ends.value < ends.high
    perfect = cm.sweep([0, 1] * 20, [0.0, 1.0] * 20)
    assert perfect.ci("brier")[:3] == pytest.approx((0.0, 0.0, some))
    assert perfect.ci("brier_skill")[:3] == pytest.approx((1.0, 1 - 4 * some, 1.0))
    assert 0 <= perfect.ci("log_loss").low < perfect.ci("log_loss").high < math.inf


@pytest.mark.parametrize("name", ["roc_auc", "gini", "brier", "log_loss", "brier_skill"])
def test_bins_widen(name):
    y, scores = drawn(3)
    exact, coarse = cm.sweep(y, scores), cm.sweep(y, scores, bins=np.linspace(0, 1, 6))
    whole, found = exact.ci(name), coarse.ci(name)
    least, most = coarse.bounds(name)
    assert found.method == f"{whole.method}, bins"
    assert found.low < least < most < found.high
    assert found.low < whole.low < whole.high < found.high
    one = cm.sweep(y, np.round(scores, 1), bins="unit")
    assert one.is_exact
    assert one.ci(name) == cm.sweep(y, np.round(scores, 1)).ci(name)


@pytest.mark.parametrize("name", ["average_precision", "ks", "eer", "ece"])
def test_by_bootstrap(name):
    y, scores = drawn(4)
    s = cm.sweep(y, scores)
    found = s.ci(name, seed=1)
    assert found == s.ci(name, seed=1)
    assert found != s.ci(name, seed=2)
    assert found.method == "bootstrap"
    assert found.low <= found.value <= found.high
    assert found.low < found.high
    assert 0 < found.se < 0.1
    coarse = cm.sweep(y, scores, bins=np.linspace(0, 1, 41)).ci(name, seed=1)
    assert coarse.method == "bootstrap, bins"
    assert coarse.high - coarse.low > found.high - found.low


def test_bootstrap_is_close_to_delong():
    y, scores = drawn(5)
    s = cm.sweep(y, scores)
    by_rows = s.ci("roc_auc", method="bootstrap", seed=0)
    assert by_rows[1:3] == pytest.approx(s.ci("roc_auc")[1:3], abs=0.006)


@pytest.mark.parametrize("part", [{"max_fpr": 0.2}, {"min_tpr": 0.7, "standardize": False}])
def test_partial_areas(part):
    y, scores = drawn(13)
    s = cm.sweep(y, scores)
    found = s.ci("partial_auc", seed=1, **part)
    assert found == s.ci("partial_auc", seed=1, **part)
    rng = np.random.default_rng(0)
    again = []
    for _ in range(400):
        rows = rng.integers(0, len(y), len(y))
        again.append(cm.sweep(y[rows], scores[rows]).value("partial_auc", **part))
    assert found.se == pytest.approx(np.std(again), rel=0.15)
    assert found[1:3] == pytest.approx(np.quantile(again, [0.025, 0.975]), abs=0.7 * found.se)
    # So many scores that the curve is drawn in steps.
    y, scores = drawn(14, 10_000)
    many = cm.sweep(y, scores).ci("partial_auc", seed=1, **part)
    assert many.se == pytest.approx(found.se / 5, rel=0.25)
    assert many.low < many.value < many.high


def test_bins_without_bounds_have_none():
    y, scores = drawn(6)
    found = cm.sweep(y, scores, bins=np.linspace(0, 1, 6)).ci("mce")
    assert math.isnan(found.low)
    assert found.method.startswith("none: mce has no bounds")


@pytest.mark.parametrize("name", ["roc_auc", "gini", "brier", "average_precision"])
def test_one_class_has_none(name):
    y, scores = drawn(7)
    counts = cm.sweep(y, scores, sample_weight=np.full(len(y), 3)).ci("roc_auc")
    assert counts.se < cm.sweep(y, scores).ci("roc_auc").se
    if name != "brier":
        alone = cm.sweep([0, 0], [0.1, 0.2]).ci(name)
        assert all(map(math.isnan, alone[:4]))
        assert alone.method.startswith("none: ")


def test_refusals():
    s = cm.sweep(*drawn(8))
    for name, arguments, words in (
        ("roc_auc", {"method": "wald"}, "roc_auc has 'delong', 'delong_logit'"),
        ("brier", {"method": "delong"}, "brier has 'mean', 'bootstrap'"),
        ("ks", {"method": "delong"}, "ks has 'bootstrap'"),
        ("roc_auc", {"level": 95}, "`level` is 95"),
        ("roc_auc", {"side": "left"}, "`side` is 'left'"),
        ("ks", {"replicates": 0}, "`replicates`"),
        ("mcc", {}, "mcc"),
        ("roc_auc(max_fpr=0.2)", {}, "takes no parameter"),
    ):
        with pytest.raises(InputError, match=words):
            s.ci(name, **arguments)


def test_overall_with_intervals():
    s = cm.sweep(*drawn(9))
    names = ["roc_auc", "brier", "ks"]
    frame = s.overall(names, ci=0.9, seed=3)
    assert frame.select("metric", "value").equals(s.overall(names).select("metric", "value"))
    for name, low, high in frame.select("metric", "low", "high").rows():
        assert (low, high) == s.ci(name, 0.9, seed=3)[1:3]
    raw = cm.sweep([0, 1, 1, 0], [-3.0, 2.0, 5.0, 3.0]).overall(["roc_auc", "brier"], ci=0.95)
    assert raw["low"].is_null().to_list() == [False, True]
    with pytest.raises(InputError, match="`ci` is 95"):
        s.overall(names, ci=95)


def test_draws_that_are_all_the_same_give_no_interval():
    s = cm.sweep([0] * 5 + [1] * 5, np.arange(10) / 10)
    for name in ("ks", "average_precision"):
        found = s.ci(name, seed=1)
        assert found.value == 1.0
        assert math.isnan(found.low)
        assert found.method == "none: rows that are drawn again all give the same"
    table = s.overall(["ks", "roc_auc"], ci=0.95)
    assert table["low"].is_null().to_list() == [True, False]
    m = cm.ConfusionMatrix([[50, 0], [0, 50]])
    assert math.isnan(m.ci("mcc", method="bootstrap", seed=1).low)
    assert m.ci("mcc").low > 0.8
