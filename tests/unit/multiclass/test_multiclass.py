"""Probabilities of many classes: exact small cases, definitions, undefined values, invariances."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confmat as cm
from confmat import _core


def eighths(seed, n, k):
    """Return classes and probabilities that are whole eighths, so with many ties."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    return y, rng.multinomial(8, rng.dirichlet(np.ones(k), n)) / 8


def wins(y, p, i, j):
    """Twice the pairs that class i wins against class j in its own column, ties counted once."""
    ours, theirs = p[y == i, i], p[y == j, i]
    return sum(2 * (a > b) + (a == b) for a in ours for b in theirs)


@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(1, 40))
def test_areas_are_exact_fractions(seed, k, n):
    y, p = eighths(seed, n, k)
    s = cm.multiclass_sweep(y, p, labels=range(k))
    support = [int((y == i).sum()) for i in range(k)]
    assert s.support.tolist() == support
    for i, area in enumerate(s.per_class()["roc_auc"].to_numpy()):
        pairs = 2 * support[i] * (n - support[i])
        won = sum(int(wins(y, p, i, j)) for j in range(k) if j != i)
        assert math.isnan(area) if pairs == 0 else area == float(Fraction(won, pairs))
    for a, b, n_a, n_b, auc_a, auc_b, auc in s.pair_table().rows():
        assert (n_a, n_b) == (support[a], support[b])
        if not n_a * n_b:
            assert auc_a is None
            assert auc is None
            continue
        assert auc_a == float(Fraction(int(wins(y, p, a, b)), 2 * n_a * n_b))
        assert auc_b == float(Fraction(int(wins(y, p, b, a)), 2 * n_a * n_b))
        assert auc == (auc_a + auc_b) / 2


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(1, 60))
def test_sums_are_exact(seed, k, n):
    y, p = eighths(seed, n, k)
    s = cm.multiclass_sweep(y, p, labels=range(k))
    exact = [[Fraction(float(value)) for value in row] for row in p]
    total = sum(
        sum((q - (j == t)) ** 2 for j, q in enumerate(row)) for row, t in zip(exact, y, strict=True)
    )
    assert s.brier == float(total / n)
    soft = np.zeros((k, k))
    np.add.at(soft, y, p)
    assert s.soft_matrix().counts.tolist() == soft.tolist()  # eighths: no rounding
    assert s.soft_matrix().labels == tuple(range(k))
    ranks = {"best": [], "worst": [], "first": [], "last": []}
    for row, t in zip(p, y, strict=True):
        above = int((row > row[t]).sum())
        before, after = int((row[:t] == row[t]).sum()), int((row[t + 1 :] == row[t]).sum())
        ranks["best"].append(above)
        ranks["first"].append(above + before)
        ranks["last"].append(above + after)
        ranks["worst"].append(above + before + after)
    for ties, places in ranks.items():
        hits = [sum(r < top for r in places) for top in range(1, k + 1)]
        assert s.top_k_accuracies(ties).tolist() == [h / n for h in hits]
        assert s.value("top_k_accuracy", k=1, ties=ties) == hits[0] / n


@given(st.integers(0, 10_000), st.integers(2, 5), st.randoms())
def test_order_of_rows_and_columns_changes_nothing(seed, k, random):
    y, p = eighths(seed, 40, k)
    w = np.random.default_rng(seed).integers(0, 4, 40).astype(float)
    s = cm.multiclass_sweep(y, p, labels=range(k), sample_weight=w)
    rows = random.sample(range(40), 40)
    columns = random.sample(range(k), k)
    t = cm.multiclass_sweep(
        y[rows], p[np.ix_(rows, columns)], labels=columns, sample_weight=w[rows]
    )
    for name in ("macro", "weighted", "micro"):
        same(s.value("roc_auc", average=name), t.value("roc_auc", average=name))
        same(s.value("average_precision", average=name), t.value("average_precision", average=name))
    same(
        s.value("roc_auc", average="macro", multi_class="ovo"),
        t.value("roc_auc", average="macro", multi_class="ovo"),
    )
    same(s.log_loss, t.log_loss)
    same(s.brier, t.brier)
    same(s.classwise_ece, t.classwise_ece)
    rows_only = cm.multiclass_sweep(y[rows], p[rows], labels=range(k), sample_weight=w[rows])
    same(s.top_label_ece, rows_only.top_label_ece)
    for ties in ("best", "worst"):
        same(s.value("top_k_accuracy", k=2, ties=ties), t.value("top_k_accuracy", k=2, ties=ties))


