"""Plain functions: the numbers of scikit-learn, one warning, readable errors."""

import doctest
import inspect
import math
import warnings

import numpy as np
import pytest
from sklearn import metrics as sk

import confmat as cm
from confmat import functions, registry
from confmat.callables import bodies
from confmat.suffixes import UNLISTED

RNG = np.random.default_rng(7)
TRUE = RNG.integers(0, 4, 500)
PRED = np.where(RNG.random(500) < 0.6, TRUE, RNG.integers(0, 4, 500))
WEIGHT = RNG.random(500)
PER_CLASS = {
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "jaccard": sk.jaccard_score,
}
OVERALL = {
    "accuracy": sk.accuracy_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "mcc": sk.matthews_corrcoef,
    "kappa": sk.cohen_kappa_score,
    "hamming_loss": sk.hamming_loss,
    "zero_one_loss": sk.zero_one_loss,
}


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("name", PER_CLASS)
def test_averages_equal_sklearn(name, average, weight):
    want = PER_CLASS[name](TRUE, PRED, average=average, sample_weight=weight)
    got = getattr(cm, name)(TRUE, PRED, average=average, sample_weight=weight)
    assert got == pytest.approx(want, rel=1e-13)


@pytest.mark.parametrize("name", PER_CLASS)
def test_one_class_equals_sklearn(name):
    want = PER_CLASS[name](TRUE > 1, PRED > 1)
    assert getattr(cm, name)(TRUE > 1, PRED > 1) == pytest.approx(want, rel=1e-13)
    want = PER_CLASS[name](TRUE, PRED, average=None)[2]
    assert getattr(cm, name)(TRUE, PRED, pos_label=2) == pytest.approx(want, rel=1e-13)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", OVERALL)
def test_overall_equals_sklearn(name, weight):
    want = OVERALL[name](TRUE, PRED, sample_weight=weight)
    assert getattr(cm, name)(TRUE, PRED, sample_weight=weight) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("kind", ["linear", "quadratic"])
def test_weighted_kappa_equals_sklearn(kind):
    want = sk.cohen_kappa_score(TRUE, PRED, weights=kind)
    assert getattr(cm, f"kappa_{kind}")(TRUE, PRED) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("beta", [0.5, 1, 2])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_fbeta_equals_sklearn(beta, average):
    want = sk.fbeta_score(TRUE, PRED, beta=beta, average=average)
    assert cm.fbeta(TRUE, PRED, average=average, beta=beta) == pytest.approx(want, rel=1e-13)


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("name", PER_CLASS)
def test_undefined_zero_is_zero_division_zero(name, average):
    true, pred = [0, 0, 1, 1, 2, 3], [0, 1, 1, 1, 3, 0]
    want = PER_CLASS[name](true, pred, average=average, zero_division=0)
    got = getattr(cm, name)(true, pred, average=average, undefined=0.0)
    assert got == pytest.approx(want, rel=1e-13)


def test_undefined_warns_once_at_the_caller():
    with pytest.warns(cm.UndefinedMetricWarning, match="precision is undefined") as caught:
        value = cm.precision([0, 1, 1], [0, 0, 0])
    assert math.isnan(value)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_undefined_is_checked_whatever_the_value():
    for y in ([0, 0], [0, 1]):
        with pytest.raises(cm.InputError, match="`undefined` is 'zero'; wanted a number or None"):
            cm.roc_auc(y, [0.1, 0.2], undefined="zero")
    assert cm.roc_auc([0, 0], [0.1, 0.2], undefined=0) == 0.0


def test_undefined_given_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cm.precision([0, 1, 1], [0, 0, 0], undefined=0.25) == 0.25
        assert math.isnan(cm.precision([0, 1, 1], [0, 0, 0], undefined=math.nan))


def test_more_than_two_classes_need_an_average():
    with pytest.raises(cm.InputError, match="macro"):
        cm.precision(TRUE, PRED)


def test_every_average_is_that_of_the_matrix():
    matrix = cm.confusion_matrix(TRUE, PRED)
    for fact in registry.facts():
        if fact["level"] == "average":
            got = getattr(cm, fact["base"])(TRUE, PRED, average=fact["average"])
            assert got == matrix[fact["name"]]


def test_unknown_average_names_the_known():
    with pytest.raises(cm.InputError, match="'micro'"):
        cm.f1(TRUE, PRED, average="sample")


def test_labels_may_be_texts():
    true, pred = ["no", "yes", "yes"], ["no", "yes", "no"]
    assert cm.recall(true, pred, pos_label="yes") == 0.5
    with pytest.raises(cm.InputError, match="pos_label"):
        cm.recall(true, pred)


def test_every_function_is_public_and_has_one_order_of_arguments():
    for name in functions.__all__:
        function = getattr(cm, name)
        assert function is getattr(functions, name)
        parameters = list(inspect.signature(function).parameters)
        scores = registry.is_score_metric(name)
        assert parameters[:2] == ["y_true", "y_score" if scores else "y_pred"]
        assert {"sample_weight", "undefined"} <= set(parameters)
        numbers = registry.is_regression_metric(name)
        assert ("labels" in parameters) is not (scores or numbers)


@pytest.mark.parametrize("module", [bodies, registry], ids=lambda m: m.__name__)
def test_examples_run(module):
    failed, _ = doctest.testmod(module)
    assert failed == 0


@pytest.mark.parametrize("name", PER_CLASS)
def test_the_word_of_sklearn_for_one_class(name):
    function = getattr(cm, name)
    assert function(TRUE > 1, PRED > 1, average="binary") == function(TRUE > 1, PRED > 1)
    assert function(TRUE, PRED, average="binary", pos_label=2) == function(TRUE, PRED, pos_label=2)
    assert '"binary"' in function.__doc__


def test_labels_that_leave_classes_out_lead_to_classes():
    """As scikit-learn means it; other="bucket" would leave rows out."""
    y, p = ["a", "b", "a", "c"], ["a", "a", "b", "c"]
    for average in ("macro", "micro", "weighted", None):
        with pytest.raises(cm.InputError, match=r"at row 1 .*; or pass labels= as classes= to"):
            cm.precision(y, p, labels=["a"], average=average)
        of_a = np.ravel(cm.precision(y, p, classes=["a"], average=average))
        assert of_a.tolist() == [sk.precision_score(y, p, labels=["a"], average="macro")]
    with pytest.raises(cm.InputError, match=r"n_other$"):
        cm.precision(y, p, labels=["a"], pos_label="a")


@pytest.mark.parametrize("average", UNLISTED)
@pytest.mark.parametrize("name", ["f1", "recall", "fbeta"])
def test_power_means_are_averages_of_functions(name, average):
    m = cm.confusion_matrix(TRUE, PRED)
    assert getattr(cm, name)(TRUE, PRED, average=average) == m.value(name, average=average)


def test_means_of_metrics_with_signs():
    m = cm.confusion_matrix(TRUE, PRED)
    assert cm.mcc_binary(TRUE, PRED, average="min") == m["mcc_min"]
    with pytest.raises(cm.InputError, match="'ovo', 'min', 'max' or None for informedness"):
        cm.informedness(TRUE, PRED, average="geometric")
    with pytest.raises(cm.InputError, match="'min', 'max', 'power' or None for lr_positive"):
        cm.lr_positive(TRUE, PRED, average="micro")
    with pytest.raises(cm.InputError, match="wanted 'binary' or None for tp"):
        cm.tp(TRUE, PRED, average="min")
