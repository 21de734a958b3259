"""Scores for sets of labels: as scikit-learn, thresholds, one sweep a label, bad input."""

import math
import pickle
import warnings

import numpy as np
import polars as pl
import pytest
from sklearn import metrics as sk

import confmat as cm


def rows(seed, weighted=False):
    """Return indicators, scores in quarters with ties, and weights."""
    rng = np.random.default_rng(seed)
    n, width = int(rng.integers(20, 80)), int(rng.integers(2, 6))
    truth = rng.random((n, width)) < 0.4
    truth[0], truth[1] = True, False
    score = np.round(4 * (rng.normal(size=(n, width)) + truth)) / 4
    return truth, score, rng.random(n) if weighted else None


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
def test_averages(average, weighted):
    for seed in range(20):
        truth, score, w = rows(seed, weighted)
        s = cm.multilabel_sweep(truth, score, sample_weight=w)
        theirs = sk.roc_auc_score(truth, score, average=average, sample_weight=w)
        assert got(s, "roc_auc", average) == pytest.approx(theirs, abs=1e-12)
        theirs = sk.average_precision_score(truth, score, average=average, sample_weight=w)
        assert got(s, "average_precision", average) == pytest.approx(theirs, abs=1e-12)


def got(s, name, average):
    return s.value(name, average) if average else s.per_class([name])[name].to_list()


def test_each_label_is_a_sweep():
    truth, score, w = rows(3, True)
    s = cm.multilabel_sweep(truth, score, labels=list("abcdef")[: truth.shape[1]], sample_weight=w)
    for at, label in enumerate(s.labels):
        one = cm.sweep(truth[:, at], score[:, at], sample_weight=w)
        assert s.label(label) == one
        row = s.per_class(["roc_auc", "ks"]).row(at)
        assert row == (label, one.n_positive, one.roc_auc, one.ks)
        assert s.best("f1").row(at) == (label, *one.best("f1"), None)
        limits = {"recall": 0.9}
        assert s.best("precision", subject_to=limits).row(at)[1:3] == tuple(
            one.best("precision", subject_to=limits)
        )


def test_matrix_at_thresholds():
    truth, score, _ = rows(4)
    s = cm.multilabel_sweep(truth, score)
    assert s.at(0.25) == cm.multilabel(truth, score >= 0.25)
    limits = np.linspace(-1, 1, truth.shape[1])
    expected = cm.multilabel(truth, score >= limits)
    assert s.at(limits) == s.at(dict(enumerate(limits))) == s.at(pl.Series(limits)) == expected
    best = s.best("f1")
    m = s.at(best["threshold"])
    assert m.per_class(["f1"])["f1"].to_list() == pytest.approx(best["value"].to_list())


def test_known_labels_nulls_and_weights():
    truth = pl.Series([["b"], None, ["a", "b"], [], []])
    score = pl.DataFrame({"b": [0.5, 9.0, 0.9, 0.1, 0.3], "a": [0.5, 9.0, 0.2, 0.1, 0.3]})
    s = cm.multilabel_sweep(truth, score, sample_weight=pl.Series([1, 1, 2, 1, None]))
    assert (s.labels, s.n_rows, s.n_dropped) == (("b", "a"), 3, 2)
    assert s.per_class()["roc_auc"].to_numpy().tolist() == [1.0, 0.5]
    assert s.at(0.4).n_dropped == 2
    assert (s.at(0.4).n, s.at(0.4).labels) == (4, ("b", "a"))
    assert pickle.loads(pickle.dumps(s)).roc_auc == s.roc_auc
    with pytest.raises(cm.InputError, match="null at row 1; "):
        cm.multilabel_sweep(truth, score, nulls="raise")


