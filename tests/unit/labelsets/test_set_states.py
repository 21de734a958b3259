"""Matrices of label sets as states: what merges and what is taken away."""

import numpy as np
import polars as pl
import pytest
from support.kept_states import SETS

import confmat as cm


def test_many_rows_are_shared_among_threads():
    rng = np.random.default_rng(3)
    n = 600_000
    true, pred = rng.random((2, n, 12)) < 0.1
    for w in (None, rng.random(n)):
        parts = [
            cm.multilabel(true[at::7], pred[at::7], sample_weight=None if w is None else w[at::7])
            for at in range(7)
        ]
        whole = cm.multilabel(true, pred, sample_weight=w)
        assert cm.merge(parts).to_bytes() == whole.to_bytes()
    assert whole.counts[:, 1, 1].tolist() == pytest.approx((w @ (true & pred)).tolist())


def test_found_labels_unite_and_given_ones_hold():
    one = cm.multilabel([["b"]], [["b", "d"]])
    two = cm.multilabel([["a"], ["b"]], [["a"], []])
    both = one + two
    assert both.labels == ("a", "b", "d")
    assert both == cm.multilabel([["b"], ["a"], ["b"]], [["b", "d"], ["a"], []])
    assert both.label("a").counts.tolist() == [[2, 0], [0, 1]]
    given = cm.multilabel([["d"]], [["d"]], labels=["d", "c", "b", "a"])
    assert (given + one).labels == given.labels
    assert (one + given).n == 2
    with pytest.raises(cm.InputError, match="labels differ"):
        cm.multilabel([["b"]], [["b"]], labels=["b"]) + one
    with pytest.raises(cm.InputError, match="cannot add"):
        one + cm.multilabel([[1]], [[1]])


def test_more_cannot_be_taken_away_than_is_there():
    one = cm.multilabel([["a"], ["b"]], [["a"], ["b"]])
    for other, message in (
        (cm.multilabel([["a"], ["a"]], [["a"], ["a"]]), "1 true and 1 predicted|the label"),
        (cm.multilabel([["a"]], [["b"]]), "has more rows in the second"),
        (cm.multilabel([["a", "b"]], [["a"]]), "sets of 2 true and 1 predicted labels has more"),
        (cm.multilabel([["q"]], [["q"]]), "labels differ"),
        (cm.multilabel([["a"], None], [["a"], []]), "n_dropped is larger in the second"),
    ):
        with pytest.raises(cm.InputError, match=message):
            one - other
    assert (one - one).n == 0
    assert (one - one).labels == one.labels


def test_rows_merge_with_weights():
    rows = cm.multilabel([["a"], []], [["a"], ["a"]])
    floats = cm.multilabel([["a"]], [["b"]], sample_weight=[0.25])
    both = rows + floats
    assert both.n == 2.25
    assert both.label("a").weights_sq.tolist() == [[0, 1], [0.0625, 1]]


def test_states_of_other_kinds_are_told_apart():
    sets = SETS["found"].to_bytes()
    matrix = cm.ConfusionMatrix([[1, 2], [3, 4]])
    with pytest.raises(cm.InputError, match="holds ConfusionMatrix and MultilabelMatrix"):
        cm.merge([sets, matrix])
    frame = pl.DataFrame({"s": [sets, matrix.to_bytes()]})
    with pytest.raises(pl.exceptions.ComputeError, match="states of several kinds"):
        frame.select(pl.col("s").cm.merge_states())
    with pytest.raises(pl.exceptions.ComputeError, match="a state of label sets, and the metrics"):
        frame[:1].select(pl.col("s").cm.state_metrics(["mcc"]))
    with pytest.raises(cm.InputError, match="a state of label sets, and the metrics are of scores"):
        frame[:1].select(pl.col("s").cm.state_metrics(["roc_auc"]))
