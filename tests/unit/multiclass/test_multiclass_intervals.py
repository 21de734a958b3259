"""Intervals of numbers of many classes: against leaving rows out, one sweep, plain means."""

import math

import numpy as np
import pytest

import confmat as cm
from confmat.errors import InputError
from confmat.multiclass.counted_rows import rows_of
from confmat.multiclass.drawn_precisions import drawn_precisions
from confmat.scores.delong import delong

K = 3


def drawn(seed, n=150, weights=False):
    rng = np.random.default_rng(seed)
    y = rng.choice(K, n, p=[0.5, 0.3, 0.2])
    logits = rng.normal(size=(n, K)) + 1.2 * np.eye(K)[y]
    scores = np.exp(logits)
    return y, scores / scores.sum(1, keepdims=True), rng.exponential(size=n) if weights else None


def jackknife(value, n):
    """Leave out each row in turn: the variance of a number."""
    less = np.array([value(np.arange(n) != i) for i in range(n)])
    return (n - 1) / n * np.sum((less - less.mean()) ** 2)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("weights", [False, True])
def test_variances_by_jackknife(average, weights):
    y, scores, w = drawn(1, weights=weights)

    def sweep(keep):
        part = None if w is None else w[keep]
        return cm.multiclass_sweep(y[keep], scores[keep], sample_weight=part)

    wanted = jackknife(lambda keep: sweep(keep).value("roc_auc", average=average), len(y))
    rows = rows_of(sweep(np.ones(len(y), bool)))
    if average == "micro":
        found = rows.variance(rows.pooled_changes())
    else:
        areas = rows.class_areas()
        shares = [1 / K] * K if average == "macro" else areas.weights
        found = rows.variance_of(areas, shares, moves=average == "weighted")
    assert found == pytest.approx(wanted, rel=0.1 if weights else 0.05)


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("weights", [False, True])
def test_variances_of_pairs_by_jackknife(average, weights):
    y, scores, w = drawn(11, weights=weights)

    def sweep(keep):
        part = None if w is None else w[keep]
        return cm.multiclass_sweep(y[keep], scores[keep], sample_weight=part)

    given = {"average": average, "multi_class": "ovo"}
    wanted = jackknife(lambda keep: sweep(keep).value("roc_auc", **given), len(y))
    k = sweep(np.ones(len(y), bool))
    rows = rows_of(k)
    pairs = rows.pair_areas()
    assert pairs.areas == pytest.approx(k.pair_table()["auc"].to_list())
    shares = np.ones(3) / 3 if average == "macro" else np.array(pairs.weights) / sum(pairs.weights)
    found = rows.variance_of_pairs(pairs, shares.tolist(), moves=average == "weighted")
    assert found == pytest.approx(wanted, rel=0.1 if weights else 0.05)
    interval = k.ci("roc_auc", **given)
    assert interval.method == "delong"
    assert interval.value == pytest.approx(float(shares @ pairs.areas))
    assert interval.low < interval.value < interval.high
    assert 0.9 * math.sqrt(found) < interval.se < 1.5 * math.sqrt(found)


def test_shares_of_pairs_vary():
    """Of areas of pairs that are far apart the weights matter."""
    rng = np.random.default_rng(19)
    y = rng.choice(3, 200, p=[0.6, 0.2, 0.2])
    scores = rng.normal(size=(200, K)) + np.array([4.0, 0.0, 0.0]) * (y == 0)[:, None]
    given = {"average": "weighted", "multi_class": "ovo"}

    def weighted(keep):
        return cm.multiclass_sweep(y[keep], scores[keep]).value("roc_auc", **given)

    rows = rows_of(cm.multiclass_sweep(y, scores))
    pairs = rows.pair_areas()
    shares = [own / sum(pairs.weights) for own in pairs.weights]
    found = rows.variance_of_pairs(pairs, shares, moves=True)
    assert found == pytest.approx(jackknife(weighted, 200), rel=0.06)
    assert rows.variance_of_pairs(pairs, shares, moves=False) < 0.98 * found


def test_pairs_of_two_classes_are_one_sweep():
    rng = np.random.default_rng(12)
    y, scores = rng.random(80) < 0.4, rng.integers(0, 30, 80) / 30
    k = cm.multiclass_sweep(y.astype(int), np.column_stack([1 - scores, scores]))
    one = cm.sweep(y, scores).ci("roc_auc")
    assert k.ci("roc_auc", multi_class="ovo")[:4] == pytest.approx(one[:4], rel=1e-9)
    # A class without rows is no pair, or stands in with a number.
    more = cm.multiclass_sweep(
        y.astype(int), np.column_stack([1 - scores, scores, scores * 0]), labels=[0, 1, 2]
    )
    assert more.ci("roc_auc", multi_class="ovo")[:4] == pytest.approx(one[:4], rel=1e-9)
    filled = more.ci("roc_auc", multi_class="ovo", undefined=0.5)
    assert filled.low < filled.value < filled.high


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("weights", [False, True])
def test_average_precision_is_drawn(average, weights):
    n = 48 if average == "micro" else 200
    y, scores, w = drawn(13, n, weights)
    k = cm.multiclass_sweep(y, scores, sample_weight=w)
    found = k.ci("average_precision", average=average, seed=1, replicates=500)
    assert found.value == k.value("average_precision", average=average)
    assert found.method == "bootstrap"
    assert found.low < found.value < found.high
    assert k.ci(f"average_precision_{average}", seed=1, replicates=500) == found

    def value(keep):
        part = None if w is None else w[keep]
        kept = cm.multiclass_sweep(y[keep], scores[keep], sample_weight=part)
        return kept.value("average_precision", average=average)

    assert found.se**2 == pytest.approx(jackknife(value, n), rel=0.35)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