def same(one, two):
    assert one == pytest.approx(two, rel=1e-12, nan_ok=True)


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_whole_weights_are_repeated_rows(seed, k):
    y, p = eighths(seed, 30, k)
    w = np.random.default_rng(seed).integers(0, 4, 30)
    s = cm.multiclass_sweep(y, p, labels=range(k), sample_weight=w)
    t = cm.multiclass_sweep(np.repeat(y, w), np.repeat(p, w, axis=0), labels=range(k))
    assert s.n == t.n
    for average in ("macro", "weighted", "micro"):
        same(s.value("roc_auc", average=average), t.value("roc_auc", average=average))
        same(
            s.value("average_precision", average=average),
            t.value("average_precision", average=average),
        )
    same(
        s.value("roc_auc", average="weighted", multi_class="ovo"),
        t.value("roc_auc", average="weighted", multi_class="ovo"),
    )
    same(s.log_loss, t.log_loss)
    same(s.brier, t.brier)
    same(s.value("top_k_accuracy", k=2), t.value("top_k_accuracy", k=2))
    same(s.classwise_ece, t.classwise_ece)
    assert s.at_top_k(2).counts.tolist() == t.at_top_k(2).counts.tolist()
    assert s.at_argmax().counts.dtype == np.int64


def test_matrix_at_top_k():
    y, p = eighths(5, 500, 4)
    s = cm.multiclass_sweep(y, p)
    for ties in ("first", "last"):
        for k in (1, 2, 3, 4, 9):
            m = s.at_top_k(k, ties)
            assert m.n == 500
            assert m.accuracy == s.value("top_k_accuracy", k=k, ties=ties)
            assert s.top_k_accuracy == s.value("top_k_accuracy", k=2, ties="last") < 1
            assert m.counts.sum(axis=1).tolist() == s.support.tolist()
    assert s.at_argmax() == s.at_top_k(1)
    assert s.at_argmax() == cm.confusion_matrix(y, p.argmax(1), labels=range(4))
    assert s.at_top_k(4).accuracy == 1


def test_absent_classes_are_left_out_of_means():
    y, p = eighths(1, 60, 5)
    kept = (y != 1) & (y != 3)
    s = cm.multiclass_sweep(y[kept], p[kept], labels=range(5))
    assert (s.n_classes_used, s.n_pairs_used) == (3, 3)
    areas = s.per_class()["roc_auc"].to_numpy()
    assert np.isnan(areas).tolist() == [False, True, False, True, False]
    assert s.roc_auc == pytest.approx(np.nanmean(areas))
    assert s.value("roc_auc", average="macro", multi_class="ovo") == pytest.approx(
        np.nanmean(s.pair_table()["auc"].to_numpy())
    )
    assert s.per_class()["average_precision"].null_count() == 2
    assert s.roc_curve(None)["label"].unique().sort().to_list() == [0, 2, 4]
    found = s.pr_curve(None).filter(recall=1.0).group_by("label").agg(pl.col("precision").max())
    assert len(found) == 3
    assert s.pr_curve(grid=[1]).row(0) == pytest.approx((1, found["precision"].mean()))


def test_undefined_values_have_reasons():
    p = [[0.5, 0.5], [0.25, 0.75]]
    s = cm.multiclass_sweep([1, 1], p, labels=[0, 1])
    for average in ("macro", "weighted", "micro"):
        assert math.isnan(s.value("roc_auc", average=average)) == (average != "micro")
    assert math.isnan(s.value("roc_auc", average="macro", multi_class="ovo"))
    assert s.reason("roc_auc") == "all rows are of one class"
    assert s.reason("log_loss") is None
    assert s.roc_curve().rows() == []
    assert s.roc_curve(None).columns == ["label", "threshold", "fpr", "tpr", "fp", "tp"]
    for empty in (
        cm.multiclass_sweep([], np.zeros((0, 2)), labels=[0, 1]),
        cm.multiclass_sweep([0, 1], p, sample_weight=[0, 0]),
    ):
        assert empty.reason("log_loss") in ("there are no rows", "all weights are 0")
        for value in (
            empty.log_loss,
            empty.brier,
            empty.value("top_k_accuracy", k=1),
            empty.roc_auc,
            empty.value("roc_auc", average="micro"),
            empty.average_precision,
            empty.classwise_ece,
            empty.top_label_ece,
        ):
            assert math.isnan(value)
        assert empty.pr_curve("micro").height == 0
        assert empty.pr_curve(None).height == 0
        assert empty.roc_curve("micro").height == 1


def test_log_loss_clips():
    s = cm.multiclass_sweep([0, 1, 1], [[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]])
    eps = np.finfo(np.float64).eps
    assert s.n_clipped == 1
    exact = [-math.log(1 - eps), -math.log(eps), math.log(2)]
    assert s.log_loss == pytest.approx(math.fsum(exact) / 3, rel=1e-15)
    assert s.value("log_loss", clip=None) == math.inf
    assert s.value("log_loss", clip=0.25) == pytest.approx(
        (math.log(4 / 3) + math.log(4) + math.log(2)) / 3, rel=1e-15
    )
    half = cm.multiclass_sweep([0, 1], np.array([[1, 0], [1, 0]], dtype=np.float16))
    assert half.log_loss == pytest.approx(-(math.log(2**-10) + math.log1p(-(2**-10))) / 2)
    single = cm.multiclass_sweep([0, 1], np.array([[1, 0], [1, 0]], dtype=np.float32))
    assert single.log_loss == pytest.approx(-math.log(np.finfo(np.float32).eps) / 2)


