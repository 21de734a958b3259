"""Undefined values of a matrix, absent classes, and smoothing that fills them."""

import math

import numpy as np
import polars as pl
import pytest
from sklearn import metrics as sk

import confmat as cm

BINARY = cm.ConfusionMatrix([[90, 10], [20, 80]])


def test_undefined_values():
    m = cm.ConfusionMatrix([[5, 0], [3, 0]])
    assert math.isnan(m.precision)
    assert "tp + fp = 0" in m.reason("precision")
    assert m.value("precision", undefined=0.0) == 0
    assert m.value("precision", undefined=1.0) == 1
    assert m.reason("recall") is None
    assert m.value("precision_macro") == 5 / 8
    assert m.value("precision_macro", undefined=0.0) == 5 / 16
    assert math.isnan(m.mcc)
    assert math.isnan(m["mcc"])


def test_absent_classes():
    m = cm.confusion_matrix([0, 1, 1], [0, 1, 0], labels=[0, 1, 2])
    assert m.f1_macro == cm.confusion_matrix([0, 1, 1], [0, 1, 0]).f1_macro
    assert m.gmcc == m["gmcc"] == m.values(["gmcc"])["gmcc"] == m.value("gmcc") > 0.4
    assert m.overall(["gmcc"])["value"].item() == m.gmcc
    assert m.value("gmcc", keep_empty=True) == 0
    assert "degenerate" in m.reason("gmcc", keep_empty=True)
    assert m.reason("gmcc") is None
    wanted = sk.f1_score([0, 1, 1], [0, 1, 0], labels=[0, 1, 2], average="macro", zero_division=0)
    assert m.value("f1_macro", undefined=0.0, keep_empty=True) == pytest.approx(wanted)


def test_smoothing_is_in_the_metrics_and_not_in_the_counts():
    m = BINARY.smooth(0.5)
    assert m.counts.tolist() == BINARY.counts.tolist()
    assert m.accuracy == pytest.approx(171 / 202)
    plain = cm.ConfusionMatrix(np.array([[90.5, 10.5], [20.5, 80.5]]))
    for name in ("mcc", "gmcc", "eve", "f1_macro", "precision"):
        assert m[name] == pytest.approx(plain[name], rel=1e-14)
        assert m.values([name]) == {name: m[name]}
        assert m.overall([name])["value"].item() == m[name]
    for label in (0, 1):
        row = m.per_class(["precision", "tp"]).row(label, named=True)
        assert row["precision"] == m.value("precision", pos_label=label)
        assert row["tp"] == m.value("tp", pos_label=label) == m.counts[label, label] + 0.5
    np.testing.assert_allclose(m.eve_eigenvalues, plain.eve_eigenvalues)
    np.testing.assert_allclose(m.singular_values, plain.singular_values)
    assert m.eve_bounds == pytest.approx(plain.eve_bounds)
    assert m.smooth(0) == BINARY
    y, p = np.repeat([0, 0, 1, 1], [90, 10, 20, 80]), np.repeat([0, 1, 0, 1], [90, 10, 20, 80])
    assert cm.confusion_matrix(y, p, smoothing=0.5) == m


def test_smoothing_fills_absent_classes():
    m = cm.confusion_matrix([0, 1], [0, 1], labels=[0, 1, 2], smoothing=1)
    plain = cm.ConfusionMatrix([[2.0, 1, 1], [1, 2, 1], [1, 1, 1]])
    for name in ("accuracy", "f1_macro", "gmcc", "eve"):
        assert m[name] == pytest.approx(plain[name], rel=1e-14)


def test_n_used_says_how_many_classes_an_average_is_over():
    m = cm.ConfusionMatrix([[5, 0, 0, 0], [3, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]])
    assert m.n_used("recall_macro") == m.n_used("recall", "macro") == 3  # class 3 is absent
    assert m.n_used("precision_macro") == 2  # class 1 is never predicted
    assert m.n_used("precision_weighted") == 2
    assert m.n_used("f1_micro") == 3
    assert m.n_used("fbeta", average="macro", beta=2) == m.n_used("fbeta_macro(2)") == 3
    assert m.n_used("mcc") == 3
    assert m.n_used("mcc", keep_empty=True) == 4
    defined = m.per_class(["precision"])["precision"].drop_nulls()
    assert m.precision_macro == defined.mean()
    assert m.n_used("precision_macro") == defined.len()
    assert isinstance(m.n_used("mcc"), int)
    assert "n_used" not in m.overall().columns
    with pytest.raises(cm.InputError, match="precision is about one class"):
        m.n_used("precision")
    with pytest.raises(cm.InputError, match="accuracy"):
        m.n_used("acuracy")


def test_one_class_has_an_empty_positive_one():
    for truth, labels in (([0, 0], (0,)), ([-1, -1], (-1,)), ([False, False], (False, True))):
        m = cm.confusion_matrix(truth, truth)
        assert m.labels == labels
        assert (m.specificity, m.value("tn"), m.value("tp")) == (1.0, 2, 0)
        assert m.value("specificity", pos_label=1) == 1.0
        assert m.values(["specificity", "recall"], undefined=0.0) == {
            "specificity": 1.0,
            "recall": 0.0,
        }
        assert m.overall(["specificity"])["value"].to_list() == [1.0]
        assert m.reason("recall") == m.overall(["recall"])["reason"][0]
        assert m.reason("recall").startswith("class ")
        frame = pl.DataFrame({"y": truth})
        assert frame.select(cm.metric("specificity", "y", "y")).item() == 1.0
        assert cm.specificity(truth, truth) == 1.0
    assert cm.ConfusionMatrix([[3]], labels=[1]).precision == 1.0
    assert cm.specificity([], [], undefined=0.5) == 0.5
    for label in (5, "1", 1.5, None):
        if label is not None:
            with pytest.raises(cm.InputError, match="pos_label"):
                cm.specificity([0, 0], [0, 0], pos_label=label)
