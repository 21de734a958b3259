"""Numbers of the whole table, as scikit-learn: accuracy, MCC, kappa, losses, likelihood ratios."""

import warnings

import numpy as np
import pytest
from oracle.columns import SEEDS, WEIGHTS, columns
from sklearn import metrics as sk

import confmat as cm

SCORES = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "balanced_accuracy_adjusted": lambda *a, **kw: sk.balanced_accuracy_score(
        *a, adjusted=True, **kw
    ),
    "mcc": sk.matthews_corrcoef,
    "kappa": sk.cohen_kappa_score,
    "kappa_linear": lambda *a, **kw: sk.cohen_kappa_score(*a, weights="linear", **kw),
    "kappa_quadratic": lambda *a, **kw: sk.cohen_kappa_score(*a, weights="quadratic", **kw),
    "hamming_loss": sk.hamming_loss,
    "zero_one_loss": sk.zero_one_loss,
}


def scored(name, c):
    """Return scikit-learn's number; it warns of classes that are predicted and never true."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "y_pred contains classes not in y_true")
        return SCORES[name](c.y, c.p, sample_weight=c.w)


@pytest.mark.parametrize("weighted", WEIGHTS)
@pytest.mark.parametrize("name", SCORES)
def test_score(name, weighted):
    for seed in SEEDS:
        c = columns(seed, weighted)
        m = cm.confusion_matrix(c.y, c.p, sample_weight=c.w)
        value = m.value(name)
        if np.isnan(value):
            assert m.reason(name)
            continue
        assert np.isclose(value, scored(name, c), rtol=1e-12, atol=1e-13), seed


@pytest.mark.parametrize("name", SCORES)
def test_scores_are_mostly_defined(name):
    defined = [not np.isnan(cm.confusion_matrix(*columns(seed)[:2]).value(name)) for seed in SEEDS]
    assert sum(defined) > 30


@pytest.mark.parametrize("weighted", WEIGHTS)
def test_likelihood_ratios(weighted):
    compared = 0
    for seed in SEEDS:
        c = columns(seed, weighted, classes=2)
        m = cm.confusion_matrix(c.y, c.p, sample_weight=c.w)
        got = m.value("lr_positive", pos_label=1), m.value("lr_negative", pos_label=1)
        if not np.isfinite(got).all():
            continue
        wanted = sk.class_likelihood_ratios(c.y, c.p, sample_weight=c.w)
        assert np.allclose(got, wanted, rtol=1e-12, atol=1e-15), seed
        compared += 1
    assert compared > 20


def test_the_matrix_itself():
    for seed in SEEDS:
        c = columns(seed, "int")
        wanted = sk.confusion_matrix(c.y, c.p, sample_weight=c.w)
        got = cm.confusion_matrix(c.y, c.p, sample_weight=c.w)
        assert np.array_equal(got.counts, wanted)
        assert got.labels == tuple(np.union1d(c.y, c.p).tolist())


@pytest.mark.parametrize("normalize", ["true", "pred", "all"])
def test_the_normalised_matrix(normalize):
    for seed in SEEDS:
        c = columns(seed, "float")
        wanted = sk.confusion_matrix(c.y, c.p, sample_weight=c.w, normalize=normalize)
        m = cm.confusion_matrix(c.y, c.p, sample_weight=c.w)
        got = m.normalize(normalize, fill=0.0)
        assert np.allclose(got, wanted, rtol=1e-13, atol=0)