def test_average_precision_without_each_row(average):
    rng = np.random.default_rng(14)
    y, w = rng.integers(0, 3, 60), rng.exponential(size=60)
    scores = rng.integers(0, 6, (60, 3)) / 6  # with ties
    rows = rows_of(cm.multiclass_sweep(y, scores, sample_weight=w))
    _, less, times = drawn_precisions(rows, average, 1, rng)
    assert times.tolist() == [1.0] * 60
    for at in (0, 7, 59):
        keep = np.arange(60) != at
        k = cm.multiclass_sweep(y[keep], scores[keep], sample_weight=w[keep])
        wanted = k.value("average_precision", average=average)
        assert less[at] == pytest.approx(wanted, rel=1e-12)


def test_the_shares_of_a_weighted_mean_vary():
    """Of areas that are far apart; without it a fifth of the variance would be missing."""
    rng = np.random.default_rng(9)
    y = rng.choice(2, 150, p=[0.5, 0.5]) + (rng.random(150) < 0.4)
    scores = rng.normal(size=(150, K)) + np.array([4.0, 0.0, 0.0]) * (y == 0)[:, None]
    k = cm.multiclass_sweep(y, scores)

    def weighted(keep):
        return cm.multiclass_sweep(y[keep], scores[keep]).value("roc_auc", average="weighted")

    areas = rows_of(k).class_areas()
    found = rows_of(k).variance_of(areas, areas.weights, moves=True)
    fixed = rows_of(k).variance_of(areas, areas.weights, moves=False)
    assert found == pytest.approx(jackknife(weighted, 150), rel=0.05)
    assert fixed < 0.9 * found


def test_two_classes_are_one_sweep():
    rng = np.random.default_rng(2)
    y, scores = rng.random(80) < 0.4, rng.integers(0, 30, 80) / 30
    k = cm.multiclass_sweep(y.astype(int), np.column_stack([1 - scores, scores]))
    areas = rows_of(k).class_areas()
    area, variance = delong(cm.sweep(y, scores))
    found = rows_of(k).variance_of(areas, [0.5, 0.5], moves=False)
    assert found == pytest.approx(variance, rel=1e-9)
    one = cm.sweep(y, scores).ci("roc_auc")
    assert k.ci("roc_auc")[:4] == pytest.approx(one[:4], rel=1e-9)
    assert k.roc_auc == pytest.approx(area)


def test_covariance_counts():
    """Three areas of one row each time are no three areas of different rows."""
    y, scores, _ = drawn(3)
    rows = rows_of(cm.multiclass_sweep(y, scores))
    areas = rows.class_areas()
    apart = sum(
        rows.variance_of(areas, [1 / K if i == j else 0.0 for j in range(K)], moves=False)
        for i in range(K)
    )
    together = rows.variance_of(areas, [1 / K] * K, moves=False)
    assert together > 1.2 * apart
    for at in range(K):
        alone = delong(cm.sweep(y == at, scores[:, at]))[1]
        share = [float(i == at) for i in range(K)]
        assert rows.variance_of(areas, share, moves=False) == pytest.approx(alone, rel=0.05)


@pytest.mark.parametrize("name", ["roc_auc", "roc_auc_weighted", "roc_auc_micro", "brier"])
def test_intervals(name):
    k = cm.multiclass_sweep(*drawn(4)[:2])
    found = k.ci(name)
    assert found.value == k.value(name)
    assert found.low < found.value < found.high
    below, above = (k.ci(name, 0.975, side=side) for side in ("lower", "upper"))
    assert (below.low, above.high) == pytest.approx(found[1:3])
    assert (below.high, above.low) == (2.0 if name == "brier" else 1.0, 0.0)


def test_losses_are_means_of_their_rows():
    y, scores, w = drawn(5, weights=True)
    of_truth = scores[np.arange(len(y)), y]
    briers = (scores**2).sum(1) - 2 * of_truth + 1
    k = cm.multiclass_sweep(y, scores)
    for name, losses in (("brier", briers), ("log_loss", -np.log(of_truth))):
        found = k.ci(name)
        assert found.value == pytest.approx(losses.mean())
        assert found.se == pytest.approx(losses.std(ddof=1) / math.sqrt(len(y)))
    half = k.ci("brier", scale_by_half=True)
    assert half.se == pytest.approx(k.ci("brier").se / 2)
    weighted = cm.multiclass_sweep(y, scores, sample_weight=w).ci("log_loss")
    share = w / w.sum()
    mean = share @ -np.log(of_truth)
    spread = (share**2 * (-np.log(of_truth) - mean) ** 2).sum() / (1 - (share**2).sum())
    assert weighted.value == pytest.approx(mean)
    assert weighted.se == pytest.approx(math.sqrt(spread))


