"""Metrics of predictions that know nothing, against draws and what follows by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.dummy import DummyClassifier

import confmat as cm
from confmat.default_metrics import default_metrics

M = cm.ConfusionMatrix([[60, 5, 5], [4, 15, 1], [2, 3, 5]], labels=["a", "b", "c"])
SHARES = np.array([0.7, 0.2, 0.1])


def column(frame, name):
    return dict(frame.select("metric", name).rows())


def test_by_hand():
    frame = M.baselines(["accuracy", "recall_macro", "precision_macro", "kappa", "mcc"])
    assert frame.columns == ["metric", "value", "majority", "frequencies", "uniform", "reason"]
    assert column(frame, "value")["accuracy"] == M.accuracy
    assert column(frame, "majority")["accuracy"] == 0.7
    assert column(frame, "frequencies")["accuracy"] == pytest.approx((SHARES**2).sum())
    assert column(frame, "uniform")["accuracy"] == pytest.approx(1 / 3)
    for name in ("majority", "frequencies", "uniform"):
        assert column(frame, name)["recall_macro"] == pytest.approx(1 / 3)
        assert column(frame, name)["kappa"] == 0
    for name in ("frequencies", "uniform"):
        assert column(frame, name)["precision_macro"] == pytest.approx(1 / 3)
        assert column(frame, name)["mcc"] == 0
    assert column(frame, "majority")["mcc"] is None
    reasons = column(frame, "reason")
    assert reasons["mcc"].startswith("majority: ")
    assert reasons["accuracy"] is None


@pytest.mark.parametrize(
    ("name", "strategy"),
    [("majority", "most_frequent"), ("frequencies", "stratified"), ("uniform", "uniform")],
)
def test_as_scikit_learn_draws(name, strategy):
    y = np.repeat(["a", "b", "c"], [70_000, 20_000, 10_000])
    drawn = (
        DummyClassifier(strategy=strategy, random_state=1).fit(y[:, None], y).predict(y[:, None])
    )
    found = column(M.baselines(["accuracy", "balanced_accuracy", "recall"], pos_label="b"), name)
    assert found["accuracy"] == pytest.approx(sk.accuracy_score(y, drawn), abs=0.01)
    assert found["balanced_accuracy"] == pytest.approx(
        sk.balanced_accuracy_score(y, drawn), abs=0.01
    )
    recall = sk.recall_score(y, drawn, labels=["b"], average="macro")
    assert found["recall"] == pytest.approx(recall, abs=0.01)


CHANCE = ("kappa", "kappa_quadratic", "mcc", "mcc_macro", "informedness_macro", "cramer_v", "gmcc",
          "balanced_accuracy_adjusted", "markedness_macro", "equitable_threat_score_macro",
          "mutual_information")  # fmt: skip


@given(st.integers(2, 8), st.integers(1, 10**6), st.integers(0, 2**32), st.sampled_from([1, 0.25]))
def test_what_is_zero_by_chance_is_zero(k, most, seed, unit):
    counts = np.random.default_rng(seed).integers(1, most, (k, k), endpoint=True)
    m = cm.ConfusionMatrix(counts * unit)
    for row in m.baselines(CHANCE).select("frequencies", "uniform").rows():
        assert row == (0, 0)
    assert column(m.baselines(["eve"]), "majority")["eve"] == 0
    sized = m.baselines(["tp", "rand", "prediction_excess", "accuracy"], pos_label=0)
    true, n = m.counts.sum(1), m.n
    drawn = cm.ConfusionMatrix(np.outer(true, true / n))
    found = column(sized, "frequencies")
    assert found["tp"] == pytest.approx(true[0] ** 2 / n, rel=1e-14)
    assert (found["rand"] is None) == (drawn.reason("rand") is not None)
    assert found["rand"] in (None, pytest.approx(drawn.rand, rel=1e-12))
    assert found["accuracy"] == pytest.approx(drawn.accuracy, rel=1e-14)
    assert found["prediction_excess"] == 0


def test_weights_of_any_unit_and_many_rows():
    for counts in ([[3e200, 1e200], [2e200, 4e200]], [[3e-200, 1e-200], [2e-200, 4e-200]],
                   [[3 * 10**12, 10**12], [2 * 10**12, 4 * 10**12 + 1]]):  # fmt: skip
        for row in cm.ConfusionMatrix(counts).baselines(["kappa", "mcc"]).rows():
            assert row[3:5] == (pytest.approx(0, abs=1e-15), 0)


def test_defaults():
    assert M.baselines()["metric"].to_list() == list(default_metrics(False))
    two = cm.ConfusionMatrix([[90, 10], [20, 80]])
    assert two.baselines()["metric"].to_list() == list(default_metrics(True))
    assert M.baselines(pos_label="a")["metric"].to_list() == list(default_metrics(True))
    assert len(two.baselines("f1")) == 1
    named = cm.ConfusionMatrix([[90, 10], [20, 30]], labels=["x", "y"], pos_label="x")
    assert column(named.baselines(["recall"]), "majority")["recall"] == 1.0


def test_weights_smoothing_and_ties():
    weighted = cm.ConfusionMatrix([[1.5, 0.5], [0.25, 1.75]])
    found = weighted.baselines(["accuracy", "recall"])
    assert column(found, "majority") == {"accuracy": 0.5, "recall": 0.0}
    smooth = M.smooth(10).baselines(["accuracy"])
    assert column(smooth, "value")["accuracy"] == M.smooth(10).accuracy
    assert column(smooth, "majority")["accuracy"] == pytest.approx(100 / 190)
    many = cm.confusion_matrix([0, 0, 1], [0, 1, 1], labels=list(range(200)))
    assert column(many.baselines(["accuracy"]), "uniform")["accuracy"] == pytest.approx(1 / 200)


def test_the_largest_true_class_is_said_of_all_and_counts_stay():
    m = cm.ConfusionMatrix([[1, 1], [3, 5]])
    found = m.baselines(["tp", "fp", "fn", "tn"]).select("majority", "frequencies", "uniform")
    assert found.rows() == [(8, 6.4, 4), (2, 1.6, 1), (0, 1.6, 4), (0, 0.4, 1)]


@pytest.mark.parametrize("counts", [[[0]], [[0, 0], [0, 0]]])
def test_no_rows(counts):
    frame = cm.ConfusionMatrix(counts).baselines(["accuracy"])
    assert frame.row(0)[1:5] == (None,) * 4
    assert frame["reason"][0].count(": there are no rows") == 4


def test_refused():
    with pytest.raises(cm.InputError, match="kapa"):
        M.baselines(["kapa"])
    with pytest.raises(cm.InputError, match="`pos_label` 'z' is not in the labels"):
        M.baselines(["recall"], pos_label="z")
    with pytest.raises(cm.InputError, match="of 12000 classes is a table of"):
        cm.confusion_matrix([0, 1], [0, 1], labels=list(range(12_000))).baselines()
