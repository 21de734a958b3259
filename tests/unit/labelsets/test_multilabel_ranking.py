"""The order of labels within rows: as scikit-learn, ties, rows without an order, many rows."""

import math
import warnings

import numpy as np
import pytest
from sklearn import metrics as sk

import confmat as cm
from confmat.labelsets import ranking as multilabel_ranking

PAIRS = {
    "label_ranking_average_precision": sk.label_ranking_average_precision_score,
    "coverage_error": sk.coverage_error,
    "label_ranking_loss": sk.label_ranking_loss,
}


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", PAIRS)
def test_as_scikit_learn(name, weighted, kind):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, width = int(rng.integers(1, 30)), int(rng.integers(2, 7))
        truth = rng.random((n, width)) < rng.random()  # rows with no label and with all, too
        score = np.round(rng.normal(size=(n, width)), int(rng.integers(0, 3))).astype(kind)
        w = rng.choice([0.5, 1.0, 2.0, 0.0], n) if weighted else None
        if weighted:
            w[0] = 1.0
        s = cm.multilabel_sweep(truth, score, sample_weight=w)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # In float32 its averages have seven digits, with some releases of NumPy.
            theirs = PAIRS[name](truth.astype(int), score.astype(np.float64), sample_weight=w)
        assert getattr(s, name) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("name", PAIRS)
def test_blocks_change_nothing(name, monkeypatch):
    rng = np.random.default_rng(1)
    s = cm.multilabel_sweep(rng.random((50, 4)) < 0.4, rng.random((50, 4)))
    whole = getattr(s, name)
    monkeypatch.setattr(multilabel_ranking, "_BLOCK", 12)
    assert getattr(s, name) == whole


@pytest.mark.parametrize("name", PAIRS)
def test_no_rows_and_no_weight(name):
    none = cm.multilabel_sweep(np.zeros((0, 3), int), np.zeros((0, 3)))
    assert math.isnan(none.value(name))
    assert none.reason(name) == "there are no rows"
    s = cm.multilabel_sweep([[0, 1]], [[0.1, 0.2]], sample_weight=[0.0])
    assert math.isnan(getattr(s, name))


def test_infinite_scores_and_one_label():
    s = cm.multilabel_sweep([[1, 0, 1]], [[np.inf, -np.inf, 0.0]])
    assert (s.label_ranking_loss, s.coverage_error) == (0.0, 2.0)
    one = cm.multilabel_sweep([[1], [0]], [[0.3], [0.2]])
    assert one.label_ranking_average_precision == 1.0
    assert (one.label_ranking_loss, one.coverage_error) == (0.0, 0.5)
