"""Precision, recall, F and Jaccard with every average and `zero_division`, as scikit-learn."""

import numpy as np
import pytest
from oracle.columns import SEEDS, WEIGHTS, columns
from sklearn import metrics as sk

import confmat as cm

RATES = {
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "fbeta(2)": lambda *args, **kw: sk.fbeta_score(*args, beta=2, **kw),
    "fbeta(0.5)": lambda *args, **kw: sk.fbeta_score(*args, beta=0.5, **kw),
    "jaccard": sk.jaccard_score,
}
# Jaccard takes no nan for `zero_division`.
NAMES_AND_ZEROS = [
    (name, zero)
    for name in RATES
    for zero in (0.0, 1.0, np.nan)
    if not (name == "jaccard" and np.isnan(zero))
]
CLOSE = {"rtol": 1e-12, "atol": 1e-14, "equal_nan": True}


def confmat(name, c, average, undefined):
    m = cm.confusion_matrix(c.y, c.p, sample_weight=c.w)
    return m.value(name, average=average, undefined=undefined)


def all_wrong_or_absent(c):
    """Return whether a class lacks truth or prediction, so that `zero_division` matters."""
    return len(np.unique(c.y)) < len(np.union1d(c.y, c.p)) > len(np.unique(c.p))


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize(("name", "zero"), NAMES_AND_ZEROS)
def test_averages(name, average, zero):
    for seed in SEEDS:
        c = columns(seed, WEIGHTS[seed % 3], rows=12 if seed % 2 else None)
        wanted = RATES[name](c.y, c.p, average=average, sample_weight=c.w, zero_division=zero)
        undefined = None if np.isnan(zero) else zero
        assert np.isclose(confmat(name, c, average, undefined), wanted, **CLOSE), seed


@pytest.mark.parametrize(("name", "zero"), NAMES_AND_ZEROS)
def test_each_class(name, zero):
    for seed in SEEDS:
        c = columns(seed, WEIGHTS[seed % 3], rows=8)
        wanted = RATES[name](c.y, c.p, average=None, sample_weight=c.w, zero_division=zero)
        m = cm.confusion_matrix(c.y, c.p, sample_weight=c.w)
        undefined = None if np.isnan(zero) else zero
        got = m.per_class([name], undefined=undefined)[name].fill_null(np.nan).to_numpy()
        assert np.allclose(got, wanted, **CLOSE), seed


@pytest.mark.parametrize("pos", [0, 1])
@pytest.mark.parametrize("name", RATES)
def test_two_classes(name, pos):
    for seed in SEEDS:
        c = columns(seed, WEIGHTS[seed % 3], classes=2)
        wanted = RATES[name](c.y, c.p, pos_label=pos, sample_weight=c.w, zero_division=0.0)
        m = cm.confusion_matrix(c.y, c.p, sample_weight=c.w)
        assert np.isclose(m.value(name, pos_label=pos, undefined=0.0), wanted, **CLOSE), seed


@pytest.mark.parametrize("name", RATES)
def test_absent_classes_of_a_given_label_set_count_when_kept(name):
    labels = list(range(9))
    for seed in SEEDS:
        c = columns(seed)
        wanted = RATES[name](c.y, c.p, labels=labels, average="macro", zero_division=0.0)
        m = cm.confusion_matrix(c.y, c.p, labels=labels)
        got = m.value(name, average="macro", undefined=0.0, keep_empty=True)
        assert np.isclose(got, wanted, **CLOSE), seed


def test_the_columns_reach_zero_division():
    assert any(all_wrong_or_absent(columns(seed, rows=8)) for seed in SEEDS)
