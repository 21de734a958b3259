"""Areas, losses and curves of scores, as scikit-learn."""

import warnings

import numpy as np
import pytest
from sklearn import metrics as sk

import confmat as cm

CLOSE = {"rtol": 1e-12, "atol": 1e-14}
SEEDS = range(40)


def rows(seed, weighted=None):
    """Return truth, scores and weights: from all tied to all distinct, sometimes one float32."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 200))
    y = np.concatenate([[0, 1], rng.integers(0, 2, n)])
    scores = np.clip(rng.normal(0.4 + 0.2 * y, 0.3), 0, 1)
    digits = (None, 1, 2, 0)[seed % 4]
    scores = scores if digits is None else scores.round(digits)
    if seed % 5 == 0:
        scores = scores.astype(np.float32)
    weight = {
        None: None,
        "int": rng.integers(1, 5, n + 2),
        "float": rng.uniform(0.1, 3.0, n + 2),
    }[weighted]
    return y, scores, weight


each_weight = pytest.mark.parametrize("weighted", [None, "int", "float"])


@each_weight
def test_roc_auc(weighted):
    for seed in SEEDS:
        y, scores, w = rows(seed, weighted)
        got = cm.sweep(y, scores, sample_weight=w).roc_auc
        assert np.isclose(got, sk.roc_auc_score(y, scores, sample_weight=w), **CLOSE), seed


@each_weight
@pytest.mark.parametrize("max_fpr", [0.05, 0.1, 0.5, 0.999, 1.0])
def test_partial_auc(max_fpr, weighted):
    for seed in SEEDS:
        y, scores, w = rows(seed, weighted)
        got = cm.sweep(y, scores, sample_weight=w).value("partial_auc", max_fpr=max_fpr)
        wanted = sk.roc_auc_score(y, scores, max_fpr=max_fpr, sample_weight=w)
        assert np.isclose(got, wanted, **CLOSE), seed


@each_weight
@pytest.mark.parametrize("min_tpr", [0.0, 0.2, 0.9])
def test_partial_auc_over_sensitivity_is_that_of_exchanged_classes(min_tpr, weighted):
    for seed in SEEDS:
        y, scores, w = rows(seed, weighted)
        got = cm.sweep(y, scores, sample_weight=w).value("partial_auc", min_tpr=min_tpr)
        wanted = sk.roc_auc_score(1 - y, -scores, max_fpr=1 - min_tpr, sample_weight=w)
        assert np.isclose(got, wanted, **CLOSE), seed


@each_weight
def test_average_precision(weighted):
    for seed in SEEDS:
        y, scores, w = rows(seed, weighted)
        got = cm.sweep(y, scores, sample_weight=w).average_precision
        wanted = sk.average_precision_score(y, scores, sample_weight=w)
        assert np.isclose(got, wanted, **CLOSE), seed


@each_weight
def test_losses(weighted):
    for seed in SEEDS:
        y, scores, w = rows(seed, weighted)
        s = cm.sweep(y, scores, sample_weight=w)
        # scikit-learn computes with float32 where the scores are.
        close = {"rtol": 1e-6} if scores.dtype == np.float32 else CLOSE
        assert np.isclose(s.brier, sk.brier_score_loss(y, scores, sample_weight=w), **close)
        assert np.isclose(s.log_loss, sk.log_loss(y, scores, sample_weight=w), **close), seed


@each_weight
def test_roc_curve(weighted):
    for seed in SEEDS:
        y, scores, w = rows(seed, weighted)
        fpr, tpr, thresholds = sk.roc_curve(y, scores, sample_weight=w, drop_intermediate=False)
        got = cm.sweep(y, scores, sample_weight=w).roc_curve()
        assert np.allclose(got["fpr"], fpr, **CLOSE), seed
        assert np.allclose(got["tpr"], tpr, **CLOSE), seed
        assert np.array_equal(got["threshold"], thresholds), seed


@each_weight
def test_pr_curve(weighted):
    for seed in SEEDS:
        y, scores, w = rows(seed, weighted)
        precision, recall, thresholds = sk.precision_recall_curve(y, scores, sample_weight=w)
        got = cm.sweep(y, scores, sample_weight=w).pr_curve().reverse()
        # scikit-learn adds the point (recall 0, precision 1) at the end.
        assert np.allclose(got["precision"], precision[:-1], **CLOSE), seed
        assert np.allclose(got["recall"], recall[:-1], **CLOSE), seed
        assert np.array_equal(got["threshold"], thresholds), seed


@each_weight
def test_det_curve(weighted):
    for seed in SEEDS:
        y, scores, w = rows(seed, weighted)
        fpr, fnr, thresholds = sk.det_curve(y, scores, sample_weight=w)
        got = cm.sweep(y, scores, sample_weight=w).det_curve()
        at = dict(zip(got["threshold"].to_list(), got.select("fpr", "fnr").rows(), strict=True))
        for threshold, wanted in zip(thresholds, zip(fpr, fnr, strict=True), strict=True):
            assert np.allclose(at[threshold], wanted, **CLOSE), seed


@each_weight
def test_thresholded_metrics(weighted):
    scored = {
        "precision": lambda *a, **kw: sk.precision_score(*a, zero_division=np.nan, **kw),
        "f1": sk.f1_score,
        "mcc": sk.matthews_corrcoef,
        "balanced_accuracy": sk.balanced_accuracy_score,
        "accuracy": sk.accuracy_score,
    }
    for seed in range(4):
        y, scores, w = rows(seed, weighted)
        table = cm.sweep(y, scores, sample_weight=w).table(list(scored), undefined=0.0)
        assert table["threshold"].to_list() == sorted(set(scores.tolist()), reverse=True)
        for row in table.iter_rows(named=True):
            predicted = scores >= row["threshold"]
            assert np.isclose(
                row["n_predicted"], predicted.sum() if w is None else w[predicted].sum()
            )
            for name, score in scored.items():
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    wanted = score(y, predicted.astype(int), sample_weight=w)
                assert np.isclose(row[name], wanted, rtol=1e-10, atol=1e-12), (seed, name, row)


def test_all_tied():
    s = cm.sweep([0, 1, 1, 0], [0.5] * 4)
    assert s.roc_auc == sk.roc_auc_score([0, 1, 1, 0], [0.5] * 4) == 0.5
    assert s.average_precision == sk.average_precision_score([0, 1, 1, 0], [0.5] * 4) == 0.5
    assert s.roc_curve().height == 2