def test_labels_of_one_class_are_left_out():
    truth = np.array([[1, 0, 1], [0, 0, 1], [1, 0, 1]])
    score = np.array([[0.9, 0.5, 0.1], [0.1, 0.2, 0.2], [0.4, 0.2, 0.3]])
    s = cm.multilabel_sweep(truth, score)
    assert np.isnan(s.per_class()["roc_auc"].to_numpy()).tolist() == [False, True, True]
    assert s.roc_auc == s.value("roc_auc", average="weighted") == 1.0
    assert s.per_class()["roc_auc"].null_count() == 2
    best = s.best("recall")
    assert best["value"].null_count() == 1
    assert best["reason"].to_list() == [None, "recall is undefined at every threshold", None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        micro = sk.roc_auc_score(truth.ravel(), score.ravel())
    assert s.value("roc_auc", average="micro") == pytest.approx(micro)
    none = cm.multilabel_sweep(np.zeros((2, 2), bool), np.zeros((2, 2)))
    assert math.isnan(none.roc_auc)


def test_bad_input_is_refused():
    truth, score, _ = rows(5)
    s = cm.multilabel_sweep(truth, score)
    holed = score.copy()
    holed[7, 1] = np.nan
    frame = pl.DataFrame(truth[:, :2], schema=["a", "b"])
    for call, message in (
        (lambda: s.value("roc_auc", average="samples"), "`average` is 'samples'"),
        (lambda: s.label(99), "`label` 99 is not in the labels"),
        (lambda: s.at([0.5]), "`thresholds` is"),
        (lambda: s.at("high"), "`thresholds` is 'high'"),
        (lambda: s.at({0: 0.5}), "`thresholds` has none for the label 1"),
        (lambda: s.at(math.nan), "`thresholds` is nan"),
        (lambda: cm.multilabel_sweep(truth, score[:, 1:]), "`y_score` has shape"),
        (lambda: cm.multilabel_sweep(truth, score[1:]), "`y_score` has shape"),
        (lambda: cm.multilabel_sweep(truth, holed), "nan at row 7 of the label 1"),
        (lambda: cm.multilabel_sweep(truth, score, labels=["a"]), "1 labels for"),
        (lambda: cm.multilabel_sweep(truth, score, nulls="keep"), "`nulls` is 'keep'"),
        (lambda: cm.multilabel_sweep(truth * 2, score), "`y_true` holds 2 at row 0"),
        (
            lambda: cm.multilabel_sweep(frame, pl.DataFrame(score[:, :2], schema=["b", "a"])),
            r"`y_score` has its columns in another order than \['a', 'b'\]",
        ),
    ):
        with pytest.raises(cm.InputError, match=message):
            call()


@pytest.mark.parametrize("weighted", [False, True])
def test_nan_scores_take_their_rows_along(weighted):
    truth, score, w = rows(6, weighted)
    holed = score.copy()
    holed[3, 1] = holed[5, 0] = np.nan
    some = [None if at == 5 else row for at, row in enumerate(truth.tolist())]
    s = cm.multilabel_sweep(
        pl.Series([[str(at) for at, on in enumerate(row) if on] if row else None for row in some]),
        holed,
        labels=[str(at) for at in range(truth.shape[1])],
        sample_weight=w,
        nan="drop",
    )
    kept = np.setdiff1d(np.arange(len(truth)), [3, 5])
    left = cm.multilabel_sweep(
        truth[kept], score[kept], sample_weight=None if w is None else w[kept]
    )
    assert (s.n_rows, s.n_dropped, s.n_nan) == (len(truth) - 2, 1, 1)
    assert s.n == left.n
    assert (
        s.per_class()["roc_auc"].to_numpy().tolist()
        == left.per_class()["roc_auc"].to_numpy().tolist()
    )
    assert s.at(0.5).n_dropped == 2
    with pytest.raises(cm.InputError, match="`nan` is 'keep'"):
        cm.multilabel_sweep(truth, score, nan="keep")


def test_a_label_without_weight_is_undefined():
    s = cm.multilabel_sweep(
        [[1, 0], [0, 1]], [[0.1, 0.2], [0.3, 0.4]], sample_weight=np.array([0.0, 1.0])
    )
    assert np.isnan(s.per_class()["roc_auc"].to_numpy()).all()
    assert s.per_class()["n_positive"].to_list() == [0.0, 1.0]


def test_pooled_areas_of_many_labels():
    rng = np.random.default_rng(2)
    truth, score = rng.random((20, 7)) < 0.4, rng.random((20, 7)).round(1)
    theirs = sk.roc_auc_score(truth.ravel(), score.ravel())
    assert cm.multilabel_sweep(truth, score).value("roc_auc", average="micro") == pytest.approx(
        theirs, abs=1e-14
    )
