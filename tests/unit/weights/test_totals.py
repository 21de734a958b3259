"""Sums of weights: exact to 2^63 - 1 or refused, finite or refused, at every door."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import confmat as cm

HUGE = 2**62
MOST = 2**63 - 1
Y, P, S = [0, 1, 1], [0, 1, 0], [0.1, 0.9, 0.9]
BEYOND = r"2\^63 - 1"
FINITE = "more than the largest float64"


def frame(weights):
    return pl.DataFrame({"g": ["a"] * 3, "y": Y, "p": P, "s": S, "w": weights})


COUNTED = {
    "matrix": lambda w: cm.confusion_matrix(Y, P, sample_weight=w),
    "matrix of texts": lambda w: cm.confusion_matrix(list("abb"), list("aba"), sample_weight=w),
    "function": lambda w: cm.f1(Y, P, sample_weight=w, average="macro"),
    "frame": lambda w: frame(w).cm.evaluate("y", "p", sample_weight="w"),
    "labels": lambda w: cm.multilabel([["a"]] * 3, [["a"], ["a"], ["b"]], sample_weight=w),
}
SWEPT = {
    "sweep": lambda w: cm.sweep(Y, S, sample_weight=w),
    "one score": lambda w: cm.sweep(Y, [0.5] * 3, sample_weight=w),
    "bins": lambda w: cm.sweep(Y, S, sample_weight=w, bins=16),
    "edges": lambda w: cm.sweep(Y, S, sample_weight=w, bins=[0.0, 0.5, 1.0]),
    "quantiles": lambda w: cm.sweep(Y, S, sample_weight=w, bins=("quantile", 2)),
    "float32": lambda w: cm.sweep(Y, np.array(S, dtype=np.float32), sample_weight=w),
    "function": lambda w: cm.roc_auc(Y, S, sample_weight=w),
}


@pytest.mark.parametrize("door", [*COUNTED.values(), *SWEPT.values()])
@pytest.mark.parametrize("weights", [[HUGE] * 3, [MOST, 1, 0], [0, MOST, 1], [0, 1, MOST]])
def test_integer_totals_beyond_counts_are_refused(door, weights):
    with pytest.raises(cm.InputError, match=r"2\^63 - 1|2\^53"):
        door(weights)


def test_totals_up_to_the_last_count_are_exact():
    m = cm.confusion_matrix(Y, P, sample_weight=[HUGE, HUGE - 2, 1])
    assert m.n == MOST
    assert m.counts.sum(axis=1).tolist() == [HUGE, HUGE - 1]
    assert cm.ConfusionMatrix.from_bytes(m.to_bytes()) == m
    assert m["accuracy"] == pytest.approx(1)
    with pytest.raises(cm.InputError, match="beyond 64-bit"):
        m + cm.ConfusionMatrix([[0, 1], [0, 0]])


@pytest.mark.parametrize("bins", [None, 16, "float16", [0.0, 0.5, 1.0]])
@pytest.mark.parametrize("big", [2**50, 2**53 + 1, HUGE - 1])
def test_sweeps_of_huge_integer_weights_are_exact_and_usable(bins, big):
    s = cm.sweep([0, 1, 1], [0.1, 0.75, 0.25], sample_weight=[big, big, 1], bins=bins)
    assert s.positives.dtype == s.negatives.dtype == np.uint64
    assert (s.n, s.n_positive, s.n_negative) == (2 * big + 1, big + 1, big)
    assert type(s).from_bytes(s.to_bytes()) == s
    if s.is_exact:
        assert s.roc_auc == 1.0
        assert s.value("average_precision") == pytest.approx(1.0)
        assert s.ks == 1.0
        assert math.isfinite(s.brier)
        assert s.at(0.5, nearest=True).n == s.n if bins is not None else s.at(0.5).n == s.n
    assert str(s)


def test_areas_of_huge_counts_are_ratios_of_integers():
    big = HUGE - 2
    s = cm.sweep([1, 0, 1, 0], [0.8, 0.8, 0.2, 0.2], sample_weight=[big, 1, 1, big])
    positives = negatives = big + 1
    twice = big * 1 + 2 * big * big + 1 * big  # ties count half
    assert s.roc_auc == twice / (2 * positives * negatives)


def test_merged_sweeps_hold_no_more_than_a_count():
    s = cm.sweep([0, 1], [0.1, 0.9], sample_weight=[HUGE, 1])
    for one in (s, cm.sweep([0, 1], [0.1, 0.9], sample_weight=[HUGE, 1], bins=16)):
        with pytest.raises(cm.InputError, match=BEYOND):
            one + one


def test_many_small_weights_add_up_in_blocks():
    n = 5000
    scores = np.arange(n) / n
    truth = np.arange(n) % 2
    s = cm.sweep(truth, scores, sample_weight=np.full(n, MOST // n))
    assert s.n == MOST // n * n
    assert s.roc_auc == cm.sweep(truth, scores).roc_auc
    with pytest.raises(cm.InputError, match=BEYOND):
        cm.sweep(truth, scores, sample_weight=np.full(n, MOST // n + 1))


@pytest.mark.parametrize("door", COUNTED.values())
def test_float_sums_that_are_not_finite_are_refused(door):
    with pytest.raises(cm.InputError, match=r"more than the largest float64|from 1e-150 to 1e150"):
        door([1e308] * 3)


@pytest.mark.parametrize("door", SWEPT.values())
def test_float_sums_of_sweeps_are_refused(door):
    with pytest.raises(cm.InputError, match="from 1e-150 to 1e150"):
        door([1e308] * 3)


@pytest.mark.parametrize("labels", [None, [0, 1]])
def test_float_sums_of_expressions_are_refused(labels):
    metrics = cm.metrics("y", "p", ["accuracy"], sample_weight="w", labels=labels)
    for plan in (
        frame([1e308] * 3).lazy().select(metrics),
        frame([1e308] * 3).lazy().group_by("g").agg(metrics),
    ):
        with pytest.raises(pl.exceptions.ComputeError, match=FINITE):
            plan.collect()


@pytest.mark.parametrize("labels", [None, [0, 1]])
@pytest.mark.parametrize("dtype", [pl.Int64, pl.UInt64])
def test_integer_weights_of_expressions_are_doubles_or_refused(labels, dtype):
    metrics = cm.metrics("y", "p", ["accuracy"], sample_weight="w", labels=labels)
    scores = cm.sweep_metrics("y", "s", ["roc_auc"], sample_weight="w")
    weights = pl.Series([1, 2**53 + 1, 1], dtype=dtype)
    for ask in (metrics, scores):
        with pytest.raises(pl.exceptions.ComputeError, match=r"9007199254740993 at row 1.*2\^53"):
            frame(weights).select(ask)
        with pytest.raises(pl.exceptions.ComputeError, match=r"9007199254740993 at row 1"):
            frame(weights).group_by("g").agg(ask)
        frame(weights).with_columns(pl.col("w").cast(pl.Float64)).select(ask)  # as the hint says
        frame(pl.Series([1, 2**53, 1], dtype=dtype)).select(ask)
    null = frame(weights).with_columns(w=pl.Series([1, None, 1], dtype=dtype))
    assert null.select(metrics).unnest(pl.all())["n_dropped"].item() == 1


def test_label_sets_sum_integers_exactly():
    def door(w):
        return cm.multilabel([["a"]] * 3, [["a"], ["a"], ["b"]], sample_weight=w)

    for weights in ([2**53 + 1, 2, 0], [HUGE, HUGE - 1, 0], pl.Series([HUGE, 3, None])):
        assert door(weights).n == sum(weight or 0 for weight in weights)
    with pytest.raises(cm.InputError, match=BEYOND):
        door([HUGE, HUGE, 0])
    m = cm.multilabel([[1] * 9], [[0] * 9], sample_weight=[HUGE])
    assert (m.hamming_loss, m["recall_samples"], m["recall_weighted"]) == (1.0, 0.0, 0.0)
    assert m.ci("hamming_loss").value == 1.0
    assert cm.label_confusions([["a"]], [["b"]], sample_weight=[HUGE])["count"].item() == HUGE
    with pytest.raises(cm.InputError, match=BEYOND):
        cm.label_confusions([["a"]] * 2, [["b"]] * 2, sample_weight=[HUGE, HUGE])


@pytest.mark.parametrize(
    "door",
    [
        lambda w: cm.multilabel_sweep([[1, 0]] * 3, [[0.5, 0.3]] * 3, sample_weight=w),
        lambda w: cm.multiclass_sweep([0, 1, 2], [[0.5, 0.3, 0.2]] * 3, sample_weight=w),
    ],
)
def test_scores_of_classes_and_label_sets_take_integers_that_floats_hold(door):
    assert door([2**53, 2**53, 2]).n == 2.0**54 + 2  # of which sums are rounded once
    with pytest.raises(cm.InputError, match=r"9007199254740993 at row 1 .* beyond 2\^53"):
        door([1, 2**53 + 1, 0])
    assert door(pl.Series([2, 2**53 + 1, None]).cast(pl.Float64)).n == 2.0**53 + 2  # as hinted


def test_label_sets_add_up_exactly():
    weights = [2**52, 2**51 + 1, 1]
    m = cm.multilabel([["a"], ["a"], ["b"]], [["a"], ["b"], ["b"]], sample_weight=weights)
    many = sum([m] * 512)
    assert many.n == 512 * sum(weights)
    assert many.counts.tolist() == (512 * m.counts).tolist()
    assert many.n_used("f1_samples") == many.n
    assert many.powerset()["n_true"].sum() == many.n
    with pytest.raises(cm.InputError, match="cannot add"):
        sum([many] * 3)
    with pytest.raises(cm.InputError, match="micro"):
        sum([m] * 1300)["f1_micro"]


def test_sums_of_floats_stay_finite_when_matrices_and_sweeps_are_added():
    m = cm.ConfusionMatrix([[1e308, 0.0], [0.0, 1.0]])
    with pytest.raises(cm.InputError, match="beyond the range of floats"):
        m + m
    s = cm.sweep([0, 1], [0.1, 0.9], sample_weight=[1e150, 1.0])
    with pytest.raises(cm.InputError, match="cannot add: the weights of a class sum to 2e"):
        s + s


def test_costs_stay_finite():
    m = cm.ConfusionMatrix([[8e307, 1.0], [1.0, 8e307]])
    for costs in ([[1e10, 0], [0, 0]], [[1e10, 0], [0, -1e10]], [[2, 0], [0, 2]]):
        with pytest.raises(cm.InputError, match="`cost_matrix`"):
            m.cost(costs)
    assert m.cost([[1, 0], [0, -1]]) == 0


def test_a_matrix_of_tiny_weights_prints():
    assert "accuracy" in str(cm.ConfusionMatrix([[1e-200, 0.0], [0.0, 1e-308]]))


@pytest.mark.parametrize("dtype", [pl.Int64, pl.UInt8, pl.Float64, pl.Float32])
def test_the_total_of_weights_is_a_double_in_every_frame_and_exact(dtype: Any) -> None:
    frame = pl.DataFrame({"g": [1, 1, 2], "y": [0, 1, 1], "p": [0, 1, 0], "s": [0.1, 0.7, 0.3]})
    frame = frame.with_columns(w=pl.Series([2, 3, 4], dtype=dtype))
    found = [
        *(frame.cm.evaluate("y", "p", by=by, sample_weight="w") for by in (None, "g")),
        frame.lazy().cm.evaluate("y", "p", by="g", sample_weight="w").collect(),
        frame.cm.evaluate("y", None, "s", by="g", sample_weight="w", metrics=["roc_auc"]),
        frame.group_by("g").agg(m=cm.metrics("y", "p", sample_weight="w")).unnest("m"),
        frame.group_by("g").agg(m=cm.sweep_metrics("y", "s", sample_weight="w")).unnest("m"),
    ]
    for result in found:
        assert result.schema["n"] == pl.Float64
        assert result["n"].sum() == 9.0
    matrix = cm.confusion_matrix(frame["y"], frame["p"], sample_weight=frame["w"])
    assert isinstance(matrix.n, int if frame["w"].dtype.is_integer() else float)
    assert matrix.n == 9


def test_a_total_beyond_2_53_is_rounded_once() -> None:
    weights = [2**53, 1, 2]
    frame = pl.DataFrame({"g": [1] * 3, "y": [0, 1, 1], "p": [0, 1, 0], "w": weights})
    assert frame.cm.evaluate("y", "p", by="g", sample_weight="w")["n"].item() == float(sum(weights))
    assert cm.confusion_matrix(frame["y"], frame["p"], sample_weight=frame["w"]).n == sum(weights)
