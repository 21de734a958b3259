"""Probabilities of many classes, as scikit-learn: areas, losses, top-k accuracy."""

import warnings

import numpy as np
import pytest
from sklearn import metrics as sk

import confmat as cm

SEEDS = range(12)
close = pytest.approx


def rows(seed, weighted=False, classes=None):
    """Return classes, probabilities and weights; odd seeds have many ties."""
    rng = np.random.default_rng(seed)
    k = classes or int(rng.integers(3, 7))
    n = int(rng.integers(30, 120))
    y = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    p = rng.dirichlet(np.ones(k), n)
    p[np.arange(n), y] += rng.random(n)
    p /= p.sum(1, keepdims=True)
    if seed % 2:  # eighths, which sum to one exactly
        p = rng.multinomial(8, p) / 8
    return y, p, rng.random(n) if weighted else None


def got(s, name, average):
    return s.value(name, average=average) if average else s.per_class()[name].to_list()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("average", ["macro", "weighted", "micro", None])
@pytest.mark.parametrize("seed", SEEDS)
def test_one_vs_rest(seed, average, weighted):
    y, p, w = rows(seed, weighted)
    s = cm.multiclass_sweep(y, p, sample_weight=w)
    theirs = sk.roc_auc_score(y, p, multi_class="ovr", average=average, sample_weight=w)
    assert got(s, "roc_auc", average) == close(theirs, abs=1e-13)
    one_hot = np.eye(p.shape[1])[y]
    theirs = sk.average_precision_score(one_hot, p, average=average, sample_weight=w)
    assert got(s, "average_precision", average) == close(theirs, abs=1e-13)


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("seed", SEEDS)
def test_one_vs_one(seed, average):
    y, p, _ = rows(seed)
    theirs = sk.roc_auc_score(y, p, multi_class="ovo", average=average)
    s = cm.multiclass_sweep(y, p)
    assert s.value("roc_auc", average=average, multi_class="ovo") == close(theirs, abs=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_vs_one_with_weights(seed):
    # scikit-learn takes no weights here; its binary area of each pair does.
    y, p, w = rows(seed, True)
    areas, shares = [], []
    for a in range(p.shape[1]):
        for b in range(a + 1, p.shape[1]):
            pair = (y == a) | (y == b)
            both = [
                sk.roc_auc_score(y[pair] == c, p[pair, c], sample_weight=w[pair]) for c in (a, b)
            ]
            areas.append(np.mean(both))
            shares.append(w[pair].sum())
    s = cm.multiclass_sweep(y, p, sample_weight=w)
    np.testing.assert_allclose(s.pair_table()["auc"].to_numpy(), areas, rtol=1e-12)
    np.testing.assert_allclose(s.pair_table()["auc"], areas, rtol=1e-12)
    assert s.value("roc_auc", average="macro", multi_class="ovo") == close(np.mean(areas))
    assert s.value("roc_auc", average="weighted", multi_class="ovo") == close(
        np.average(areas, weights=shares)
    )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("seed", SEEDS)
def test_losses(seed, kind, weighted):
    y, p, w = rows(seed, weighted)
    p = p.astype(kind)
    s = cm.multiclass_sweep(y, p, sample_weight=w)
    wide = p.astype(np.float64)
    eps = np.finfo(kind).eps
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The y_prob values do not sum to one")
        theirs = sk.log_loss(y, np.clip(wide, eps, 1 - eps), sample_weight=w)
    assert s.log_loss == close(theirs, rel=1e-12)
    assert s.n_clipped == (wide[np.arange(len(y)), y] < eps).sum()
    if kind == np.float64:
        assert s.log_loss == close(sk.log_loss(y, p, sample_weight=w), rel=1e-12)
        theirs = sk.brier_score_loss(y, p, sample_weight=w)
        assert s.brier == close(theirs, rel=1e-12)
        theirs = sk.brier_score_loss(y, p, sample_weight=w, scale_by_half=True)
        assert s.value("brier", scale_by_half=True) == close(theirs, rel=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_top_k(seed, weighted):
    y, p, w = rows(seed, weighted)
    s = cm.multiclass_sweep(y, p, sample_weight=w)
    for k in range(1, p.shape[1]):
        theirs = sk.top_k_accuracy_score(y, p, k=k, sample_weight=w)
        assert s.value("top_k_accuracy", k=k) == close(theirs, abs=1e-13)
        assert s.at_top_k(k, "last").accuracy == close(theirs, abs=1e-13)
    assert s.value("top_k_accuracy", k=p.shape[1]) == close(1)


@pytest.mark.parametrize("seed", SEEDS)
def test_argmax(seed):
    y, p, w = rows(seed, True)
    m = cm.multiclass_sweep(y, p, sample_weight=w).at_argmax()
    named = p.argmax(1)
    theirs = sk.confusion_matrix(y, named, sample_weight=w, labels=range(p.shape[1]))
    np.testing.assert_allclose(m.counts, theirs, rtol=1e-13)
    assert m == cm.confusion_matrix(y, named, sample_weight=w, labels=range(p.shape[1]))


@pytest.mark.parametrize("seed", SEEDS)
def test_pooled_curves(seed):
    y, p, _ = rows(seed)
    s = cm.multiclass_sweep(y, p)
    one_hot = np.eye(p.shape[1])[y]
    fpr, tpr, threshold = sk.roc_curve(one_hot.ravel(), p.ravel(), drop_intermediate=False)
    ours = s.roc_curve("micro")
    theirs = {t: (a, b) for t, a, b in zip(threshold, fpr, tpr, strict=True)}
    for t, a, b in ours.select("threshold", "fpr", "tpr").rows():
        assert theirs[t] == close((a, b))
    # What is left out lies on straight lines between what is there.
    assert sk.auc(ours["fpr"], ours["tpr"]) == close(sk.auc(fpr, tpr))
    precision, recall, threshold = sk.precision_recall_curve(one_hot.ravel(), p.ravel())
    theirs = {t: (r, q) for t, r, q in zip(threshold, recall[:-1], precision[:-1], strict=True)}
    for t, r, q in s.pr_curve("micro").select("threshold", "recall", "precision").rows():
        assert theirs[t] == close((r, q))


@pytest.mark.parametrize("seed", SEEDS)
def test_mean_curves(seed):
    y, p, w = rows(seed, True)
    s = cm.multiclass_sweep(y, p, sample_weight=w)
    grid = np.linspace(0, 1, 101)
    curves = []
    for k in range(p.shape[1]):
        fpr, tpr, _ = sk.roc_curve(y == k, p[:, k], sample_weight=w, drop_intermediate=False)
        curves.append(np.interp(grid, fpr, tpr))
    ours = s.roc_curve(grid=101)
    np.testing.assert_allclose(ours["fpr"], grid)
    np.testing.assert_allclose(ours["tpr"], np.mean(curves, axis=0), atol=1e-12)
    # The area under the mean of steps is the mean average precision, up to the grid.
    steps = s.pr_curve(grid=20_001)["precision"][1:]
    assert steps.mean() == close(s.average_precision, abs=3e-3)
