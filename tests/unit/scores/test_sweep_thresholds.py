"""Matrices and metrics at thresholds, the best threshold, limits, operating points."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.decided import COST, SCORES, Y, by_hand, data, rows

import confmat as cm


@given(rows, st.floats(allow_nan=False))
def test_matrix_at_any_threshold(rows, threshold):
    y, scores = zip(*rows, strict=True)
    for dtype in (np.float64, np.float32):
        s = cm.sweep(np.array(y), np.array(scores, dtype=dtype))
        assert s.at(threshold).counts.tolist() == by_hand(y, scores, threshold)


def test_matrix_has_labels_types_and_what_was_left_out():
    y = ["bad", "good", None, "good"]
    s = cm.sweep(y, [0.1, 0.9, 0.5, math.nan], pos_label="good", nan="drop")
    m = s.at(0.5)
    assert m.labels == ("bad", "good")
    assert m.counts.tolist() == [[1, 0], [0, 1]]
    assert m.counts.dtype == np.int64
    assert m.n_dropped == 2
    weighted = cm.sweep([0, 1], [0.1, 0.9], sample_weight=[0.5, 1.5]).at(0.5)
    assert weighted.counts.tolist() == [[0.5, 0.0], [0.0, 1.5]]


def test_thresholds_of_float32_scores_are_compared_exactly():
    score = np.float32(0.1)  # 0.10000000149
    s = cm.sweep([1, 0], np.array([score, 0.0], dtype=np.float32))
    assert s.at(0.1).tp == s.at(float(score)).tp == 1
    assert s.at(np.nextafter(float(score), 1)).tp == 0
    assert s.at(1e300).tp == s.at(1e39).tp == 0
    assert s.at(-1e300).tp == 1


def test_infinite_scores_and_thresholds():
    s = cm.sweep([1, 0, 1], [math.inf, 0.0, -math.inf])
    assert s.at(math.inf).counts.tolist() == [[1, 0], [1, 1]]
    assert s.at(-math.inf).counts.tolist() == [[0, 1], [0, 2]]
    assert cm.sweep(Y, SCORES).at(math.inf).counts.tolist() == [[2, 0], [2, 0]]


def test_a_threshold_chosen_on_one_sweep_works_on_another():
    (y, scores), (y2, scores2) = data(1), data(2)
    threshold = cm.sweep(y, scores).best("mcc").threshold
    test = cm.sweep(y2, scores2 + 0.003)
    assert threshold not in test.scores
    assert test.at(threshold).counts.tolist() == by_hand(y2, scores2 + 0.003, threshold)


@pytest.mark.parametrize("threshold", [math.nan, "0.5", None, [0.5, 0.6]])
def test_bad_threshold(threshold):
    with pytest.raises(cm.InputError, match=r"`threshold` is .*; wanted a number"):
        cm.sweep(Y, SCORES).at(threshold)


def test_inside_a_bin():
    s = cm.sweep(Y, SCORES, bins=[0.0, 0.3, 0.6, 0.7, 1.0])
    with pytest.raises(cm.InputError, match=r"0.35 lies inside the bin \[0.3, 0.6\)"):
        s.at(0.35)
    assert s.at(0.35, nearest=True) == s.at(0.3)
    assert s.at(0.55, nearest=True) == s.at(0.6)
    even = cm.sweep(Y, SCORES, bins=[0.0, 0.25, 0.75, 1.0])
    assert even.at(0.5, nearest=True) == even.at(0.75)  # equally near: the upper
    assert even.at(0.75) != even.at(0.25)
    # Between bins, where the bin is empty, and outside all of them, counts are exact.
    assert s.at(0.65) == s.at(0.6) == cm.sweep(Y, SCORES).at(0.65)
    assert s.at(2.0).tp == 0
    assert s.at(-1.0).tp == 2
    assert s.at(0.0).counts.tolist() == [[0, 2], [0, 2]]


@given(rows, st.floats(0, 9, allow_nan=False))
def test_a_binned_sweep_gives_exact_counts_or_none(rows, threshold):
    y, scores = zip(*rows, strict=True)
    s = cm.sweep(y, scores, bins=[-0.5, 0.0, 2.0, 3.5, 7.0, 9.5])
    try:
        found = s.at(threshold)
    except cm.InputError:
        inside = s.at(threshold, nearest=True)
        edges = [s.at(edge).counts.tolist() for edge in [-0.5, 0.0, 2.0, 3.5, 7.0, 9.5]]
        assert inside.counts.tolist() in edges
        return
    assert found.counts.tolist() == by_hand(y, scores, threshold)


def test_table_default_and_columns():
    s = cm.sweep(Y, SCORES)
    frame = s.table()
    assert frame.columns == [
        *("threshold", "n_predicted", "precision", "recall", "specificity", "f1", "mcc")
    ]
    assert frame["threshold"].to_list() == s.scores.tolist()
    assert frame["n_predicted"].to_list() == [1, 2, 3, 4]
    assert frame["mcc"].to_list()[3] is None
    assert s.table("mcc", undefined=0.0)["mcc"].to_list()[3] == 0.0


@pytest.mark.parametrize("name", ["f1", "fbeta(2)", "mcc", "gmcc", "eve", "f1_macro", "kappa"])
def test_table_is_the_matrix_at_each_threshold(name):
    y, scores = data()
    s = cm.sweep(y, scores)
    frame = s.table([name])
    for threshold, _, value in frame.rows():
        wanted = s.at(threshold).value(name)
        assert (value is None and math.isnan(wanted)) or value == wanted


def test_table_at_given_thresholds():
    s = cm.sweep(Y, SCORES)
    frame = s.table(["recall", "cost", "mean_cost", "top_left"], [-1, 0.35, 0.5, 2], COST)
    assert frame["threshold"].to_list() == [-1, 0.35, 0.5, 2]
    assert frame["n_predicted"].to_list() == [4, 3, 1, 0]
    assert frame["cost"].to_list() == [s.at(t).cost(COST) for t in (-1, 0.35, 0.5, 2)]
    assert frame["mean_cost"].to_list() == [c / 4 for c in frame["cost"]]
    assert frame["top_left"].to_list() == [1.0, 0.5, 0.5, 1.0]
    assert s.table(["recall"], pl.Series([0.2])).height == 1
    assert s.table(["recall"], []).height == 0
    assert s.table([]).columns == ["threshold", "n_predicted"]


@pytest.mark.parametrize("count", [1, 2, 5, 50, 100_000])
def test_table_at_a_number_of_thresholds(count):
    s = cm.sweep(*data())
    frame = s.table(["recall"], thresholds=count)
    whole = s.table(["recall"])
    assert frame.height <= count
    assert set(frame.rows()) <= set(whole.rows())
    assert frame.row(-1) == whole.row(-1)
    if count == 100_000:
        assert frame.equals(whole)
    if count == 5:
        assert np.allclose(frame["n_predicted"], np.linspace(0, s.n, 5), atol=0.03 * s.n)


@pytest.mark.parametrize(
    ("thresholds", "words"),
    [
        ([0.5, 0.2], "`thresholds` holds 0.2 after 0.5 at position 1; wanted increasing"),
        ([0.5, 0.5], "wanted increasing"),
        ([0.5, math.inf], "`thresholds` holds inf at position 1; wanted finite"),
        ([math.nan], "wanted finite"),
        ([[0.1]], r"`thresholds` has shape \(1, 1\)"),
        (["a"], "`thresholds` is not a list of numbers"),
        (0, "`thresholds` is 0; wanted at least 1"),
        (0.5, r"`thresholds` has shape \(\)"),
        (True, r"`thresholds` has shape \(\)"),
    ],
)
def test_bad_thresholds(thresholds, words):
    with pytest.raises(cm.InputError, match=words):
        cm.sweep(Y, SCORES).table(["f1"], thresholds=thresholds)


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (None, "`cost` is needed"),
        ([0, 3], r"`cost` has shape \(2,\); wanted a 2 x 2 matrix"),
        ([[0, 3, 1], [5, 0, 1]], r"`cost` has shape \(2, 3\)"),
        ([[0, math.nan], [5, 0]], r"`cost` holds nan at \[0, 1\]"),
        ([["a", "b"], [1, 2]], "`cost` is not an array of numbers"),
    ],
)
def test_bad_costs(cost, words):
    s = cm.sweep(Y, SCORES)
    for call in (
        lambda: s.table(["cost"], cost=cost),
        lambda: s.best("cost", cost=cost),
        lambda: s.cost_curve(cost),
        lambda: s.cost_curve() if cost is None else s.cost_curve(cost),
    ):
        with pytest.raises(cm.InputError, match=words):
            call()
    if cost is not None:
        with pytest.raises(cm.InputError, match=words):
            s.cost_curve(cost)


def test_bad_metrics():
    s = cm.sweep(Y, SCORES)
    with pytest.raises(cm.InputError, match="no metric is named 'f11'; did you mean f1"):
        s.table(["f11"])
    with pytest.raises(cm.InputError, match="`metrics` holds 3"):
        s.table(["f1", 3])
    with pytest.raises(cm.InputError, match="neither better higher nor lower"):
        s.best("prevalence")
    with pytest.raises(cm.InputError, match="`metric` is 3"):
        s.best(3)
