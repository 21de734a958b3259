"""Sets of very many labels, as scikit-learn has them of sparse tables."""

import numpy as np
import pytest
import scipy.sparse
from sklearn import metrics as sk

import confmat as cm
from confmat import sklearn as ours

LABELS = 70_000
SCORES = {
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "jaccard": sk.jaccard_score,
}


def rows(seed, weighted=False):
    """Return true and predicted sparse indicators and weights; most labels no row has."""
    rng = np.random.default_rng(seed)
    n = 800
    sizes = rng.integers(0, 7, n)
    row = np.repeat(np.arange(n), sizes)
    label = rng.integers(0, LABELS // 50, len(row)) * 50
    named = np.where(rng.random(len(row)) < 0.3, rng.integers(0, LABELS, len(row)), label)

    def side(of):
        table = scipy.sparse.coo_array((np.ones(len(row), int), (row, of)), (n, LABELS)).tocsr()
        table.data[:] = 1
        return table

    return side(label), side(named), rng.random(n) if weighted else None


@pytest.mark.parametrize("weighted", [False, True])
def test_tables_and_averages(weighted):
    for seed in range(1, 2):
        truth, pred, w = rows(seed, weighted)
        m = cm.multilabel(truth, pred, sample_weight=w)
        theirs = sk.multilabel_confusion_matrix(truth, pred, sample_weight=w)
        np.testing.assert_allclose(m.counts, theirs, atol=1e-12)
        for name, score in SCORES.items():
            for average in ("samples", "micro", "macro", "weighted"):
                wanted = score(truth, pred, average=average, sample_weight=w, zero_division=0)
                found = m.value(name, average, undefined=0.0)
                assert found == pytest.approx(wanted, abs=1e-13), (name, average)
        assert m.exact_match == pytest.approx(sk.accuracy_score(truth, pred, sample_weight=w))
        assert m.hamming_loss == pytest.approx(sk.hamming_loss(truth, pred, sample_weight=w))


@pytest.mark.parametrize("weighted", [False, True])
def test_functions_of_their_names(weighted):
    truth, pred, w = rows(7, weighted)
    for name in ("precision_score", "recall_score", "f1_score", "jaccard_score"):
        for average in ("samples", "micro", "macro", "weighted"):
            options = {"average": average, "sample_weight": w, "zero_division": 0}
            wanted = getattr(sk, name)(truth, pred, **options)
            assert getattr(ours, name)(truth, pred, **options) == pytest.approx(wanted, abs=1e-13)
    for name in ("accuracy_score", "hamming_loss", "zero_one_loss"):
        wanted = getattr(sk, name)(truth, pred, sample_weight=w)
        assert getattr(ours, name)(truth, pred, sample_weight=w) == pytest.approx(wanted, abs=1e-13)
    for samplewise in (False, True):
        options = {"sample_weight": w, "samplewise": samplewise}
        found = ours.multilabel_confusion_matrix(truth, pred, **options)
        wanted = sk.multilabel_confusion_matrix(truth, pred, **options)
        np.testing.assert_allclose(found, wanted, atol=1e-12)
    chosen = [69_950, 0, 50, 69_999]
    found = ours.multilabel_confusion_matrix(truth, pred, labels=chosen)
    np.testing.assert_array_equal(found, sk.multilabel_confusion_matrix(truth, pred, labels=chosen))