def test_calibration_errors():
    p = np.array([[0.3, 0.7], [0.3, 0.7], [0.9, 0.1], [0.0, 1.0]])
    s = cm.multiclass_sweep([0, 1, 0, 1], p)
    # Bins (0.2, 0.3], (0.6, 0.7], (0.8, 0.9], [0, 0.1] and (0.9, 1]: edges k / 10, upper end in.
    assert s.classwise_ece == pytest.approx((2 * 0.2 + 0.1) / 4)
    assert s.top_label_ece == pytest.approx((2 * 0.2 + 0.1) / 4)
    assert s.value("top_label_ece", bins=1) == pytest.approx(abs(0.7 + 0.7 + 0.9 + 1 - 3) / 4)
    # 0.625 and 0.75 share the bin (0.5, 0.75], where one is too low and one too high.
    p = np.array([[0.625, 0.375], [0.75, 0.25]])
    errors = cm.multiclass_sweep([0, 1], p).value("top_label_ece", bins=4)
    assert errors == pytest.approx(abs(0.625 + 0.75 - 1) / 2)


def test_mean_curves_at_corners():
    s = cm.multiclass_sweep([0, 1, 1], [[0.6, 0.4], [0.7, 0.3], [0.2, 0.8]])
    # Class 0: its one row comes second. Class 1: first and third.
    assert s.pr_curve(grid=[0.5, 1]).rows() == [(0.5, (0.5 + 1) / 2), (1, (0.5 + 2 / 3) / 2)]
    assert s.roc_curve(grid=[0, 1]).rows() == [(0, (0 + 0.5) / 2), (1, 1)]
    assert set(s.roc_curve(grid=[0, 1]).dtypes) == {pl.Float64}
    for whole in (s.roc_curve(), s.pr_curve()):
        assert whole.to_series(0).to_list() == np.linspace(0, 1, 1001).tolist()


def test_normalize_divides_by_the_sum():
    y = [0, 1, 1]
    p = np.array([[6.0, 4.0], [3.0, 1.0], [0.0, 0.5]])
    s = cm.multiclass_sweep(y, p, normalize=True)
    t = cm.multiclass_sweep(y, p / p.sum(1, keepdims=True))
    assert s.log_loss == t.log_loss
    assert s.roc_auc == t.roc_auc
    assert p[0, 0] == 6
    with pytest.raises(cm.InputError, match=r"the sum 0.0 at row 1; cannot normalize"):
        cm.multiclass_sweep([0, 1], [[0.5, 0.5], [0, 0]], normalize=True)
    bad = [[0, 1], [-0.5, -1.5], [math.inf, 1]]
    with pytest.raises(cm.InputError, match=r"-0.5 at row 1 of column 0"):
        cm.multiclass_sweep([0, 1, 1], bad, normalize=True)


def test_results_do_not_depend_on_threads():
    rng = np.random.default_rng(0)
    n, k = 60_000, 12
    y = rng.integers(0, k, n)
    p = rng.dirichlet(np.ones(k), n)
    columns = list(np.asfortranarray(p).T)
    codes = _core.class_codes(y, list(range(k)), 0)
    for weights in (None, rng.random(n)):
        runs = [
            (
                _core.probability_sums(columns, codes, weights, 1e-5, 1e-9, True, threads),
                _core.class_ladders(columns, codes, weights, True, threads),
                _core.pooled_ladder(columns, codes, weights, threads),
            )
            for threads in (1, 2, 5)
        ]
        assert pickle.dumps(runs[0]) == pickle.dumps(runs[1]) == pickle.dumps(runs[2])


def test_objects_are_copied_and_pickled():
    y, p = eighths(3, 50, 3)
    s = cm.multiclass_sweep(y, p, sample_weight=np.arange(50))
    assert repr(s) == "<MulticlassSweep of 3 classes, n=1225.0>"
    for other in (pickle.loads(pickle.dumps(s)), copy.deepcopy(s), copy.copy(s)):
        assert other.roc_auc == s.roc_auc
        assert other.labels == s.labels


@pytest.mark.parametrize("weights", [None, np.arange(40), np.linspace(0, 1, 40)])
def test_one_class_against_the_rest_is_a_sweep(weights):
    y, p = eighths(7, 40, 4)
    s = cm.multiclass_sweep(y, p, labels=range(4), sample_weight=weights)
    for k in range(4):
        one = s.one_vs_rest(k)
        assert one == cm.sweep(y == k, p[:, k], sample_weight=weights)
        assert s.per_class()["roc_auc"].to_numpy()[k] == pytest.approx(one.roc_auc, rel=1e-13)
        assert s.per_class()["average_precision"].to_numpy()[k] == pytest.approx(
            one.average_precision, rel=1e-13
        )
        theirs = {row[0]: row[1:] for row in one.roc_curve().rows()}
        for label, threshold, *point in s.roc_curve(None).rows():
            if label == k:
                assert point == pytest.approx(theirs[threshold], rel=1e-12)
    truth = pl.Series([None if c == 1 else c for c in y.tolist()])
    dropped = cm.multiclass_sweep(truth, p, labels=range(4)).one_vs_rest(2)
    assert dropped.n_dropped == (y == 1).sum()