def test_top_k():
    y, scores, _ = drawn(6)
    k = cm.multiclass_sweep(y, scores)
    found = k.ci("top_1_accuracy")
    assert found[:3] == pytest.approx(k.at_argmax().ci("accuracy")[:3])
    assert k.ci("top_k_accuracy", k=2).low > found.low


def test_all_right():
    y = np.arange(30) % 3
    k = cm.multiclass_sweep(y, np.eye(3)[y])
    found = k.ci("roc_auc")
    assert (found.value, found.high, found.method) == (1.0, 1.0, "newcombe")
    assert 0.7 < found.low < 1
    assert k.ci("roc_auc_micro").low < 1
    assert k.ci("brier")[:2] == (0.0, 0.0)
    assert 0 < k.ci("brier").high < 0.5
    wrong = cm.multiclass_sweep(y, np.eye(3)[(y + 1) % 3]).ci("log_loss", clip=None)
    assert wrong.value == math.inf
    assert wrong.method == "none: the loss of a row is infinite"


def test_without_interval():
    y, scores, w = drawn(7, weights=True)
    binned = cm.multiclass_sweep(y, scores).to_state()
    for name in ("roc_auc_micro", "roc_auc_ovo", "brier", "average_precision_micro"):
        of = cm.multiclass_sweep(y, scores).to_state(pairs=True)
        assert of.ci(name).method == "none: bins do not keep the rows"
    assert binned.ci("top_1_accuracy").method == "wilson"
    weighted = cm.multiclass_sweep(y, scores, sample_weight=w)
    assert weighted.ci("top_1_accuracy").method.startswith("none: ")
    alone = cm.multiclass_sweep([1, 1], [[0.2, 0.8], [0.4, 0.6]], labels=[0, 1])
    assert alone.ci("roc_auc").method == "none: all rows are of one class"
    k = cm.multiclass_sweep(y, scores)
    for name in ("classwise_ece", "top_label_ece"):
        with pytest.raises(InputError, match=f"{name} has no interval"):
            k.ci(name)
    with pytest.raises(InputError, match="no number is named 'mcc'"):
        k.ci("mcc")
    with pytest.raises(InputError, match="`level`"):
        k.ci("roc_auc", 95)


def test_tables():
    y, scores, _ = drawn(8)
    k = cm.multiclass_sweep(y, scores)
    frame = k.overall(ci=0.9)
    assert frame.select("metric", "value").equals(k.overall().select("metric", "value"))
    known = dict(zip(frame["metric"], zip(frame["low"], frame["high"], strict=True), strict=True))
    assert known["roc_auc_macro"] == k.ci("roc_auc", 0.9)[1:3]
    assert known["top_2_accuracy"] == k.ci("top_2_accuracy", 0.9)[1:3]
    assert known["roc_auc_ovo"] == k.ci("roc_auc_ovo", 0.9)[1:3]
    assert known["average_precision_macro"] == known["classwise_ece"] == (None, None)
    classes = k.per_class(["roc_auc", "ks"], ci=0.9)
    assert classes.select("label", "n", "roc_auc", "ks").equals(k.per_class(["roc_auc", "ks"]))
    for label, row in zip(k.labels, classes.iter_rows(named=True), strict=True):
        alone = k.one_vs_rest(label)
        wanted = alone.ci("roc_auc", 0.9)[1:3]
        assert (row["roc_auc_low"], row["roc_auc_high"]) == wanted
        wanted = alone.ci("ks", 0.9, seed=0)[1:3]
        assert (row["ks_low"], row["ks_high"]) == wanted
    raw = cm.multiclass_sweep(y, 5 * scores).overall(ci=0.9)
    assert raw.filter(metric="brier")["low"].is_null().all()


@pytest.mark.parametrize("kind", ["ovr", "ovo"])
@pytest.mark.parametrize("undefined", [0.0, 0.5, 1.0])
def test_areas_that_are_filled_in_are_no_estimates(kind, undefined):
    y = np.array([0, 1] * 20)
    k = cm.multiclass_sweep(y, np.eye(3)[y], labels=[0, 1, 2])
    asked = {"undefined": undefined, "multi_class": kind}
    found = k.ci("roc_auc", **asked)
    assert found.value == k.value("roc_auc", **asked)
    assert found.low < found.value == pytest.approx(found.high)


def test_perfect_scores_with_weights_are_not_certain():
    rng = np.random.default_rng(1)
    y = np.arange(9) % 3
    for _ in range(50):
        k = cm.multiclass_sweep(y, np.eye(3)[y], sample_weight=rng.exponential(size=9))
        for average in ("weighted", "macro"):
            found = k.ci("roc_auc", average=average)
            assert found.low < 0.99
