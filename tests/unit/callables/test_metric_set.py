"""Metric sets: the numbers of plain functions, and scorers that count once."""

import pickle
from unittest import mock

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import make_scorer, matthews_corrcoef, mean_squared_error
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB

import confmat as cm
from confmat.callables import metric_set

RNG = np.random.default_rng(5)
X = RNG.normal(size=(90, 2))
TWO = np.where(X.sum(axis=1) + RNG.normal(size=90) > 0, "yes", "no")
THREE = np.digitize(X.sum(axis=1) + RNG.normal(size=90), [-1, 1])


def test_numbers_of_plain_functions_in_the_order_that_was_asked():
    y, pred, score = [0, 0, 1, 1], [0, 1, 1, 1], [0.1, 0.6, 0.5, 0.8]
    found = cm.MetricSet(["roc_auc", "f1", "accuracy", "log_loss"])(y, pred, y_score=score)
    assert list(found) == ["roc_auc", "f1", "accuracy", "log_loss"]
    assert found == {
        "roc_auc": cm.roc_auc(y, score),
        "f1": cm.f1(y, pred),
        "accuracy": cm.accuracy(y, pred),
        "log_loss": cm.log_loss(y, score),
    }


def test_scores_of_many_classes():
    proba = GaussianNB().fit(X, THREE).predict_proba(X)
    found = cm.MetricSet(["roc_auc_ovo", "top_2_accuracy"])(THREE, y_score=proba)
    k = cm.multiclass_sweep(THREE, proba)
    assert found == {name: k.value(name) for name in found}


def test_scorers_agree_with_those_of_scikit_learn():
    scoring = cm.MetricSet(["mcc", "accuracy", "roc_auc", "log_loss"]).as_scorers()
    found = cross_validate(GaussianNB(), X, TWO, cv=3, scoring=pickle.loads(pickle.dumps(scoring)))
    expected = {
        "mcc": make_scorer(matthews_corrcoef),
        **{name: name for name in ("accuracy", "roc_auc", "neg_log_loss")},
    }
    theirs = cross_validate(GaussianNB(), X, TWO, cv=3, scoring=expected)
    for name in expected:
        np.testing.assert_allclose(found[f"test_{name}"], theirs[f"test_{name}"])


def test_rows_are_predicted_and_counted_once():
    model = GaussianNB().fit(X, THREE)
    scoring = cm.MetricSet(["mcc", "f1_macro", "roc_auc", "log_loss"]).as_scorers()
    with (
        mock.patch.object(metric_set, "confusion_matrix", wraps=cm.confusion_matrix) as counted,
        mock.patch.object(metric_set, "multiclass_sweep", wraps=cm.multiclass_sweep) as swept,
        mock.patch.object(
            GaussianNB, "predict", autospec=True, side_effect=GaussianNB.predict
        ) as p,
    ):
        found = scoring(model, X, THREE)
    assert (counted.call_count, swept.call_count, p.call_count) == (1, 1, 1)
    assert list(found) == ["mcc", "f1_macro", "roc_auc", "neg_log_loss"]


def test_a_search_prefers_the_smaller_loss():
    grid = {"var_smoothing": [1e-9, 1e3]}
    scoring = cm.MetricSet(["log_loss", "accuracy"]).as_scorers()
    search = GridSearchCV(GaussianNB(), grid, scoring=scoring, refit="neg_log_loss", cv=3)
    assert search.fit(X, TWO).best_params_ == {"var_smoothing": 1e-9}


def test_decisions_and_the_other_positive_class():
    model = RidgeClassifier().fit(X, TWO)
    areas = [
        cm.MetricSet("roc_auc").as_scorers(pos_label=label)(model, X, TWO)["roc_auc"]
        for label in ("no", "yes", None)
    ]
    assert areas[0] == areas[1] == areas[2] > 0.7


def test_numbers():
    model = DummyRegressor().fit(X, X[:, 0])
    found = cm.MetricSet(["mse", "mae"]).as_scorers()(model, X, X[:, 0])
    assert found["neg_mse"] == pytest.approx(-mean_squared_error(X[:, 0], model.predict(X)))


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ([], "empty"),
        (["nonsense"], "unknown metric 'nonsense'"),
        (["f1", "f1"], "twice"),
        (["mse", "f1"], "'mse', which is of numbers, and 'f1'"),
        (3, "metrics"),
    ],
)
def test_what_is_refused(metrics, message):
    with pytest.raises(cm.InputError, match=message):
        cm.MetricSet(metrics)


@pytest.mark.parametrize(
    ("name", "argument"), [("f1", "y_pred"), ("ks", "y_score"), ("mae", "y_pred")]
)
def test_a_column_that_is_not_given(name, argument):
    with pytest.raises(cm.InputError, match=f"`{argument}` is not given, and '{name}' needs it"):
        cm.MetricSet(name)([0, 1])


def test_an_estimator_without_scores():
    model = DummyRegressor().fit(X, X[:, 0])
    model.classes_ = np.array([0, 1])
    with pytest.raises(cm.InputError, match="predict_proba or decision_function"):
        cm.MetricSet("roc_auc").as_scorers()(model, X, THREE)
