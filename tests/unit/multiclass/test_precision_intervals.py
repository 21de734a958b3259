"""Average precision of many classes: from 50 rows of each class on a formula, below that draws."""

import math

import numpy as np
import pytest

import confmat as cm

K = 3
AVERAGES = ["macro", "weighted", "micro"]


def drawn(seed, n, weights=False, apart=1.2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % K
    scores = np.exp(rng.normal(size=(n, K)) + apart * np.eye(K)[y])
    return y, scores / scores.sum(1, keepdims=True), rng.exponential(size=n) if weights else None


def sweep(y, scores, w, keep=slice(None)):
    part = None if w is None else w[keep]
    return cm.multiclass_sweep(y[keep], scores[keep], sample_weight=part)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("weights", [False, True])
def test_the_standard_error_is_that_of_leaving_rows_out(average, weights):
    n = 360 if weights else 180  # of which half are effective
    rows = drawn(1, n, weights)
    found = sweep(*rows).ci("average_precision", average=average)
    assert found.method == "delta"
    assert found.value == sweep(*rows).value("average_precision", average=average)
    assert 0 < found.low < found.value < found.high < 1
    less = [
        sweep(*rows, np.arange(n) != at).value("average_precision", average=average)
        for at in range(n)
    ]
    jackknife = math.sqrt((n - 1) * np.var(less))
    assert found.se == pytest.approx(jackknife, rel=0.08)
    assert sweep(*rows).ci(f"average_precision_{average}", seed=4) == found


@pytest.mark.parametrize(
    ("average", "n", "method"),
    [
        ("macro", 147, "bootstrap"),
        ("weighted", 147, "bootstrap"),
        ("micro", 48, "bootstrap"),
        ("macro", 150, "delta"),
        ("weighted", 150, "delta"),
        ("micro", 51, "delta"),
    ],
)
def test_fifty_rows_of_each_class_are_enough(average, n, method):
    name = f"average_precision_{average}"
    k = sweep(*drawn(2, n))
    assert k.ci(name, seed=0, replicates=400).method == method
    row = k.overall([name], ci=0.95).row(0, named=True)
    if method == "delta":
        assert (row["low"], row["high"], row["reason"]) == (*k.ci(name)[1:3], None)
        return
    of = "there are 48" if average == "micro" else "a class has 49"
    assert (row["low"], row["high"]) == (None, None)
    assert row["reason"] == (
        f"no interval: that of {name} takes rows drawn again, as MulticlassSweep.ci draws them: "
        f"{of} rows, and of 50 or more there is a formula"
    )


def test_weighted_rows_count_by_their_effective_number():
    y, scores, _ = drawn(7, 180)
    k = sweep(y, scores, np.where(np.arange(180) < 9, 1.0, 1e-6))
    row = k.overall(["average_precision_macro"], ci=0.95).row(0, named=True)
    assert row["low"] is None
    assert "a class has 3 effective rows, and of 50 or more" in row["reason"]
    assert k.ci("average_precision_macro", seed=0, replicates=400).method != "delta"
    even = sweep(y, scores, np.full(180, 0.1))
    assert even.ci("average_precision_macro").method == "delta"


@pytest.mark.parametrize("each", [159, 160])
def test_many_classes_take_more_rows_of_each(each):
    rng = np.random.default_rng(8)
    y = np.arange(10 * each) % 10
    scores = np.exp(rng.normal(size=(len(y), 10)) + np.eye(10)[y])
    k = cm.multiclass_sweep(y, scores / scores.sum(1, keepdims=True))
    row = k.overall(["average_precision_macro", "average_precision_micro"], ci=0.95)
    assert row["low"].is_not_null().to_list() == [each == 160, True]
    if each < 160:
        assert "a class has 159 rows, and of 160 or more" in row["reason"][0]


def test_rows_that_weigh_nothing_are_none():
    y, scores, _ = drawn(3, 150)
    w = np.ones(150)
    w[0] = 0
    assert sweep(y, scores, w).ci("average_precision", seed=0).method == "bootstrap"


def test_the_interval_is_that_of_one_side_and_level():
    k = sweep(*drawn(4, 300))
    both = k.ci("average_precision", 0.9)
    below, above = (k.ci("average_precision", 0.95, side=side) for side in ("lower", "upper"))
    assert (below.low, above.high) == pytest.approx(both[1:3])
    assert (below.high, above.low) == (1.0, 0.0)


def test_perfect_scores_are_not_certain():
    y = np.arange(150) % K
    found = cm.multiclass_sweep(y, np.eye(K)[y]).ci("average_precision")
    assert (found.value, found.high, found.method) == (1.0, 1.0, "delta")
    assert 0.9 < found.low < 0.99


def test_a_class_that_is_filled_in_is_no_estimate():
    y, scores, _ = drawn(5, 150)
    k = cm.multiclass_sweep(y, scores)
    assert k.ci("average_precision", undefined=0.5) == k.ci("average_precision")
    more = cm.multiclass_sweep(y % 2, scores, labels=range(K))
    assert more.ci("average_precision").method == "delta"
    found = more.ci("average_precision", undefined=0.5)
    assert found.method == "none: a class has no value, and `undefined` in its place is no estimate"


def test_what_is_not_drawn_is_checked_all_the_same():
    k = sweep(*drawn(6, 150))
    with pytest.raises(cm.InputError, match="`replicates`"):
        k.ci("average_precision", replicates=0)
    with pytest.raises(cm.InputError, match="`seed`"):
        k.ci("average_precision", seed="x")
