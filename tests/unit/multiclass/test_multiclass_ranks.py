"""Ranks of many classes take any real scores: logits as well as probabilities."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import confmat as cm


def logits(seed, weighted=False):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    y = np.concatenate([np.arange(k), rng.integers(0, k, int(rng.integers(0, 40)))])
    scores = rng.normal(size=(len(y), k)) * 10.0 ** rng.integers(-3, 6)
    if rng.random() < 0.5:
        scores = np.round(scores)
    return y, scores, rng.random(len(y)) if weighted else None


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.booleans())
def test_areas_and_precisions_of_logits_are_those_of_scikit_learn(seed, weighted):
    y, scores, w = logits(seed, weighted)
    k = cm.multiclass_sweep(y, scores, sample_weight=w)
    hot = np.eye(scores.shape[1], dtype=int)[y]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for average in ("macro", "weighted", "micro"):
            want = sk.roc_auc_score(hot, scores, average=average, sample_weight=w)
            assert k.value("roc_auc", average=average) == pytest.approx(want, abs=1e-9)
            want = sk.average_precision_score(hot, scores, average=average, sample_weight=w)
            assert k.value("average_precision", average=average) == pytest.approx(want, abs=1e-9)
        if scores.shape[1] > 2:
            for top in (1, 2):
                want = sk.top_k_accuracy_score(y, scores, k=top, sample_weight=w)
                assert k.value("top_k_accuracy", k=top) == pytest.approx(want, abs=1e-12)


@settings(max_examples=60)
@given(st.integers(0, 10_000))
def test_a_rising_map_of_each_column_changes_no_area(seed):
    y, scores, _ = logits(seed)
    one = cm.multiclass_sweep(y, scores)
    flat = scores - scores.min() + 1.0
    other = cm.multiclass_sweep(y, flat / flat.max())
    assert one.per_class()["roc_auc"].to_list() == other.per_class()["roc_auc"].to_list()
    assert one.pair_table()["auc"].to_list() == other.pair_table()["auc"].to_list()


def test_each_class_is_its_sweep_at_the_ends_of_the_range():
    inf = math.inf
    y = [0, 0, 1, 1, 2, 2, 0]
    scores = np.array(
        [
            [-0.0, -inf, 1e300],
            [0.0, -1e-300, -1e300],
            [-5e-324, inf, 0.0],
            [-inf, -2.0, -0.0],
            [inf, 5e-324, 1.0],
            [-1.0, -1.0, -1.0],
            [inf, 3.0, -inf],
        ]
    )
    k = cm.multiclass_sweep(y, scores)
    for label in range(3):
        one = cm.sweep([t == label for t in y], scores[:, label])
        assert k.per_class()["roc_auc"][label] == one.roc_auc
        assert k.per_class()["average_precision"][label] == pytest.approx(one.average_precision)
        assert k.one_vs_rest(label).roc_auc == one.roc_auc


def test_parameters_may_be_in_the_name_or_given_once():
    y, scores, _ = logits(5)
    k = cm.multiclass_sweep(y, scores)
    assert k.roc_auc == k["roc_auc_macro"] == k.value("roc_auc", average="macro", multi_class="ovr")
    assert k.roc_auc_ovo == k.value("roc_auc", multi_class="ovo")
    assert k.top_3_accuracy == k.value("top_k_accuracy", k=3)
    assert k.top_k_accuracy == k.top_2_accuracy
    for call, message in (
        (lambda: k.value("roc_auc_macro", average="micro"), "`average` is in the name"),
        (lambda: k.value("top_2_accuracy", k=2), "`k` is in the name"),
        (
            lambda: k.value("roc_auc", foo=1),
            "has no parameter `foo`; it takes average, multi_class",
        ),
        (lambda: k.value("roc_auc", average=None), r"per_class\(\) has the value of each"),
        (lambda: k.value("roc_auc", average=None, multi_class="ovo"), r"pair_table\(\) has the"),
        (lambda: k.value("log_los"), "did you mean log_loss"),
        (lambda: k.value(3), "`name` is int"),
    ):
        with pytest.raises(cm.InputError, match=message):
            call()
    with pytest.raises(AttributeError, match="did you mean roc_auc"):
        _ = k.rocauc
    with pytest.raises(TypeError, match="index with the name"):
        k[0]


def test_a_class_without_rows_takes_the_undefined_value():
    k = cm.multiclass_sweep([0, 1, 1], [[2, -1, 0], [1, 3, 5], [0, 1, 2]], labels=[0, 1, 2])
    assert k.n_used("roc_auc") == 2
    assert k.n_used("roc_auc", multi_class="ovo") == 1
    filled = k.value("roc_auc", undefined=0.5)
    assert filled == pytest.approx((2 * k.roc_auc + 0.5) / 3)
    assert k.n_used("roc_auc", undefined=0.5) == 3
    one = cm.multiclass_sweep([1, 1], [[0.6, 0.4], [0.7, 0.3]], labels=[0, 1])
    assert (one.n_used("roc_auc"), one.value("roc_auc", undefined=0.25)) == (0, 0.25)
    assert one.reason("roc_auc", multi_class="ovo") == "all rows are of one class"
    assert one.reason("average_precision") is None
