"""Sets of labels, as scikit-learn, and the numbers of a published course."""

import warnings

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.datasets import make_multilabel_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OneVsRestClassifier

import confmat as cm

SCORES = {
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "fbeta(2)": lambda *a, **kw: sk.fbeta_score(*a, beta=2, **kw),
    "jaccard": sk.jaccard_score,
}


def rows(seed, weighted=False):
    """Return true and predicted indicators and weights; some sets and labels are empty."""
    rng = np.random.default_rng(seed)
    n, width = int(rng.integers(5, 60)), int(rng.integers(1, 7))
    truth = rng.random((n, width)) < rng.random(width)
    pred = truth ^ (rng.random((n, width)) < 0.3)
    truth[: n // 4] &= rng.random((n // 4, 1)) < 0.5
    return truth.astype(int), pred.astype(int), rng.random(n) if weighted else None


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("average", ["samples", "micro", "macro", "weighted"])
@pytest.mark.parametrize("name", SCORES)
def test_averages(name, average, weighted):
    for seed in range(30):
        truth, pred, w = rows(seed, weighted)
        m = cm.multilabel(truth, pred, sample_weight=w)
        with warnings.catch_warnings():
            # One label: scikit-learn takes the samples average for one of two classes.
            warnings.simplefilter("ignore", UserWarning)
            if truth.shape[1] == 1:
                continue
            theirs = SCORES[name](truth, pred, average=average, sample_weight=w, zero_division=0)
        assert m.value(name, average, undefined=0.0) == pytest.approx(theirs, abs=1e-13), seed


@pytest.mark.parametrize("weighted", [False, True])
def test_whole(weighted):
    for seed in range(30):
        truth, pred, w = rows(seed, weighted)
        m = cm.multilabel(truth, pred, sample_weight=w)
        theirs = sk.multilabel_confusion_matrix(
            *((np.c_[t, np.zeros(len(t), int)] if t.shape[1] == 1 else t) for t in (truth, pred)),
            sample_weight=w,
        )
        np.testing.assert_allclose(m.counts, theirs[: truth.shape[1]], atol=1e-12)
        exact = np.average((truth == pred).all(axis=1), weights=w)
        assert m.exact_match == pytest.approx(exact, abs=1e-14)
        assert m.hamming_loss == pytest.approx(
            np.average((truth != pred).mean(axis=1), weights=w), abs=1e-14
        )
        if truth.shape[1] > 1:
            assert m.exact_match == pytest.approx(sk.accuracy_score(truth, pred, sample_weight=w))
            assert m.hamming_loss == pytest.approx(sk.hamming_loss(truth, pred, sample_weight=w))


def test_numbers_of_the_course():
    x, y = make_multilabel_classification(
        n_samples=3000, n_features=20, n_classes=5, random_state=42
    )
    x, x_test, y, y_test = train_test_split(x, y, test_size=0.3, random_state=42)
    model = OneVsRestClassifier(LogisticRegression(max_iter=1000)).fit(x, y)
    m = cm.multilabel(y_test, model.predict(x_test))
    assert m.n == 900
    for value, known in (
        (m.exact_match, 0.42556),
        (m.hamming_loss, 0.18067),
        (m.value("jaccard_samples", undefined=0.0), 0.61422),
        (m.f1_micro, 0.73951),
        (m.f1_macro, 0.70130),
        (m.f1_weighted, 0.73421),
    ):
        assert round(value, 5) == known
